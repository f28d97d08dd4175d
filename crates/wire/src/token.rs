//! `POST /api/widget/v1/tokens`: an envelope in, a token out.

use alloc::string::String;
use serde::{Deserialize, Serialize};

/// Path of the call.
pub const PATH: &str = "/api/widget/v1/tokens";

/// Header that makes a repeat of the same request answer the same token (draft-ietf-httpapi-idempotency-key-header).
pub const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// Shortest and longest idempotency key, in visible ASCII characters.
pub const IDEMPOTENCY_KEY_LENGTH: core::ops::RangeInclusive<usize> = 16..=64;

/// Largest body accepted, in bytes. An envelope takes about 1 KiB.
pub const BODY_LIMIT: usize = 16 * 1024;

/// Body of the request. Unknown members are ignored; `null` means absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRequest {
    /// Compact JWE of the profile in the crate `seal`; its plaintext is a [`crate::payload::CardPayload`].
    pub envelope: String,
    /// Customer's address as the shop saw it: advice only, the connection's address is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer_ip: Option<String>,
    /// Customer's id at the shop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    /// Customer's e-mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer_email: Option<String>,
}

/// Body of the answer, and what `onToken` receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenResponse {
    /// The token: URL-safe, at most 128 characters, without digits.
    pub token: String,
    /// End of the token's life in UTC, written without zone and fraction: `2026-01-31T23:59:59`.
    pub expires_at: String,
    /// First digits, one `*` per hidden digit, last four digits: 13 to 19 characters.
    pub card_mask: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_and_unknown_members_are_accepted() {
        let request: TokenRequest =
            serde_json::from_str(r#"{"envelope":"e","customer_ip":null,"later":1}"#).unwrap();
        assert_eq!(request.envelope, "e");
        assert_eq!(request.customer_ip, None);
    }

    #[test]
    fn a_number_is_not_an_envelope() {
        assert!(serde_json::from_str::<TokenRequest>(r#"{"envelope":1}"#).is_err());
    }
}
