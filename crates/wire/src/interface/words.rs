//! Lists of words, open or closed. Both read text alone, and say what they know. Their schemas tell what each word means
//! (`x-words`).

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A word of a closed list where the service answers it: lists grow, and a reader keeps what is new.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Word<W> {
    /// One of the list.
    Known(W),
    /// A word that this version does not know.
    Other(Box<str>),
}

/// A closed list of words.
pub trait Closed: JsonSchema + Copy + 'static {
    /// Every word.
    const WORDS: &'static [Self];

    /// The word on the wire.
    fn word(self) -> &'static str;
}

impl<W: Closed> Word<W> {
    /// The word on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(word) => word.word(),
            Self::Other(text) => text,
        }
    }

    /// `None` where it is none of the list.
    pub fn known(&self) -> Option<W> {
        match self {
            Self::Known(word) => Some(*word),
            Self::Other(_) => None,
        }
    }
}

impl<W> From<W> for Word<W> {
    fn from(word: W) -> Self {
        Self::Known(word)
    }
}

impl<W: PartialEq> PartialEq<W> for Word<W> {
    fn eq(&self, other: &W) -> bool {
        matches!(self, Self::Known(word) if word == other)
    }
}

impl<W: Closed> fmt::Display for Word<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'de, W: Closed> Deserialize<'de> for Word<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = W::WORDS.iter().find(|word| word.word() == text);
        Ok(known.map_or_else(|| Self::Other(text.into()), |word| Self::Known(*word)))
    }
}

impl<W: Closed> Serialize for Word<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<W: Closed> JsonSchema for Word<W> {
    fn schema_name() -> Cow<'static, str> {
        format!("Any{}", W::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = W::json_schema(generator);
        if let Some(words) = schema.remove("enum") {
            schema.insert("examples".into(), words);
        }
        schema
    }
}

/// Makes an enum of words with an arm for all others: in what the service answers, as lists grow.
macro_rules! open {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $about:literal])+ $word:ident = $text:literal,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $about])+ $word,)+
            /// A word that this version does not know.
            Other(alloc::boxed::Box<str>),
        }

        impl $name {
            /// Every word of this version.
            pub const KNOWN: &'static [Self] = &[$(Self::$word),+];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$word => $text,)+
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$word,)+
                    other => Self::Other(other.into()),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                alloc::string::String::deserialize(deserializer).map(|text| Self::from(&*text))
            }
        }

        // Any other word too: a reader that refuses unknown ones breaks with the next version.
        $crate::interface::words::written!(
            $name, "examples", concat!($($doc),+), [$(($text, concat!($($about),+))),+]
        );
    };
}

/// Makes an enum of words and refuses all others: in what a shop asks for.
macro_rules! closed {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $about:literal])+ $word:ident = $text:literal,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $about])+ $word,)+
        }

        impl $name {
            /// Every word.
            pub const ALL: &'static [Self] = &[$(Self::$word),+];

            /// The word on the wire.
            pub const fn as_str(&self) -> &'static str {
                match self {
                    $(Self::$word => $text,)+
                }
            }

            /// `None` for any other word.
            pub fn of(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text)
            }
        }

        impl $crate::interface::words::Closed for $name {
            const WORDS: &'static [Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Words;

                impl serde::de::Visitor<'_> for Words {
                    type Value = $name;

                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        $crate::interface::words::list(f, &[$($text),+])
                    }

                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        $name::of(text).ok_or_else(|| E::invalid_length(text.len(), &self))
                    }
                }

                deserializer.deserialize_str(Words)
            }
        }

        $crate::interface::words::written!(
            $name, "enum", concat!($($doc),+), [$(($text, concat!($($about),+))),+]
        );
    };
}

/// What both have in common.
macro_rules! written {
    ($name:ident, $list:literal, $about:expr, $words:expr) => {
        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::interface::words::schema($list, $about, &$words)
            }
        }
    };
}

pub(crate) use {closed, open, written};

/// Text that is one of the words; `list` is the keyword that names them.
pub(crate) fn schema(list: &str, about: &str, words: &[(&str, &str)]) -> Schema {
    let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let meanings: Map<String, Value> = words
        .iter()
        .map(|(word, about)| ((*word).into(), about.trim_ascii().into()))
        .collect();
    json_schema!({ "type": "string", "description": about.trim_ascii(), list: names, "x-words": meanings })
}

/// "`a`, `b` or `c`".
pub(crate) fn list(f: &mut fmt::Formatter<'_>, words: &[&str]) -> fmt::Result {
    for (at, word) in words.iter().enumerate() {
        let before = match (at, words.len() - at) {
            (0, _) => "",
            (_, 1) => " or ",
            _ => ", ",
        };
        write!(f, "{before}`{word}`")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use serde_json::json;

    use crate::interface::plan::{FrequencyType, NewPlan, Plan};
    use crate::interface::report::Register;
    use crate::interface::{read, read_answer};

    #[test]
    fn an_answer_keeps_a_word_that_is_new_and_a_request_refuses_it() {
        let mut plan = json!({
            "id": "1", "name": "Coffee", "price": 100, "currency": "UAH", "state": "paused", "frequency_type": "hourly",
            "frequency": 1, "duration_periods": 12, "start_date": "2026-01-31T00:00:00Z", "platforms": [], "callbacks": [],
            "created_at": "2026-01-31T00:00:00Z", "colour": "blue",
        });
        let answered: Plan = read_answer(plan.to_string().as_bytes()).unwrap();
        assert_eq!(
            (answered.frequency_type.as_str(), answered.frequency_type.known()),
            ("hourly", None)
        );
        assert_eq!(answered.state.as_str(), "paused");
        assert_eq!(json!(answered)["frequency_type"], "hourly");
        let wrong = read::<NewPlan>(plan.to_string().as_bytes()).unwrap_err();
        assert_eq!(wrong.param, "frequency_type");
        plan["frequency_type"] = json!("monthly");
        let answered: Plan = read_answer(plan.to_string().as_bytes()).unwrap();
        assert_eq!(answered.frequency_type, FrequencyType::Monthly);
    }

    #[test]
    fn a_register_is_read_with_the_columns_that_it_has() {
        let body = json!({ "payments": [{ "amount": 1050, "payment_type": "refund", "payout_date": "2026-11-22" }] });
        let read: Register = read_answer(body.to_string().as_bytes()).unwrap();
        assert_eq!(
            (read.payments[0].amount, &read.payments[0].currency),
            (Some(1050), &None)
        );
        assert_eq!(json!(read), body);
    }
}
