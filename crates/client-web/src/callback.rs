//! Callbacks: whether one is genuine, and what it tells of.

use subtle::ConstantTimeEq as _;
use wire::interface::callback::{Kind, signature};

use crate::answer::amounts_as_text;
use crate::json::Broken;
use crate::request::member;
use crate::table::OF_CALLBACKS;

/// What a callback tells of.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// `payment`, `basket_order`, `card`, `installment`, `payout`, `subscription` or `other`.
    pub(crate) kind: &'static str,
    /// Equal for deliveries of the same news, and for nothing else.
    pub(crate) key: String,
    /// The body, amounts as text.
    pub(crate) body: String,
}

/// Compares in constant time with the one text that is right: another alphabet, other padding, spaces and further values are
/// other texts.
pub(crate) fn is_genuine(password: &[u8], body: &[u8], header: &[u8]) -> bool {
    signature(password, body).as_bytes().ct_eq(header).into()
}

/// Reads a body that is genuine.
pub(crate) fn event(json: &str) -> Result<Event, Broken> {
    let mut body = String::with_capacity(json.len() + 64);
    amounts_as_text(json, OF_CALLBACKS, &mut body)?;
    let at = |path: &str| {
        let mut value = body.as_str();
        for name in path.split('.') {
            value = member(value, name)?;
        }
        (value != "null").then(|| value.trim_matches('"'))
    };
    let (kind, key) = Kind::and_key(json.as_bytes(), at);
    if kind == Kind::Other && !json.trim_ascii_start().starts_with('{') {
        return Err(Broken);
    }
    Ok(Event {
        kind: kind.as_str(),
        key,
        body,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../../../tests/vectors/interface/callbacks.json")).unwrap()
    }

    #[test]
    fn what_callbacks_tell() {
        let vectors = vectors();
        let password = vectors["password"].as_str().unwrap().as_bytes();
        for case in vectors["cases"].as_array().unwrap() {
            let text = |name: &str| case[name].as_str().unwrap();
            assert!(is_genuine(
                password,
                text("body").as_bytes(),
                text("signature").as_bytes()
            ));
            let told = event(text("body")).unwrap();
            assert_eq!(
                (told.kind, &*told.key),
                (text("kind"), text("key")),
                "{}",
                text("name")
            );
            let body: Value = serde_json::from_str(&told.body).unwrap();
            let amount = ["/details/amount", "/payment/amount", "/amount"];
            let amount = amount.into_iter().find_map(|path| body.pointer(path));
            assert_eq!(
                amount.and_then(Value::as_str),
                case["amount"].as_str(),
                "{}",
                text("name")
            );
        }
    }

    #[test]
    fn what_is_refused() {
        let vectors = vectors();
        let password = vectors["password"].as_str().unwrap().as_bytes();
        for case in vectors["refusals"].as_array().unwrap() {
            let [Some(signature), None] = [0, 1].map(|at| case["signatures"].get(at)) else {
                continue;
            };
            let body = case["body"].as_str().unwrap();
            let genuine = is_genuine(password, body.as_bytes(), signature.as_str().unwrap().as_bytes());
            assert_eq!(genuine, case["code"] == "body_unreadable", "{}", case["name"]);
            assert!(!genuine || event(body).is_err(), "{}", case["name"]);
        }
    }
}
