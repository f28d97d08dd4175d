//! What customers do with their subscriptions: renew or not, deactivate, cancel.

use database::Transaction;
use jiff::Timestamp;
use wire::interface::StatusCode;
use wire::interface::answer::Operation as Kind;
use wire::interface::plan::PlanState;
use wire::interface::subscription::{ChangeSubscription, Changed, SubscriptionEvent, SubscriptionState};
use wire::interface::values::ExternalId;

use super::plan;
use super::record::{self, Subscription};
use super::states::Event;
use crate::checkout::record::{Checkout, Step};
use crate::checkout::whole::Stop;
use crate::id::Id;
use crate::order::{self, Number};
use crate::owner::Owner;
use crate::payment::Payment;
use crate::payment::follow::{self, Asked, Followed};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `PATCH /api/subscriptions/v1/subscriptions/{subscription_id}`: says whether it is charged for further periods. Waits for the disk.
    pub fn change_subscription(
        &self,
        project: &Project,
        customer: &ExternalId,
        subscription_id: &str,
        change: ChangeSubscription,
    ) -> Result<Changed, Refusal> {
        let (owner, customer, id) = (
            project.id.clone(),
            customer.clone(),
            record::named(subscription_id)?,
        );
        self.shared.database.write(move |tx| {
            let mut subscription = lock(tx, &owner, &customer, id)?;
            if subscription.state == SubscriptionState::Inactive {
                return Err(ended());
            }
            if change.auto_renew
                && !subscription.auto_renew
                && subscription.plan(tx)?.state != PlanState::Active
            {
                return Err(plan::not_active().at("auto_renew"));
            }
            subscription.auto_renew = change.auto_renew;
            subscription.update(tx)
        })?;
        Ok(Changed::ok())
    }

    /// `DELETE /api/subscriptions/v1/subscriptions/{subscription_id}`: it ends with the period that is paid, or at once where none is. Waits
    /// for the disk.
    pub fn deactivate_subscription(
        &self,
        project: &Project,
        customer: &ExternalId,
        subscription_id: &str,
    ) -> Result<Changed, Refusal> {
        self.leave(project, customer, subscription_id, Leave::WithThePeriod)
    }

    /// `DELETE /api/subscriptions/v1/subscriptions/{subscription_id}/cancel`: it ends at once; with `refund`, what its current period cost is
    /// given back. Waits for the disk and the acquirer.
    pub fn cancel_subscription(
        &self,
        project: &Project,
        customer: &ExternalId,
        subscription_id: &str,
        refund: bool,
    ) -> Result<Changed, Refusal> {
        let refund = match refund {
            true => Some(self.shared.new_id()?),
            false => None,
        };
        self.leave(project, customer, subscription_id, Leave::AtOnce { refund })
    }

    fn leave(
        &self,
        project: &Project,
        customer: &ExternalId,
        subscription_id: &str,
        how: Leave,
    ) -> Result<Changed, Refusal> {
        let id = record::named(subscription_id)?;
        if self.leave_proof(project, customer, id)? {
            return Ok(Changed::ok());
        }
        let (this, project, customer) = (self.clone(), project.clone(), customer.clone());
        let left = self.patiently(move |tx| this.store_leave(tx, &project, &customer, id, how));
        match left {
            Ok(Some(refund)) => self.act(refund).map(|_| Changed::ok()),
            Ok(None) => Ok(Changed::ok()),
            Err(refusal) if refusal.code == StatusCode::OrderIsDuplicated => Err(Refusal::new(
                StatusCode::OrderIsDuplicated,
                "it is being charged at this moment; ask again",
            )),
            Err(refusal) => Err(refusal),
        }
    }

    /// A payer who leaves is not asked any more to prove who they are: that payment has failed, and with it all of it has ended. Whether
    /// that was so.
    fn leave_proof(&self, project: &Project, customer: &ExternalId, id: Id) -> Result<bool, Refusal> {
        let (owner, customer) = (project.id.clone(), customer.clone());
        let asked = self.shared.database.read(move |tx| {
            let found = Subscription::find(tx, id)?.filter(|found| found.is_of(&owner, &customer));
            match found.ok_or_else(record::unknown)?.charging {
                Some(charging) => Checkout::find(tx, charging),
                None => Ok(None),
            }
        })?;
        let Some(Checkout {
            id: checkout,
            step: Step::Challenged,
            attempt: Some(attempt),
            ..
        }) = asked
        else {
            return Ok(false);
        };
        self.give_up(checkout, attempt)?;
        let left = self.shared.database.read(move |tx| Subscription::find(tx, id))?;
        // Unless the payer was faster.
        Ok(left.is_some_and(|left| left.state == SubscriptionState::Inactive))
    }

    fn store_leave(
        &self,
        tx: &mut dyn Transaction,
        project: &Project,
        customer: &ExternalId,
        id: Id,
        how: Leave,
    ) -> Result<Option<Followed>, Stop> {
        let mut subscription = lock(tx, &project.id, customer, id)?;
        if subscription.state == SubscriptionState::Inactive {
            return Err(ended().into());
        }
        if subscription.charging.is_some() {
            return Err(Stop::Busy);
        }
        let plan = subscription.plan(tx)?;
        let real = self.shared.now();
        let now = project.now(real);
        let is_current = subscription.paid > 0 && subscription.due_at.is_some_and(|due| now < due);
        let mut refund = None;
        let event = match how {
            Leave::WithThePeriod if !subscription.auto_renew && subscription.paid > 0 => return Ok(None),
            Leave::WithThePeriod => {
                subscription.auto_renew = false;
                match is_current {
                    true => subscription.step(Event::Deactivate)?,
                    false => subscription.end(tx, Event::Cancel)?,
                }
                SubscriptionEvent::Deactivated
            }
            Leave::AtOnce { refund: asked } => {
                if let (Some(operation), true) = (asked, is_current) {
                    refund = Some(refund_current(
                        tx,
                        project,
                        &subscription,
                        (operation, now, real),
                    )?);
                }
                subscription.auto_renew = false;
                subscription.end(tx, Event::Cancel)?;
                SubscriptionEvent::Cancelled
            }
        };
        subscription.update(tx)?;
        self.tell_event(tx, &subscription, &plan, event, None)?;
        Ok(refund)
    }
}

