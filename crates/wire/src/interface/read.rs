//! A body into a type, or the name of what is wrong with it.

use alloc::format;
use alloc::string::{String, ToString as _};
use core::fmt;

use serde::Deserializer;
use serde::de::{self, Deserialize, DeserializeOwned, Unexpected};
use serde_json::value::RawValue;
use serde_path_to_error::{Path, Segment};

/// What is wrong with a body. Holds names of members and words of ours, nothing of what was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Dotted path of the first member that is wrong, without array indexes; empty when it is the whole body.
    pub param: String,
    /// What should have been there: "a currency: three capital letters".
    pub expected: String,
}

/// Reads a body, whatever its Content-Type says.
pub fn read<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Wrong> {
    // Serde would take an array for an object with its members in order.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(Wrong::new("", "a JSON object"));
    }
    whole(body)
}

/// Reads an answer, which may be a list; nothing at all stands for an empty object.
pub fn read_answer<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Wrong> {
    let body = body.trim_ascii();
    whole(if body.is_empty() { b"{}" } else { body })
}

fn whole<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Wrong> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| Wrong::of(&error))?;
    json.end()
        .map_err(|_| Wrong::new("", "one JSON object and nothing behind it"))?;
    Ok(read)
}

/// Reads one member that was kept as JSON, of which `at` is the path.
pub(crate) fn read_member<T: DeserializeOwned>(json: &RawValue, at: &str) -> Result<T, Wrong> {
    if !json.get().starts_with('{') {
        return Err(Wrong::new(at, "an object"));
    }
    let mut json = serde_json::Deserializer::from_str(json.get());
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let Wrong { param, expected } = Wrong::of(&error);
        let param = [at, &param].into_iter().filter(|part| !part.is_empty());
        Wrong {
            param: join(param),
            expected,
        }
    })
}

/// An error that says what should have been there, for `Deserialize` of a type of ours.
pub(crate) fn expected<E: de::Error>(what: impl fmt::Display) -> E {
    E::invalid_value(Unexpected::Other("another"), &Words(what))
}

/// Reads text into a type of ours, for its `Deserialize`. What is no text is told as `what` too, and what is not there as missing.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D, what: &str) -> Result<String, D::Error> {
    struct Is<'a>(&'a str);

    impl de::Visitor<'_> for Is<'_> {
        type Value = String;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
            Ok(text.into())
        }
    }

    deserializer.deserialize_str(Is(what))
}

impl Wrong {
    /// A member and what it should be.
    pub fn new(param: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            param: param.into(),
            expected: expected.into(),
        }
    }

    fn of(error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        // Broken JSON is not the fault of the member in which it broke.
        if !error.inner().is_data() {
            return Self::new("", "a JSON object in UTF-8");
        }
        let text = error.inner().to_string();
        let text = text.rsplit_once(" at line ").map_or(&*text, |(text, _)| text);
        let path = path(error.path());
        let named = |before: &str| text.strip_prefix(before)?.strip_suffix('`');
        // Both name members of ours, and have the path of the object around them.
        for (before, expected) in [
            ("missing field `", "a value: it is required"),
            ("duplicate field `", "one value: it is there twice"),
        ] {
            if let Some(name) = named(before) {
                let param = [&*path, name].into_iter().filter(|part| !part.is_empty());
                return Self::new(join(param), expected);
            }
        }
        // What stands before may quote what was sent; what comes last is ours.
        let expected = text
            .rsplit_once(", expected ")
            .map_or("another value", |(_, ours)| ours);
        Self::new(path, expected)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.param {
            "" => write!(f, "The body must be {}.", self.expected),
            param => write!(f, "`{param}` must be {}.", self.expected),
        }
    }
}

/// Names of members, up to the first that may be the caller's.
fn path(path: &Path) -> String {
    let ours = |name: &&str| {
        name.len() <= 40
            && name
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
    };
    let names = path.iter().filter_map(|segment| match segment {
        Segment::Map { key } => Some(&**key),
        _ => None,
    });
    join(names.take_while(ours))
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.fold(String::new(), |path, name| match &*path {
        "" => name.into(),
        path => format!("{path}.{name}"),
    })
}

struct Words<T>(T);

impl<T: fmt::Display> de::Expected for Words<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
