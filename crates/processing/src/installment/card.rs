//! A payer who agrees with their card: the one bank that finds its payers by it.
//!
//! A try holds the order, and the vault lends the card for it. Whatever ends the process in between, the order's job goes on with the same try.

use vault::{OperationId, Outcome, Purpose, RedeemError, Redeemed};
use wire::interface::StatusCode;

use super::ask::{find, guard, lock};
use super::record::Order;
use super::states::State;
use crate::checkout::attempt::{paid_with, refused_token};
use crate::checkout::record::PaidWith;
use crate::id::Id;
use crate::job::work::no_answer;
use crate::owner::Owner;
use crate::port::acquirer::Decision;
use crate::processing::Processing;
use crate::refusal::Refusal;

impl Processing {
    /// Gives the bank a card, on the try that the page showed: another one is a repeat and does nothing. That the card is not taken is no error:
    /// the page shows it.
    pub(super) fn sign_with_card(&self, order: Id, tries: u32, token: &str) -> Result<(), Refusal> {
        let (this, attempt) = (self.clone(), self.shared.new_id()?);
        let begun = self.shared.database.write(move |tx| {
            let (mut order, _) = lock(tx, order)?;
            let project = this.shared.known_project(&order.project)?;
            let real = this.shared.now();
            let is_open = order.state == State::Waiting && project.now(real) < order.expires_at;
            if order.tries != tries || order.busy.is_some() || !is_open {
                return Ok(None);
            }
            order.busy = Some(attempt);
            order.tries = order.tries.saturating_add(1);
            order.card = Some(PaidWith::unknown(false, false));
            order.update(tx)?;
            guard(tx, &order, real)?;
            Ok::<_, Refusal>(Some(order))
        })?;
        let Some(order) = begun else {
            return Ok(());
        };
        let operation = operation_id(attempt)?;
        match self
            .shared
            .vault
            .redeem(&order.project, token, &operation, Purpose::PAY)
        {
            Ok(redeemed) => self.give_card(&order, attempt, &redeemed),
            Err(error) => {
                let refusal = refused_token(error, "token");
                self.card_done(order.id, attempt, None, Decision::Declined(refusal.code.clone()))?;
                Err(refusal)
            }
        }
    }

    /// Goes on with a try that was interrupted.
    pub(super) fn go_on_with_card(&self, order: Order, attempt: Id) -> Result<(), Refusal> {
        // A cancellation has a job of its own.
        if order.card.is_none() || self.is_followed(attempt)? {
            return Ok(());
        }
        match self.shared.vault.resume(&order.project, &operation_id(attempt)?) {
            Ok(redeemed) => {
                self.give_card(&order, attempt, &redeemed)?;
                let left = self.shared.database.read(move |tx| find(tx, order.id))?;
                match left.and_then(|(order, _)| order.busy) {
                    Some(busy) if busy == attempt => Err(no_answer()),
                    _ => Ok(()),
                }
            }
            // The card is not there any more, or never was.
            Err(RedeemError::NotOpen) => {
                let decision = Decision::Declined(StatusCode::TransactionRejected);
                self.card_done(order.id, attempt, None, decision)
            }
            Err(error) => Err(refused_token(error, "")),
        }
    }

    fn is_followed(&self, busy: Id) -> Result<bool, Refusal> {
        let found = self
            .shared
            .database
            .read(move |tx| crate::operation::Operation::find(tx, busy))?;
        Ok(found.is_some())
    }

    fn give_card(&self, order: &Order, attempt: Id, redeemed: &Redeemed) -> Result<(), Refusal> {
        let card = paid_with(redeemed, order.card.as_ref());
        let lent = self.shared.vault.use_card(redeemed, |open| {
            self.with_bank(order, |banks, asked| banks.sign(asked, attempt, open))
        });
        let answered = lent.map_err(|error| refused_token(error, ""))??;
        // Without an answer, or with one that means nothing here, the job asks again.
        let Ok(decision @ (Decision::Approved { .. } | Decision::Declined(_))) = answered else {
            return Ok(());
        };
        let outcome = match decision {
            Decision::Approved { .. } => Outcome::UsedUp,
            _ => Outcome::Released,
        };
        self.card_done(order.id, attempt, Some(card), decision)?;
        if let Err(error) = self.shared.vault.settle(redeemed, outcome) {
            tracing::warn!(%error, "a card is not settled, and goes with its time");
        }
        Ok(())
    }

    /// Stores what came of a card.
    fn card_done(
        &self,
        order: Id,
        attempt: Id,
        card: Option<PaidWith>,
        decision: Decision,
    ) -> Result<(), Refusal> {
        let (this, next) = (self.clone(), self.shared.new_id()?);
        let confirming = self.shared.database.write(move |tx| {
            let (mut order, mut operation) = lock(tx, order)?;
            if order.busy != Some(attempt) {
                return Ok(None);
            }
            order.card.clone_from(&card);
            order.busy = None;
            match &decision {
                Decision::Approved { auth_code, rrn } => {
                    operation.auth_code = Some(auth_code.clone());
                    operation.rrn = Some(rrn.clone());
                    operation.card = order.card.as_ref().and_then(PaidWith::shown);
                    this.signed(tx, &mut order, &mut operation, next)
                }
                Decision::Declined(code) => {
                    order.card = None;
                    order.declined = Some(code.clone());
                    order.update(tx)?;
                    Ok(None)
                }
                Decision::Challenge => Err(Refusal::internal("a bank asks for a proof")),
            }
        })?;
        match confirming {
            Some(begun) => self.act(begun).map(drop),
            None => Ok(()),
        }
    }
}

/// A try as the vault knows it.
fn operation_id(attempt: Id) -> Result<OperationId, Refusal> {
    OperationId::new(&attempt.to_string()).ok_or_else(|| Refusal::internal("an id is none"))
}

impl Owner {
    /// The order, where it is one.
    pub(super) fn into_installment(self) -> Result<Order, Refusal> {
        match self {
            Self::Installment(order) => Ok(*order),
            Self::Payment(_) => Err(Refusal::internal("a payment is no order")),
        }
    }
}
