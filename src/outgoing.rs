//! From Rust to JavaScript: the token request, and messages to the shop. Names and shapes of the messages are those of
//! `www/shared/messages.d.ts`.

use js_sys::Object;

use crate::browser::Browser;
use crate::incoming::{Failure, Init, Token};
use crate::json::{object, set};

/// Body of the token request: a `wire::token::TokenRequest`. What the shop did not give is `undefined`, and left out.
pub(crate) fn token_request(envelope: &str, init: &Init) -> Object {
    let request = object(&[("envelope", &envelope.into())]);
    for name in ["customer_ip", "customer_id", "customer_email"] {
        set(&request, name, init.customer(name).value());
    }
    request
}

/// What the frame may say, beside what its inline script says.
pub(crate) enum Message<'a> {
    /// The form works and `init` has been taken in.
    Ready,
    /// A card became a token.
    Token(&'a Token),
    /// There is no token.
    Error(&'a Failure),
}

impl Message<'_> {
    /// Says it.
    pub(crate) fn send(&self, browser: &Browser) {
        let (kind, source, members): (_, _, &[_]) = match self {
            Self::Ready => ("ready", None, &[]),
            Self::Token(Token(token)) => ("token", Some(token), &TOKEN),
            Self::Error(Failure(body)) => ("error", Some(body), &ERROR),
        };
        let message = object(&[("type", &kind.into())]);
        if let Some(source) = source {
            for (name, member) in members {
                set(&message, name, source.at(member).value());
            }
        }
        if let Self::Error(_) = self {
            set(&message, "stage", &"submit".into());
        }
        browser.tell(&message);
    }
}

/// Members of the message `token`, and where they come from in a `wire::token::TokenResponse`.
const TOKEN: [(&str, &str); 3] = [
    ("token", "token"),
    ("expires_at", "expires_at"),
    ("card_mask", "card_mask"),
];

/// Members of the message `error`, and where they come from in a `wire::ErrorBody`.
const ERROR: [(&str, &str); 5] = [
    ("code", "code"),
    ("message", "message"),
    ("retryable", "retryable"),
    ("actor", "actor"),
    ("correlation_id", "error_id"),
];
