//! The payer of a payment, as the shop knows them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::lenient;
use super::method::PaymentMethod;
use super::values::{ExternalId, Text};
use super::words::closed;

/// `customer` of a payment, a basket, or a subscription.
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Customer {
    /// Colours of the payment page. Any other word means the page's own choice.
    #[serde(deserialize_with = "lenient::known")]
    pub color_mode: Option<ColorMode>,
    /// Language of the payment page. Any other word means the page's own choice.
    #[serde(deserialize_with = "lenient::known")]
    pub locale: Option<Locale>,
    /// E-mail address.
    #[serde(deserialize_with = "lenient::optional")]
    pub email: Option<Text<0, 255>>,
    /// Phone number: digits with the country's code, a plus before them or none.
    #[serde(deserialize_with = "lenient::optional")]
    pub phone: Option<Text<0, 32>>,
    /// The shop's number of the payer, under which their cards are saved.
    #[serde(deserialize_with = "lenient::optional")]
    pub external_id: Option<ExternalId>,
    /// Given name.
    #[serde(deserialize_with = "lenient::optional")]
    pub first_name: Option<Text<0, 255>>,
    /// Family name.
    #[serde(deserialize_with = "lenient::optional")]
    pub last_name: Option<Text<0, 255>>,
    /// What pays. Needed in mode `direct`.
    #[serde(deserialize_with = "lenient::optional")]
    pub payment_method: Option<PaymentMethod>,
}

closed! {
    /// Colours of the payment page.
    ColorMode {
        /// Dark on white.
        White = "white",
        /// Light on dark.
        Dark = "dark",
    }
}

closed! {
    /// Language of the payment page.
    Locale {
        /// Ukrainian.
        Uk = "UK",
        /// English.
        En = "EN",
        /// Polish.
        Pl = "PL",
    }
}
