//! The header `Idempotency-Key` and the digest that tells one body from another.

use std::fmt;

use aws_lc_rs::digest;
use axum::http::HeaderMap;
use wire::Code;
use wire::token::{IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_LENGTH};
use zeroize::Zeroizing;

use crate::error::Failure;

/// A caller's idempotency key: 16 to 64 visible ASCII characters. It also seals the answer kept for a repeat, so it is
/// never printed.
pub struct IdempotencyKey(Zeroizing<String>);

impl IdempotencyKey {
    /// The one header of that name.
    pub fn read(headers: &HeaderMap) -> Result<Self, Failure> {
        let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return Err(Code::IdempotencyKeyInvalid.into());
        };
        let visible = value.as_bytes().iter().all(u8::is_ascii_graphic);
        match value.to_str() {
            Ok(text) if visible && IDEMPOTENCY_KEY_LENGTH.contains(&text.len()) => {
                Ok(Self(Zeroizing::new(text.to_owned())))
            }
            _ => Err(Code::IdempotencyKeyInvalid.into()),
        }
    }

    /// The text, for the vault.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, to be handed on.
    pub fn to_inner(&self) -> Zeroizing<String> {
        self.0.clone()
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdempotencyKey(..)")
    }
}

/// SHA-256 of a body's bytes. Equal digests mean the same request.
pub fn body_hash(body: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    // SHA-256 gives exactly 32 bytes, so the lengths agree.
    hash.copy_from_slice(digest::digest(&digest::SHA256, body).as_ref());
    hash
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(values: &[&[u8]]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(IDEMPOTENCY_KEY, HeaderValue::from_bytes(value).unwrap());
        }
        IdempotencyKey::read(&headers)
            .ok()
            .map(|key| key.as_str().to_owned())
    }

    #[test]
    fn sixteen_to_sixty_four_visible_characters_once() {
        let good = b"0123456789abcdef".as_slice();
        assert_eq!(read(&[good]).as_deref(), Some("0123456789abcdef"));
        assert!(read(&[&[b'~'; 64]]).is_some());
        for (values, why) in [
            (&[][..], "missing"),
            (&[&good[..15]], "short"),
            (&[&[b'a'; 65]], "long"),
            (&[b"0123456789 abcdef"], "space inside"),
            (&[b"0123456789abcde\xff"], "not ASCII"),
            (&[good, good], "twice"),
        ] {
            assert_eq!(read(values), None, "{why}");
        }
    }
}
