//! What is said of each address.

use serde_json::json;
use wire::Code;
use wire::app::{AppToken, AppTokenV1, Issuer, SIGN, WIDGET_ID};
use wire::boot::{Boot, SealingKey};
use wire::token::{IDEMPOTENCY_KEY, TokenRequest, TokenResponse};

use super::operation::{Errors, Operation};
use crate::assets::VERSION;
use crate::router::LOADER_PATH;
use crate::{alive, frame, inventory, metrics, texts};

pub(crate) fn tokens() -> Operation {
    Operation::post(
        wire::token::PATH,
        "Turns a sealed card into a token. Called by the frame alone.",
    )
    .header(
        IDEMPOTENCY_KEY,
        true,
        "16 to 64 visible ASCII characters. The same request again gets the same token for ten minutes.",
    )
    .header("Origin", true, "The service's own, as browsers send it.")
    .takes(
        TokenRequest {
            envelope: "eyJhbGciOiJFQ0RILUVTIn0..iv.ciphertext.tag".into(),
            customer_ip: Some("198.51.100.4".into()),
            customer_id: Some("customer-17".into()),
            customer_email: Some("person@shop.example".into()),
        },
        &["customer_ip", "customer_id", "customer_email"],
    )
    .answers(
        201,
        "A new token. `X-RateLimit-Limit`, `-Remaining` and `-Reset` (seconds) tell the nearest limit.",
        token(),
    )
    .answers(200, "The token of the same request before.", token())
    .refuses(Errors::Usual, TOKEN_REFUSALS)
}

pub(crate) fn app_tokens() -> Operation {
    let TokenResponse {
        token,
        expires_at,
        card_mask,
    } = token();
    of_an_app(wire::app::PATH, "Turns a card that an app sends into a token.").answers(
        201,
        "A new token; 200 for a repeat. Members of `issuer` are null where nothing is known.",
        AppToken {
            token,
            expires_at,
            card_mask,
            issuer: Issuer::default(),
        },
    )
}

pub(crate) fn app_tokens_v1() -> Operation {
    let token = token().token;
    of_an_app(wire::app::PATH_V1, "The older form of the same call.").answers(
        201,
        "A new token; 200 for a repeat.",
        AppTokenV1 { token },
    )
}

pub(crate) fn boot() -> Operation {
    let boot = Boot {
        key: "wk_sandbox".into(),
        origin: "https://shop.example".into(),
        ticket: "AQAAAABqse8…".into(),
        sealing_key: SealingKey {
            kid: "Zm9v".into(),
            x: "base64url of 32 bytes".into(),
            y: "base64url of 32 bytes".into(),
        },
        now: 1_790_000_000,
        live: false,
    };
    Operation::get(
        wire::boot::PATH,
        "A fresh ticket and the sealing key, for a form that has stood open for an hour.",
    )
    .query("key", true, "The widget key.")
    .query("origin", true, "The origin of the shop's page.")
    .answers(200, "What an envelope needs besides the card.", boot)
    .refuses(Errors::Usual, ADMISSION)
}

pub(crate) fn frame() -> Operation {
    let mut codes = vec![Code::FrameOnly, Code::WidgetAssetsMissing];
    codes.extend(ADMISSION);
    Operation::get(
        frame::PATH,
        "The page with the form, embeddable by the given origin alone.",
    )
    .query("key", true, "The widget key.")
    .query("origin", true, "The origin of the shop's page.")
    .query(
        "lang",
        false,
        "BCP 47 tag; English where there is no such language.",
    )
    .query("type", false, "`full_card` or `pan_only`.")
    .query("template", false, "`stacked` or `line`.")
    .query("style", false, "`plain` or `evo`.")
    .query("scheme", false, "`light`, `dark` or `auto`.")
    .query("theme", false, "Read by the page's own script.")
    .answers_with(200, "The form.", "text/html")
    .refuses(Errors::Page, &codes)
}

pub(crate) fn loader() -> Operation {
    Operation::get(LOADER_PATH, "The widget's script, of the current version.")
        .answers_with(
            200,
            "The script; `no-cache`, with an entity tag.",
            "text/javascript",
        )
        .refuses(Errors::Usual, &[Code::WidgetAssetsMissing])
}

/// All files of a version; each has a route of its own.
pub(crate) fn files() -> Operation {
    Operation::get(
        format!("/widget/{VERSION}/{{file}}"),
        "One file of this version; the inventory lists them.",
    )
    .answers_with(
        200,
        "The file; immutable where its name or content is fixed.",
        "*/*",
    )
    .refuses(Errors::Usual, &[Code::NotFound])
}

pub(crate) fn alive() -> Operation {
    Operation::get(
        alive::PATH,
        "An empty module: tells a page without a form whether the service is in reach.",
    )
    .answers_with(200, "The module; never kept.", "text/javascript")
}

