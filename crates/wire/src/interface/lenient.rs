//! "Absent" as running clients say it: no member, `null`, or empty text (wire notes §2.3).

use core::fmt;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

/// For `#[serde(default, deserialize_with = "lenient::optional")]`. Not for amounts, which have their own.
pub fn optional<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_any(Optional(PhantomData))
}

/// The same for what is ignored where it is none of the known ones: a wish that cannot be fulfilled is none.
pub fn known<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let json = serde_json::Value::deserialize(deserializer)?;
    Ok(T::deserialize(json).ok())
}

struct Optional<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Optional<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of another type")
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Option<T>, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Option<T>, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Option<T>, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Option<T>, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Option<T>, E> {
        if value.is_empty() {
            return Ok(None);
        }
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Option<T>, A::Error> {
        T::deserialize(Elements(seq)).map(Some)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}

/// A list, which an object does not take for its members in order.
struct Elements<A>(A);

impl<'de, A: SeqAccess<'de>> Deserializer<'de> for Elements<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_seq(self.0)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Seq, &visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
