//! Control of the sandbox: what tests ask of the world around their payments. Not a part of the service interface.
//!
//! What is sent and answered alike has no schema of its own name: what may be left out of the one is there in the other.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::{Amount, Currency};
use super::answer::{DetailsMethod, Operation, Status};
use super::callback::JournalEntry;
use super::code::StatusCode;
use super::lenient;
use super::values::{List, Text, Whole};
use super::words::closed;

/// The project's clock: what it shows, or is to show. It runs on from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
#[schemars(inline)]
pub struct SandboxClock {
    /// The time: years 2024 to 2199.
    pub now: Timestamp,
}

/// How far to set the project's clock forward.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxAdvance {
    /// Seconds: a hundred years at most.
    pub seconds: Whole<0, 3_155_760_000>,
}

/// What the balances of refunds and of payouts are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
#[schemars(inline)]
pub struct SandboxBalance {
    /// How much, in both.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
}

/// What the project's charges cost it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
#[schemars(inline)]
pub struct SandboxFee {
    /// Percent of every charge, with at most two decimals: 100 at most.
    pub percent: Amount,
}

/// Limits to be turned on; those that are absent are off.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional")])]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
#[schemars(inline)]
pub struct SandboxLimits {
    /// Calls of the project in a minute.
    pub requests_per_minute: Option<Whole<1, 1_000_000>>,
    /// Tokens that are asked for with one widget key of the project in a minute.
    pub tokens_per_minute: Option<Whole<1, 1_000_000>>,
    /// Different cards that are tokenized with one widget key of the project in an hour.
    pub cards_per_hour: Option<Whole<1, 1_000_000>>,
}

/// Something that is to go wrong.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
#[schemars(inline)]
pub struct SandboxFault {
    /// Where: a path of the interface, `callbacks`, or `fiscalization`. With `*` at its end, everything that begins so.
    #[schemars(extend("pattern" = "^(/api/.*|callbacks|fiscalization)$"))]
    pub path: Text<1, 255>,
    /// What.
    pub kind: FaultKind,
    /// How often; once when absent.
    pub times: Option<Whole<1, 1_000_000>>,
    /// Of `delay`: how long, in milliseconds; a second when absent.
    pub milliseconds: Option<Whole<1, 60_000>>,
    /// Of `error`: the HTTP status; 500 when absent.
    pub status: Option<Whole<400, 599>>,
    /// Of `error`: the code in its body, `internal_error` when absent. Of `forced_result`: what the operation comes to.
    pub code: Option<Text<1, 64>>,
}

closed! {
    /// What is to go wrong.
    FaultKind {
        /// It takes longer.
        Delay = "delay",
        /// It does not arrive: the connection is closed, nothing is done.
        Drop = "drop",
        /// It arrives twice.
        Duplicate = "duplicate",
        /// It arrives behind the next one.
        Reorder = "reorder",
        /// It is answered with an error, nothing is done.
        Error = "error",
        /// It is done, and the connection is closed without an answer.
        LostAnswer = "lost_answer",
        /// It comes to a given result.
        ForcedResult = "forced_result",
    }
}

/// Faults to be added.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct FaultQuery {
    /// In the order in which they are to happen.
    pub faults: List<SandboxFault, 1, 100>,
}

/// Which snapshot.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SnapshotQuery {
    /// Its id.
    pub id: Text<1, 64>,
}

/// The faults that are still to come, in the order in which they do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxFaults {
    /// Each with the times that are left.
    pub faults: Vec<SandboxFault>,
}

/// A customer's token for `X-CUSTOMER-AUTH`.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxAccessToken {
    /// The token.
    pub access_token: String,
    /// Its end, by the real clock.
    pub expires_at: Timestamp,
}

/// What stands in the project, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxOverview {
    /// The project.
    pub project: String,
    /// What its clock shows.
    pub now: Timestamp,
    /// Its last 50 operations.
    pub operations: Vec<SandboxOperation>,
    /// Its last 50 callbacks.
    pub callbacks: Vec<JournalEntry>,
    /// The last 50 tokens that this instance has issued for it.
    pub tokens: Vec<SandboxToken>,
    /// Its balances by currency.
    pub balances: BTreeMap<String, SandboxBalances>,
    /// Faults that are still to come.
    pub faults: Vec<SandboxFault>,
    /// What banks ask payers in their apps: the last 50 that wait for an answer.
    pub pushes: Vec<SandboxPush>,
}

/// What a bank asks a payer in its app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxPush {
    /// The installment order's id, which names the push when it is answered.
    pub id: String,
    /// The shop's number of the order.
    pub external_id: String,
    /// Which bank.
    pub bank_name: String,
    /// Whose phone it is on.
    pub phone: Option<String>,
    /// How much.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// In how many payments.
    pub parts_count: u32,
    /// When, by the project's clock.
    pub created_at: Timestamp,
}

/// What a payer says to a push.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxAnswer {
    /// Whether they agree.
    pub agrees: bool,
}

/// Which push.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PushQuery {
    /// The installment order's id.
    pub id: Text<1, 64>,
}

/// One operation of a payment, or a payout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxOperation {
    /// Its id: 18 decimal digits.
    pub id: String,
    /// The shop's number of the order.
    pub external_id: String,
    /// Which call it comes from.
    pub operation: Operation,
    /// What was done with the money.
    pub method: DetailsMethod,
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// How much.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// The card, as it may be shown.
    pub card_mask: Option<String>,
    /// When it began, by the project's clock.
    pub created_at: Timestamp,
}

/// A token that was issued, without the token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxToken {
    /// When, by the real clock.
    pub issued_at: Timestamp,
    /// The card, as it may be shown.
    pub card_mask: String,
    /// With which widget key.
    pub widget_key: String,
}

/// What refunds and payouts are paid from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxBalances {
    /// Of today.
    pub refunds: Amount,
    /// In all.
    pub payouts: Amount,
    /// Taken from it for payouts that are under way.
    pub reserved: Amount,
}

/// The journal of callbacks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxJournal {
    /// The last thousand, newest first.
    pub callbacks: Vec<JournalEntry>,
}

/// A saved state of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SandboxSnapshot {
    /// Names it when it is restored.
    pub id: String,
    /// What the project's clock showed.
    pub now: Timestamp,
}

impl SandboxFault {
    /// Whether it is to happen at a path of the interface, or in one of the two other places.
    pub fn is_at(&self, path: &str) -> bool {
        match self.path.strip_suffix('*') {
            Some(beginning) => path.starts_with(beginning),
            None => *self.path == *path,
        }
    }

    /// What a forced result is.
    pub fn result(&self) -> Option<StatusCode> {
        self.code.as_deref().map(StatusCode::from)
    }
}

impl core::fmt::Debug for SandboxAccessToken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SandboxAccessToken")
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}
