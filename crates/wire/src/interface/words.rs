//! Lists of words, open or closed. Both read text alone, and say what they know. Their schemas tell what each word means
//! (`x-words`).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use schemars::{Schema, json_schema};
use serde_json::{Map, Value};

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
