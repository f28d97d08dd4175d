//! `POST /api/v2/sdk/tokenize` and `/api/v1/sdk/tokenize`: a card from an app, in clear within TLS (wire notes §6).
//!
//! There is no type for the request here: only the vault reads it.

use alloc::string::String;
use serde::{Deserialize, Serialize};

/// Path that answers [`AppToken`].
pub const PATH: &str = "/api/v2/sdk/tokenize";

/// Older path, which answers [`AppTokenV1`].
pub const PATH_V1: &str = "/api/v1/sdk/tokenize";

/// Header that holds the widget key.
pub const WIDGET_ID: &str = "X-Widget-Id";

/// Header that holds HMAC-SHA256 over the body's values under the widget key, in lower-case hexadecimal.
pub const SIGN: &str = "X-Sign";

/// Answer of version 2.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppToken {
    /// The token, as a widget gets it.
    pub token: String,
    /// End of the token's life in UTC, written without zone and fraction.
    pub expires_at: String,
    /// First digits, one `*` per hidden digit, last four digits.
    pub card_mask: String,
    /// Always there.
    pub issuer: Issuer,
}

/// Answer of version 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppTokenV1 {
    /// The token, as a widget gets it.
    pub token: String,
}

/// Who issued the card. Null is what is not known: nothing here asks a directory of issuers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issuer {
    /// Name of the bank.
    pub bank: Option<String>,
    /// Country, ISO 3166-1 alpha-3.
    pub iso_a3_code: Option<String>,
    /// `debit`, `credit` and the like.
    pub card_type: Option<String>,
}

/// Body of every refusal of these two calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppError {
    /// The stable code, see [`crate::Code`].
    pub id: String,
    /// What is wrong and what to do next. Never an echo of input.
    pub error_message: String,
}
