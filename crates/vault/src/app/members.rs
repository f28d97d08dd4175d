//! A flat JSON object, by name, as the signature sees it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use zeroize::Zeroizing;

/// Members in the order of their names. Values stay where they were read from: numbers of cards are not copied about.
pub(super) struct Members<'a>(BTreeMap<String, Value<'a>>);

enum Value<'a> {
    Null,
    /// `true`, `false` or a number, as it is written.
    Word(&'a str),
    Text(Text<'a>),
    /// Sorted and joined.
    List(Zeroizing<String>),
}

enum Text<'a> {
    Plain(&'a str),
    /// With escapes, which are unfolded into a copy.
    Unfolded(Zeroizing<String>),
}

impl<'a> Members<'a> {
    /// `None` for what is not one flat object with each name once.
    pub(super) fn parse(body: &'a [u8]) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_slice(body);
        let members = json.deserialize_map(Reader).ok()?;
        json.end().ok()?;
        Some(members)
    }

    /// The values behind each other, without anything between.
    pub(super) fn signed(&self) -> Zeroizing<Vec<u8>> {
        let length = self.0.values().map(|value| value.as_str().len()).sum();
        // Sized at once, so that no half of a number is left behind by growing.
        let mut signed = Zeroizing::new(Vec::with_capacity(length));
        for value in self.0.values() {
            signed.extend_from_slice(value.as_str().as_bytes());
        }
        signed
    }

    /// A text; nothing where it is absent, null or empty. Fails with the name of what is something else.
    pub(super) fn text(&self, name: &'static str) -> Result<Option<String>, &'static str> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Text(Text::Plain(text))) => {
                Ok(Some((*text).to_owned()).filter(|text| !text.is_empty()))
            }
            // No digit needs one, and nothing else of ours does in a card.
            Some(Value::Text(Text::Unfolded(text))) if !name.starts_with("card_") => {
                Ok(Some(String::clone(text)))
            }
            Some(_) => Err(name),
        }
    }

    /// A whole number that is not negative; nothing where it is absent or null.
    pub(super) fn number(&self, name: &'static str) -> Result<Option<u64>, &'static str> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Word(word)) => word.parse().map(Some).map_err(|_| name),
            Some(_) => Err(name),
        }
    }
}

impl<'a> Value<'a> {
    fn read(raw: &'a RawValue) -> Option<Self> {
        let json = raw.get();
        match json.as_bytes().first()? {
            b'n' => Some(Self::Null),
            b'{' => None,
            b'"' => Text::read(json).map(Self::Text),
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
                let items: Option<Vec<Self>> = items.into_iter().map(Self::read_item).collect();
                let items = items?;
                let mut texts: Vec<&str> = items.iter().map(Self::as_str).collect();
                texts.sort_unstable();
                Some(Self::List(Zeroizing::new(texts.join(","))))
            }
            _ => Some(Self::Word(json)),
        }
    }

    fn read_item(raw: &'a RawValue) -> Option<Self> {
        match raw.get().as_bytes().first()? {
            b'[' => None,
            _ => Self::read(raw),
        }
    }

    /// As it is signed.
    fn as_str(&self) -> &str {
        match self {
            Self::Null => "",
            Self::Word(word) => word,
            Self::Text(Text::Plain(text)) => text,
            Self::Text(Text::Unfolded(text)) | Self::List(text) => text,
        }
    }
}

impl<'a> Text<'a> {
    fn read(json: &'a str) -> Option<Self> {
        match serde_json::from_str::<&str>(json) {
            Ok(text) => Some(Self::Plain(text)),
            Err(_) => serde_json::from_str(json)
                .ok()
                .map(Zeroizing::new)
                .map(Self::Unfolded),
        }
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let wrong = || serde::de::Error::custom("not a flat object with each name once");
        let mut members = BTreeMap::new();
        while let Some((name, raw)) = map.next_entry::<String, &RawValue>()? {
            let value = Value::read(raw).ok_or_else(wrong)?;
            if members.insert(name, value).is_some() {
                return Err(wrong());
            }
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_signed_in_the_order_of_names() {
        for (body, signed) in [
            ("{}", ""),
            (r#"{"b":"2","a":"1"}"#, "12"),
            (r#"{"B":"2","a":"1"}"#, "21"),
            (r#"{"a":true,"b":false,"c":null,"d":-7}"#, "truefalse-7"),
            (r#"{"a":["b","a",3,null,true]}"#, ",3,a,b,true"),
            (r#"{"a":[]}"#, ""),
            (r#"{"a":"\u043a\n\"" , "b" : "ключ"}"#, "к\n\"ключ"),
            (r#"{"\u0062":"2","a":"1"}"#, "12"),
            (r#"{"a":2.50}"#, "2.50"),
        ] {
            let members = Members::parse(body.as_bytes()).unwrap();
            assert_eq!(std::str::from_utf8(&members.signed()), Ok(signed), "{body}");
        }
    }
}
