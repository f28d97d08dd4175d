//! New subscriptions: paid at once, or with a card that is verified for a start that is yet to come.

use jiff::Timestamp;
use wire::interface::method::MethodType;
use wire::interface::plan::{Plan, PlanState};
use wire::interface::subscription::{NewSubscription, Subscribed, SubscriptionState};
use wire::interface::values::{ExternalId, Text};
use wire::interface::{Amount, StatusCode, Wrong};

use super::plan;
use super::record::Subscription;
use super::schedule::Schedule;
use super::states::Event;
use crate::checkout::create::missing;
use crate::checkout::record::{Checkout, Terms};
use crate::checkout::whole::{Stop, Whole};
use crate::id::Id;
use crate::payment::Payment;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `POST /api/subscriptions/v1/subscriptions`: subscribes a customer to a plan. A decline is an answer. Waits for the disk and the
    /// acquirer.
    pub fn subscribe(
        &self,
        project: &Project,
        customer: &ExternalId,
        request: NewSubscription,
    ) -> Result<Subscribed, Refusal> {
        let (owner, plan_id) = (project.id.clone(), plan::named(&request.plan_id)?);
        let plan = self
            .shared
            .database
            .read(move |tx| plan::find(tx, &owner, plan_id))?
            .ok_or_else(plan::unknown)?;
        let now = project.now(self.shared.now());
        let subscription = self.draft_subscription(project, customer, &request, (plan_id, &plan), now)?;
        if plan.state != PlanState::Active || plan::is_over(&plan, subscription.schedule.start) {
            return Err(plan::not_active());
        }
        let method = request
            .customer
            .payment_method
            .as_ref()
            .ok_or_else(|| missing("customer.payment_method"))?;
        if method.kind.as_deref() == Some(MethodType::Cc.as_str()) {
            let types = "`cc_token`, `wallet`, `mobile_a_pay` or `mobile_b_pay`";
            return Err(Wrong::new("customer.payment_method.type", types).into());
        }
        let method = method.named("customer.payment_method")?;
        let instrument = self.read_named(project, Some(customer), method)?;
        let is_later = subscription.schedule.start > now;
        let amount = match is_later {
            true => Amount::ZERO,
            false => subscription.price(0, &plan),
        };
        let whole = subscription.checkout(self.shared.new_id()?, amount, now);
        let stored = subscription.clone();
        let done = self.pay_with(project, whole, &instrument, move |tx, whole| {
            let mut stored = stored.clone();
            stored.charging = Some(whole.checkout.id);
            if !is_later {
                stored.step(Event::Begin)?;
            }
            if !stored.insert(tx)? {
                let message = "the customer has a subscription of this plan that has not ended";
                return Err(Stop::Refused(
                    Refusal::new(StatusCode::SubscriptionAlreadyExists, message).at("plan_id"),
                ));
            }
            Ok(stored.note(tx, whole.checkout.id)?)
        })?;
        self.subscribed(subscription.id, &done)
    }

    /// A subscription that nothing was paid of, in memory.
    fn draft_subscription(
        &self,
        project: &Project,
        customer: &ExternalId,
        request: &NewSubscription,
        (plan_id, plan): (Id, &Plan),
        now: Timestamp,
    ) -> Result<Subscription, Refusal> {
        let named = request.customer.external_id.as_ref();
        if named.is_some_and(|named| named != customer) {
            let message = "not the customer that X-CUSTOMER-AUTH stands for";
            return Err(Refusal::new(StatusCode::InvalidData, message).at("customer.external_id"));
        }
        let id = self.shared.new_id()?;
        let unit = plan.frequency_type.known();
        let start = request.start_date.time().max(plan.start_date);
        let mut payer = request.customer.clone();
        payer.payment_method = None;
        payer.external_id = Some(customer.clone());
        Ok(Subscription {
            id,
            project: project.id.clone(),
            customer: customer.as_str().to_owned(),
            plan: plan_id,
            state: SubscriptionState::Init,
            auto_renew: request.auto_renew != Some(false),
            price: request.price.filter(|price| !price.is_zero()),
            currency: plan.currency,
            trial: request.trial_periods.map_or(0, |periods| periods.value()),
            to_plan_price: request.use_plan_price_on_auto_renew == Some(true),
            schedule: Schedule {
                // Whole seconds: what began together goes on together.
                start: start.max(second_of(now)),
                unit: unit.ok_or_else(|| Refusal::internal("a stored unit is not known"))?,
                frequency: plan.frequency,
                duration: plan.duration_periods,
            },
            paid: 0,
            due_at: Some(start.max(second_of(now))),
            misses: 0,
            charging: None,
            recurrent_id: None,
            callback_url: request.callback_url.as_ref().map(|url| url.as_str().to_owned()),
            description: request.description.clone().map(Text::into_string),
            terms: Terms {
                result_url: Some(request.result_url.clone()),
                customer: Some(payer),
                subscription: Some(id),
                ..Terms::default()
            },
            created_at: now,
        })
    }
}

impl Subscription {
    /// What a period's payment is called by, counted from 1; 0 is the verification of its card.
    pub(super) fn number(&self, period: u32) -> String {
        format!("{}-{period}", self.id)
    }

    /// A checkout of the next period under an id of its own, in memory; of an amount of 0, one that verifies the card.
    ///
    /// All tries to pay a period have one number, so that at most one of them succeeds.
    pub(super) fn checkout(&self, id: Id, amount: Amount, now: Timestamp) -> Whole {
        let period = match amount.is_zero() {
            true => 0,
            false => self.paid.saturating_add(1),
        };
        let checkout = Checkout {
            terms: Terms {
                binds: self.recurrent_id.is_none(),
                is_recurrent: self.recurrent_id.is_some(),
                ..self.terms.clone()
            },
            recurrent_id: self.recurrent_id.clone(),
            ..Checkout::new(id, &self.project, amount, self.currency, now)
        };
        let payment = Payment {
            description: self.description.clone(),
            ..Payment::of(&checkout, self.number(period))
        };
        Whole {
            checkout,
            payments: vec![payment],
            operations: Vec::new(),
        }
    }
}

fn second_of(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}
