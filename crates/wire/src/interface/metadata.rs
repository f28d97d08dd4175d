//! What a shop says of a payment besides, in words of its own (wire notes §1).

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::read::expected;
use super::values::Text;

/// At most ten names of at most 30 characters, each with a text of at most 200.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata(BTreeMap<String, String>);

impl Metadata {
    /// The names and their texts.
    pub fn as_map(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MetadataVisitor)
    }
}

impl Serialize for Metadata {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl JsonSchema for Metadata {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Metadata".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "maxProperties": MOST,
            "propertyNames": { "type": "string", "maxLength": 30 },
            "additionalProperties": { "type": "string", "maxLength": 200 },
        })
    }
}

struct MetadataVisitor;

impl<'de> Visitor<'de> for MetadataVisitor {
    type Value = Metadata;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WORDS)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Metadata, A::Error> {
        let mut entries = BTreeMap::new();
        // Read as anything, so that what is wrong is told of the whole: the names are the shop's.
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            let (Some(name), Value::String(text)) = (Text::<0, 30>::new(name), value) else {
                return Err(expected(WORDS));
            };
            let text = Text::<0, 200>::new(text).ok_or_else(|| expected::<A::Error>(WORDS))?;
            entries.insert(name.into_string(), text.into_string());
            if entries.len() > MOST {
                return Err(A::Error::invalid_length(entries.len(), &self));
            }
        }
        Ok(Metadata(entries))
    }
}

const MOST: usize = 10;

const WORDS: &str = "an object of at most ten names of at most 30 characters, each with text of at most 200";
