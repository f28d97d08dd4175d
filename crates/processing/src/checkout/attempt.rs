//! One try to pay a checkout with one card: from the vault over the acquirer to what became of it.
//!
//! Two transactions with a call between them. The first says that the try is under way, the second what came of it; whatever ends the
//! process in between, a job goes on where it stopped. The vault and the acquirer know a try by its id and do nothing twice.

use database::{DatabaseError, Transaction};
use jiff::{SignedDuration, Timestamp};
use vault::{OperationId, Outcome, Purpose, RedeemError, Redeemed};
use wire::interface::StatusCode;
use wire::interface::answer::Status;

use super::record::{Checkout, PaidWith, Step};
use super::whole::{Stop, Whole};
use crate::id::Id;
use crate::job;
use crate::order::{self, Number};
use crate::payment::states::Event;
use crate::port::acquirer::{Authorization, Decision, Proof};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::subscription::Subscription;

/// What pays, as the vault knows it.
pub(crate) struct Instrument {
    /// Token of a card.
    pub(crate) token: String,
    /// Whether the payer may be asked to prove who they are.
    pub(crate) use_3ds: bool,
    /// Whether to save the card for the customer.
    pub(crate) saves: bool,
    /// The member that named it, for refusals.
    pub(crate) param: String,
}

impl Instrument {
    /// What is to be done with its card.
    pub(crate) fn wish(&self) -> PaidWith {
        PaidWith::unknown(self.use_3ds, self.saves)
    }
}

impl Processing {
    /// Has a job go on with what may be interrupted.
    pub(crate) fn guard(&self, tx: &mut dyn Transaction, checkout: &Checkout) -> Result<(), Refusal> {
        let due = self
            .shared
            .now()
            .saturating_add(RECOVER_AFTER)
            .unwrap_or(Timestamp::MAX);
        Ok(job::schedule(
            tx,
            job::Kind::Recover,
            checkout.id,
            &checkout.project,
            due,
        )?)
    }

    /// Stores what came of a try, unless somebody else has.
    fn finish(
        &self,
        checkout: Id,
        attempt: Id,
        card: PaidWith,
        decision: Decision,
    ) -> Result<Whole, Refusal> {
        let this = self.clone();
        self.shared.database.write(move |tx| {
            let mut whole = Whole::lock(tx, checkout)?.ok_or_else(unknown)?;
            if whole.checkout.attempt == Some(attempt) && whole.checkout.step.is_under_way() {
                whole.checkout.card = Some(card.clone());
                this.conclude(tx, &mut whole, decision.clone())?;
            }
            Ok(whole)
        })
    }

    /// Pays what [`Whole::begin`] has begun and the store has. A refusal leaves the checkout as it was before the try.
    pub(crate) fn pay(
        &self,
        project: &Project,
        begun: Whole,
        instrument: &Instrument,
    ) -> Result<Whole, Refusal> {
        let attempt = begun
            .checkout
            .attempt
            .ok_or_else(|| Refusal::internal("no try is under way"))?;
        let terms = &begun.checkout.terms;
        let purpose = match terms.saving {
            Some(_) => Purpose::save(terms.customer_id()),
            None => Purpose::PAY.and_save(terms.customer_id()),
        };
        let operation = operation_id(attempt)?;
        match self
            .shared
            .vault
            .redeem(&project.id, &instrument.token, &operation, purpose)
        {
            Ok(redeemed) => self.ask(project, begun, &redeemed, None),
            // Nobody waits for an answer: what is wrong with the card is one.
            Err(error) if begun.checkout.terms.renews() => match declined(error) {
                Ok(code) => self.finish(
                    begun.checkout.id,
                    attempt,
                    instrument.wish(),
                    Decision::Declined(code),
                ),
                Err(refusal) => Err(refusal),
            },
            Err(error) => {
                self.abandon(begun)?;
                Err(refused_token(error, &instrument.param))
            }
        }
    }

    /// Asks the acquirer and stores what it says. Without an answer the try stays under way, and the job asks again.
    fn ask(
        &self,
        project: &Project,
        mut begun: Whole,
        redeemed: &Redeemed,
        proof: Option<Proof>,
    ) -> Result<Whole, Refusal> {
        let attempt = begun
            .checkout
            .attempt
            .ok_or_else(|| Refusal::internal("no try is under way"))?;
        let card = paid_with(redeemed, begun.checkout.card.as_ref());
        let request = authorization(project, &begun.checkout, attempt, &card);
        let acquirer = &self.shared.ports(project)?.acquirer;
        let answered = match proof {
            Some(proof) => acquirer.complete(&request, proof),
            // A number alone is only saved: no acquirer can say anything of it.
            None if !redeemed.may_pay() => Ok(Decision::Approved {
                auth_code: String::new(),
                rrn: String::new(),
            }),
            None => {
                let lent = self
                    .shared
                    .vault
                    .use_card(redeemed, |open| acquirer.authorize(&request, open));
                lent.map_err(|error| refused_token(error, ""))?
            }
        };
        let Ok(decision) = answered else {
            begun.checkout.card = Some(card);
            return Ok(begun);
        };
        let done = self.finish(begun.checkout.id, attempt, card, decision)?;
        self.settle_if_over(redeemed, &done);
        Ok(done)
    }

