//! Charges of subscriptions: when one is due, and what follows from what came of it.

use database::Transaction;
use wire::interface::StatusCode;
use wire::interface::answer::Status;
use wire::interface::plan::Plan;
use wire::interface::subscription::SubscriptionEvent;

use super::plan;
use super::record::Subscription;
use super::states::Event;
use super::telling::of_payment;
use crate::binding;
use crate::checkout::attempt::Instrument;
use crate::checkout::whole::{Stop, Whole};
use crate::id::Id;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// Charges the next period of a subscription, or ends it where there is none; too early, or while a charge is under way, it does
    /// nothing.
    pub(crate) fn renew(&self, id: Id) -> Result<(), Refusal> {
        let (this, checkout) = (self.clone(), self.shared.new_id()?);
        let begun = self.patiently(move |tx| this.begin_renewal(tx, id, checkout))?;
        match begun {
            Some((project, whole, instrument)) => self.pay(&project, whole, &instrument).map(drop),
            None => Ok(()),
        }
    }

    fn begin_renewal(
        &self,
        tx: &mut dyn Transaction,
        id: Id,
        checkout: Id,
    ) -> Result<Option<(Project, Whole, Instrument)>, Stop> {
        let Some(mut subscription) = Subscription::lock(tx, id)? else {
            return Ok(None);
        };
        // Who concludes the charge says when the next one is due.
        let (Some(due), None) = (subscription.tried_at(), subscription.charging) else {
            return Ok(None);
        };
        let project = self.shared.known_project(&subscription.project)?;
        let real = self.shared.now();
        let now = project.now(real);
        if now < due {
            // Its clock was set back.
            subscription.schedule(tx, &project, real)?;
            return Ok(None);
        }
        let plan = subscription.plan(tx)?;
        let is_first = subscription.paid == 0;
        let is_next = subscription.schedule.begins(subscription.paid).is_some();
        let goes_on = is_next && (is_first || subscription.auto_renew) && !plan::is_over(&plan, now);
        let bound = match subscription.recurrent_id.as_deref() {
            Some(id) if goes_on => binding::find(tx, &subscription.project, id)?,
            _ => None,
        };
        let Some((instrument, _)) = bound else {
            self.end_of_its_time(tx, &mut subscription, &plan)?;
            return Ok(None);
        };
        let price = subscription.price(subscription.paid, &plan);
        let mut whole = subscription.checkout(checkout, price, now);
        whole.begin(&[checkout], instrument.wish(), now)?;
        match self.store_begun(tx, &whole) {
            Ok(()) => {}
            // The shop has paid something under this very number by itself.
            Err(Stop::Refused(refusal)) if refusal.code == StatusCode::TransactionAlreadyPaid => {
                self.end_of_its_time(tx, &mut subscription, &plan)?;
                return Ok(None);
            }
            Err(stop) => return Err(stop),
        }
        subscription.note(tx, checkout)?;
        subscription.charging = Some(checkout);
        if is_first {
            subscription.step(Event::Begin)?;
        }
        subscription.update(tx)?;
        Ok(Some(((*project).clone(), whole, instrument)))
    }

    /// Stores what a try to pay has done to the subscription that it is for.
    pub(crate) fn conclude_charge(
        &self,
        tx: &mut dyn Transaction,
        id: Id,
        whole: &Whole,
    ) -> Result<(), Refusal> {
        let Some(mut subscription) = Subscription::lock(tx, id)? else {
            return Ok(());
        };
        let (Some(payment), Some(operation)) = (whole.payments.first(), whole.operations.first()) else {
            return Err(Refusal::internal("a checkout without orders"));
        };
        // It has ended meanwhile.
        if subscription.charging != Some(whole.checkout.id) {
            return Ok(());
        }
        if !operation.has_ended() {
            subscription.step(Event::Wait)?;
            return subscription.update(tx);
        }
        let project = self.shared.known_project(&subscription.project)?;
        let real = self.shared.now();
        let plan = subscription.plan(tx)?;
        let of = Some(of_payment(payment, operation));
        let is_first = subscription.paid == 0;
        subscription.charging = None;
        match (operation.status == Status::Success, is_first) {
            (true, _) if whole.checkout.verifies() => {
                subscription.recurrent_id = whole.checkout.recurrent_id.clone();
                subscription.step(Event::Wait)?;
                subscription.schedule(tx, &project, real)?;
                return subscription.update(tx);
            }
            (true, _) => {
                subscription.step(if is_first { Event::Pay } else { Event::Renew })?;
                let end = subscription.schedule.ends(subscription.paid);
                subscription.paid = subscription.paid.saturating_add(1);
                subscription.misses = 0;
                subscription.recurrent_id = whole.checkout.recurrent_id.clone();
                subscription.due_at = Some(plan.end_date.map_or(end, |last| last.min(end)));
                subscription.schedule(tx, &project, real)?;
                self.tell_event(
                    tx,
                    &subscription,
                    &plan,
                    SubscriptionEvent::PaymentSuccess,
                    of.clone(),
                )?;
                if !is_first {
                    self.tell_event(tx, &subscription, &plan, SubscriptionEvent::Renewed, of)?;
                }
            }
            (false, true) => {
                subscription.end(tx, Event::Fail)?;
                self.tell_event(tx, &subscription, &plan, SubscriptionEvent::PaymentFailed, of)?;
            }
            (false, false) => {
                subscription.misses = subscription.misses.saturating_add(1);
                let is_over = subscription.misses > RETRIES;
                match is_over {
                    true => subscription.end(tx, Event::End)?,
                    false => {
                        subscription.step(Event::Miss)?;
                        subscription.schedule(tx, &project, real)?;
                    }
                }
                self.tell_event(tx, &subscription, &plan, SubscriptionEvent::PaymentFailed, of)?;
                if is_over {
                    self.tell_event(tx, &subscription, &plan, SubscriptionEvent::Deactivated, None)?;
                }
            }
        }
        subscription.update(tx)
    }

    /// There is no further period.
    fn end_of_its_time(
        &self,
        tx: &mut dyn Transaction,
        subscription: &mut Subscription,
        plan: &Plan,
    ) -> Result<(), Refusal> {
        subscription.end(tx, Event::End)?;
        subscription.update(tx)?;
        self.tell_event(tx, subscription, plan, SubscriptionEvent::Deactivated, None)
    }
}

/// Days on which a period is tried again that could not be charged.
const RETRIES: u32 = 3;
