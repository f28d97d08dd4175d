//! Reads JSON where it stands: without a tree, without numbers that are rounded, and without what a general reader brings along.

use std::borrow::Cow;

/// Objects and lists inside each other, at most.
const DEEPEST: usize = 64;

/// Text that is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken;

/// What kind of thing a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    List,
    Text,
    Number,
    Flag,
    Null,
}

/// A place in a text.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
        }
    }

    /// Nothing comes any more.
    pub(crate) fn end(&mut self) -> Result<(), Broken> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(Broken),
        }
    }

    /// What the next value is, by its first character.
    pub(crate) fn kind(&mut self) -> Result<Kind, Broken> {
        Ok(match self.peek() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b'"') => Kind::Text,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(b't' | b'f') => Kind::Flag,
            Some(b'n') => Kind::Null,
            _ => return Err(Broken),
        })
    }

    /// The next value, whatever it is, as it is written.
    pub(crate) fn raw(&mut self) -> Result<&'a str, Broken> {
        let kind = self.kind()?;
        let start = self.at;
        match kind {
            Kind::Object => self.members(|_, value| value.raw().map(drop))?,
            Kind::List => self.elements(|value| value.raw().map(drop))?,
            Kind::Text => drop(self.quoted()?),
            Kind::Number => drop(self.number()?),
            Kind::Flag | Kind::Null => {
                let word = ["true", "false", "null"]
                    .into_iter()
                    .find(|word| self.rest().starts_with(word.as_bytes()));
                self.at += word.ok_or(Broken)?.len();
            }
        }
        Ok(&self.text[start..self.at])
    }

    /// The next value, which is a text.
    pub(crate) fn text(&mut self) -> Result<Cow<'a, str>, Broken> {
        let written = self.quoted()?;
        if written.contains('\\') {
            unescaped(written).map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(written))
        }
    }

    /// The next value, which is a number, as it is written.
    pub(crate) fn number(&mut self) -> Result<&'a str, Broken> {
        self.peek();
        let start = self.at;
        self.skip(b"-");
        let whole = self.digits();
        // No zero in front of other digits.
        let is_zero = self.text.as_bytes().get(self.at - whole) == Some(&b'0');
        if whole == 0 || (is_zero && whole > 1) {
            return Err(Broken);
        }
        if self.skip(b".") && self.digits() == 0 {
            return Err(Broken);
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            if self.digits() == 0 {
                return Err(Broken);
            }
        }
        Ok(&self.text[start..self.at])
    }

    /// The next value, which is an object: `each` gets a name and reads what belongs to it.
    pub(crate) fn members<E: From<Broken>>(
        &mut self,
        mut each: impl FnMut(&str, &mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.written_members(|_, name, value| each(name, value))
    }

    /// The same, with the name also as it is written.
    pub(crate) fn written_members<E: From<Broken>>(
        &mut self,
        mut each: impl FnMut(&str, &str, &mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.within(b'{', b'}', |reader| {
            let mut start = *reader;
            let written = reader.quoted()?;
            let name = start.text()?;
            reader.expect(b':')?;
            each(written, &name, reader)
        })
    }

    /// The next value, which is a list: `each` reads an element.
    pub(crate) fn elements<E: From<Broken>>(
        &mut self,
        each: impl FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.within(b'[', b']', each)
    }

    fn within<E: From<Broken>>(
        &mut self,
        open: u8,
        close: u8,
        mut each: impl FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect(open)?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Broken.into());
        }
        if self.peek() == Some(close) {
            self.at += 1;
        } else {
            loop {
                each(self)?;
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(last) if last == close => {
                        self.at += 1;
                        break;
                    }
                    _ => return Err(Broken.into()),
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// What stands between the quotes of a text.
    fn quoted(&mut self) -> Result<&'a str, Broken> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.rest().first() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    let is_unit = self.skip(b"u");
                    let unit = self.rest().get(..4).unwrap_or_default();
                    if is_unit && unit.len() == 4 && unit.iter().all(u8::is_ascii_hexdigit) {
                        self.at += 4;
                    } else if is_unit || !self.skip(br#""\/bfnrt"#) {
                        return Err(Broken);
                    }
                }
                Some(0..0x20) | None => return Err(Broken),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(&self.text[start..self.at - 1])
    }

    fn digits(&mut self) -> usize {
        let count = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        self.at += count;
        count
    }

    fn skip(&mut self, any: &[u8]) -> bool {
        let is_there = self.rest().first().is_some_and(|byte| any.contains(byte));
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, byte: u8) -> Result<(), Broken> {
        if self.peek() != Some(byte) {
            return Err(Broken);
        }
        self.at += 1;
        Ok(())
    }

    /// The next character behind white space.
    fn peek(&mut self) -> Option<u8> {
        while self.skip(b" \t\r\n") {}
        self.rest().first().copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }
}

