//! `POST /api/payments/v1/new`: what a shop may ask for (service interface, "Payment").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::amount::{Amount, Currency};
use super::customer::Customer;
use super::lenient;
use super::metadata::Metadata;
use super::product::Product;
use super::values::{ExternalId, List, Text, WebAddress, Whole};
use super::words::closed;

/// Path of the call.
pub const PATH: &str = "/api/payments/v1/new";

/// Body of the request.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct NewPayment {
    /// The order's amount. 0 verifies the card and takes nothing.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: Currency,
    /// The shop's number of the order: at most one payment of a project succeeds under it.
    pub external_id: ExternalId,
    /// Where the payer's card or wallet comes from.
    pub mode: Mode,
    /// Whether to charge at once. `false` holds the amount, to be confirmed or cancelled.
    pub confirm: Option<bool>,
    /// Receives the callbacks.
    pub callback_url: Option<WebAddress>,
    /// Where the payer goes afterwards.
    pub result_url: Option<WebAddress>,
    /// The same after a success; before `result_url`.
    pub result_url_success: Option<WebAddress>,
    /// The same after a failure; before `result_url`.
    pub result_url_fail: Option<WebAddress>,
    /// Minutes for which the payment page can be used; 720 when absent.
    pub checkout_ttl: Option<CheckoutTtl>,
    /// Shown to the payer.
    pub description: Option<Text<0, 2048>>,
    /// Kept for the shop.
    pub payload: Option<Text<0, 4000>>,
    /// Whether to make a binding for later charges without the payer: `details.recurrent_id`.
    pub init_recurrent_payment: Option<bool>,
    /// Which cards may pay.
    pub campaign_name: Option<Campaign>,
    /// The payer. In mode `direct` with `payment_method`.
    pub customer: Option<Customer>,
    /// What is sold, for the tax receipt.
    pub products: Option<List<Product, 0, 1000>>,
    /// What the shop says besides; answers and callbacks repeat it.
    pub metadata: Option<Metadata>,
}

impl NewPayment {
    /// With nothing but what is needed.
    pub fn new(amount: Amount, currency: Currency, external_id: ExternalId, mode: Mode) -> Self {
        Self {
            amount,
            currency,
            external_id,
            mode,
            confirm: None,
            callback_url: None,
            result_url: None,
            result_url_success: None,
            result_url_fail: None,
            checkout_ttl: None,
            description: None,
            payload: None,
            init_recurrent_payment: None,
            campaign_name: None,
            customer: None,
            products: None,
            metadata: None,
        }
    }
}

/// Minutes for which a payment page can be used.
pub type CheckoutTtl = Whole<5, 720>;

closed! {
    /// Where the payer's card or wallet comes from.
    Mode {
        /// From the payer, on the service's payment page.
        Hosted = "hosted",
        /// With the request.
        Direct = "direct",
    }
}

closed! {
    /// Which cards may pay.
    Campaign {
        /// Cards of one brand; Visa in the sandbox.
        A = "campaign_a",
        /// Cards of another brand; Mastercard in the sandbox.
        B = "campaign_b",
    }
}
