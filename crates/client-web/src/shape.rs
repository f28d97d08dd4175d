//! What a request may hold, and the sentence about what it must not.

use crate::json::{Broken, Kind, Reader};

/// What a value must be.
#[derive(Debug)]
pub(crate) enum Shape {
    /// Text of so many characters.
    Text { min: u32, max: u32 },
    /// Money, as text: a number of JavaScript cannot hold every amount.
    Amount,
    /// ISO 4217 code.
    Currency,
    /// An absolute https or http address.
    Address,
    /// RFC 3339 with a zone.
    Moment,
    /// `YYYY-MM-DD`.
    Day,
    /// One or the other.
    DayOrMoment,
    /// A whole number.
    Whole { min: u32, max: u32 },
    /// True or false.
    Flag,
    /// One of these.
    Word(&'static [&'static str]),
    /// So many of the same.
    List { of: &'static Shape, min: u32, max: u32 },
    /// Members; others may be there too.
    Object(&'static [Member]),
    /// Names of the shop's own, each with a text.
    Words { most: usize, name: usize, text: usize },
}

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) shape: Shape,
}

/// What is wrong: the dotted path of a member, and what it must be. Nothing of what was there but its kind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) param: String,
    pub(crate) must: String,
    pub(crate) received: Option<Kind>,
}

impl From<Broken> for Wrong {
    /// Parameters are written by JavaScript's own writer, so they are broken only when they are too deep.
    fn from(_: Broken) -> Self {
        Self {
            param: String::new(),
            must: "JSON of at most 64 levels".into(),
            received: None,
        }
    }
}

/// Checks an object, and says which of its members come to be read.
pub(crate) fn check_members(members: &'static [Member], reader: &mut Reader<'_>) -> Result<(), Wrong> {
    let mut seen = 0_u64;
    reader.members(|name, value| {
        let Some(at) = members.iter().position(|member| member.name == name) else {
            value.raw()?;
            return Ok::<_, Wrong>(());
        };
        let Member { required, shape, .. } = &members[at];
        let mut written = *value;
        let is_absent = matches!(written.raw()?, "null" | "\"\"") && !required;
        if is_absent {
            *value = written;
        } else {
            check(shape, value).map_err(|wrong| wrong.below(name))?;
        }
        seen |= 1 << at;
        Ok(())
    })?;
    match members
        .iter()
        .enumerate()
        .find(|(at, member)| member.required && seen >> at & 1 == 0)
    {
        None => Ok(()),
        Some((_, member)) => Err(Wrong {
            param: member.name.into(),
            must: ["there: ", &*member.shape.must()].concat(),
            received: None,
        }),
    }
}

/// Reads a value of that shape.
fn check(shape: &'static Shape, reader: &mut Reader<'_>) -> Result<(), Wrong> {
    let kind = reader.kind()?;
    let holds = match (shape, kind) {
        (Shape::Object(members), Kind::Object) => return check_members(members, reader),
        (Shape::List { of, min, max }, Kind::List) => {
            let mut count = 0;
            reader.elements(|element| {
                count += 1;
                check(of, element)
            })?;
            (*min..=*max).contains(&count)
        }
        (
            Shape::Words {
                most,
                name: longest,
                text: longest_text,
            },
            Kind::Object,
        ) => {
            let (mut count, mut fits) = (0, true);
            reader.members(|name, value| {
                count += 1;
                fits &= name.chars().count() <= *longest;
                if value.kind()? == Kind::Text {
                    fits &= value.text()?.chars().count() <= *longest_text;
                } else {
                    fits = false;
                    value.raw()?;
                }
                Ok::<_, Wrong>(())
            })?;
            count <= *most && fits
        }
        (Shape::Flag, Kind::Flag) => {
            reader.raw()?;
            true
        }
        (Shape::Whole { min, max }, Kind::Number) => {
            let number: Option<u32> = reader.number()?.parse().ok();
            number.is_some_and(|number| (*min..=*max).contains(&number))
        }
        (_, Kind::Text) => shape.takes(&reader.text()?),
        _ => false,
    };
    if holds {
        return Ok(());
    }
    Err(Wrong {
        param: String::new(),
        must: shape.must(),
        received: Some(kind),
    })
}

impl Wrong {
    /// The same of a member of an object.
    fn below(self, name: &str) -> Self {
        let param = match &*self.param {
            "" => name.into(),
            path => [name, ".", path].concat(),
        };
        Self { param, ..self }
    }
}

