//! The service as a shop's server sees it: calls under a seller's credentials, and whether a callback is the service's.

use anyhow::{Result, bail};
use serde_json::Value;

use crate::http;

/// Login and password of the two sellers: the shop itself, and somebody who sells in it. The sandbox's own.
pub(super) const SELLERS: [(&str, &str); 2] = [
    ("sandbox", "sandbox-password"),
    ("sandbox-2", "sandbox-2-password"),
];

/// Calls the service, on its port, as one of the sellers. What it refuses is an error with its code.
pub(super) fn call(port: u16, seller: usize, method: &str, path: &str, body: &Value) -> Result<Value> {
    let (login, password) = SELLERS[seller];
    let sent = match body {
        Value::Null => Vec::new(),
        body => body.to_string().into_bytes(),
    };
    let answer = http::call(port, method, path, &format!("{login}:{password}"), &sent)?;
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if answer.status != 200 {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        bail!("{} {}: {}", answer.status, text("code"), text("message"));
    }
    Ok(body)
}

/// Whether a callback is signed with the password of one of the sellers.
pub(super) fn is_signed(signature: &str, body: &[u8]) -> bool {
    // A basket's callbacks are signed with the password of who made it, so one password is enough here; the seller's own for what the
    // seller did.
    SELLERS.iter().any(|(_, password)| {
        is_equal(
            &wire::interface::callback::signature(password.as_bytes(), body),
            signature,
        )
    })
}

/// In a time that does not tell where the first difference is.
fn is_equal(ours: &str, theirs: &str) -> bool {
    let differences = ours
        .bytes()
        .zip(theirs.bytes())
        .fold(0, |sum, (a, b)| sum | (a ^ b));
    ours.len() == theirs.len() && differences == 0
}
