//! Customers' subscriptions of plans (service interface, "Subscription"; wire notes §4).

use alloc::string::String;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::{self, Amount, Currency};
use super::answer::{Action, Status};
use super::code::StatusCode;
use super::customer::Customer;
use super::lenient;
use super::moment::Moment;
use super::values::{Text, WebAddress, Whole};
use super::words::{closed, open};

/// Path of a customer's subscriptions.
pub const PATH: &str = "/api/subscriptions/v1/subscriptions";

/// Path of one.
pub const ONE: &str = "/api/subscriptions/v1/subscriptions/{subscription_id}";

/// Path that ends one at once.
pub const CANCEL: &str = "/api/subscriptions/v1/subscriptions/{subscription_id}/cancel";

/// Path of its payments.
pub const PAYMENTS: &str = "/api/subscriptions/v1/subscriptions/{subscription_id}/payments";

/// Body that subscribes to a plan.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct NewSubscription {
    /// The plan.
    pub plan_id: Text<1, 64>,
    /// Whether it is charged for further periods; `true` when absent.
    pub auto_renew: Option<bool>,
    /// Hears of everything that happens to it.
    pub callback_url: Option<WebAddress>,
    /// Where the payer goes after 3-D Secure.
    pub result_url: WebAddress,
    /// Stands in its payments.
    pub description: Option<Text<0, 2048>>,
    /// When it starts. A time in the past means at once.
    pub start_date: Moment,
    /// The payer, with what pays: `cc_token`, `wallet`, `mobile_a_pay` or `mobile_b_pay`.
    pub customer: Customer,
    /// What a period costs, or a period of the trial; 0 or absent means the plan's price.
    #[serde_with(skip_apply)]
    #[serde(
        default,
        deserialize_with = "amount::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub price: Option<Amount>,
    /// How many periods the trial has.
    pub trial_periods: Option<Whole<0, 36_500>>,
    /// Whether the plan's price holds from the first renewal after the trial on.
    pub use_plan_price_on_auto_renew: Option<bool>,
}

/// Body that changes a subscription.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct ChangeSubscription {
    /// Whether it is charged for further periods.
    pub auto_renew: bool,
}

/// Which subscription.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SubscriptionPath {
    /// Its id.
    pub subscription_id: Text<1, 64>,
}

/// How it is cancelled.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct CancelQuery {
    /// `true` refunds the current period.
    #[serde(default, deserialize_with = "lenient::optional")]
    #[schemars(with = "Option<bool>")]
    pub refund: Option<Flag>,
}

closed! {
    /// A truth value in a query.
    Flag {
        /// Yes.
        True = "true",
        /// No.
        False = "false",
    }
}

open! {
    /// How a subscription stands.
    SubscriptionState {
        /// It was made, and nothing was heard of its card yet.
        Init = "init",
        /// Its first payment is being made.
        Processing = "processing",
        /// It waits for its first payment: for its start, or for the payer.
        Pending = "pending",
        /// It is paid.
        Active = "active",
        /// It has ended.
        Inactive = "inactive",
    }
}

open! {
    /// What happened to a subscription.
    SubscriptionEvent {
        /// A period was charged.
        PaymentSuccess = "payment_success",
        /// A period could not be charged.
        PaymentFailed = "payment_failed",
        /// A further period has begun.
        Renewed = "subscription_renewed",
        /// It is not charged any more; it ends with the period, or has ended.
        Deactivated = "subscription_deactivated",
        /// It was ended at once.
        Cancelled = "subscription_cancelled",
        /// A period was given back.
        Refunded = "subscription_refunded",
    }
}

/// A subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Subscription {
    /// Its id.
    pub id: String,
    /// The plan.
    pub plan_id: String,
    /// How it stands.
    pub state: SubscriptionState,
    /// Whether it is charged for further periods.
    pub auto_renew: bool,
    /// What a period costs, or a period of the trial.
    #[serde(serialize_with = "amount::as_number")]
    #[schemars(with = "amount::Number")]
    pub price: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// What it is about.
    pub description: Option<String>,
    /// When its first period begins; all others are counted from there.
    pub start_date: Timestamp,
    /// When it is charged next, or else ends; `null` when it has ended.
    pub next_payment_date: Option<Timestamp>,
    /// How many periods its trial has.
    pub trial_periods: u32,
    /// Whether the plan's price holds from the first renewal after the trial on.
    pub use_plan_price_on_auto_renew: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A payment of a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SubscriptionPayment {
    /// The payment's id.
    pub id: String,
    /// The subscription.
    pub subscription_id: String,
    /// Its number as the calls for payments have it: it can be looked up and refunded there.
    pub external_id: String,
    /// What became of it.
    pub details: SubscriptionDetails,
    /// What the payer has to do, where they have to do something.
    pub user_action: Option<Action>,
}

/// What became of a payment of a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SubscriptionDetails {
    /// How much; 0 where the card was verified for a start that is yet to come.
    #[serde(serialize_with = "amount::as_number")]
    #[schemars(with = "amount::Number")]
    pub amount: Amount,
    /// How much of it was given back.
    #[serde(serialize_with = "amount::as_number")]
    #[schemars(with = "amount::Number")]
    pub amount_refunded: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// The same for people, in English.
    pub status_description: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ended.
    pub processed_at: Option<Timestamp>,
}

/// Answer to a new subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Subscribed {
    /// Its first payment.
    pub payment: SubscriptionPayment,
    /// The subscription.
    pub subscription: Subscription,
}

/// Answer to a change that leaves nothing to tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Changed {
    /// `OK`.
    pub message: String,
}

impl Changed {
    /// It was done.
    pub fn ok() -> Self {
        Self { message: "OK".into() }
    }
}

/// Body of the callback about a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SubscriptionCallback {
    /// The subscription.
    pub subscription_id: String,
    /// What happened.
    pub event: SubscriptionEvent,
    /// The payment that it happened with; `null` where there is none.
    pub payment: Option<EventPayment>,
    /// How the subscription stands then.
    pub subscription: EventSubscription,
}

/// The payment of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct EventPayment {
    /// The payment's id.
    pub id: String,
    /// How much was charged, or given back.
    #[serde(serialize_with = "amount::as_number")]
    #[schemars(with = "amount::Number")]
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// How it stands.
    pub status: Status,
}

/// The subscription of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct EventSubscription {
    /// How it stands.
    pub state: SubscriptionState,
    /// When it is charged next, or else ends; `null` when it has ended.
    pub next_payment_date: Option<Timestamp>,
}
