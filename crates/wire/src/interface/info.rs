//! A payment with all of its operations (wire notes §4).

use alloc::string::String;
use alloc::vec::Vec;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount::{Amount, Currency};
use super::answer::{Action, CustomerView, Details};

/// Path; the query names the order by `external_id`.
pub const PATH: &str = "/api/payments/v1/info";

/// Path that answers [`Receipt`].
pub const RECEIPT: &str = "/api/payments/v1/receipt";

/// Answer of [`PATH`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PaymentInfo {
    /// The payment's id: 18 decimal digits.
    pub id: String,
    /// The shop's number of the order.
    pub external_id: String,
    /// The order's amount.
    pub amount: Amount,
    /// What was charged.
    pub amount_confirmed: Amount,
    /// What was released.
    pub amount_canceled: Amount,
    /// What was given back.
    pub amount_refunded: Amount,
    /// Whether it was paid or held.
    pub purchased: bool,
    /// Whether something that was held has been charged.
    pub confirmed: bool,
    /// Whether something that was held has been released.
    pub canceled: bool,
    /// Whether something was given back.
    pub refunded: bool,
    /// Attempts to pay, the oldest first.
    pub purchase_details: Vec<Details>,
    /// Confirmations, the oldest first.
    pub confirmation_details: Vec<Details>,
    /// Releases, the oldest first.
    pub cancellation_details: Vec<Details>,
    /// Refunds, the oldest first.
    pub refund_details: Vec<Details>,
    /// What the payer has to do.
    pub action: Option<Action>,
    /// Whether the payer has to do something.
    pub action_required: bool,
    /// When the order was first heard of.
    pub created_at: Timestamp,
    /// ISO 4217 code.
    pub currency: Currency,
    /// The receipt, after a success.
    pub receipt_url: Option<String>,
    /// The payer.
    pub customer: Option<CustomerView>,
}

/// Answer of [`RECEIPT`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Receipt {
    /// Where the receipt can be seen.
    pub receipt_url: String,
}
