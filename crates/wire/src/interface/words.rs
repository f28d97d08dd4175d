//! Lists of words, open or closed. Both read text alone, and say what they know.

use core::fmt;

/// Makes an enum of words with an arm for all others: in what the service answers, as lists grow.
macro_rules! open {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $word:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$about])* $word,)+
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
        $crate::interface::words::written!($name, { "type": "string", "examples": [$($text),+] });
    };
}

/// Makes an enum of words and refuses all others: in what a shop asks for.
macro_rules! closed {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $word:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$about])* $word,)+
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

        $crate::interface::words::written!($name, { "type": "string", "enum": [$($text),+] });
    };
}

/// What both have in common.
macro_rules! written {
    ($name:ident, $schema:tt) => {
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
                schemars::json_schema!($schema)
            }
        }
    };
}

pub(crate) use {closed, open, written};

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
