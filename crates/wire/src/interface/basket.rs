//! Baskets: one payment, split over orders of several projects (service interface, "Basket (batch) request").

use alloc::string::String;
use alloc::vec::Vec;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::{self, Amount, Currency};
use super::answer::{Action, DetailsMethod, Status};
use super::code::StatusCode;
use super::customer::Customer;
use super::lenient;
use super::payment::{Campaign, CheckoutTtl, Mode};
use super::product::Product;
use super::values::{ExternalId, List, Text, WebAddress};

/// Path that makes one.
pub const PATH: &str = "/api/payments/batch/v1/new";

/// Path that charges what is held for one.
pub const CONFIRM: &str = "/api/payments/batch/v1/confirm";

/// Path that releases what is held for one.
pub const CANCEL: &str = "/api/payments/batch/v1/cancel";

/// Path that tells how one stands.
pub const STATUS: &str = "/api/payments/batch/v1/payment-status";

/// Body of [`PATH`].
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct NewBasket {
    /// The shop's number of the basket.
    pub batch_external_id: ExternalId,
    /// Receives a callback for each order.
    pub callback_url: WebAddress,
    /// ISO 4217 code.
    pub currency: Currency,
    /// Whether to charge at once; `true` when absent. `false` holds the amounts.
    pub confirm: Option<bool>,
    /// Where the payer's card or wallet comes from.
    pub mode: Mode,
    /// The payer. In mode `direct` with `payment_method`.
    pub customer: Option<Customer>,
    /// What is paid, and to whom.
    pub orders: List<BasketOrder, 1, 10>,
    /// Where the payer goes afterwards.
    pub result_url: Option<WebAddress>,
    /// Minutes for which the payment page can be used; 720 when absent.
    pub checkout_ttl: Option<CheckoutTtl>,
    /// Which cards may pay.
    pub campaign_name: Option<Campaign>,
}

impl NewBasket {
    /// With nothing but what is needed.
    pub fn new(
        batch_external_id: ExternalId,
        callback_url: WebAddress,
        currency: Currency,
        mode: Mode,
        orders: List<BasketOrder, 1, 10>,
    ) -> Self {
        Self {
            batch_external_id,
            callback_url,
            currency,
            confirm: None,
            mode,
            customer: None,
            orders,
            result_url: None,
            checkout_ttl: None,
            campaign_name: None,
        }
    }
}

/// One order of a basket.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct BasketOrder {
    /// The seller's project.
    pub api_key: Text<1, 255>,
    /// The order's amount.
    pub amount: Amount,
    /// Shown to the payer.
    pub description: Option<Text<0, 2048>>,
    /// The seller's number of the order.
    pub external_id: ExternalId,
    /// What is sold, for the tax receipt.
    pub products: Option<List<Product, 0, 1000>>,
    /// Kept for the seller.
    pub payload: Option<Text<0, 4096>>,
}

/// Body of [`CONFIRM`].
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct ConfirmBasket {
    /// The shop's number of the basket.
    pub batch_external_id: ExternalId,
    /// Receives the callbacks instead of the basket's.
    pub callback_url: Option<WebAddress>,
    /// ISO 4217 code, which must be the basket's.
    pub currency: Option<Currency>,
    /// How much to charge of which order.
    pub orders: List<ConfirmOrder, 1, 40>,
}

/// One order to confirm.
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct ConfirmOrder {
    /// The seller's project.
    #[serde(deserialize_with = "lenient::optional")]
    pub api_key: Option<Text<1, 255>>,
    /// How much, at most what is held; absent means all of it.
    #[serde(deserialize_with = "amount::optional")]
    pub amount: Option<Amount>,
    /// The seller's number of the order.
    pub external_id: ExternalId,
}

/// Body of [`CANCEL`].
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct CancelBasket {
    /// The shop's number of the basket.
    pub batch_external_id: ExternalId,
    /// Receives the callbacks instead of the basket's.
    pub callback_url: Option<WebAddress>,
}

/// Answer to the three calls that change a basket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Basket {
    /// Id of the basket's payment: 18 decimal digits.
    pub id: String,
    /// The shop's number of the basket.
    pub batch_external_id: String,
    /// Whether it has succeeded, or goes on with `action`.
    pub is_success: bool,
    /// Whether the payer has to do something.
    pub action_required: bool,
    /// What they have to do.
    pub action: Option<Action>,
    /// The whole; `null` until a payer has begun to pay.
    pub batch_details: Option<BasketDetails>,
    /// Its orders, in the order in which they were sent.
    pub order_details: Option<Vec<OrderDetails>>,
}

/// What became of a basket's payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct BasketDetails {
    /// Sum of its orders.
    pub amount: Amount,
    /// The issuer's authorisation.
    pub auth_code: Option<String>,
    /// ISO 4217 code.
    pub currency: Currency,
    /// When it began.
    pub created_at: Timestamp,
}

/// What became of one order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct OrderDetails {
    /// The seller's number of the order.
    pub external_id: String,
    /// The operation's own id.
    pub operation_id: String,
    /// Id of the order's payment.
    pub transaction_id: String,
    /// Amount of this operation.
    pub amount: Amount,
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// The same for people, in English.
    pub status_description: String,
    /// What was done with the money.
    pub method: DetailsMethod,
}

/// Answer of [`STATUS`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct BasketStatus {
    /// The shop's number of the basket.
    pub batch_external_id: String,
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// The same for people, in English.
    pub status_description: String,
}
