//! Installment orders: a bank pays the shop at once, and the payer the bank in parts (service interface, "Installment order"; wire
//! notes §§3–4).

use alloc::string::String;
use alloc::vec::Vec;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::{self, Amount, Currency, as_number};
use super::answer::{Action, CustomerView, DetailsMethod, Fiscalization, MethodView, Operation, Status};
use super::code::StatusCode;
use super::customer::Customer;
use super::lenient;
use super::payment::Mode;
use super::product::TaxGroup;
use super::values::{ExternalId, List, Text, WebAddress, Whole};

/// Path of the banks and what they offer.
pub const BANKS: &str = "/api/payparts/v1/banks/info";

/// Path that makes an order.
pub const CREATE: &str = "/api/payparts/v1/order/create";

/// Path that confirms what the payer has agreed to.
pub const CONFIRM: &str = "/api/payparts/v1/order/confirm";

/// Path that takes an order back that is not confirmed.
pub const CANCEL: &str = "/api/payparts/v1/order/cancel";

/// Path that gives money back.
pub const REFUND: &str = "/api/payparts/v1/refund";

/// Path that takes a waiting refund back.
pub const REFUND_CANCEL: &str = "/api/payparts/v1/refund/cancel";

/// Path that tries a waiting refund at once.
pub const REFUND_RETRY: &str = "/api/payparts/v1/refund/retry";

/// Path that tells of an order.
pub const INFO: &str = "/api/payparts/v1/info";

/// Path that tells of one operation of it.
pub const OPERATION: &str = "/api/payparts/v1/info/operation";

/// A bank and what it offers: an element of the answer of [`BANKS`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct BankInfo {
    /// `bank_name` of an order.
    pub name: String,
    /// Its picture.
    pub logo_url: String,
    /// What the bank calls it.
    pub product_name: String,
    /// Numbers of payments that it offers.
    pub available_periods: Vec<u32>,
    /// Amounts that it takes.
    pub limits: BankLimits,
}

/// Amounts that a bank takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct BankLimits {
    /// The least.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "amount::Number")]
    pub min_amount: Amount,
    /// The most.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "amount::Number")]
    pub max_amount: Amount,
}

/// Body of [`CREATE`].
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct NewInstallment {
    /// Which bank: a `name` of the banks' list, such as `bank_a`; `bank_service` is the service's own product.
    pub bank_name: Text<1, 64>,
    /// Where the payer agrees: `hosted` for `bank_e`, on a page; `direct` for all others, mostly in the bank's app.
    pub mode: Mode,
    /// The shop's number of the order: at most one order of a project succeeds under it.
    pub external_id: ExternalId,
    /// The shop's second number of the order; several may have the same.
    pub unified_external_id: Option<ExternalId>,
    /// The order's amount: within the bank's limits.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// In how many payments: one of the bank's periods.
    pub parts_count: Whole<0, 1000>,
    /// Shown to the payer.
    pub description: Text<1, 256>,
    /// Whether to confirm the order as soon as the payer has agreed; else that is a call of its own.
    pub auto_confirm_after_success: Option<bool>,
    /// What is sold. Needed for `bank_service`.
    pub products: Option<List<InstallmentProduct, 0, 1000>>,
    /// Where the payer goes afterwards. Needed for `bank_service`.
    pub result_url: Option<WebAddress>,
    /// Receives the callbacks.
    pub callback_url: Option<WebAddress>,
    /// The payer. Most banks find them by their phone number.
    #[serde(deserialize_with = "payer")]
    pub customer: Customer,
    /// Kept for the shop.
    pub payload: Option<Text<0, 4000>>,
}

/// A payment method of a customer does not count here, whatever it is.
fn payer<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Customer, D::Error> {
    let customer = Customer::deserialize(deserializer)?;
    Ok(Customer {
        payment_method: None,
        ..customer
    })
}

/// Something that is sold in installments.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct InstallmentProduct {
    /// Its name.
    pub name: Text<1, 1024>,
    /// How many units, as a whole number.
    pub quantity: Whole<1, 999_999_999>,
    /// What it costs.
    pub price: Amount,
    /// The shop's number of it.
    pub external_id: Option<Text<0, 255>>,
    /// How it is taxed: 1 VAT 20 %, 2 no VAT, 3 VAT 20 % and excise 5 %, 4 VAT 7 %, 5 VAT 0 %, 6 no VAT and excise 5 %, 7 not
    /// subject to VAT, 8 VAT 20 % and pension fund 7.5 %, 9 VAT 14 %.
    /// Where all products have it, a tax receipt is made.
    pub tax_group: Option<TaxGroup>,
    /// Its category.
    pub category_name: Option<Text<0, 255>>,
}

