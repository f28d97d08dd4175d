//! What shops are told of subscriptions.

use database::Transaction;
use wire::interface::callback::Resource;
use wire::interface::plan::Plan;
use wire::interface::subscription::{
    EventPayment, EventSubscription, SubscriptionCallback, SubscriptionEvent,
};

use super::plan;
use super::record::Subscription;
use crate::callback::{self, NewCallback};
use crate::id::Id;
use crate::operation::Operation;
use crate::payment::Payment;
use crate::processing::Processing;
use crate::refusal::Refusal;

impl Processing {
    /// Tells everybody who wants to hear it: the subscription's own address, and those of its plan. Each address has an order of its own, so
    /// that one that is out of reach holds up no other.
    pub(super) fn tell_event(
        &self,
        tx: &mut dyn Transaction,
        subscription: &Subscription,
        plan: &Plan,
        event: SubscriptionEvent,
        payment: Option<EventPayment>,
    ) -> Result<(), Refusal> {
        let own = subscription.callback_url.as_deref();
        let own = own.map(|url| (0, subscription.project.as_str(), url));
        let of_plan = (1..).zip(&plan.callbacks);
        let of_plan = of_plan.map(|(number, callback)| (number, &*callback.api_key, callback.url.as_str()));
        let mut listeners = own.into_iter().chain(of_plan).peekable();
        if listeners.peek().is_none() {
            return Ok(());
        }
        let body = SubscriptionCallback {
            subscription_id: subscription.id.to_string(),
            event: event.clone(),
            payment,
            subscription: EventSubscription {
                state: subscription.state.clone(),
                next_payment_date: subscription.due_at,
            },
        };
        let body =
            serde_json::to_string(&body).map_err(|_| Refusal::internal("a callback cannot be written"))?;
        let project = self.shared.known_project(&subscription.project)?;
        for (number, signer, url) in listeners {
            let callback = NewCallback {
                project: &project,
                signer,
                resource: Resource::Subscription,
                subject: subscription.id.beside(number),
                external_id: &subscription.id.to_string(),
                operation: event.as_str(),
                url,
                body: &body,
            };
            callback::enqueue(tx, &callback, self.shared.now())?;
        }
        Ok(())
    }

    /// Tells that money of a period went back.
    pub(crate) fn tell_of_refund(
        &self,
        tx: &mut dyn Transaction,
        id: Id,
        payment: &Payment,
        refund: &Operation,
    ) -> Result<(), Refusal> {
        let Some(subscription) = Subscription::find(tx, id)? else {
            return Ok(());
        };
        let plan = subscription.plan(tx)?;
        let of = of_payment(payment, refund);
        self.tell_event(tx, &subscription, &plan, SubscriptionEvent::Refunded, Some(of))
    }
}

impl Subscription {
    /// Its plan.
    pub(super) fn plan(&self, tx: &mut dyn Transaction) -> Result<Plan, Refusal> {
        plan::find(tx, &self.project, self.plan)?.ok_or_else(|| Refusal::internal("a plan is not there"))
    }
}

/// A payment as events have it.
pub(super) fn of_payment(payment: &Payment, operation: &Operation) -> EventPayment {
    EventPayment {
        id: payment.id.to_string(),
        amount: operation.amount,
        currency: payment.currency,
        status: operation.status.clone(),
    }
}
