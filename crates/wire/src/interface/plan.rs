//! Plans of subscriptions (service interface, "Subscription plan"; wire notes §4).

use alloc::string::String;
use alloc::vec::Vec;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::{self, Amount, Currency};
use super::lenient;
use super::moment::{LastMoment, Moment};
use super::values::{List, Text, WebAddress, Whole};
use super::words::{Word, closed, open};

/// Path of all plans.
pub const PATH: &str = "/api/subscriptions/v1/plans";

/// Path of one.
pub const ONE: &str = "/api/subscriptions/v1/plans/{plan_id}";

closed! {
    /// What a plan's periods are counted in.
    FrequencyType {
        /// Days.
        Daily = "daily",
        /// Weeks.
        Weekly = "weekly",
        /// Months: on the same day of the month, or on its last one where that is earlier.
        Monthly = "monthly",
        /// Years.
        Yearly = "yearly",
    }
}

/// So many of a plan's units.
pub type Units = Whole<1, 36_500>;

/// Words for where a plan is used.
pub type Platforms = Vec<Text<1, 64>>;

/// Body that makes a plan.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct NewPlan {
    /// Its name.
    pub name: Text<1, 255>,
    /// What a period costs.
    pub price: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// What its periods are counted in.
    pub frequency_type: FrequencyType,
    /// How many of these units a period has: 2 with `daily` is every other day, 6 with `monthly` half a year.
    pub frequency: Units,
    /// How many of these units a subscription lasts, from its start.
    pub duration_periods: Units,
    /// Subscriptions start then at the earliest.
    pub start_date: Moment,
    /// Shown to nobody.
    pub description: Option<Text<0, 2048>>,
    /// Where the plan is used; kept for the shop.
    pub platforms: Option<Platforms>,
    /// Who hears of all its subscriptions, besides the `callback_url` of each.
    pub callbacks: Option<List<PlanCallback, 0, 10>>,
    /// From then on nothing is charged.
    pub end_date: Option<LastMoment>,
}

/// Body that changes a plan: what is absent stays.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct ChangePlan {
    /// Its name.
    pub name: Option<Text<1, 255>>,
    /// What a period costs, from the next charge on.
    #[serde_with(skip_apply)]
    #[serde(
        default,
        deserialize_with = "amount::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub price: Option<Amount>,
    /// What periods of new subscriptions are counted in.
    pub frequency_type: Option<FrequencyType>,
    /// How many of these units a period of new subscriptions has.
    pub frequency: Option<Units>,
    /// How many of these units new subscriptions last.
    pub duration_periods: Option<Units>,
    /// Shown to nobody.
    pub description: Option<Text<0, 2048>>,
    /// Where the plan is used; kept for the shop.
    pub platforms: Option<Platforms>,
    /// Who hears of all its subscriptions from now on.
    pub callbacks: Option<List<PlanCallback, 0, 10>>,
    /// From then on nothing is charged.
    pub end_date: Option<LastMoment>,
}

/// Who hears of all subscriptions of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PlanCallback {
    /// The project of the same partner with whose password they are signed.
    pub api_key: Text<1, 128>,
    /// Where they go.
    pub url: WebAddress,
}

/// Which plan.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PlanPath {
    /// Its id.
    pub plan_id: Text<1, 64>,
}

open! {
    /// How a plan stands.
    PlanState {
        /// It can be subscribed to.
        Active = "active",
        /// It was deleted: there are no new subscriptions of it.
        Inactive = "inactive",
    }
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Plan {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is about.
    pub description: Option<String>,
    /// What a period costs.
    #[serde(serialize_with = "amount::as_number")]
    #[schemars(with = "amount::Number")]
    pub price: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// How it stands.
    pub state: PlanState,
    /// What its periods are counted in.
    pub frequency_type: Word<FrequencyType>,
    /// How many of these units a period has.
    pub frequency: u32,
    /// How many of these units a subscription lasts.
    pub duration_periods: u32,
    /// Subscriptions start then at the earliest.
    pub start_date: Timestamp,
    /// From then on nothing is charged.
    pub end_date: Option<Timestamp>,
    /// Where it is used.
    pub platforms: Vec<String>,
    /// Who hears of all its subscriptions.
    pub callbacks: Vec<PlanCallback>,
    /// When it was made.
    pub created_at: Timestamp,
}
