//! What is done with a payment that was held or charged, or an installment order: confirm, cancel, refund.
//!
//! Two transactions with a call to the acquirer between them, as for a try to pay: the first reserves the money and says that the
//! operation is under way, the second what came of it.

use database::Transaction;
use jiff::{SignedDuration, Timestamp};
use wire::interface::answer::{self, DetailsMethod, Operation as Kind, Status};
use wire::interface::steps::Step as Request;
use wire::interface::values::WebAddress;
use wire::interface::{Amount, Currency, StatusCode};

use super::Payment;
use super::states::Event;
use crate::checkout::record::Checkout;
use crate::checkout::whole::Stop;
use crate::id::Id;
use crate::job::work::no_answer;
use crate::ledger::{self, Account};
use crate::operation::Operation;
use crate::order::Number;
use crate::owner::Owner;
use crate::port::acquirer::{Decision, Follow};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::{fiscal, job, refund};

/// What an operation belongs to, with the operation.
#[derive(Clone)]
pub(crate) struct Followed {
    pub(crate) owner: Owner,
    pub(crate) operation: Operation,
}

impl Followed {
    /// Reads it by its operation, with the row of its owner locked.
    pub(crate) fn lock(tx: &mut dyn Transaction, operation: Id) -> Result<Option<Self>, Refusal> {
        let Some(found) = Operation::find(tx, operation)? else {
            return Ok(None);
        };
        let owner =
            Owner::lock(tx, found.payment)?.ok_or_else(|| Refusal::internal("a payment is not there"))?;
        // Once more, now that nobody else changes it.
        let operation = Operation::find(tx, operation)?.unwrap_or(found);
        Ok(Some(Self { owner, operation }))
    }

    /// Stores what may have changed.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        self.owner.update(tx)?;
        self.operation.update(tx)
    }

    /// The payment, where it is one's.
    pub(crate) fn into_payment(self) -> Result<(Checkout, Payment, Operation), Refusal> {
        match self.owner {
            Owner::Payment(of) => Ok((of.0, of.1, self.operation)),
            Owner::Installment(_) => Err(Refusal::internal("an order is no payment")),
        }
    }
}

impl Processing {
    /// `POST /api/payments/v1/confirm`: charges what is held, or a part of it; the rest is free then. Waits for the disk and the acquirer.
    pub fn confirm(&self, project: &Project, request: &Request) -> Result<answer::Payment, Refusal> {
        self.follow(project, request, Kind::Confirm)
    }

    /// `POST /api/payments/v1/cancel`: releases what is held, or a part of it. Waits for the disk and the acquirer.
    pub fn cancel(&self, project: &Project, request: &Request) -> Result<answer::Payment, Refusal> {
        self.follow(project, request, Kind::Cancel)
    }

    /// `POST /api/payments/v1/refund`: gives back what was charged, or a part of it, once the balance suffices. Waits for the disk and the
    /// acquirer.
    pub fn refund(&self, project: &Project, request: &Request) -> Result<answer::Payment, Refusal> {
        self.follow(project, request, Kind::Refund)
    }

    fn follow(&self, project: &Project, request: &Request, kind: Kind) -> Result<answer::Payment, Refusal> {
        let request = request.clone();
        let done = self.follow_owner(project, move |tx, login, times| {
            let owner = Owner::named(tx, Number::order(&login.id, &request.external_id))?
                .ok_or_else(unknown_order)?;
            let asked = Asked {
                kind: &kind,
                amount: request.amount,
                currency: request.currency,
                payload: request.payload.as_deref(),
                callback_url: request.callback_url.as_ref(),
            };
            begin(tx, login, owner, &asked, times)
        })?;
        self.answer_payment(done)
    }

    /// Does one operation from its beginning to its end.
    pub(crate) fn follow_owner(
        &self,
        project: &Project,
        begin: impl Fn(&mut dyn Transaction, &Project, (Id, Timestamp, Timestamp)) -> Result<Followed, Stop>
        + Clone
        + Send
        + 'static,
    ) -> Result<Followed, Refusal> {
        let real = self.shared.now();
        let times = (self.shared.new_id()?, project.now(real), real);
        let login = project.clone();
        let begun = self.patiently(move |tx| begin(tx, &login, times))?;
        self.act(begun)
    }

    /// The payment object of an operation that was done.
    pub(crate) fn answer_payment(&self, done: Followed) -> Result<answer::Payment, Refusal> {
        let (checkout, payment, operation) = done.into_payment()?;
        self.answer(&checkout, &payment, Some(&operation))
    }

