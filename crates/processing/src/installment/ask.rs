//! The bank is asked: at once, and again by a job until the payer has agreed, or will not, or is out of time.
//!
//! As with payments there are two transactions around each question: the order says that it is under way before, and what came of it is
//! stored after.

use database::Transaction;
use jiff::SignedDuration;
use wire::interface::StatusCode;
use wire::interface::answer::{Operation as Kind, Status};

use super::create::RECOVER_AFTER;
use super::record::{Order, Way};
use super::states::{Event, State};
use crate::checkout::record::from_json;
use crate::checkout::whole::Stop;
use crate::id::Id;
use crate::job;
use crate::job::work::no_answer;
use crate::operation::Operation;
use crate::owner::Owner;
use crate::payment::follow::{self, Asked, Followed};
use crate::port::acquirer::{Decision, Follow};
use crate::port::bank::{BankOrder, Standing};
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::time;

/// What a question to the bank has changed.
struct Learnt {
    order: Order,
    operation: Operation,
    /// The confirmation that follows by itself.
    next: Option<Followed>,
}

impl Processing {
    /// Asks the bank about an order, and stores what it says. Without an answer the job asks again.
    pub(super) fn ask_bank(&self, order: Order, operation: Operation) -> Result<(Order, Operation), Refusal> {
        let answered = self.with_bank(&order, |banks, asked| banks.ask(asked))?;
        match answered {
            Ok(standing) => self.learn(order.id, standing),
            Err(_) => Ok((order, operation)),
        }
    }

