//! A token request, ready to be sent and to be sent again.

use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use base64ct::{Base64UrlUnpadded, Encoding};
use wire::boot::Boot;
use wire::payload::CardPayload;
use wire::token::{IDEMPOTENCY_KEY, PATH, TokenRequest, TokenResponse};

use crate::envelope;

/// A request in full: sent twice, it is a repeat under the same idempotency key.
pub struct Submission {
    /// The card's number, one of [`NUMBERS`].
    pub number: &'static str,
    bytes: Vec<u8>,
}

impl Submission {
    /// Seals `number` for the service at `address`, under a new nonce and idempotency key.
    pub fn make(address: SocketAddr, boot: &Boot, number: &'static str) -> Result<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let payload = CardPayload::write(number, Some(EXPIRY), Some(CODE));
        let body = serde_json::to_string(&TokenRequest {
            envelope: envelope::seal(boot, &payload, now)?,
            customer_ip: None,
            customer_id: None,
            customer_email: None,
        })?;
        let key = idempotency_key()?;
        // What a browser sends, as far as the service looks at it.
        let request = format!(
            "POST {PATH} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Content-Type: text/plain;charset=UTF-8\r\n{IDEMPOTENCY_KEY}: {key}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        Ok(Self {
            number,
            bytes: request.into_bytes(),
        })
    }

    /// The request, head and body.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Submission {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A new idempotency key, as the frame makes them.
pub fn idempotency_key() -> Result<String> {
    let time = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    let time = format!("{time:012x}");
    let (high, low) = time.split_at(8);
    let random = Base64UrlUnpadded::encode_string(&envelope::random::<16>()?);
    Ok(format!("{high}-{low}-7{random}"))
}

/// The token in an answer's body.
pub fn token(body: &[u8]) -> Result<String> {
    let response: TokenResponse = serde_json::from_slice(body).context("an answer without a token")?;
    Ok(response.token)
}

/// Public test numbers, so that not every record is the same.
pub const NUMBERS: [&str; 4] = [
    "4242424242424242",
    "4111111111111111",
    "5555555555554444",
    "5454545454545454",
];

/// Month and year of every card: far enough ahead for years of tests.
pub(crate) const EXPIRY: (u8, u16) = (12, 2035);

/// Security code of every card.
pub(crate) const CODE: &str = "123";
