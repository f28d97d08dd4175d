//! Cards of apps, version 1 and 2.

use std::num::NonZeroU32;

use aws_lc_rs::hmac;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use service::AppConfig;
use service::limit::{Limit, Rates};
use vault::{Vault, VaultConfig, WidgetKey};

use super::sealing::{VISA, full_card, idempotency_key, seal};
use super::service::{Answer, SHOP, Service};

pub(crate) const V2: &str = "/api/v2/sdk/tokenize";
pub(crate) const V1: &str = "/api/v1/sdk/tokenize";

/// What an app sends, all of it.
pub(crate) fn card() -> Value {
    json!({
        "card_number": VISA, "card_exp_month": 12, "card_exp_year": 28, "card_cvv": "123",
        "card_holder_name": "A \"B\" C", "customer_id": "customer-17", "customer_email": null,
        "platform": "ios", "sdk_version": "1.2.3", "device_rooted": false, "app_tags": ["b", "a"],
    })
}

/// `X-Sign` of a body, written here a second time, from the interface.
pub(crate) fn sign(key: &str, body: &Value) -> String {
    let mut members: Vec<_> = body.as_object().unwrap().iter().collect();
    members.sort_by(|one, other| one.0.cmp(other.0));
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let signed: String = members
        .iter()
        .map(|(_, value)| match value {
            Value::Array(items) => {
                let mut items: Vec<String> = items.iter().map(text).collect();
                items.sort();
                items.join(",")
            }
            other => text(other),
        })
        .collect();
    let tag = hmac::sign(
        &hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()),
        signed.as_bytes(),
    );
    tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn request(path: &str, key: &str, sign: &str, body: &str) -> Request<Body> {
    Request::post(path)
        .header("host", "localhost:8080")
        .header("content-type", "application/json")
        .header("x-widget-id", key)
        .header("x-sign", sign)
        .body(Body::from(body.to_owned()))
        .unwrap()
}

async fn send(service: &Service, path: &str, body: &Value) -> Answer {
    let request = request(path, "wk_sandbox", &sign("wk_sandbox", body), &body.to_string());
    service.send(request).await
}