    /// Ends the vault's part of a try that is over. What fails here, the job does again.
    fn settle_if_over(&self, redeemed: &Redeemed, whole: &Whole) {
        if whole.checkout.step != Step::Idle {
            return;
        }
        let Checkout {
            id: checkout,
            attempt,
            is_hosted,
            ..
        } = whole.checkout;
        let has_paid = whole
            .operations
            .iter()
            .any(|operation| operation.status == Status::Success);
        let outcome = if has_paid {
            Outcome::UsedUp
        } else {
            Outcome::Released
        };
        // Neither of the two looks at the clock, where tests cut a try off.
        #[cfg(test)]
        crate::recovery::look();
        match self.shared.vault.settle(redeemed, outcome) {
            Ok(()) | Err(RedeemError::NotOpen) => {
                // Nobody waits for it: at worst the job finds nothing to do.
                self.shared.database.submit(
                    move |tx| unguard(tx, checkout, attempt, is_hosted),
                    |_: Result<(), DatabaseError>| {},
                );
            }
            Err(error) => tracing::warn!(%error, "a card is settled later"),
        }
    }

    /// Takes a try back that never came to the acquirer. A payment that was made for it goes without a trace.
    fn abandon(&self, begun: Whole) -> Result<(), Refusal> {
        let id = begun.checkout.id;
        let attempt = begun.checkout.attempt;
        self.shared.database.write(move |tx| {
            let Some(mut whole) = Whole::lock(tx, id)? else {
                return Ok(());
            };
            if whole.checkout.attempt != attempt || whole.checkout.step != Step::Started {
                return Ok(());
            }
            job::cancel(tx, job::Kind::Recover, id)?;
            for operation in &whole.operations {
                operation.delete(tx)?;
            }
            if whole.checkout.is_hosted {
                whole.operations.clear();
                whole.checkout.attempt = None;
                whole.checkout.step = Step::Idle;
                whole.checkout.card = None;
                for payment in &mut whole.payments {
                    payment.step(Event::Decline)?;
                }
                whole.release(tx)?;
                return whole.update(tx);
            }
            if let Some(subscription) = whole.checkout.terms.subscription {
                Subscription::delete(tx, subscription)?;
            }
            for payment in &whole.payments {
                payment.delete(tx)?;
                let before = payment.before(tx)?;
                order::forget(tx, payment.number(), before)?;
            }
            whole.checkout.delete(tx)?;
            if let Some(batch) = &whole.checkout.batch {
                let before = whole.checkout.before(tx, batch)?;
                order::forget(tx, Number::basket(&whole.checkout.project, batch), before)?;
            }
            Ok(())
        })
    }

    /// Goes on after a challenge. One that was answered before, or given up for another card, changes nothing.
    pub(crate) fn prove(&self, checkout: Id, attempt: Id, passed: bool) -> Result<Whole, Refusal> {
        let this = self.clone();
        let (whole, next) = self.patiently(move |tx| {
            let mut whole = Whole::lock(tx, checkout)?.ok_or_else(unknown)?;
            if whole.checkout.attempt != Some(attempt) || whole.checkout.step != Step::Challenged {
                return Ok((whole, false));
            }
            match whole.hold(tx) {
                // Another try has paid the order meanwhile.
                Err(Stop::Refused(refusal)) if refusal.code == StatusCode::TransactionAlreadyPaid => {
                    this.conclude(tx, &mut whole, Decision::Declined(refusal.code))?;
                    return Ok((whole, true));
                }
                held => held?,
            }
            for payment in &mut whole.payments {
                payment.step(Event::Begin)?;
            }
            whole.checkout.step = if passed { Step::Passed } else { Step::Refused };
            whole.update(tx)?;
            this.guard(tx, &whole.checkout)?;
            Ok((whole, true))
        })?;
        match next {
            true => self.go_on(whole),
            false => Ok(whole),
        }
    }

    /// Ends a challenge that nobody has answered in time, or that the payer has left for another card.
    pub(crate) fn give_up(&self, checkout: Id, attempt: Id) -> Result<(), Refusal> {
        let this = self.clone();
        let whole = self.shared.database.write(move |tx| {
            let whole = Whole::lock(tx, checkout)?;
            let Some(mut whole) = whole.filter(|whole| {
                whole.checkout.attempt == Some(attempt) && whole.checkout.step == Step::Challenged
            }) else {
                return Ok(None);
            };
            this.conclude(
                tx,
                &mut whole,
                Decision::Declined(StatusCode::ThreeDsVerificationFailed),
            )?;
            this.guard(tx, &whole.checkout)?;
            Ok::<_, Refusal>(Some(whole))
        })?;
        match whole {
            Some(whole) => self.go_on(whole).map(drop),
            None => Ok(()),
        }
    }

