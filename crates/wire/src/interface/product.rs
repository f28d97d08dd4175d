//! What is sold, for the tax receipt (service interface, "Product, acquiring").

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_with::apply;

use super::amount::{Amount, Currency};
use super::lenient;
use super::values::{Text, WebAddress, Whole};

/// One line of a receipt.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Product {
    /// Its name.
    pub name: Text<1, 1024>,
    /// How many units, as text.
    pub quantity: Quantity,
    /// Cost without VAT.
    pub net_amount: Amount,
    /// Price with VAT. The name is the interface's.
    pub vat_amount: Amount,
    /// How it is taxed: 1 VAT 20 %, 2 no VAT, 3 VAT 20 % and excise 5 %, 4 VAT 7 %, 5 VAT 0 %, 6 no VAT and excise 5 %, 7 not
    /// subject to VAT, 8 VAT 20 % and pension fund 7.5 %, 9 VAT 14 %.
    pub tax_group: TaxGroup,
    /// ISO 4217 code.
    pub currency: Option<Currency>,
    /// Its category.
    pub category: Option<Text<0, 255>>,
    /// More about it.
    pub description: Option<Text<0, 2048>>,
    /// A picture of it.
    pub image: Option<WebAddress>,
    /// The shop's number of it.
    pub id: Option<Text<0, 255>>,
    /// Its page in the shop.
    pub url: Option<WebAddress>,
}

/// Tax group: 1 VAT 20 %, 2 no VAT, 3 VAT 20 % and excise 5 %, 4 VAT 7 %, 5 VAT 0 %, 6 no VAT and excise 5 %, 7 not subject
/// to VAT, 8 VAT 20 % and pension fund 7.5 %, 9 VAT 14 %.
pub type TaxGroup = Whole<1, 9>;

/// How many units: a decimal above 0, at most nine digits before and three behind the point. Text on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity(String);

impl Quantity {
    /// `None` when the text is none.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let (whole, decimals) = text.split_once('.').unwrap_or((&text, "0"));
        let digits = |text: &str, most: usize| {
            (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_some = text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
        (digits(whole, 9) && digits(decimals, 3) && is_some).then_some(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(QuantityVisitor)
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl JsonSchema for Quantity {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Quantity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]{1,9}(\\.[0-9]{1,3})?$", "examples": ["1", "0.125"] })
    }
}

struct QuantityVisitor;

impl Visitor<'_> for QuantityVisitor {
    type Value = Quantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text with a number above 0, at most three decimals, as `\"1\"`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Quantity, E> {
        Quantity::new(text).ok_or_else(|| E::invalid_length(text.len(), &self))
    }
}
