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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wire::interface::call::{self, Call, Visitor};

    use super::*;
    use crate::table::CALLS;

    /// Whether the types themselves take a body.
    struct Takes<'a>(&'a str);

    impl Visitor for Takes<'_> {
        type Output = Result<(), String>;

        fn visit<C: Call>(self) -> Self::Output {
            let read = wire::interface::read::<C::Body>(self.0.as_bytes());
            read.map(drop).map_err(|wrong| wrong.param)
        }
    }

    /// Says what the table says of a body, and what the types say.
    fn both(name: &str, body: &Value) -> [Result<(), String>; 2] {
        let call = CALLS.iter().find(|call| call.entry.name == name).unwrap();
        let body = body.to_string();
        let table = check_members(call.body, &mut Reader::new(&body)).map_err(|wrong| wrong.param);
        [table, call::visit(name, Takes(&body)).unwrap()]
    }

    fn payment() -> Value {
        json!({
            "amount": "100.50", "currency": "UAH", "external_id": "o-1", "mode": "direct", "confirm": true, "checkout_ttl": 30,
            "callback_url": "https://shop.example/callbacks", "metadata": { "a": "b" }, "of_a_later_version": [1, null],
            "customer": { "email": "", "locale": "UK", "external_id": null, "payment_method": { "type": "cc_token", "cc_token": { "token": "ct" } } },
            "products": [{ "name": "Tea", "quantity": "1", "net_amount": "1", "vat_amount": "1.2", "tax_group": 1 }],
        })
    }

    #[test]
    fn the_table_and_the_types_refuse_the_same_members() {
        assert_eq!(both("payments.create", &payment()), [Ok(()), Ok(())]);
        for (path, value) in [
            ("/amount", json!("1,5")),
            ("/amount", json!("")),
            ("/amount", json!("-1")),
            ("/amount", json!("1.005")),
            ("/amount", json!("1.")),
            ("/amount", json!("1000000000000")),
            ("/amount", json!(null)),
            ("/amount", json!(true)),
            ("/amount", json!([1])),
            ("/currency", json!("uah")),
            ("/currency", json!("UAHX")),
            ("/currency", json!(980)),
            ("/external_id", json!("")),
            ("/external_id", json!("x".repeat(256))),
            ("/external_id", json!("a\0b")),
            ("/external_id", json!(1)),
            ("/mode", json!("page")),
            ("/mode", json!(["direct"])),
            ("/confirm", json!("true")),
            ("/confirm", json!(1)),
            ("/checkout_ttl", json!(4)),
            ("/checkout_ttl", json!(721)),
            ("/checkout_ttl", json!(5.5)),
            ("/checkout_ttl", json!("30")),
            ("/checkout_ttl", json!(-5)),
            ("/callback_url", json!("/callbacks")),
            ("/callback_url", json!("ftp://x.example")),
            ("/callback_url", json!("https://")),
            ("/callback_url", json!("https://a:b@shop.example")),
            ("/callback_url", json!("https://shop.example/a b")),
            ("/callback_url", json!(7)),
            ("/metadata", json!({ "a": 1 })),
            ("/metadata", json!({ "x".repeat(31): "b" })),
            ("/metadata", json!([])),
            ("/customer", json!("c-1")),
            ("/customer", json!([])),
            ("/customer/email", json!("x".repeat(256))),
            ("/products", json!({})),
            ("/products/0", json!("Tea")),
            ("/products/0/quantity", json!(1)),
            ("/products/0/tax_group", json!(12)),
            ("/products/0/name", json!(null)),
        ] {
            let mut body = payment();
            *body.pointer_mut(path).unwrap() = value;
            let [table, types] = both("payments.create", &body);
            assert!(table.is_err(), "{path} {body}");
            assert_eq!(table, types, "{path}");
        }
    }

    #[test]
    fn what_the_types_take_the_table_takes() {
        for (path, value) in [
            ("/amount", json!("0")),
            ("/amount", json!("999999999999.99")),
            ("/amount", json!("1.500")),
            ("/amount", json!("007")),
            ("/amount", json!("0.000")),
            ("/external_id", json!("é".repeat(255))),
            ("/checkout_ttl", json!(null)),
            ("/checkout_ttl", json!("")),
            ("/callback_url", json!("")),
            ("/callback_url", json!("http://127.0.0.1:8080/x?y#z")),
            ("/callback_url", json!("https://кава.example/")),
            ("/confirm", json!("")),
            ("/customer", json!(null)),
            ("/products", json!([])),
            ("/metadata", json!({})),
            ("/metadata", json!(null)),
        ] {
            let mut body = payment();
            *body.pointer_mut(path).unwrap() = value;
            assert_eq!(both("payments.create", &body), [Ok(()), Ok(())], "{path} {body}");
        }
        // What the table alone refuses: money as a number, and a wish that the service cannot fulfil and forgets.
        for (path, param, value) in [
            ("/amount", "amount", json!(100.5)),
            ("/customer/locale", "customer.locale", json!("DE")),
        ] {
            let mut body = payment();
            *body.pointer_mut(path).unwrap() = value;
            assert_eq!(both("payments.create", &body), [Err(param.into()), Ok(())]);
        }
    }

    #[test]
    fn what_is_required_is_missed() {
        for (name, body) in [
            ("payments.create", payment()),
            (
                "baskets.create",
                json!({
                    "batch_external_id": "b", "callback_url": "https://x.example", "currency": "UAH", "mode": "hosted",
                    "orders": [{ "api_key": "sandbox", "amount": "1", "external_id": "o" }],
                }),
            ),
            (
                "installments.create",
                json!({
                    "bank_name": "stub", "mode": "direct", "external_id": "i", "amount": "1", "currency": "UAH", "parts_count": 2, "description": "x", "customer": {},
                }),
            ),
            (
                "plans.create",
                json!({
                    "name": "x", "price": "1", "currency": "UAH", "frequency_type": "daily", "frequency": 1, "duration_periods": 1, "start_date": "2026-01-31T12:00:00.5+02:00",
                }),
            ),
            (
                "reports.transactions",
                json!({ "date_from": "2026-01-31", "date_to": "2026-01-31", "statuses": ["Success"] }),
            ),
        ] {
            assert_eq!(both(name, &body), [Ok(()), Ok(())], "{name}");
            for member in body.as_object().unwrap().keys() {
                let mut less = body.clone();
                less.as_object_mut().unwrap().remove(member);
                let [table, types] = both(name, &less);
                assert_eq!(table, types, "{name} without {member}");
            }
        }
        for (member, value) in [
            ("start_date", "2026-01-31"),
            ("start_date", "2026-01-31T12:00:00"),
            ("start_date", "soon"),
            ("frequency_type", "hourly"),
        ] {
            let mut plan = json!({
                "name": "x", "price": "1", "currency": "UAH", "frequency_type": "daily", "frequency": 1, "duration_periods": 1, "start_date": "2026-01-31T12:00:00Z",
            });
            plan[member] = json!(value);
            assert_eq!(
                both("plans.create", &plan),
                [Err(member.into()), Err(member.into())],
                "{value}"
            );
        }
    }

    #[test]
    fn sentences_say_what_to_write() {
        let must = |shape: Shape| shape.must();
        assert_eq!(must(Shape::Word(&["a", "b", "c"])), "\"a\", \"b\" or \"c\"");
        assert_eq!(
            must(Shape::Whole { min: 5, max: 720 }),
            "a whole number from 5 to 720"
        );
        assert_eq!(
            [0, 7, 10, 4_294_967_295].map(digits),
            ["0", "7", "10", "4294967295"]
        );
    }
}
