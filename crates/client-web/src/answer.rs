//! What comes back, read: an answer with its amounts as text, a refusal, or something else.

use crate::json::{Broken, Kind, Reader};
use crate::table::{Answer, Call};

/// What came back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// The call's answer as JSON; `null` where it has none.
    Answer(String),
    /// The service's refusal, as it came.
    Refused(String),
    /// Neither: what it is instead.
    Unreadable(&'static str),
}

/// Reads an answer of the service, or of whatever answered in its place.
pub(crate) fn read(call: &'static Call, status: u16, body: &[u8]) -> Read {
    let Ok(text) = core::str::from_utf8(body) else {
        return Read::Unreadable("is no text in UTF-8");
    };
    let is_success = (200..300).contains(&status);
    if is_success && matches!(call.answer, Answer::Nothing) {
        return Read::Answer("null".into());
    }
    let begins = text.trim_ascii_start();
    let wanted = match (is_success, &call.answer) {
        (true, Answer::List) => '[',
        _ => '{',
    };
    let mut json = String::with_capacity(text.len() + 64);
    let whole = amounts_as_text(text, if is_success { call.amounts } else { &[] }, &mut json);
    match (whole, begins.starts_with(wanted)) {
        (Ok(()), true) if is_success => match &call.answer {
            Answer::Object(names) if !has_one(&json, names) => {
                Read::Unreadable("has none of the members that the call's answer has")
            }
            _ => Read::Answer(json),
        },
        (Ok(()), true) if is_text(&json, "code") && is_text(&json, "message") => Read::Refused(json),
        (Ok(()), _) => Read::Unreadable("is JSON of another kind"),
        (Err(_), true) => Read::Unreadable("is JSON that breaks off or is damaged"),
        (Err(_), false) if begins.starts_with('<') => {
            Read::Unreadable("is a page in HTML, as a proxy answers")
        }
        (Err(_), false) if begins.is_empty() => Read::Unreadable("is empty"),
        (Err(_), false) => Read::Unreadable("is no JSON"),
    }
}

/// Copies JSON. Numbers of the members named become texts with two decimals, by their digits; all else stays as it is.
pub(crate) fn amounts_as_text(json: &str, amounts: &[&str], copy: &mut String) -> Result<(), Broken> {
    let mut reader = Reader::new(json);
    write(&mut reader, amounts, false, copy)?;
    reader.end()
}

fn write(
    reader: &mut Reader<'_>,
    amounts: &[&str],
    is_amount: bool,
    copy: &mut String,
) -> Result<(), Broken> {
    match reader.kind()? {
        Kind::Object => {
            copy.push('{');
            let mut begins = true;
            reader.written_members(|written, name, value| {
                if !core::mem::take(&mut begins) {
                    copy.push(',');
                }
                copy.extend(["\"", written, "\":"]);
                write(value, amounts, amounts.contains(&name), copy)
            })?;
            copy.push('}');
        }
        Kind::List => {
            copy.push('[');
            let mut begins = true;
            reader.elements(|element| {
                if !core::mem::take(&mut begins) {
                    copy.push(',');
                }
                write(element, amounts, is_amount, copy)
            })?;
            copy.push(']');
        }
        Kind::Number if is_amount => {
            let number = reader.number()?;
            copy.extend(["\"", number]);
            if !number.contains(['e', 'E']) {
                let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                copy.push_str([".00", "0"].get(decimals).copied().unwrap_or_default());
            }
            copy.push('"');
        }
        _ => copy.push_str(reader.raw()?),
    }
    Ok(())
}

fn has_one(json: &str, names: &[&str]) -> bool {
    let mut found = false;
    let read = Reader::new(json).members(|name, value| {
        found |= names.contains(&name);
        value.raw().map(drop)
    });
    read.is_ok() && found
}

fn is_text(json: &str, name: &str) -> bool {
    crate::request::member(json, name).is_some_and(|raw| raw.starts_with('"'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::CALLS;

    fn call(name: &str) -> &'static Call {
        CALLS.iter().find(|call| call.entry.name == name).unwrap()
    }

    #[test]
    fn amounts_become_texts_by_their_digits_and_all_else_is_copied() {
        for (json, copy) in [
            (r#"{"amount":100}"#, r#"{"amount":"100.00"}"#),
            (
                r#"{ "amount" : 0.1 , "n" : 1.5 }"#,
                r#"{"amount":"0.10","n":1.5}"#,
            ),
            (r#"{"amount":999999999999.99}"#, r#"{"amount":"999999999999.99"}"#),
            (r#"{"amount":"1.00"}"#, r#"{"amount":"1.00"}"#),
            (r#"{"amount":1.005,"b":null}"#, r#"{"amount":"1.005","b":null}"#),
            (r#"{"amount":1e2}"#, r#"{"amount":"1e2"}"#),
            (r#"{"amount":-5}"#, r#"{"amount":"-5.00"}"#),
            (
                r#"{"amount":[1,{"amount":2}],"a":[{"amount":3}]}"#,
                r#"{"amount":["1.00",{"amount":"2.00"}],"a":[{"amount":"3.00"}]}"#,
            ),
            (
                r#"{"am\u006funt":4,"x":12345678901234567890}"#,
                r#"{"am\u006funt":"4.00","x":12345678901234567890}"#,
            ),
        ] {
            let mut written = String::new();
            assert_eq!(amounts_as_text(json, &["amount"], &mut written), Ok(()), "{json}");
            assert_eq!(written, copy);
        }
    }

    #[test]
    fn the_table_knows_which_numbers_are_amounts() {
        assert_eq!(call("installments.banks").amounts, ["max_amount", "min_amount"]);
        assert_eq!(
            call("payouts.balance").amounts,
            ["available_amount", "commitment_amount"]
        );
        assert_eq!(call("plans.list").amounts, ["price"]);
        // Hundredths, as whole numbers.
        assert!(call("reports.settlement").amounts.is_empty());
        assert!(call("reports.transactions").amounts.contains(&"payer_fee"));
    }

    #[test]
    fn answers_refusals_and_everything_else() {
        let info = call("payments.info");
        let error = r#"{"code":"data_not_found","message":"nobody"}"#;
        assert_eq!(
            read(info, 200, br#"{"id":"1"}"#),
            Read::Answer(r#"{"id":"1"}"#.into())
        );
        assert_eq!(read(call("plans.list"), 200, b" []"), Read::Answer("[]".into()));
        assert_eq!(
            read(call("payments.resendCallback"), 204, b""),
            Read::Answer("null".into())
        );
        assert_eq!(read(info, 400, error.as_bytes()), Read::Refused(error.into()));
        for (status, body) in [
            (200, "{}"),
            (200, "[]"),
            (200, "null"),
            (200, ""),
            (200, "<html>"),
            (200, "{\"id\":\"1\""),
            (200, "\u{feff}{}"),
            (400, "{}"),
            (400, r#"{"code":7,"message":"x"}"#),
            (400, r#"{"code":"x"}"#),
            (502, "<html>"),
            (302, ""),
            (200, error),
        ] {
            assert!(
                matches!(read(info, status, body.as_bytes()), Read::Unreadable(_)),
                "{status} {body}"
            );
        }
        assert!(matches!(read(info, 200, &[0xff]), Read::Unreadable(_)));
    }
}