/// Body of [`CONFIRM`] and [`CANCEL`].
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct InstallmentStep {
    /// The shop's number of the order.
    pub external_id: ExternalId,
    /// Receives the callbacks of this operation instead of the order's.
    pub callback_url: Option<WebAddress>,
    /// Kept for the shop.
    pub payload: Option<Text<0, 4000>>,
}

/// Body of [`REFUND`].
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct InstallmentRefund {
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
}

/// Query of [`OPERATION`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct OperationQuery {
    /// The shop's number of the order.
    pub external_id: ExternalId,
    /// The operation: `details.operation_id` of an answer or a callback.
    pub operation_id: Text<1, 64>,
}

/// An installment order and one of its operations: what all calls but [`BANKS`] and [`INFO`] answer, and the body of callbacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Installment {
    /// The operation's id: 18 decimal digits.
    pub id: String,
    /// The shop's number of the order.
    pub external_id: String,
    /// The shop's second number of the order.
    pub unified_external_id: Option<String>,
    /// The project.
    pub project_id: String,
    /// Whether the operation has succeeded, or goes on with the payer.
    pub is_success: bool,
    /// Whether the payer has to follow an address. A bank that asks them in its app needs none.
    pub action_required: bool,
    /// Where to.
    pub action: Option<Action>,
    /// What became of the operation.
    pub details: InstallmentDetails,
    /// The receipt, once the order is confirmed.
    pub receipt_url: Option<String>,
    /// The card, where the payer gave one.
    pub payment_method: Option<MethodView>,
    /// The payer.
    pub customer: Option<CustomerView>,
    /// Which operation it was.
    pub operation: Operation,
    /// The tax receipt.
    pub fiscalization: Option<Fiscalization>,
}

/// What became of an operation of an installment order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct InstallmentDetails {
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// The same for people, in English.
    pub status_description: String,
    /// Amount of this operation.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "amount::Number")]
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ended.
    pub processed_at: Option<Timestamp>,
    /// What was done.
    pub method: DetailsMethod,
    /// The order's id: equal for all of its operations.
    pub payment_id: String,
    /// Equal to `operation_id`; clients rely on it being there.
    pub transaction_id: String,
    /// The operation's own id.
    pub operation_id: String,
    /// The bank's number of the contract.
    pub auth_code: Option<String>,
    /// The bank's reference.
    pub rrn: Option<String>,
    /// As the shop described the order.
    pub description: Option<String>,
    /// As the shop sent it.
    pub payload: Option<String>,
    /// Which bank.
    pub bank_name: String,
    /// In how many payments.
    pub parts_count: u32,
    /// A copy of the order's block.
    pub fiscalization: Option<Fiscalization>,
}

/// Answer of [`INFO`]: an order with all of its operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct InstallmentInfo {
    /// The order's id: 18 decimal digits.
    pub id: String,
    /// The shop's number of the order.
    pub external_id: String,
    /// The shop's second number of the order.
    pub unified_external_id: Option<String>,
    /// Which bank.
    pub bank_name: String,
    /// In how many payments.
    pub parts_count: u32,
    /// The order's amount.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "amount::Number")]
    pub amount: Amount,
    /// What was confirmed.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "amount::Number")]
    pub amount_confirmed: Amount,
    /// What was taken back before.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "amount::Number")]
    pub amount_canceled: Amount,
    /// What was given back.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "amount::Number")]
    pub amount_refunded: Amount,
    /// Whether the payer has agreed.
    pub purchased: bool,
    /// Whether the order is confirmed.
    pub confirmed: bool,
    /// Whether it was taken back.
    pub canceled: bool,
    /// Whether something was given back.
    pub refunded: bool,
    /// Its creation.
    pub purchase_details: Vec<InstallmentDetails>,
    /// Confirmations, the oldest first.
    pub confirmation_details: Vec<InstallmentDetails>,
    /// Cancellations, the oldest first.
    pub cancellation_details: Vec<InstallmentDetails>,
    /// Refunds, the oldest first.
    pub refund_details: Vec<InstallmentDetails>,
    /// What the payer has to do.
    pub action: Option<Action>,
    /// Whether the payer has to follow an address.
    pub action_required: bool,
    /// When the order was made.
    pub created_at: Timestamp,
    /// ISO 4217 code.
    pub currency: Currency,
    /// The receipt, once the order is confirmed.
    pub receipt_url: Option<String>,
    /// The payer.
    pub customer: Option<CustomerView>,
}