pub(crate) fn inventory() -> Operation {
    Operation::get(
        inventory::PATH,
        "Every script with purpose, size and hash, and content policies to paste.",
    )
    .answers(
        200,
        "The inventory.",
        json!({"version": VERSION, "files": [], "policies": {"minimal": "", "strict": ""}}),
    )
}

pub(crate) fn texts() -> Operation {
    Operation::get(
        texts::path(),
        "The texts of another language, for a form that is open.",
    )
    .query("lang", false, "BCP 47 tag.")
    .query("type", false, "`full_card` or `pan_only`.")
    .answers(200, "The texts; immutable.", json!({"lang": "uk", "texts": {}}))
}

pub(crate) fn health() -> Operation {
    Operation::get("/healthz", "The process runs.").answers(200, "It does.", json!({"status": "ok"}))
}

pub(crate) fn ready() -> Operation {
    Operation::get("/readyz", "The service takes work, and its store answers.")
        .answers(200, "It does.", json!({"status": "ok"}))
        .refuses(Errors::Usual, &[Code::ServiceUnavailable])
}

pub(crate) fn metrics() -> Operation {
    Operation::get(
        metrics::PATH,
        "Figures, for programs on this machine; at an address of their own where one is set.",
    )
    .answers_with(200, "Prometheus' text form.", "application/openmetrics-text")
    .refuses(Errors::Usual, &[Code::NotFound])
}

pub(crate) fn document() -> Operation {
    Operation::get(super::PATH, "This document, OpenAPI 3.1.").answers(
        200,
        "The document.",
        json!({"openapi": "3.1.0"}),
    )
}

pub(crate) fn page() -> Operation {
    Operation::get(super::PAGE, "The same for people.").answers_with(200, "The page.", "text/html")
}

fn of_an_app(path: &str, summary: &'static str) -> Operation {
    let mut codes = vec![Code::AccessNotAllowed, Code::SignatureInvalid];
    let of_envelopes = [
        Code::TicketInvalid,
        Code::TicketExpired,
        Code::NonceReplayed,
        Code::SealingKeyUnknown,
    ];
    codes.extend(
        TOKEN_REFUSALS
            .iter()
            .filter(|code| !of_envelopes.contains(code) && !code.as_str().starts_with("envelope_")),
    );
    Operation::post(path, summary)
        .header(WIDGET_ID, true, "The widget key, which must be allowed for apps.")
        .header(SIGN, true, "HMAC-SHA256, in lower-case hexadecimal, under the widget key, of the body's values in the order of their names, without anything between: texts as they are, numbers in decimal, `true`, `false`, nothing for null, arrays as sorted texts joined by commas.")
        .header("Origin", false, "Apps send none; one that is sent must be allowed for the key.")
        .header(IDEMPOTENCY_KEY, false, "Beyond the interface: the same request again gets the same token for ten minutes.")
        .takes(
            json!({
                "card_number": "5555555555554444", "card_exp_month": 12, "card_exp_year": 2029, "card_cvv": "737",
                "customer_id": "customer-17", "customer_email": "person@shop.example",
            }),
            &["customer_id", "customer_email"],
        )
        .refuses(Errors::App, &codes)
}

fn token() -> TokenResponse {
    TokenResponse {
        token: "ct_abvqesseAqjFAjBammjbdqmxgrapmAyeuvjjszFDvBmwAkkcACnzlmjmtDbuaoBdalBFxrfejwAjC".into(),
        expires_at: "2026-01-31T23:59:59".into(),
        card_mask: "42424242****4242".into(),
    }
}

const ADMISSION: &[Code] = &[
    Code::WidgetKeyUnknown,
    Code::OriginNotAllowed,
    Code::OriginOpaque,
    Code::TooManyRequests,
    Code::ServiceUnavailable,
];

/// In the order in which they are found.
const TOKEN_REFUSALS: &[Code] = &[
    Code::BodyTooLarge,
    Code::RequestTimeout,
    Code::InvalidRequestBody,
    Code::EnvelopeMalformed,
    Code::WidgetKeyUnknown,
    Code::OriginNotAllowed,
    Code::OriginOpaque,
    Code::TooManyRequests,
    Code::IdempotencyKeyInvalid,
    Code::IdempotencyConflict,
    Code::TicketInvalid,
    Code::TicketExpired,
    Code::SealingKeyUnknown,
    Code::EnvelopeUnreadable,
    Code::EnvelopeMismatch,
    Code::WrongCardNumber,
    Code::CardExpired,
    Code::WrongExpiry,
    Code::WrongCvv,
    Code::WrongCardData,
    Code::NonceReplayed,
    Code::ServiceUnavailable,
    Code::InternalError,
];