    /// Does something with an order's bank.
    pub(super) fn with_bank<T>(
        &self,
        order: &Order,
        question: impl FnOnce(&dyn crate::port::bank::Banks, &BankOrder<'_>) -> T,
    ) -> Result<T, Refusal> {
        let project = self.shared.known_project(&order.project)?;
        let products = order.products.as_deref().map(from_json).transpose()?;
        let products: Vec<_> = products.unwrap_or_default();
        let asked = BankOrder {
            project: &project,
            order: order.id,
            bank: &order.bank,
            amount: order.amount,
            currency: order.currency,
            parts: order.parts,
            description: &order.description,
            products: &products,
            customer: &order.terms.customer,
            asked_at: order.created_at,
            is_known: order.state != State::Created,
        };
        Ok(question(&*self.shared.ports(&project)?.banks, &asked))
    }

    /// Stores what the bank has said, unless the order is further already, and confirms where that follows by itself.
    pub(super) fn learn(&self, id: Id, standing: Standing) -> Result<(Order, Operation), Refusal> {
        let (this, next) = (self.clone(), self.shared.new_id()?);
        let learnt = self.shared.database.write(move |tx| {
            let (mut order, mut operation) = lock(tx, id)?;
            // A card or a cancellation is under way, and what comes of it is stored by whoever began it.
            let is_asked = order.busy.is_none() || order.busy == Some(id);
            let next = match is_asked && matches!(order.state, State::Created | State::Waiting) {
                true => this.apply(tx, &mut order, &mut operation, standing.clone(), next)?,
                false => None,
            };
            Ok::<_, Refusal>(Learnt {
                order,
                operation,
                next,
            })
        })?;
        let Learnt {
            mut order,
            operation,
            next,
        } = learnt;
        if let Some(begun) = next
            && let Owner::Installment(confirmed) = self.act(begun)?.owner
        {
            order = *confirmed;
        }
        Ok((order, operation))
    }

    /// What an order becomes by what its bank says, with all that follows from it.
    pub(super) fn apply(
        &self,
        tx: &mut dyn Transaction,
        order: &mut Order,
        operation: &mut Operation,
        standing: Standing,
        next: Id,
    ) -> Result<Option<Followed>, Refusal> {
        let project = self.shared.known_project(&order.project)?;
        let real = self.shared.now();
        let now = project.now(real);
        let way = match standing {
            Standing::InApp => Some(Way::App),
            Standing::OnPage => Some(Way::Page),
            Standing::OnLink(address) => Some(Way::Link(address)),
            Standing::Signed { contract } => {
                operation.auth_code = Some(contract);
                return self.signed(tx, order, operation, next);
            }
            Standing::Rejected(code) => {
                self.ended(tx, order, operation, (Event::Reject, code))?;
                return Ok(None);
            }
        };
        order.busy = None;
        if order.state == State::Created {
            order.step(tx, Event::Ask)?;
            operation.code = match way {
                Some(Way::App) => StatusCode::TransactionCreated,
                _ => StatusCode::WaitingForRedirect,
            };
            operation.update(tx)?;
        }
        order.way = way;
        order.update(tx)?;
        // As long again as it has taken so far.
        let taken = now.duration_since(order.created_at).clamp(SHORTEST, LONGEST);
        job::cancel(tx, job::Kind::AskBank, order.id)?;
        job::schedule(
            tx,
            job::Kind::AskBank,
            order.id,
            &order.project,
            time::after(real, taken),
        )?;
        Ok(None)
    }

    /// The payer has agreed. The shop is told, and what it wants confirmed at once is.
    pub(super) fn signed(
        &self,
        tx: &mut dyn Transaction,
        order: &mut Order,
        operation: &mut Operation,
        next: Id,
    ) -> Result<Option<Followed>, Refusal> {
        let project = self.shared.known_project(&order.project)?;
        let real = self.shared.now();
        let now = project.now(real);
        order.busy = None;
        order.declined = None;
        order.step(tx, Event::Sign)?;
        operation.end(Status::Success, StatusCode::ContractSigned, now);
        self.store_end(tx, order, operation)?;
        if !order.confirms {
            return Ok(None);
        }
        let asked = Asked {
            kind: &Kind::Confirm,
            amount: None,
            currency: None,
            payload: None,
            callback_url: None,
        };
        let owner = Owner::Installment(Box::new(order.clone()));
        match follow::begin(tx, &project, owner, &asked, (next, now, real)) {
            Ok(begun) => Ok(Some(begun)),
            Err(Stop::Refused(refusal)) => Err(refusal),
            Err(Stop::Busy) => Err(Refusal::internal("an order that was just signed is busy")),
        }
    }

    /// The payer has not agreed and will not.
    fn ended(
        &self,
        tx: &mut dyn Transaction,
        order: &mut Order,
        operation: &mut Operation,
        (event, code): (Event, StatusCode),
    ) -> Result<(), Refusal> {
        let project = self.shared.known_project(&order.project)?;
        order.busy = None;
        order.step(tx, event)?;
        operation.end(Status::Failure, code, project.now(self.shared.now()));
        self.store_end(tx, order, operation)
    }

    fn store_end(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        operation: &Operation,
    ) -> Result<(), Refusal> {
        order.update(tx)?;
        operation.update(tx)?;
        forget_jobs(tx, order.id)?;
        self.tell_of_installment(tx, order, operation)
    }

    /// Asks the bank again: the job's work, and what is done when a payer has answered.
    pub(crate) fn ask_bank_again(&self, id: Id) -> Result<(), Refusal> {
        let found = self.shared.database.read(move |tx| find(tx, id))?;
        let Some((order, operation)) = found else {
            return Ok(());
        };
        match (order.state, order.busy) {
            (State::Created, _) => {}
            (State::Waiting, None) => {}
            // What is under way decides; a card that was interrupted is tried again.
            (State::Waiting, Some(attempt)) => return self.go_on_with_card(order, attempt),
            _ => return Ok(()),
        }
        match self.ask_bank(order, operation)?.0.state {
            State::Created => Err(no_answer()),
            _ => Ok(()),
        }
    }

    /// Ends an order whose payer has not agreed in time, unless the bank says that they have.
    pub(crate) fn expire_installment(&self, id: Id) -> Result<(), Refusal> {
        let found = self.shared.database.read(move |tx| find(tx, id))?;
        let Some((order, _)) = found.filter(|(order, _)| order.state == State::Waiting) else {
            return Ok(());
        };
        if order.busy.is_some() {
            return Err(no_answer());
        }
        let project = self.shared.known_project(&order.project)?;
        let follow = Follow {
            project: &project,
            operation: id,
            payment: id,
            amount: order.amount,
            currency: order.currency,
        };
        let banks = &self.shared.ports(&project)?.banks;
        match banks.cancel(&order.bank, &follow) {
            Ok(Decision::Approved { .. }) => {}
            Ok(_) => return self.ask_bank_again(id),
            Err(_) => return Err(no_answer()),
        }
        let this = self.clone();
        self.shared.database.write(move |tx| {
            let (mut order, mut operation) = lock(tx, id)?;
            match (order.state, order.busy) {
                (State::Waiting, None) => this.ended(
                    tx,
                    &mut order,
                    &mut operation,
                    (Event::Expire, StatusCode::OrderExpired),
                ),
                _ => Ok(()),
            }
        })
    }

    /// The shop has taken an order back: where the payer had not agreed, its creation has failed.
    pub(crate) fn withdrawn(&self, tx: &mut dyn Transaction, order: &Order) -> Result<(), Refusal> {
        let Some(mut made) = Operation::find(tx, order.id)?.filter(|made| !made.has_ended()) else {
            return Ok(());
        };
        let project = self.shared.known_project(&order.project)?;
        let now = project.now(self.shared.now());
        made.end(Status::Failure, StatusCode::CancelSuccessful, now);
        made.update(tx)?;
        forget_jobs(tx, order.id)
    }
}

/// An order with the operation that makes it, its row locked.
pub(super) fn lock(tx: &mut dyn Transaction, id: Id) -> Result<(Order, Operation), Refusal> {
    let order = Order::lock(tx, id)?;
    let operation = Operation::find(tx, id)?;
    order
        .zip(operation)
        .ok_or_else(|| Refusal::internal("an order is not there"))
}

/// The same, to be looked at.
pub(super) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<(Order, Operation)>, Refusal> {
    let order = Order::find(tx, id)?;
    Ok(order.zip(Operation::find(tx, id)?))
}

/// Has a job go on with what may be interrupted.
pub(super) fn guard(tx: &mut dyn Transaction, order: &Order, real: jiff::Timestamp) -> Result<(), Refusal> {
    job::cancel(tx, job::Kind::AskBank, order.id)?;
    let due = time::after(real, RECOVER_AFTER);
    Ok(job::schedule(
        tx,
        job::Kind::AskBank,
        order.id,
        &order.project,
        due,
    )?)
}

fn forget_jobs(tx: &mut dyn Transaction, order: Id) -> Result<(), Refusal> {
    job::cancel(tx, job::Kind::AskBank, order)?;
    Ok(job::cancel(tx, job::Kind::ExpireInstallment, order)?)
}

/// Between two questions.
const SHORTEST: SignedDuration = SignedDuration::from_secs(1);
const LONGEST: SignedDuration = SignedDuration::from_mins(10);
