//! Callbacks: whether one is genuine, and what it tells of.

use subtle::ConstantTimeEq as _;
use wire::interface::callback::signature;

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
    let (kind, parts): (_, &[&str]) = if at("subscription_id").is_some() && at("event").is_some() {
        (
            "subscription",
            &[
                "subscription_id",
                "event",
                "payment.id",
                "payment.status",
                "subscription.next_payment_date",
            ],
        )
    } else if at("payout_type").is_some() {
        ("payout", &["id", "status", "status_code"])
    } else if at("operation") == Some("add_payment_method") {
        ("card", &["customer.external_id", "created_at", "status"])
    } else if at("details.parts_count").is_some() {
        ("installment", PAYMENT)
    } else if at("batch_external_id").is_some() {
        ("basket_order", PAYMENT)
    } else if at("external_id").is_some() && at("is_success").is_some() {
        ("payment", PAYMENT)
    } else if json.trim_ascii_start().starts_with('{') {
        // Told by a later version of the service. The key is a digest of the body.
        let key = ["other:", &signature(b"", json.as_bytes())].concat();
        return Ok(Event {
            kind: "other",
            key,
            body,
        });
    } else {
        return Err(Broken);
    };
    let mut key = String::from(kind);
    for part in parts {
        key.extend([":", at(part).unwrap_or("-")]);
    }
    Ok(Event { kind, key, body })
}

/// Operations apart, and apart how each stands.
const PAYMENT: &[&str] = &["id", "details.operation_id", "details.status"];

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