    /// Goes on with a try, wherever it stopped: after a crash, without an answer, after a challenge.
    pub(crate) fn go_on(&self, whole: Whole) -> Result<Whole, Refusal> {
        let Some(attempt) = whole.checkout.attempt else {
            return Ok(whole);
        };
        let project = self
            .shared
            .project(&whole.checkout.project)?
            .ok_or_else(unknown)?;
        let redeemed = self.shared.vault.resume(&project.id, &operation_id(attempt)?);
        let under_way = match whole.checkout.step {
            Step::Started | Step::Recovering => Some(None),
            Step::Passed => Some(Some(Proof::Passed)),
            Step::Refused => Some(Some(Proof::Failed)),
            Step::Idle | Step::Challenged => None,
        };
        match (redeemed, under_way) {
            (Ok(redeemed), Some(proof)) => self.ask(&project, whole, &redeemed, proof),
            (Ok(redeemed), None) => {
                self.settle_if_over(&redeemed, &whole);
                Ok(whole)
            }
            // Nothing was asked of the vault yet, or too long ago. The card is there still.
            (Err(RedeemError::NotOpen), Some(None)) if whole.checkout.terms.renews() => {
                let instrument = self.bound_card(&whole.checkout)?;
                self.pay(&project, whole, &instrument)
            }
            // The card is not there any more, or never was: nothing can be asked of the acquirer.
            (Err(RedeemError::NotOpen), Some(_)) => {
                let card = whole.checkout.card.clone();
                let card = card.unwrap_or_else(|| PaidWith::unknown(true, false));
                let decision = Decision::Declined(StatusCode::TransactionRejected);
                self.finish(whole.checkout.id, attempt, card, decision)
            }
            (Err(RedeemError::NotOpen), None) => Ok(whole),
            (Err(error), _) => Err(refused_token(error, "")),
        }
    }
}

/// Ends the job of a try that is over. This may come late: on a page the next try may have begun, which needs the job.
pub(crate) fn unguard(
    tx: &mut dyn Transaction,
    checkout: Id,
    attempt: Option<Id>,
    is_hosted: bool,
) -> Result<(), DatabaseError> {
    if is_hosted && !Checkout::is_idle_after(tx, checkout, attempt)? {
        return Ok(());
    }
    job::cancel(tx, job::Kind::Recover, checkout)
}

/// What an acquirer is asked for.
fn authorization<'a>(
    project: &'a Project,
    checkout: &Checkout,
    attempt: Id,
    card: &PaidWith,
) -> Authorization<'a> {
    Authorization {
        project,
        operation: attempt,
        amount: checkout.amount,
        currency: checkout.currency,
        hold: checkout.holds,
        use_3ds: card.use_3ds,
        verify_only: checkout.verifies(),
        recurring: checkout.terms.is_recurrent,
        subscribes: checkout.terms.subscription.is_some(),
        campaign: checkout.terms.campaign,
    }
}

/// What may be shown of a card that the vault has given to a try, and what is to be done with it.
pub(crate) fn paid_with(redeemed: &Redeemed, wish: Option<&PaidWith>) -> PaidWith {
    PaidWith {
        token: redeemed.saved.clone(),
        mask: redeemed.card_mask.clone(),
        brand: redeemed.brand.map(|brand| brand.id().to_owned()),
        expiry: redeemed.expiry.map(|expiry| (expiry.year, expiry.month)),
        saved: wish.is_some_and(|wish| wish.saved),
        use_3ds: wish.is_none_or(|wish| wish.use_3ds),
    }
}

/// A try, or a payout, as the vault knows it.
pub(crate) fn operation_id(attempt: Id) -> Result<OperationId, Refusal> {
    OperationId::new(&attempt.to_string()).ok_or_else(|| Refusal::internal("an id is none"))
}

/// Why a token does not pay.
pub(crate) fn refused_token(error: RedeemError, param: &str) -> Refusal {
    let (code, message) = match error {
        RedeemError::UnknownToken => (StatusCode::TokenDoesNotExist, "the project has no such token"),
        RedeemError::Expired => (StatusCode::InvalidCardToken, "the token has expired"),
        RedeemError::UsedUp => (StatusCode::InvalidCardToken, "the token has been used"),
        RedeemError::Reserved => (
            StatusCode::InvalidCardToken,
            "the token is being used by another payment",
        ),
        RedeemError::WrongPurpose => (
            StatusCode::InvalidCardToken,
            "the token was made to receive money and cannot pay",
        ),
        error => return Refusal::internal(&error.to_string()),
    };
    Refusal::new(code, message).at(param)
}

/// The same as a decline; a fault of ours is none.
fn declined(error: RedeemError) -> Result<StatusCode, Refusal> {
    if matches!(error, RedeemError::NotOpen) {
        return Ok(StatusCode::TransactionRejected);
    }
    match refused_token(error, "") {
        refusal if refusal.code == StatusCode::InternalError => Err(refusal),
        refusal => Ok(refusal.code),
    }
}

fn unknown() -> Refusal {
    Refusal::new(StatusCode::TransactionNotFound, "there is no such payment")
}

/// So long after its beginning a try counts as interrupted.
const RECOVER_AFTER: SignedDuration = SignedDuration::from_secs(120);