    /// Has the acquirer or the bank do an operation that was begun, and stores what came of it. Without an answer it stays under way, and the job
    /// asks again.
    pub(crate) fn act(&self, begun: Followed) -> Result<Followed, Refusal> {
        let id = begun.operation.id;
        if begun.operation.has_ended() || begun.operation.code == StatusCode::RefundWaitingForFunds {
            return Ok(begun);
        }
        let seller = self.shared.known_project(begun.owner.project())?;
        let follow = Follow {
            project: &seller,
            operation: id,
            payment: begun.owner.id(),
            amount: begun.operation.amount,
            currency: begun.owner.currency(),
        };
        let ports = self.shared.ports(&seller)?;
        let answered = match (&begun.owner, &begun.operation.kind) {
            (Owner::Payment(_), Kind::Confirm) => ports.acquirer.capture(&follow),
            (Owner::Payment(_), Kind::Cancel) => ports.acquirer.release(&follow),
            (Owner::Payment(_), _) => ports.acquirer.refund(&follow),
            (Owner::Installment(order), Kind::Confirm) => ports.banks.confirm(&order.bank, &follow),
            (Owner::Installment(order), Kind::Cancel) => ports.banks.cancel(&order.bank, &follow),
            (Owner::Installment(order), _) => ports.banks.refund(&order.bank, &follow),
        };
        let Ok(decision) = answered else {
            return Ok(begun);
        };
        let this = self.clone();
        self.shared.database.write(move |tx| {
            let mut found = Followed::lock(tx, id)?.ok_or_else(unknown_order)?;
            if found.owner.busy() == Some(id) {
                this.conclude_follow(tx, &mut found, decision.clone())?;
            }
            Ok(found)
        })
    }

