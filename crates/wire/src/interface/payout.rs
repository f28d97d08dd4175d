//! Payouts: money to a card or as cash, from a shop's balance (service interface, "Payout").

use alloc::string::String;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::{self, Amount, Currency};
use super::answer::Status;
use super::code::StatusCode;
use super::lenient;
use super::recipient::{PayoutRecipient, PayoutType};
use super::values::{ExternalId, Text, WebAddress};
use super::words::Word;

/// Path that sends money.
pub const PATH: &str = "/api/payouts/v1/request-payout";

/// Path that says how a payout stands; the query names it by `external_id`.
pub const INFO: &str = "/api/payouts/v1/info";

/// Path that says how much there is to be paid out.
pub const BALANCE: &str = "/api/payouts/v1/account-balance";

/// Path that sends a callback again.
pub const RESEND: &str = "/api/payouts/v1/resend-callback";

/// Path that takes a cash payout back.
pub const CANCEL: &str = "/api/payouts/v1/cancel-payout";

/// Body of [`PATH`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct NewPayout {
    /// What is paid out.
    pub order: PayoutOrder,
    /// Who pays.
    pub payer: PayoutPayer,
    /// Who receives.
    pub recipient: PayoutRecipient,
}

/// What is paid out.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PayoutOrder {
    /// The shop's number of the payout: at most one of a project succeeds under it.
    pub external_id: ExternalId,
    /// How much, above 0.
    pub original_amount: Amount,
    /// `UAH`.
    pub currency: Currency,
    /// What for.
    pub description: Text<1, 500>,
    /// Receives the callbacks.
    pub callback_url: Option<WebAddress>,
}

/// Who pays.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PayoutPayer {
    /// The partner that the project belongs to.
    pub entity_id: Text<1, 128>,
}

/// How a payout stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Payout {
    /// Its id: 18 decimal digits.
    pub transaction_id: String,
    /// The shop's number of it.
    pub external_id: String,
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// What the recipient gets.
    pub original_amount: Amount,
    /// What the shop pays.
    pub payer_amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// How it gets to the recipient.
    pub payout_type: Word<PayoutType>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it ended.
    pub processed_at: Option<Timestamp>,
}

/// Body of a callback about a payout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PayoutCallback {
    /// Its id: 18 decimal digits.
    pub id: String,
    /// The shop's number of it.
    pub external_id: String,
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// What the recipient gets.
    #[serde(serialize_with = "amount::as_number")]
    #[schemars(with = "amount::Number")]
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// How it gets to the recipient.
    pub payout_type: Word<PayoutType>,
    /// When it ended.
    pub processed_at: Option<Timestamp>,
}

/// Query of [`BALANCE`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct BalanceQuery {
    /// The partner that the project belongs to.
    pub merchant_entity_id: Text<1, 128>,
}

/// Answer of [`BALANCE`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct AccountBalance {
    /// What can be paid out.
    #[serde(serialize_with = "amount::as_number")]
    #[schemars(with = "amount::Number")]
    pub available_amount: Amount,
    /// What is reserved for payouts that are under way.
    #[serde(serialize_with = "amount::as_number")]
    #[schemars(with = "amount::Number")]
    pub commitment_amount: Amount,
}

/// Body of [`RESEND`] and [`CANCEL`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct NamedPayout {
    /// The shop's number of the payout.
    pub external_id: ExternalId,
}
