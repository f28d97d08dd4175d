//! Subscriptions as the interface writes them.

use database::Transaction;
use wire::interface::StatusCode;
use wire::interface::answer::Action;
use wire::interface::plan::Plan;
use wire::interface::subscription::{
    Subscribed, Subscription as View, SubscriptionDetails, SubscriptionPayment,
};
use wire::interface::values::ExternalId;

use super::record::{self, Subscription};
use crate::checkout::whole::Whole;
use crate::id::Id;
use crate::payment::Payment;
use crate::payment::answer::describe;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `GET /api/subscriptions/v1/subscriptions/{subscription_id}`. Reads the store.
    pub fn subscription(
        &self,
        project: &Project,
        customer: &ExternalId,
        subscription_id: &str,
    ) -> Result<View, Refusal> {
        let (owner, customer, id) = (
            project.id.clone(),
            customer.clone(),
            record::named(subscription_id)?,
        );
        self.shared.database.read(move |tx| {
            let found = Subscription::find(tx, id)?.filter(|found| found.is_of(&owner, &customer));
            let subscription = found.ok_or_else(record::unknown)?;
            let plan = subscription.plan(tx)?;
            Ok(subscription.view(&plan))
        })
    }

    /// `GET /api/subscriptions/v1/subscriptions`: all of a customer, the oldest first. Reads the store.
    pub fn subscriptions(&self, project: &Project, customer: &ExternalId) -> Result<Vec<View>, Refusal> {
        let (owner, customer) = (project.id.clone(), customer.clone());
        self.shared.database.read(move |tx| {
            let mut views = Vec::new();
            for subscription in Subscription::all(tx, &owner, &customer)? {
                let plan = subscription.plan(tx)?;
                views.push(subscription.view(&plan));
            }
            Ok(views)
        })
    }

    /// `GET /api/subscriptions/v1/subscriptions/{subscription_id}/payments`: every try to pay it, the oldest first. Reads the store.
    pub fn subscription_payments(
        &self,
        project: &Project,
        customer: &ExternalId,
        subscription_id: &str,
    ) -> Result<Vec<SubscriptionPayment>, Refusal> {
        let (owner, customer, id) = (
            project.id.clone(),
            customer.clone(),
            record::named(subscription_id)?,
        );
        let tries = self.shared.database.read(move |tx| {
            let found = Subscription::find(tx, id)?.filter(|found| found.is_of(&owner, &customer));
            let subscription = found.ok_or_else(record::unknown)?;
            let mut tries = Vec::new();
            for payment in subscription.payments(tx)? {
                tries.extend(whole_of(tx, payment)?);
            }
            Ok::<_, Refusal>(tries)
        })?;
        tries.iter().map(|whole| self.payment_of(id, whole)).collect()
    }

    /// A subscription with a try to pay it.
    pub(super) fn subscribed(&self, id: Id, whole: &Whole) -> Result<Subscribed, Refusal> {
        let payment = self.payment_of(id, whole)?;
        self.shared.database.read(move |tx| {
            let subscription = Subscription::find(tx, id)?.ok_or_else(record::unknown)?;
            let plan = subscription.plan(tx)?;
            Ok(Subscribed {
                payment: payment.clone(),
                subscription: subscription.view(&plan),
            })
        })
    }

    fn payment_of(&self, id: Id, whole: &Whole) -> Result<SubscriptionPayment, Refusal> {
        let (Some(payment), Some(operation)) = (whole.payments.first(), whole.operations.first()) else {
            return Err(Refusal::internal("a checkout without orders"));
        };
        let status_code = match &operation.code {
            StatusCode::TransactionSuccessful => StatusCode::SubscriptionSuccessful,
            code => code.clone(),
        };
        let action = self.surroundings(&whole.checkout, payment)?.action;
        Ok(SubscriptionPayment {
            id: payment.id.to_string(),
            subscription_id: id.to_string(),
            external_id: payment.external_id.clone(),
            details: SubscriptionDetails {
                amount: operation.amount,
                amount_refunded: payment.money.refunded,
                currency: payment.currency,
                status: operation.status.clone(),
                status_description: describe(&status_code),
                status_code,
                created_at: operation.created_at,
                processed_at: operation.processed_at,
            },
            user_action: action.filter(|_| !operation.has_ended()).map(Action::url),
        })
    }
}

impl Subscription {
    /// Whether it is a customer's of a project.
    pub(super) fn is_of(&self, project: &str, customer: &ExternalId) -> bool {
        self.project == project && self.customer == customer.as_str()
    }

    fn view(&self, plan: &Plan) -> View {
        View {
            id: self.id.to_string(),
            plan_id: self.plan.to_string(),
            state: self.state.clone(),
            auto_renew: self.auto_renew,
            price: self.price.unwrap_or(plan.price),
            currency: self.currency,
            description: self.description.clone(),
            start_date: self.schedule.start,
            next_payment_date: self.due_at,
            trial_periods: self.trial,
            use_plan_price_on_auto_renew: self.to_plan_price,
            created_at: self.created_at,
        }
    }
}

/// The checkout of a payment that is alone in it.
fn whole_of(tx: &mut dyn Transaction, payment: Id) -> Result<Option<Whole>, Refusal> {
    match Payment::find(tx, payment)? {
        Some(payment) => Whole::find(tx, payment.checkout),
        None => Ok(None),
    }
}
