//! Bodies of native apps' requests. Their signature is computed here a second time, from the interface's words (wire notes
//! §6) and with another reader of JSON; both must agree.
#![no_main]

use aws_lc_rs::hmac;
use serde_json::Value;
use vault::{AppCard, AppCardError};

const KEY: &str = "wk_sandbox";

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let unsigned = AppCard::read(bytes, KEY, &[b'0'; 64]);
    assert!(unsigned.is_err(), "a signature that fits nothing");
    let Some(signature) = sign(bytes) else {
        return;
    };
    let signed = AppCard::read(bytes, KEY, signature.as_bytes());
    assert!(
        !matches!(signed, Err(AppCardError::Signature)),
        "two readings of the interface"
    );
});

/// `None` where the interface does not say how it is to be signed.
fn sign(body: &[u8]) -> Option<String> {
    // A map of this kind is sorted by name.
    let members: serde_json::Map<String, Value> = serde_json::from_slice(body).ok()?;
    let mut text = String::new();
    for value in members.values() {
        match value {
            Value::Array(items) => {
                let mut items: Vec<String> = items.iter().map(word).collect::<Option<_>>()?;
                items.sort();
                text.push_str(&items.join(","));
            }
            value => text.push_str(&word(value)?),
        }
    }
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, KEY.as_bytes()), text.as_bytes());
    Some(tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) if number.is_f64() => None,
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => None,
    }
}
