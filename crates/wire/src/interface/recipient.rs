//! Who receives a payout: a person with a card, and how the money gets to them.
//!
//! A number in clear stays JSON up to the vault, and of the two objects only the one that `payout_type` names is read.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_with::apply;

use super::lenient;
use super::read::{Wrong, expected, read_member};
use super::values::Text;
use super::words::closed;

/// Who receives: `payout_type`, and an object of that name. Only that one counts.
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PayoutRecipient {
    /// How the money gets there.
    pub payout_type: PayoutType,
    /// Who gets it on a card.
    #[schemars(with = "Option<Recipient>")]
    pub card: Option<Box<RawValue>>,
    /// Who gets it as cash; with `phone`.
    #[schemars(with = "Option<Recipient>")]
    pub cash: Option<Box<RawValue>>,
}

closed! {
    /// How a payout gets to its recipient.
    PayoutType {
        /// To a card.
        Card = "card",
        /// As cash, which the recipient fetches.
        Cash = "cash",
    }
}

impl PayoutRecipient {
    /// The object that `payout_type` names.
    pub fn named(&self) -> Result<Recipient, Wrong> {
        let path = format!("recipient.{}", self.payout_type);
        let object = match self.payout_type {
            PayoutType::Card => &self.card,
            PayoutType::Cash => &self.cash,
        };
        let Some(object) = object else {
            return Err(Wrong::new(path, "an object: `payout_type` names it"));
        };
        let recipient: Recipient = read_member(object, &path)?;
        if self.payout_type == PayoutType::Cash && recipient.phone.is_none() {
            return Err(Wrong::new(format!("{path}.phone"), "a value: it is required"));
        }
        Ok(recipient)
    }
}

/// A person who receives money.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Recipient {
    /// Given name.
    pub first_name: Text<1, 500>,
    /// Family name.
    pub last_name: Text<1, 500>,
    /// Patronymic.
    pub middle_name: Option<Text<1, 500>>,
    /// E-mail address.
    pub email: Option<Text<1, 255>>,
    /// Phone number. Needed for cash.
    pub phone: Option<Phone>,
    /// Number of the taxpayer.
    pub ipn: Option<TaxNumber>,
    /// Their card.
    pub card_data: CardData,
}

/// A card that receives money: exactly one of the three.
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct CardData {
    /// The number in clear, which needs a permission of the project.
    #[schemars(with = "Option<Text<12, 19>>")]
    pub number: Option<Box<RawValue>>,
    /// A token: of the widget's form `pan_only`, or one that lasts.
    #[serde(deserialize_with = "lenient::optional")]
    pub token: Option<Text<1, 128>>,
    /// Id of a customer's saved card.
    #[serde(deserialize_with = "lenient::optional")]
    pub option_id: Option<Text<1, 64>>,
}

/// The member of [`CardData`] that is there.
#[derive(Clone)]
#[non_exhaustive]
pub enum CardSource {
    /// A number in clear.
    Number(UnreadNumber),
    /// A token.
    Token(Text<1, 128>),
    /// A saved card.
    Saved(Text<1, 64>),
}

impl CardData {
    /// The one that is there; `at` is the path of this object in its body.
    pub fn source(&self, at: &str) -> Result<CardSource, Wrong> {
        let number = self.number.as_ref();
        let number = number.filter(|json| !matches!(json.get(), "null" | "\"\""));
        match (number, &self.token, &self.option_id) {
            (Some(number), None, None) => Ok(CardSource::Number(UnreadNumber(number.clone()))),
            (None, Some(token), None) => Ok(CardSource::Token(token.clone())),
            (None, None, Some(id)) => Ok(CardSource::Saved(id.clone())),
            _ => Err(Wrong::new(
                at,
                "an object with one of `number`, `token` and `option_id`",
            )),
        }
    }
}

/// A card's number in clear, as it was sent. Only the vault reads it, so there is no type with a number in it here.
#[derive(Clone)]
pub struct UnreadNumber(Box<RawValue>);

impl UnreadNumber {
    /// Its JSON, for the vault.
    pub fn expose(&self) -> &str {
        self.0.get()
    }
}

/// A phone number in Ukraine: `+380` and nine digits. The plus may be missing where it is read.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Phone(String);

/// Number of a taxpayer: ten digits.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct TaxNumber(String);

impl Phone {
    /// `None` where it is none.
    pub fn new(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('+').unwrap_or(text);
        let is_right = digits.len() == 12 && digits.starts_with("380") && are_digits(digits);
        is_right.then(|| Self(format!("+{digits}")))
    }

    /// With its plus.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TaxNumber {
    /// `None` where it is none.
    pub fn new(text: &str) -> Option<Self> {
        (text.len() == 10 && are_digits(text)).then(|| Self(text.into()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

impl<'de> Deserialize<'de> for Phone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Text::<0, 32>::deserialize(deserializer);
        let phone = text.ok().and_then(|text| Self::new(&text));
        phone.ok_or_else(|| expected("a phone number: `+380` and nine digits"))
    }
}

impl<'de> Deserialize<'de> for TaxNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Text::<0, 32>::deserialize(deserializer);
        let number = text.ok().and_then(|text| Self::new(&text));
        number.ok_or_else(|| expected("text of ten digits"))
    }
}

impl JsonSchema for Phone {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Phone".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^\\+?380[0-9]{9}$", "examples": ["+380501234567"] })
    }
}

impl JsonSchema for TaxNumber {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "TaxNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]{10}$", "examples": ["1234567890"] })
    }
}

// Neither cards nor tokens nor people are for logs.

impl fmt::Debug for PayoutRecipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PayoutRecipient")
            .field("payout_type", &self.payout_type)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipient").finish_non_exhaustive()
    }
}

impl fmt::Debug for CardData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CardData").finish_non_exhaustive()
    }
}

impl fmt::Debug for CardSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number(_) => "Number(..)",
            Self::Token(_) => "Token(..)",
            Self::Saved(_) => "Saved(..)",
        })
    }
}

impl fmt::Debug for UnreadNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UnreadNumber(..)")
    }
}

impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Phone(..)")
    }
}

impl fmt::Debug for TaxNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TaxNumber(..)")
    }
}
