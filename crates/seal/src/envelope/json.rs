//! The header's JSON, read as strictly as serde can be made to.

use alloc::string::String;
use core::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

/// All members, none optional; an unknown one or a repeated one is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawHeader {
    pub(super) alg: String,
    pub(super) enc: String,
    pub(super) typ: String,
    pub(super) v: u64,
    pub(super) kid: String,
    pub(super) epk: Object<RawPoint>,
    pub(super) wk: String,
    pub(super) origin: String,
    pub(super) ticket: String,
    pub(super) nonce: String,
    pub(super) iat: u64,
    pub(super) form: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPoint {
    pub(super) kty: String,
    pub(super) crv: String,
    pub(super) x: String,
    pub(super) y: String,
}

/// Reads `T` from a JSON object only. A derived struct would also take an array of its members in order.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}
