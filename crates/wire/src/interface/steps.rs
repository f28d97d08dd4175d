//! What a shop asks of a payment that exists: confirm, cancel, refund, charge again, callback again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::{self, Amount, Currency};
use super::answer::Operation;
use super::lenient;
use super::values::{ExternalId, Text, WebAddress};

/// Path that charges what is held.
pub const CONFIRM: &str = "/api/payments/v1/confirm";

/// Path that releases what is held.
pub const CANCEL: &str = "/api/payments/v1/cancel";

/// Path that gives money back.
pub const REFUND: &str = "/api/payments/v1/refund";

/// Path that tries a waiting refund at once.
pub const REFUND_RETRY: &str = "/api/payments/v1/refund/retry";

/// Path that takes a waiting refund back.
pub const REFUND_CANCEL: &str = "/api/payments/v1/refund/cancel";

/// Path that charges a binding.
pub const RECURRENT: &str = "/api/payments/v1/recurrent";

/// Path that sends a callback again.
pub const RESEND: &str = "/api/payments/v1/callback/resend";

/// Body of [`CONFIRM`], [`CANCEL`] and [`REFUND`].
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Step {
    /// The shop's number of the order.
    pub external_id: ExternalId,
    /// How much; absent means all of it.
    #[serde(deserialize_with = "amount::optional")]
    pub amount: Option<Amount>,
    /// ISO 4217 code, which must be the order's.
    #[serde(deserialize_with = "lenient::optional")]
    pub currency: Option<Currency>,
    /// Receives the callbacks of this operation instead of the order's.
    #[serde(deserialize_with = "lenient::optional")]
    pub callback_url: Option<WebAddress>,
    /// Kept for the shop.
    #[serde(deserialize_with = "lenient::optional")]
    pub payload: Option<Text<0, 4000>>,
}

impl Step {
    /// All of an order.
    pub fn new(external_id: ExternalId) -> Self {
        Self {
            external_id,
            amount: None,
            currency: None,
            callback_url: None,
            payload: None,
        }
    }
}

/// Body of [`REFUND_RETRY`] and [`REFUND_CANCEL`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct WaitingRefund {
    /// The shop's number of the order.
    pub external_id: ExternalId,
}

/// Body of [`RECURRENT`].
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Recurrent {
    /// The binding.
    pub recurrent_id: Text<1, 64>,
    /// The shop's number of this order.
    pub external_id: ExternalId,
    /// How much.
    pub amount: Amount,
    /// Receives the callbacks.
    pub callback_url: Option<WebAddress>,
    /// Whether to charge at once; `true` when absent. `false` holds the amount.
    pub confirm: Option<bool>,
    /// Kept for the shop.
    pub payload: Option<Text<0, 4000>>,
}

/// Body of [`RESEND`].
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Resend {
    /// The shop's number of the order.
    pub external_id: ExternalId,
    /// Whose callback; absent means the last operation's.
    pub operation: Option<Operation>,
}