/// A text without its escapes. Half a pair of surrogates becomes the character for "none".
fn unescaped(written: &str) -> Result<String, Broken> {
    let mut units: Vec<u16> = Vec::with_capacity(written.len());
    let mut rest = written.chars();
    while let Some(character) = rest.next() {
        let read = match character {
            '\\' => match rest.next().ok_or(Broken)? {
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let digits = rest.as_str().get(..4).ok_or(Broken)?;
                    units.push(u16::from_str_radix(digits, 16).map_err(|_| Broken)?);
                    rest = rest.as_str()[4..].chars();
                    continue;
                }
                plain => plain,
            },
            plain => plain,
        };
        units.extend_from_slice(read.encode_utf16(&mut [0; 2]));
    }
    let read = char::decode_utf16(units);
    Ok(read
        .map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect())
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn whole(text: &str) -> Result<&str, Broken> {
        let mut reader = Reader::new(text);
        let raw = reader.raw()?;
        reader.end()?;
        Ok(raw)
    }

    #[test]
    fn takes_what_json_is_and_nothing_else() {
        for text in [
            "",
            " ",
            "{",
            "}",
            "[",
            "[1",
            "[1,",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\":1 \"b\":2}",
            "01",
            "-",
            "1.",
            ".5",
            "1e",
            "1e+",
            "+1",
            "NaN",
            "nul",
            "tru",
            "\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u12\"",
            "\"\n\"",
            "1 2",
            "<html>",
            "'a'",
            "{\"a\":1}x",
            "\u{feff}{}",
        ] {
            assert!(whole(text).is_err(), "{text}");
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
        }
        assert!(whole(&"[".repeat(5000)).is_err());
        assert!(whole(&format!("{}{}", "[".repeat(64), "]".repeat(64))).is_ok());
        assert!(whole(&format!("{}{}", "[".repeat(65), "]".repeat(65))).is_err());
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-1e15..1e15_f64).prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((".*", inner), 0..6).prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_what_another_writes(value in json(), pretty: bool) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            prop_assert_eq!(whole(&text), Ok(&*text));
        }

        #[test]
        fn reads_no_more_than_another_does(text in "[\\[\\]{}\",:0-9.eE+\\-truefalsn \\\\]{0,20}") {
            prop_assert_eq!(whole(&text).is_ok(), serde_json::from_str::<Value>(&text).is_ok());
        }

        #[test]
        fn texts_are_what_they_were(text: String) {
            let written = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(Reader::new(&written).text().unwrap(), text);
        }
    }

    #[test]
    fn escapes() {
        for (written, read) in [
            (r#""\ud83d\ude42""#, "🙂"),
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\ude42\ud83dx""#, "\u{fffd}\u{fffd}x"),
            (r#""\"\\\/\b\f\n\r\t\u0041""#, "\"\\/\u{8}\u{c}\n\r\tA"),
        ] {
            assert_eq!(Reader::new(written).text().unwrap(), read);
        }
    }
}