    /// Goes on with an operation that was interrupted.
    pub(crate) fn go_on_following(&self, operation: Id) -> Result<(), Refusal> {
        match self
            .shared
            .database
            .write(move |tx| Followed::lock(tx, operation))?
        {
            Some(begun) => match self.act(begun)?.owner.busy() {
                Some(busy) if busy == operation => Err(no_answer()),
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// Stores what an operation has done.
    fn conclude_follow(
        &self,
        tx: &mut dyn Transaction,
        found: &mut Followed,
        decision: Decision,
    ) -> Result<(), Refusal> {
        let Followed { owner, operation } = found;
        let seller = self.shared.known_project(owner.project())?;
        let now = seller.now(self.shared.now());
        owner.set_busy(None);
        let money = owner.money_mut();
        let amount = operation.amount;
        let sum = |sum: Amount, more: Amount| {
            sum.plus(more)
                .ok_or_else(|| Refusal::internal("a sum is out of range"))
        };
        let less = |sum: Amount| {
            sum.minus(amount)
                .ok_or_else(|| Refusal::internal("a sum is out of range"))
        };
        let is_refund = operation.kind == Kind::Refund;
        if is_refund {
            money.refunding = less(money.refunding)?;
        }
        match decision {
            Decision::Approved { auth_code, rrn } => {
                let (event, code) = match operation.kind {
                    Kind::Confirm => {
                        money.charged = amount;
                        (Event::Confirm, StatusCode::TransactionSuccessful)
                    }
                    Kind::Cancel => {
                        money.released = sum(money.released, amount)?;
                        let event = if money.rest().is_zero() {
                            Event::ReleaseAll
                        } else {
                            Event::ReleasePart
                        };
                        (event, StatusCode::CancelSuccessful)
                    }
                    _ => {
                        money.refunded = sum(money.refunded, amount)?;
                        (Event::Refund, StatusCode::RefundSuccessful)
                    }
                };
                owner.step(tx, event)?;
                if let (Event::ReleaseAll, Owner::Installment(order)) = (event, &*owner) {
                    self.withdrawn(tx, order)?;
                }
                operation.auth_code = Some(auth_code);
                operation.rrn = Some(rrn);
                operation.end(Status::Success, code, now);
                if event == Event::Confirm {
                    self.earn(tx, owner.project(), owner.currency(), operation)?;
                }
            }
            Decision::Declined(code) => {
                operation.end(Status::Failure, code, now);
                if is_refund {
                    // It did not go back after all.
                    for account in [Account::Refunds, Account::Payouts] {
                        ledger::add(tx, &seller.id, account, owner.currency(), now, amount)?;
                    }
                }
            }
            Decision::Challenge => {
                return Err(Refusal::internal(
                    "an acquirer asks for a proof where there is no payer",
                ));
            }
        }
        if operation.status == Status::Success && operation.kind != Kind::Cancel {
            let fiscal = fiscal::begin(tx, owner.products()?.is_some(), operation, self.shared.now())?;
            match is_refund {
                true => {
                    operation.fiscal = fiscal;
                    operation.update_fiscal(tx)?;
                }
                false => owner.set_fiscal(fiscal),
            }
        }
        job::cancel(tx, job::Kind::Follow, operation.id)?;
        found.update(tx)?;
        let Followed { owner, operation } = &*found;
        if is_refund
            && operation.status == Status::Success
            && let Owner::Payment(of) = owner
            && let Some(subscription) = of.0.terms.subscription
        {
            self.tell_of_refund(tx, subscription, &of.1, operation)?;
        }
        self.tell_followed(tx, found)
    }

    /// Tells the shop how an operation stands.
    pub(crate) fn tell_followed(&self, tx: &mut dyn Transaction, found: &Followed) -> Result<(), Refusal> {
        match &found.owner {
            Owner::Payment(of) => self.tell_of(tx, &of.0, &of.1, &found.operation),
            Owner::Installment(order) => self.tell_of_installment(tx, order, &found.operation),
        }
    }
}

/// What is to be done with a payment.
pub(crate) struct Asked<'a> {
    pub(crate) kind: &'a Kind,
    /// How much; all of it, where nothing is said.
    pub(crate) amount: Option<Amount>,
    pub(crate) currency: Option<Currency>,
    pub(crate) payload: Option<&'a str>,
    /// Hears of this operation instead of the payment's own.
    pub(crate) callback_url: Option<&'a WebAddress>,
}

/// Reserves the money of an operation and says that it is under way.
pub(crate) fn begin(
    tx: &mut dyn Transaction,
    project: &Project,
    mut owner: Owner,
    asked: &Asked<'_>,
    (id, now, real): (Id, Timestamp, Timestamp),
) -> Result<Followed, Stop> {
    if asked
        .currency
        .is_some_and(|currency| currency != owner.currency())
    {
        let code = match asked.kind {
            Kind::Refund => StatusCode::IncorrectRefund,
            _ => StatusCode::InvalidCurrency,
        };
        return Err(owner
            .about(code, "the payment has another currency")
            .at("currency")
            .into());
    }
    if owner.busy().is_some() {
        return Err(Stop::Busy);
    }
    let money = owner.money();
    let (event, amount, method) = match asked.kind {
        Kind::Confirm => (
            Event::Confirm,
            money.to_confirm(asked.amount),
            DetailsMethod::Capture,
        ),
        Kind::Cancel => {
            let release = money.to_release(asked.amount);
            let is_all = matches!(release, Ok((_, true)) | Err(_));
            let event = if is_all {
                Event::ReleaseAll
            } else {
                Event::ReleasePart
            };
            (event, release.map(|(amount, _)| amount), DetailsMethod::Void)
        }
        _ => (
            Event::Refund,
            money.to_refund(asked.amount),
            DetailsMethod::Refund,
        ),
    };
    // What the state forbids is told before what the amount does.
    owner.may(event)?;
    let too_much = |code| {
        owner
            .about(code, "the amount cannot be had of this payment")
            .at("amount")
    };
    let amount = amount.map_err(too_much)?;
    let what = (asked.kind.clone(), method);
    let mut operation = Operation {
        payload: asked.payload.map(str::to_owned),
        callback_url: asked.callback_url.map(|url| url.as_str().to_owned()),
        card: owner.card(),
        ..Operation::begun(id, (owner.id(), owner.project()), what, amount, now)
    };
    let goes_on = match asked.kind {
        Kind::Refund => {
            owner.money_mut().refunding = money.refunding.plus(amount).unwrap_or(Amount::MAX);
            refund::take(tx, project, &owner, &mut operation, (now, real))?
        }
        _ => true,
    };
    if goes_on {
        owner.set_busy(Some(id));
        guard(tx, &operation, real)?;
    }
    operation.insert(tx)?;
    owner.update(tx)?;
    Ok(Followed { owner, operation })
}

/// Has a job go on with an operation that may be interrupted.
pub(crate) fn guard(tx: &mut dyn Transaction, operation: &Operation, real: Timestamp) -> Result<(), Refusal> {
    let due = real.saturating_add(RECOVER_AFTER).unwrap_or(Timestamp::MAX);
    Ok(job::schedule(
        tx,
        job::Kind::Follow,
        operation.id,
        &operation.project,
        due,
    )?)
}

/// No payment of that number.
pub(crate) fn unknown_order() -> Refusal {
    Refusal::new(
        StatusCode::TransactionNotFound,
        "the project has no payment of this number",
    )
    .at("external_id")
}

/// So long after its beginning an operation counts as interrupted.
const RECOVER_AFTER: SignedDuration = SignedDuration::from_secs(120);
