//! A call and its parameters into what goes over the wire.

use wire::interface::call::Customer;

use crate::json::{Kind, Reader};
use crate::shape::{Member, Shape, Wrong, check_members};
use crate::table::Call;

/// What goes over the wire.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    /// Path and query.
    pub(crate) target: String,
    /// The customer's access token, for the header of that name.
    pub(crate) auth: String,
    /// JSON; empty where there is none.
    pub(crate) body: String,
}

/// Parameters as one JSON object: each goes where the call has it, all others into the body. `customer` is JSON too.
pub(crate) fn prepare(call: &'static Call, customer: &str, params: &str) -> Result<Request, Wrong> {
    let mut path = call.entry.path.to_owned();
    let mut query = String::new();
    let mut auth = String::new();
    match named(call.entry.customer, customer)? {
        None => {}
        Some(Named::Number(number)) => append(&mut query, "external_id", &number),
        Some(Named::Token(token)) => auth = token,
    }

    let mut reader = Reader::new(params);
    if reader.kind()? != Kind::Object {
        return Err(Wrong {
            param: String::new(),
            must: "an object".into(),
            received: Some(reader.kind()?),
        });
    }
    let is_refund = is_refund(call);
    let (mut body, mut has_amount, mut unknown) = (String::from("{"), false, None);
    let mut places: Vec<(String, String)> = Vec::new();
    reader.members(|name, value| {
        let has = |members: &[Member]| members.iter().any(|member| member.name == name);
        if has(call.path) || has(call.query) {
            let mut written = *value;
            let raw = value.raw()?;
            let text = if written.kind()? == Kind::Text {
                written.text()?.into_owned()
            } else {
                raw.to_owned()
            };
            if has(call.path) {
                places.push((["{", name, "}"].concat(), text));
            } else if !matches!(raw, "null" | "\"\"") {
                append(&mut query, name, &text);
            }
            return Ok(());
        }
        let raw = value.raw()?;
        if !call.entry.has_body {
            unknown.get_or_insert_with(|| name.to_owned());
            return Ok(());
        }
        if is_refund && name == "amount" && raw != "null" {
            has_amount = true;
            if raw == "\"full\"" {
                return Ok(());
            }
        }
        if body.len() > 1 {
            body.push(',');
        }
        quote(&mut body, name);
        body.push(':');
        body.push_str(raw);
        Ok::<_, Wrong>(())
    })?;
    body.push('}');
    if let Some(param) = unknown {
        return Err(Wrong {
            param,
            must: "left out: the call takes no such parameter".into(),
            received: None,
        });
    }

    check_members(call.path, &mut Reader::new(params))?;
    check_members(call.query, &mut Reader::new(params))?;
    for (place, text) in places {
        path = path.replace(&place, &encoded(&text));
    }
    if call.entry.has_body {
        check_members(call.body, &mut Reader::new(&body)).map_err(|wrong| match &*wrong.param {
            "amount" if is_refund => said_in_full(wrong.received),
            _ => wrong,
        })?;
        if is_refund && !has_amount {
            return Err(said_in_full(None));
        }
    } else {
        body.clear();
    }
    if !query.is_empty() {
        path.push('?');
        path.push_str(&query);
    }
    Ok(Request {
        method: call.entry.method.as_str(),
        target: path,
        auth,
        body,
    })
}

/// Whether it gives money back: how much is said, always.
fn is_refund(call: &Call) -> bool {
    matches!(call.entry.name, "payments.refund" | "installments.refund")
}

fn said_in_full(received: Option<Kind>) -> Wrong {
    Wrong {
        param: "amount".into(),
        must: "\"full\", or an amount as text of at most two decimals, such as \"100.50\": a refund says how much".into(),
        received,
    }
}

enum Named {
    Number(String),
    Token(String),
}

/// Who the customer is, from `{"external_id":…}` or `{"auth":…}`.
fn named(wanted: Customer, customer: &str) -> Result<Option<Named>, Wrong> {
    static WAYS: [Member; 2] = [
        Member {
            name: "external_id",
            required: false,
            shape: Shape::Text { min: 1, max: 255 },
        },
        Member {
            name: "auth",
            required: false,
            shape: Shape::Text { min: 1, max: 4096 },
        },
    ];
    let must = match wanted {
        Customer::Nobody => return Ok(None),
        Customer::Named => "{ external_id } or { auth }, with one of the two",
        Customer::Known => "{ auth }, with the customer's access token",
    };
    let wrong = |received| Wrong {
        param: "customer".into(),
        must: must.into(),
        received,
    };
    let mut reader = Reader::new(customer);
    if reader.kind() != Ok(Kind::Object) {
        return Err(wrong(reader.kind().ok()));
    }
    check_members(&WAYS, &mut reader).map_err(|found| Wrong {
        param: ["customer.", &found.param].concat(),
        ..found
    })?;
    let (mut number, mut token) = (None, None);
    Reader::new(customer).members(|name, value| {
        match name {
            "external_id" if value.kind()? == Kind::Text => number = Some(value.text()?.into_owned()),
            "auth" if value.kind()? == Kind::Text => token = Some(value.text()?.into_owned()),
            _ => drop(value.raw()?),
        }
        Ok::<_, Wrong>(())
    })?;
    let present = |text: Option<String>| text.filter(|text| !text.is_empty());
    match (wanted, present(number), present(token)) {
        (Customer::Named, Some(number), None) => Ok(Some(Named::Number(number))),
        (_, None, Some(token)) if token.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Ok(Some(Named::Token(token)))
        }
        (_, None, Some(_)) => Err(Wrong {
            param: "customer.auth".into(),
            must: "an access token as the service issued it".into(),
            received: None,
        }),
        _ => Err(wrong(None)),
    }
}

/// The call that tells what became of this one, and its parameters as JSON.
pub(crate) fn remedy(call: &'static Call, params: &str) -> Option<(&'static str, String)> {
    let remedy = call.entry.remedy?;
    let mut told = String::from("{");
    for path in remedy.told {
        if told.len() > 1 {
            told.push(',');
        }
        let mut value = params;
        let mut last = "";
        for name in path.split('.') {
            value = member(value, name)?;
            last = name;
        }
        quote(&mut told, last);
        told.push(':');
        told.push_str(value);
    }
    told.push('}');
    Some((remedy.call, told))
}

/// A member of an object, as it is written.
pub(crate) fn member<'a>(object: &'a str, wanted: &str) -> Option<&'a str> {
    let mut reader = Reader::new(object);
    let mut found = None;
    if reader.kind().ok()? != Kind::Object {
        return None;
    }
    let read = reader.members(|name, value| {
        let raw = value.raw()?;
        if name == wanted {
            found = Some(raw);
        }
        Ok::<_, Wrong>(())
    });
    read.ok().and(found)
}

fn append(query: &mut String, name: &str, value: &str) {
    if !query.is_empty() {
        query.push('&');
    }
    query.extend([name, "=", &encoded(value)]);
}

/// Percent-encoded but for what RFC 3986 §2.3 calls unreserved.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(byte.into());
        } else {
            let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value & 15)]);
            encoded.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
    encoded
}

/// A name as JSON writes it.
fn quote(json: &mut String, name: &str) {
    json.push('"');
    for character in name.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            // The only ones that JSON asks for.
            control @ '\0'..' ' => {
                let code = control as u8;
                json.push_str("\\u00");
                json.extend(
                    [code >> 4, code & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])),
                );
            }
            plain => json.push(plain),
        }
    }
    json.push('"');
}
