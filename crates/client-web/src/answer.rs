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