impl Shape {
    /// Whether a text is one of these.
    fn takes(&self, text: &str) -> bool {
        match self {
            Self::Text { min, max } => {
                (*min..=*max).contains(&(text.chars().count() as u32)) && !text.contains('\0')
            }
            Self::Amount => is_amount(text),
            Self::Currency => text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()),
            Self::Address => is_address(text),
            Self::Day => is_day(text),
            Self::Moment => is_moment(text),
            Self::DayOrMoment => is_day(text) || is_moment(text),
            Self::Word(words) => words.contains(&text),
            _ => false,
        }
    }

    /// What stands behind "must be".
    fn must(&self) -> String {
        match self {
            Self::Text {
                min: 0,
                max: u32::MAX,
            } => "text".into(),
            Self::Text { min, max } => [
                "text of ",
                &digits(*min),
                " to ",
                &digits(*max),
                " characters, without NUL",
            ]
            .concat(),
            Self::Amount => "an amount as text of at most two decimals, such as \"100.50\"".into(),
            Self::Currency => "a currency: three capital letters, such as \"UAH\"".into(),
            Self::Address => {
                "an absolute https or http address of at most 2048 characters, without a user".into()
            }
            Self::Moment => "a time with a zone, such as \"2026-01-31T12:00:00Z\"".into(),
            Self::Day => "a day, such as \"2026-01-31\"".into(),
            Self::DayOrMoment => "a day or a time with a zone, such as \"2026-01-31T12:00:00Z\"".into(),
            Self::Whole { min, max: u32::MAX } => ["a whole number of at least ", &digits(*min)].concat(),
            Self::Whole { min, max } => {
                ["a whole number from ", &digits(*min), " to ", &digits(*max)].concat()
            }
            Self::Flag => "true or false".into(),
            Self::Word(words) => listed(words),
            Self::List { max: u32::MAX, .. } => "a list".into(),
            Self::List { min, max, .. } => {
                ["a list of ", &digits(*min), " to ", &digits(*max), " elements"].concat()
            }
            Self::Object(_) => "an object".into(),
            Self::Words { most, name, text } => [
                "an object of at most ",
                &digits(*most as u32),
                " names of at most ",
                &digits(*name as u32),
                " characters, each with text of at most ",
                &digits(*text as u32),
            ]
            .concat(),
        }
    }
}

/// "a", "b" or "c".
fn listed(words: &[&str]) -> String {
    let mut list = String::new();
    for (at, word) in words.iter().enumerate() {
        let before = match (at, words.len() - at) {
            (0, _) => "",
            (_, 1) => " or ",
            _ => ", ",
        };
        list.extend([before, "\"", word, "\""]);
    }
    list
}

/// Up to twelve digits, then at most two decimals behind a point; zeros behind these do not count.
fn is_amount(text: &str) -> bool {
    let (whole, decimals) = match text.split_once('.') {
        Some((_, "")) => return false,
        Some((whole, decimals)) => (whole, decimals),
        None => (text, ""),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let short = whole.trim_start_matches('0').len() <= 12 && decimals.trim_end_matches('0').len() <= 2;
    !whole.is_empty() && digits(whole) && digits(decimals) && short
}

/// As far as it can be told without an address parser; the service has one.
fn is_address(text: &str) -> bool {
    let Some(rest) = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
    else {
        return false;
    };
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let is_clean = !text.contains(|letter: char| letter.is_control() || letter == ' ');
    text.len() <= 2048 && is_clean && !host.is_empty() && !host.contains('@')
}

fn is_day(text: &str) -> bool {
    text.len() == 10 && fits(text, "0000-00-00")
}

/// A day, a time, perhaps a fraction, and a zone.
fn is_moment(text: &str) -> bool {
    let Some((clock, zone)) = text.get(..19).zip(text.get(19..)) else {
        return false;
    };
    let zone = zone.strip_prefix('.').map_or(zone, |rest| {
        rest.trim_start_matches(|digit: char| digit.is_ascii_digit())
    });
    let is_zone = matches!(zone, "Z" | "z") || fits(zone, "+00:00") || fits(zone, "-00:00");
    (fits(clock, "0000-00-00T00:00:00") || fits(clock, "0000-00-00t00:00:00")) && is_zone
}

/// Digits where the pattern has them, and what it has elsewhere.
fn fits(text: &str, pattern: &str) -> bool {
    text.len() == pattern.len()
        && text
            .bytes()
            .zip(pattern.bytes())
            .all(|(byte, wanted)| match wanted {
                b'0' => byte.is_ascii_digit(),
                other => byte == other,
            })
}

/// A number in decimal. `core::fmt` would cost more than this whole file.
pub(crate) fn digits(number: u32) -> String {
    let last = char::from(b'0' + (number % 10) as u8);
    let mut text = if number > 9 {
        digits(number / 10)
    } else {
        String::new()
    };
    text.push(last);
    text
}