/// Status and code, after checking that the body is what the interface says and holds nothing of the card.
fn refusal(answer: &Answer) -> (u16, String) {
    assert_eq!(answer.header("content-type"), "application/json");
    let body = answer.json();
    assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
    assert!(body["error_message"].as_str().unwrap().ends_with(['.', ']']));
    for secret in [VISA, "customer-17", "wk_sandbox"] {
        assert!(!answer.text().contains(secret), "{secret}");
    }
    (answer.status.as_u16(), body["id"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn both_versions_answer_as_the_interface_says() {
    let service = Service::new();
    let answer = send(&service, V2, &card()).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let body = answer.json();
    let token = body["token"].as_str().unwrap();
    assert!(token.starts_with("ct_") && token.len() <= 128);
    assert_eq!(
        body,
        json!({
            "token": token,
            "expires_at": "2026-09-21T15:13:20",
            "card_mask": "42424242****4242",
            "issuer": {"bank": null, "iso_a3_code": null, "card_type": null},
        })
    );
    let older = send(&service, V1, &card()).await;
    assert_eq!(older.status, 201);
    let body = older.json();
    assert_eq!(body, json!({"token": body["token"]}));
    assert_ne!(
        body["token"], token,
        "without an idempotency key, each call makes one"
    );
    assert_eq!(older.header("connection"), "close");
}

#[tokio::test]
async fn years_have_two_or_four_digits() {
    let service = Service::new();
    for (year, expected) in [
        (28, 201),
        (2028, 201),
        (26, 201),
        (25, 422),
        (2025, 422),
        (128, 422),
        (99, 422),
    ] {
        let mut body = card();
        body["card_exp_year"] = json!(year);
        let answer = send(&service, V2, &body).await;
        assert_eq!(answer.status, expected, "{year}: {}", answer.text());
    }
}

#[tokio::test]
async fn keys_and_origins() {
    let service = Service::new();
    let store = service.database();
    let path = store.strip_prefix("sqlite:").unwrap();
    let vault = Vault::open(VaultConfig::new(
        std::path::PathBuf::from(path),
        service.clock.clone(),
    ))
    .unwrap();
    vault
        .add_widget_key(&WidgetKey {
            id: "wk_frames".into(),
            project: "sandbox".into(),
            live: false,
            origins: vec![SHOP.into()],
            apps: false,
        })
        .unwrap();
    for (key, origin, expected, why) in [
        ("", None, (401, "widget_key_unknown"), "no key"),
        ("wk_nobody", None, (401, "widget_key_unknown"), "unknown"),
        (
            "wk_frames",
            None,
            (403, "access_not_allowed"),
            "without the permission",
        ),
        (
            "wk_sandbox",
            Some("https://evil.example"),
            (403, "origin_not_allowed"),
            "a page",
        ),
        (
            "wk_sandbox",
            Some("null"),
            (403, "origin_opaque"),
            "an opaque page",
        ),
        ("wk_sandbox", Some(SHOP), (201, ""), "a page of the shop's"),
    ] {
        let mut request = request(V2, key, &sign(key, &card()), &card().to_string());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        let answer = service.send(request).await;
        if expected.0 == 201 {
            assert_eq!(answer.status, 201, "{why}");
        } else {
            assert_eq!(refusal(&answer), (expected.0, expected.1.to_owned()), "{why}");
        }
    }
}

#[tokio::test]
async fn what_is_not_a_signed_card_is_refused() {
    let service = Service::new();
    let with = |name: &str, value: Value| {
        let mut body = card();
        body[name] = value;
        body
    };
    let good = card().to_string();
    let large = json!({"card_number": "4".repeat(17_000)}).to_string();
    let deep = format!(r#"{{"a":{}"#, "[".repeat(15_000));
    for (body, sign, expected, why) in [
        (
            good.as_str(),
            String::new(),
            (400, "signature_invalid"),
            "no signature",
        ),
        (
            good.as_str(),
            sign("wk_sandbox_2", &card()),
            (400, "signature_invalid"),
            "another key's",
        ),
        (
            good.as_str(),
            sign("wk_sandbox", &with("card_cvv", json!("124"))),
            (400, "signature_invalid"),
            "another body's",
        ),
        (large.as_str(), String::new(), (413, "body_too_large"), "large"),
        ("", String::new(), (400, "invalid_request_body"), "empty"),
        (
            "seventeen",
            String::new(),
            (400, "invalid_request_body"),
            "not JSON",
        ),
        (
            deep.as_str(),
            String::new(),
            (400, "invalid_request_body"),
            "deep",
        ),
        (
            r#"{"a":{"b":1}}"#,
            String::new(),
            (400, "invalid_request_body"),
            "not flat",
        ),
    ] {
        let answer = service.send(request(V2, "wk_sandbox", &sign, body)).await;
        assert_eq!(refusal(&answer), (expected.0, expected.1.to_owned()), "{why}");
    }
    for (name, value, expected) in [
        (
            "card_number",
            json!("4242424242424241"),
            (422, "wrong_card_number"),
        ),
        (
            "card_number",
            json!("4242 4242 4242 4242"),
            (422, "wrong_card_number"),
        ),
        (
            "card_number",
            json!(4_242_424_242_424_242_u64),
            (400, "invalid_request_body"),
        ),
        ("card_exp_month", json!(13), (422, "wrong_expiry")),
        ("card_exp_month", json!(0), (422, "wrong_expiry")),
        ("card_exp_month", json!("12"), (400, "invalid_request_body")),
        ("card_cvv", json!("12"), (422, "wrong_cvv")),
        ("card_cvv", json!(null), (400, "invalid_request_body")),
        ("customer_id", json!(["a"]), (400, "invalid_request_body")),
    ] {
        let answer = send(&service, V1, &with(name, value.clone())).await;
        assert_eq!(
            refusal(&answer),
            (expected.0, expected.1.to_owned()),
            "{name} {value}"
        );
    }
}

#[tokio::test]
async fn a_repeat_is_possible_for_those_who_ask() {
    let service = Service::new();
    let key = idempotency_key();
    let repeat = |body: Value| {
        let mut request = request(V2, "wk_sandbox", &sign("wk_sandbox", &body), &body.to_string());
        request
            .headers_mut()
            .insert("idempotency-key", key.parse().unwrap());
        service.send(request)
    };
    let first = repeat(card()).await;
    assert_eq!(first.status, 201);
    let second = repeat(card()).await;
    assert_eq!((second.status.as_u16(), second.json()), (200, first.json()));
    let mut other = card();
    other["card_cvv"] = json!("321");
    assert_eq!(
        refusal(&repeat(other).await),
        (409, "idempotency_conflict".into())
    );
}

/// Apps and frames use up one limit, and both are told how it stands.
#[tokio::test]
async fn limits_hold_for_apps_too() {
    let service = Service::with(AppConfig {
        rates: Rates {
            key_and_address: NonZeroU32::new(2).map(Limit::At),
            ..Rates::default()
        },
        ..AppConfig::default()
    });
    assert_eq!(
        send(&service, V2, &card()).await.header("x-ratelimit-remaining"),
        "1"
    );
    let framed = service.tokenize(&seal(&service.boot().await, &full_card())).await;
    assert_eq!(framed.header("x-ratelimit-remaining"), "0");
    let refused = send(&service, V2, &card()).await;
    assert_eq!(refusal(&refused), (429, "too_many_requests".into()));
    assert!((1..=30).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
}
