//! What an acquirer's answer does: to the money, to the orders, to saved cards, and to whom it is told.

use database::Transaction;
use jiff::{SignedDuration, Timestamp};
use wire::interface::answer::Status;
use wire::interface::{Currency, StatusCode};

use super::record::{PaidWith, Step};
use super::whole::Whole;
use crate::ledger::{self, Account};
use crate::operation::Operation;
use crate::payment::states::Event;
use crate::port::acquirer::Decision;
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::saved::Holder;
use crate::{binding, fiscal, job, refund, saved};

impl Processing {
    /// Brings a try that is under way to where the decision leads, and stores all that follows from it in the same transaction.
    pub(crate) fn conclude(
        &self,
        tx: &mut dyn Transaction,
        whole: &mut Whole,
        decision: Decision,
    ) -> Result<(), Refusal> {
        let shared = &self.shared;
        let real = shared.now();
        let login = shared.known_project(&whole.checkout.project)?;
        let now = login.now(real);
        let checkout = &mut whole.checkout;
        let before = checkout.step;
        let decision = match decision {
            Decision::Approved { .. } if !saved::has_room(tx, checkout)? => {
                Decision::Declined(StatusCode::ActionNotAllowed)
            }
            decision => decision,
        };
        let (event, code) = match &decision {
            Decision::Challenge => (Event::Challenge, StatusCode::WaitingForVerification),
            Decision::Approved { .. } if checkout.verifies() => {
                (Event::Verify, StatusCode::TransactionSuccessful)
            }
            Decision::Approved { .. } if checkout.holds => (Event::Hold, StatusCode::TransactionSuccessful),
            Decision::Approved { .. } => (Event::Charge, StatusCode::TransactionSuccessful),
            // A payer on the page may take another card, until the time is up or another page has paid.
            Decision::Declined(code) => {
                let may_retry = checkout.is_hosted
                    && *code != StatusCode::TransactionAlreadyPaid
                    && checkout.expires_at.is_some_and(|end| now < end);
                (if may_retry { Event::Decline } else { Event::Fail }, code.clone())
            }
        };
        let is_challenged = event == Event::Challenge;
        checkout.step = if is_challenged {
            Step::Challenged
        } else {
            Step::Idle
        };
        if is_challenged {
            let attempt = checkout
                .attempt
                .ok_or_else(|| Refusal::internal("no try is under way"))?;
            let due = real.saturating_add(PROOF).unwrap_or(Timestamp::MAX);
            job::schedule(tx, job::Kind::Unproven, attempt, &checkout.project, due)?;
        }
        for (payment, operation) in whole.payments.iter_mut().zip(&mut whole.operations) {
            payment.step(event)?;
            operation.card = checkout.card.as_ref().and_then(PaidWith::shown);
            match &decision {
                Decision::Challenge => {
                    operation.status = Status::Pending;
                    operation.code = code.clone();
                }
                Decision::Declined(_) => operation.end(Status::Failure, code.clone(), now),
                Decision::Approved { auth_code, rrn } => {
                    operation.end(Status::Success, code.clone(), now);
                    operation.auth_code = Some(auth_code.clone());
                    operation.rrn = Some(rrn.clone());
                }
            }
            match event {
                Event::Hold => payment.money.held = payment.amount,
                Event::Charge => {
                    payment.money.charged = payment.amount;
                    self.earn(tx, &payment.project, payment.currency, operation)?;
                    payment.fiscal = fiscal::begin(tx, payment.products.is_some(), operation, real)?;
                }
                _ => {}
            }
        }
        if !is_challenged && let Some(card) = &mut checkout.card {
            let is_approved = matches!(decision, Decision::Approved { .. });
            let holder = checkout.terms.customer_id();
            card.saved = match holder.map(|customer| Holder::of(&checkout.project, customer)) {
                Some(holder) if card.saved && is_approved => {
                    let make_default = checkout.terms.saving.is_some_and(|saving| saving.make_default);
                    saved::keep(tx, holder, card, make_default, (now, shared.new_id()?))?
                }
                Some(holder) => saved::is_kept(tx, holder, card)?,
                None => false,
            };
            match &card.token {
                Some(token) if is_approved && checkout.terms.binds => {
                    checkout.recurrent_id =
                        Some(binding::of(tx, &checkout.project, token, checkout.id, now)?);
                }
                _ if !is_approved => card.token = None,
                _ => {}
            }
        }
        whole.release(tx)?;
        whole.update(tx)?;
        if let Some(subscription) = whole.checkout.terms.subscription {
            self.conclude_charge(tx, subscription, whole)?;
        }
        match (is_challenged, whole.checkout.terms.saving) {
            (true, _) => Ok(()),
            (false, None) => self.tell(tx, whole),
            // The answer tells it.
            (false, Some(_)) if before == Step::Started && !whole.checkout.is_hosted => Ok(()),
            (false, Some(_)) => self.tell_of_card(tx, whole),
        }
    }

    /// Adds a charge to the balances of its seller, whole, and notes what it costs them.
    pub(crate) fn earn(
        &self,
        tx: &mut dyn Transaction,
        project: &str,
        currency: Currency,
        operation: &mut Operation,
    ) -> Result<(), Refusal> {
        let seller = self.shared.known_project(project)?;
        operation.fee = seller.fee_rate.of(operation.amount);
        let now = seller.now(self.shared.now());
        for account in [Account::Refunds, Account::Payouts] {
            ledger::add(tx, &seller.id, account, currency, now, operation.amount)?;
        }
        refund::wake(tx, &seller.id, currency, self.shared.now())
    }
}

/// So long a payer has to prove who they are.
const PROOF: SignedDuration = SignedDuration::from_mins(15);
