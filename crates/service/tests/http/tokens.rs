use serde_json::json;
use service::AppConfig;
use service::origin::Origin;

use super::sealing::{full_card, idempotency_key, pan_only, seal, seal_with};
use super::service::{OURS, Service, token_request};

#[tokio::test]
async fn a_card_becomes_a_token() {
    let service = Service::new();
    let answer = service.tokenize(&seal(&service.boot().await, &full_card())).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let body = answer.json();
    assert_eq!(body.as_object().unwrap().len(), 3);
    let token = body["token"].as_str().unwrap();
    assert!((22..=128).contains(&token.len()), "{} characters", token.len());
    assert!(
        !token.bytes().any(|byte| byte.is_ascii_digit()),
        "a token never looks like a number"
    );
    assert!(
        token
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    );
    // An hour after the clock of the tests, in UTC without a zone.
    assert_eq!(body["expires_at"], "2026-09-21T15:13:20");
    assert_eq!(body["card_mask"], "42424242****4242");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn a_number_alone_becomes_a_token_that_receives() {
    let service = Service::new();
    let envelope = seal_with(&service.boot().await, &pan_only(), |header| {
        header.claims.form = "pan_only".into()
    });
    let answer = service.tokenize(&envelope).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(answer.json()["card_mask"], "42424242****4242");
}

#[tokio::test]
async fn what_the_shop_knows_of_the_customer_may_come_along() {
    let service = Service::new();
    for body in [
        json!({"customer_ip": "192.0.2.7", "customer_id": "c-1", "customer_email": "a@shop.example"}),
        json!({"customer_ip": "", "customer_id": "", "customer_email": ""}),
        json!({"customer_ip": null, "customer_id": null, "customer_email": null, "later": {"a": [1]}}),
    ] {
        let mut body = body;
        body["envelope"] = seal(&service.boot().await, &full_card()).into();
        let answer = service
            .send(token_request(&body.to_string(), &idempotency_key()))
            .await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
}

#[tokio::test]
async fn a_body_counts_under_any_content_type() {
    let service = Service::new();
    for content_type in [
        Some("application/json"),
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        None,
    ] {
        let body = json!({"envelope": seal(&service.boot().await, &full_card())}).to_string();
        let mut request = token_request(&body, &idempotency_key());
        request.headers_mut().remove("content-type");
        if let Some(content_type) = content_type {
            request
                .headers_mut()
                .insert("content-type", content_type.parse().unwrap());
        }
        assert_eq!(service.send(request).await.status, 201, "{content_type:?}");
    }
}

#[tokio::test]
async fn the_address_behind_a_proxy_is_ours() {
    let service = Service::with(AppConfig {
        public_origin: Some(Origin::parse("https://pay.example").unwrap()),
        ..AppConfig::default()
    });
    for (origin, status) in [
        ("https://pay.example", 201),
        (OURS, 403),
        ("https://pay.example:8443", 403),
    ] {
        let body = json!({"envelope": seal(&service.boot().await, &full_card())}).to_string();
        let mut request = token_request(&body, &idempotency_key());
        request.headers_mut().insert("origin", origin.parse().unwrap());
        assert_eq!(service.send(request).await.status, status, "{origin}");
    }
}
