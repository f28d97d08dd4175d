//! Values with limits: whoever holds one need not check it again.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use url::Url;

use super::read::{expected, text};

/// Text of `MIN` to `MAX` characters (not bytes), without the character NUL, which databases cannot keep.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MIN: usize, const MAX: usize>(String);

/// What a shop calls something by, unique where the interface says so: 1 to 255 characters.
pub type ExternalId = Text<1, 255>;

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// `None` outside the limits.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        // No character is longer than four bytes: most texts need no counting.
        let fits = text.len() <= MAX || (text.len() <= 4 * MAX && text.chars().count() <= MAX);
        let is_long_enough = MIN == 0 || text.chars().take(MIN).count() == MIN;
        (fits && is_long_enough && !text.contains('\0')).then_some(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MIN: usize, const MAX: usize> Deref for Text<MIN, MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MIN: usize, const MAX: usize> fmt::Debug for Text<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, const MIN: usize, const MAX: usize> Deserialize<'de> for Text<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

impl<const MIN: usize, const MAX: usize> Serialize for Text<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<const MIN: usize, const MAX: usize> JsonSchema for Text<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": MIN, "maxLength": MAX })
    }
}

struct TextVisitor<const MIN: usize, const MAX: usize>;

impl<const MIN: usize, const MAX: usize> Visitor<'_> for TextVisitor<MIN, MAX> {
    type Value = Text<MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text of {MIN} to {MAX} characters, without NUL")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Text::new(text).ok_or_else(|| E::invalid_length(text.len(), &self))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        let length = text.len();
        Text::new(text).ok_or_else(|| E::invalid_length(length, &self))
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whole<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    /// `None` outside the limits.
    pub fn new(number: u32) -> Option<Self> {
        (MIN..=MAX).contains(&number).then_some(Self(number))
    }

    /// The number.
    pub const fn value(self) -> u32 {
        self.0
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u32(WholeVisitor)
    }
}

impl<const MIN: u32, const MAX: u32> Serialize for Whole<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl<const MIN: u32, const MAX: u32> JsonSchema for Whole<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Whole".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

struct WholeVisitor<const MIN: u32, const MAX: u32>;

impl<const MIN: u32, const MAX: u32> Visitor<'_> for WholeVisitor<MIN, MAX> {
    type Value = Whole<MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {MIN} to {MAX}")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        let number = u32::try_from(number).ok();
        number
            .and_then(Whole::new)
            .ok_or_else(|| expected(Expecting(&self)))
    }
}

/// `MIN` to `MAX` objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T, const MIN: usize, const MAX: usize>(Vec<T>);

impl<T, const MIN: usize, const MAX: usize> List<T, MIN, MAX> {
    /// `None` outside the limits.
    pub fn new(elements: Vec<T>) -> Option<Self> {
        (MIN..=MAX).contains(&elements.len()).then_some(Self(elements))
    }

    /// The elements, owned.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T, const MIN: usize, const MAX: usize> Deref for List<T, MIN, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const MIN: usize, const MAX: usize> Deserialize<'de> for List<T, MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

impl<T: Serialize, const MIN: usize, const MAX: usize> Serialize for List<T, MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<T: JsonSchema, const MIN: usize, const MAX: usize> JsonSchema for List<T, MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "List".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<T>();
        json_schema!({ "type": "array", "items": items, "minItems": MIN, "maxItems": MAX })
    }
}

struct ListVisitor<T, const MIN: usize, const MAX: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MIN: usize, const MAX: usize> Visitor<'de> for ListVisitor<T, MIN, MAX> {
    type Value = List<T, MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {MIN} to {MAX} elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(Element(element)) = seq.next_element()? {
            // Nobody fills the memory with elements that are refused anyway.
            if elements.len() == MAX {
                return Err(A::Error::invalid_length(MAX + 1, &self));
            }
            elements.push(element);
        }
        let length = elements.len();
        List::new(elements).ok_or_else(|| A::Error::invalid_length(length, &self))
    }
}

/// An object of a list. Serde would take a list for an object with its members in order.
struct Element<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Element<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_map(Object(PhantomData)).map(Self)
    }
}

/// An absolute `https:` or `http:` address of at most 2048 bytes, without a user, kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebAddress(String);

impl WebAddress {
    /// `None` when the text is no such address.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        if text.len() > 2048 || text.contains(|letter: char| letter.is_control() || letter == ' ') {
            return None;
        }
        let url = Url::parse(&text).ok()?;
        let is_web = matches!(url.scheme(), "https" | "http") && url.has_host();
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        (is_web && is_anonymous).then_some(Self(text))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for WebAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(text(deserializer, ADDRESS)?).ok_or_else(|| expected(ADDRESS))
    }
}

impl Serialize for WebAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl JsonSchema for WebAddress {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "WebAddress".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "uri", "maxLength": 2048 })
    }
}

/// What a visitor expects, as text.
struct Expecting<'a, V>(&'a V);

impl<'de, V: Visitor<'de>> fmt::Display for Expecting<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
}

const ADDRESS: &str = "an absolute https or http address of at most 2048 characters";