/// How a customer leaves.
#[derive(Clone, Copy)]
enum Leave {
    WithThePeriod,
    AtOnce {
        /// An operation that gives the current period back.
        refund: Option<Id>,
    },
}

/// One of a customer, with its row locked.
fn lock(
    tx: &mut dyn Transaction,
    project: &str,
    customer: &ExternalId,
    id: Id,
) -> Result<Subscription, Refusal> {
    let found = Subscription::lock(tx, id)?.filter(|found| found.is_of(project, customer));
    found.ok_or_else(record::unknown)
}

/// Begins to give back what is left of the newest paid period.
fn refund_current(
    tx: &mut dyn Transaction,
    project: &Project,
    subscription: &Subscription,
    when: (Id, Timestamp, Timestamp),
) -> Result<Followed, Stop> {
    let gone = || Refusal::internal("a period's payment is not there");
    let number = subscription.number(subscription.paid);
    let id = order::find(tx, Number::order(&subscription.project, &number))?.ok_or_else(gone)?;
    let payment = Payment::lock(tx, id)?.ok_or_else(gone)?;
    let checkout = Checkout::find(tx, payment.checkout)?.ok_or_else(gone)?;
    let asked = Asked {
        kind: &Kind::Refund,
        amount: None,
        currency: None,
        payload: None,
        callback_url: None,
    };
    follow::begin(tx, project, Owner::payment(checkout, payment), &asked, when)
}

fn ended() -> Refusal {
    Refusal::new(StatusCode::SubscriptionNotActive, "the subscription has ended").at("subscription_id")
}
