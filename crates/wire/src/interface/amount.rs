//! Money: decimal, exact, never a floating-point number.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::ToString as _;
use core::fmt;
use core::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::read::{expected, text};

/// A sum of money in minor units, hundredths of the currency's unit: 0 to 99,999,999,999,999.
///
/// Read from a JSON number or from text (`100`, `100.5`, `"100.50"`), by its digits, so that nothing is rounded. Written
/// as text with two decimals; [`as_number`] writes it as a JSON number where the interface has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u64);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The largest amount: 999,999,999,999.99.
    pub const MAX: Self = Self(99_999_999_999_999);

    /// `None` beyond [`Amount::MAX`].
    pub const fn from_minor(minor: u64) -> Option<Self> {
        if minor <= Self::MAX.0 {
            Some(Self(minor))
        } else {
            None
        }
    }

    /// In minor units.
    pub const fn minor(self) -> u64 {
        self.0
    }

    /// Whether it is nothing.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum; `None` beyond [`Amount::MAX`].
    pub fn plus(self, other: Self) -> Option<Self> {
        Self::from_minor(self.0.checked_add(other.0)?)
    }

    /// The difference; `None` when `other` is more.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }
}

/// A text that is no amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAmount;

impl fmt::Display for NoAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(AMOUNT)
    }
}

impl core::error::Error for NoAmount {}

impl FromStr for Amount {
    type Err = NoAmount;

    /// Decimal digits, then at most two decimals behind a point; zeros behind these do not count.
    fn from_str(text: &str) -> Result<Self, NoAmount> {
        let (whole, decimals) = match text.split_once('.') {
            Some((_, "")) => return Err(NoAmount),
            Some((whole, decimals)) => (whole, decimals.trim_end_matches('0')),
            None => (text, ""),
        };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(decimals) || decimals.len() > 2 {
            return Err(NoAmount);
        }
        let whole: u64 = whole.parse().map_err(|_| NoAmount)?;
        let hundredths = match decimals.as_bytes() {
            [] => 0,
            [tenths] => u64::from(tenths - b'0') * 10,
            [tenths, hundredths, ..] => u64::from(tenths - b'0') * 10 + u64::from(hundredths - b'0'),
        };
        let minor = whole
            .checked_mul(100)
            .and_then(|minor| minor.checked_add(hundredths));
        minor.and_then(Self::from_minor).ok_or(NoAmount)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The digits as they were sent: any other way leads through a floating-point number.
        of_json(Box::<RawValue>::deserialize(deserializer)?.get()).ok_or_else(wrong)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Amount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = json_schema!({
            "type": "string",
            "format": "decimal",
            "pattern": "^[0-9]{1,12}\\.[0-9]{2}$",
            "description": "Amount with two decimals.",
        });
        if generator.contract().is_serialize() {
            return text;
        }
        json_schema!({
            "anyOf": [
                { "type": "number", "format": "decimal", "minimum": 0, "maximum": 999_999_999_999.99, "multipleOf": 0.01 },
                { "type": "string", "format": "decimal", "pattern": "^[0-9]{1,12}(\\.[0-9]{1,2}0*)?$" },
            ],
        })
    }
}

/// Where an amount may be absent: `null` and empty text say so too.
pub fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Amount>, D::Error> {
    let json = Option::<Box<RawValue>>::deserialize(deserializer)?;
    match json.as_deref().map(RawValue::get) {
        None | Some("null" | "\"\"") => Ok(None),
        Some(json) => of_json(json).map(Some).ok_or_else(wrong),
    }
}

/// Writes an amount as a JSON number with two decimals, for `serde(serialize_with)`.
pub fn as_number<S: Serializer>(amount: &Amount, serializer: S) -> Result<S::Ok, S::Error> {
    let number = RawValue::from_string(amount.to_string()).map_err(serde::ser::Error::custom)?;
    number.serialize(serializer)
}

/// The schema of what [`as_number`] writes, for `schemars(with)`.
#[derive(Debug)]
pub struct Number;

impl JsonSchema for Number {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // Not `multipleOf`: who checks that in binary finds it wrong.
        json_schema!({ "type": "number", "format": "decimal", "minimum": 0, "maximum": 999_999_999_999.99 })
    }
}

fn of_json(json: &str) -> Option<Amount> {
    let text = json
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(json);
    text.parse().ok()
}

const AMOUNT: &str = "an amount of at least 0 with at most two decimals";

fn wrong<E: serde::de::Error>() -> E {
    expected(format_args!("{AMOUNT}, as a number or as text"))
}

/// A currency by its ISO 4217 code: three capital letters. Which ones a project may use is not decided here.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// `None` when the text is not of the form.
    pub fn new(text: &str) -> Option<Self> {
        let letters: [u8; 3] = text.as_bytes().try_into().ok()?;
        letters
            .iter()
            .all(u8::is_ascii_uppercase)
            .then_some(Self(letters))
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        // Three capital letters are UTF-8.
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let what = "a currency: three capital letters, as `UAH`";
        Self::new(&text(deserializer, what)?).ok_or_else(|| expected(what))
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl JsonSchema for Currency {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Currency".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[A-Z]{3}$", "description": "ISO 4217 code.", "examples": ["UAH"] })
    }
}
