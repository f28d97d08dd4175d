//! The payment object: the answer to every call that changes a payment, and the body of its callbacks (service interface,
//! "Payment (response)" and "Callback body"; wire notes §3).
//!
//! Members without a value are written as `null`, never left out: clients read them by name.

use alloc::collections::BTreeMap;
use alloc::string::String;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount::{Amount, Currency};
use super::code::StatusCode;
use super::words::open;

/// A payment and its last operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Payment {
    /// The operation's id: 18 decimal digits.
    pub id: String,
    /// The shop's number of the order.
    pub external_id: String,
    /// The shop's second number of the order; installments only.
    pub unified_external_id: Option<String>,
    /// The shop's number of the basket that the order belongs to.
    pub batch_external_id: Option<String>,
    /// The project.
    #[serde(default)]
    pub project_id: String,
    /// Whether the operation has succeeded, or goes on with `action`.
    pub is_success: bool,
    /// Whether the payer has to do something.
    #[serde(default)]
    pub action_required: bool,
    /// What they have to do.
    pub action: Option<Action>,
    /// What became of the operation; `null` until a payer has begun to pay.
    pub details: Option<Details>,
    /// The receipt, after a success.
    pub receipt_url: Option<String>,
    /// What paid.
    pub payment_method: Option<MethodView>,
    /// The payer.
    pub customer: Option<CustomerView>,
    /// Which operation it was.
    pub operation: Option<Operation>,
    /// What the shop said besides.
    pub metadata: Option<BTreeMap<String, String>>,
    /// The tax receipt.
    pub fiscalization: Option<Fiscalization>,
}

/// Something that the payer has to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Action {
    /// `url`: go to `value`.
    #[serde(rename = "type")]
    pub kind: ActionType,
    /// The address.
    pub value: String,
}

impl Action {
    /// Go to an address.
    pub fn url(value: impl Into<String>) -> Self {
        Self {
            kind: ActionType::Url,
            value: value.into(),
        }
    }
}

open! {
    /// What kind of thing a payer has to do.
    ActionType {
        /// Go to an address.
        Url = "url",
    }
}

open! {
    /// How an operation stands.
    Status {
        /// It was begun.
        Init = "init",
        /// It waits.
        Pending = "pending",
        /// It has succeeded.
        Success = "success",
        /// It has failed.
        Failure = "failure",
    }
}

open! {
    /// Which call an operation comes from.
    Operation {
        /// A payment.
        Payment = "payment",
        /// A confirmation of what was held.
        Confirm = "confirm",
        /// A release of what was held.
        Cancel = "cancel",
        /// A refund.
        Refund = "refund",
        /// A card's verification, without money.
        Lookup = "lookup",
        /// A charge without the payer.
        Recurrent = "recurrent",
        /// A payout.
        Payout = "payout",
    }
}

open! {
    /// What was done with the money.
    DetailsMethod {
        /// Charged at once.
        Purchase = "purchase",
        /// Held.
        Auth = "auth",
        /// Nothing: the card was verified.
        Lookup = "lookup",
        /// Charged of what was held.
        Capture = "capture",
        /// Released of what was held.
        Void = "void",
        /// Given back.
        Refund = "refund",
        /// An installment order was made.
        Create = "create",
        /// Sent to a recipient.
        Payout = "payout",
    }
}

/// What became of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Details {
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// The same for people, in English.
    pub status_description: String,
    /// Amount of this operation.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ended.
    pub processed_at: Option<Timestamp>,
    /// What was done with the money.
    pub method: DetailsMethod,
    /// The payment's id: equal for all operations of a payment.
    pub payment_id: String,
    /// Equal to `payment_id` for the first operation; clients rely on it being there.
    #[serde(default)]
    pub transaction_id: String,
    /// The operation's own id, which tells two callbacks of one payment apart.
    #[serde(default)]
    pub operation_id: String,
    /// The issuer's authorisation.
    pub auth_code: Option<String>,
    /// The acquirer's reference.
    pub rrn: Option<String>,
    /// The binding for later charges, when one was asked for.
    pub recurrent_id: Option<String>,
    /// As the shop described the order.
    pub description: Option<String>,
    /// As the shop sent it.
    pub payload: Option<String>,
    /// The merchant's commission, of a charge that has one. The payer pays nothing besides the amount.
    pub fee: Option<Fee>,
    /// Name of the terminal.
    pub terminal_name: Option<String>,
    /// Name of the acquiring bank.
    pub bank_name: Option<String>,
    /// A copy of the payment's block.
    pub fiscalization: Option<Fiscalization>,
}

/// A merchant's commission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Fee {
    /// How much.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
}

/// What paid, as it may be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct MethodView {
    /// `cc_token`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The card.
    pub cc_token: CardView,
}

/// A card as it may be shown, with a token that lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct CardView {
    /// Lasting token of the card, without its security code: for payments and payouts. `null` after a failure.
    pub token: Option<String>,
    /// First digits, one `*` for each hidden digit, the last four.
    pub mask: String,
    /// The last day of the card's month.
    pub expires_at: Option<Timestamp>,
    /// Short name of the issuer; `null` where it is not known.
    pub bank_short_name: Option<String>,
    /// `VISA`, `MASTERCARD` and the like.
    pub payment_system: Option<String>,
    /// Whether it is among the customer's saved cards.
    #[serde(default)]
    pub saved_card: bool,
    /// Country of the issuer; `null` where it is not known.
    pub bin_country: Option<String>,
}

/// The payer, as the shop named them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct CustomerView {
    /// The shop's number of the payer.
    pub external_id: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Phone number.
    pub phone: Option<String>,
}

/// The tax receipt of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Fiscalization {
    /// Its number.
    pub fiscal_id: Option<String>,
    /// Where it can be seen.
    pub fiscal_url: Option<String>,
    /// How it stands.
    pub status: FiscalStatus,
    /// 1000 test, 1001 success, 1002 in progress, 2001 bad data, 2002 internal, 3001 not found, 3002 duplicate.
    pub status_code: u16,
    /// The same for people, in English.
    pub status_description: String,
}

open! {
    /// How a tax receipt stands.
    FiscalStatus {
        /// Asked for.
        Pending = "Pending",
        /// Made.
        Success = "Success",
        /// Not to be had.
        Failed = "Failed",
    }
}
