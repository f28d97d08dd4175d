//! Everything between a shop and the service that can go wrong.

use std::sync::Arc;
use std::time::{Duration, Instant};

use client::error::Family;
use client::interface::StatusCode;
use client::interface::query::OrderQuery;
use client::interface::values::ExternalId;
use client::{Error, RefundAmount, RefundRequest};
use serde_json::json;
use service::server::Tls;
use tokio::net::TcpListener;

use super::place::{ASKS, GOOD, Place, answer, answers, client, payment, settings};

const NEW: &str = "/api/payments/v1/new";
const REFUND: &str = "/api/payments/v1/refund";
const INFO: &str = "/api/payments/v1/info";

fn order(number: &str) -> OrderQuery {
    OrderQuery {
        external_id: ExternalId::new(number).unwrap(),
    }
}

fn full(number: &str) -> RefundRequest {
    RefundRequest::new(ExternalId::new(number).unwrap(), RefundAmount::Full)
}

#[tokio::test]
async fn a_payment_whose_answer_was_lost_is_not_made_twice() {
    let place = Place::new().await;
    let payments = place.client.payments();
    place
        .faults(json!([{ "path": NEW, "kind": "lost_answer" }]))
        .await;
    let lost = payments
        .create(&payment("order-1", GOOD, json!({})))
        .await
        .unwrap_err();
    let Error::Lost {
        remedy: Some(remedy), ..
    } = &lost
    else {
        panic!("{lost:?}");
    };
    assert_eq!(
        (remedy.call, &*remedy.params["external_id"]),
        ("payments.info", "order-1")
    );
    assert!(
        lost.to_string()
            .ends_with("Ask `payments.info` what became of it."),
        "{lost}"
    );
    let info = payments.info(&order("order-1")).await.unwrap();
    assert_eq!((info.purchased, info.purchase_details.len()), (true, 1));
    // The same number without a lost answer before it: the shop's own mistake.
    let again = payments
        .create(&payment("order-1", GOOD, json!({})))
        .await
        .unwrap_err();
    assert_eq!(again.code(), Some(&StatusCode::TransactionAlreadyPaid));
    // Where the first attempt waits for the payer, the second one is the one to go on with.
    place
        .faults(json!([{ "path": NEW, "kind": "lost_answer" }]))
        .await;
    let asks = payments
        .create(&payment("order-2", ASKS, json!({})))
        .await
        .unwrap();
    assert!(asks.action_required);
}

/// What a later attempt did not do says nothing of an earlier one, which may have used the token up.
#[tokio::test]
async fn a_refusal_behind_a_lost_answer_leaves_it_open() {
    let refusal = r#"{"code":"invalid_card_token","message":"Used up.","type":"payment_method_error"}"#;
    let later = r#"{"code":"too_many_requests","message":"Wait.","type":"api_error"}"#;
    for second in [
        answer("400 Bad Request", "", refusal),
        answer("429 Too Many Requests", "x-ratelimit-reset: 7200\r\n", later),
    ] {
        let url = answers(vec![None, second]).await;
        let body = payment("order-1", GOOD, json!({}));
        let lost = client(&url).payments().create(&body).await.unwrap_err();
        let Error::Lost { message, remedy } = &lost else {
            panic!("{lost:?}");
        };
        assert!(
            message.starts_with("an attempt got no answer, and a further one failed as well"),
            "{message}"
        );
        assert_eq!(remedy.as_ref().map(|remedy| remedy.call), Some("payments.info"));
    }
}

#[tokio::test]
async fn a_refund_whose_answer_was_lost_is_not_asked_for_again() {
    let place = Place::new().await;
    let payments = place.client.payments();
    for number in ["first", "second"] {
        payments.create(&payment(number, GOOD, json!({}))).await.unwrap();
    }
    place
        .faults(json!([{ "path": REFUND, "kind": "lost_answer" }]))
        .await;
    let part = RefundRequest::new(
        ExternalId::new("first").unwrap(),
        RefundAmount::Part("10".parse().unwrap()),
    );
    let lost = payments.refund(&part).await.unwrap_err();
    assert!(matches!(lost, Error::Lost { .. }), "{lost:?}");
    let info = payments.info(&order("first")).await.unwrap();
    assert_eq!(info.refund_details.len(), 1);
    // Closed before anything was done: nobody can tell from here, so the same.
    place.faults(json!([{ "path": REFUND, "kind": "drop" }])).await;
    let lost = payments.refund(&full("second")).await.unwrap_err();
    assert!(matches!(lost, Error::Lost { .. }), "{lost:?}");
    assert!(
        payments
            .info(&order("second"))
            .await
            .unwrap()
            .refund_details
            .is_empty()
    );
}

#[tokio::test]
async fn what_reads_is_asked_for_again() {
    let place = Place::new().await;
    let payments = place.client.payments();
    payments
        .create(&payment("order-1", GOOD, json!({})))
        .await
        .unwrap();
    place
        .faults(json!([
            { "path": INFO, "kind": "drop" },
            { "path": INFO, "kind": "error", "status": 500, "code": "internal_error" },
        ]))
        .await;
    payments.info(&order("order-1")).await.unwrap();
    // What the second attempt hears counts: nothing was done by the first.
    place.faults(json!([{ "path": INFO, "kind": "drop" }])).await;
    let unknown = payments.info(&order("nobody")).await.unwrap_err();
    assert!(unknown.code().is_some(), "{unknown}");
    place
        .faults(json!([{ "path": INFO, "kind": "drop", "times": 3 }]))
        .await;
    let lost = payments.info(&order("order-1")).await.unwrap_err();
    assert_eq!(lost.remedy(), None);
}

#[tokio::test]
async fn a_limit_is_waited_for() {
    let (limited, fine) = (
        answer(
            "429 Too Many Requests",
            "x-ratelimit-reset: 1\r\n",
            r#"{"code":"too_many_requests","message":"Wait.","param":"","payment_id":"","type":"api_error","error_id":"7"}"#,
        ),
        answer("200 OK", "", r#"{"receipt_url":"https://pay.example/receipt/1"}"#),
    );
    let url = answers(vec![limited.clone(), fine]).await;
    let begun = Instant::now();
    client(&url).payments().receipt(&order("order-1")).await.unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let hours = limited.unwrap().replace("reset: 1\r\n", "reset: 7200\r\n");
    let url = answers(vec![Some(hours)]).await;
    let Error::Refused(refused) = client(&url)
        .payments()
        .receipt(&order("order-1"))
        .await
        .unwrap_err()
    else {
        panic!("no refusal");
    };
    assert_eq!(refused.retry_after, Some(Duration::from_secs(7200)));
    assert_eq!((refused.status, &*refused.error_id), (429, "7"));
}

#[tokio::test]
async fn refusals_are_read_with_codes_that_are_new() {
    let body = r#"{"code":"moon_is_full","message":"Not today.","type":"lunar_error","more":1}"#;
    let url = answers(vec![answer("400 Bad Request", "", body)]).await;
    let Error::Refused(refused) = client(&url).payments().refund(&full("a")).await.unwrap_err() else {
        panic!("no refusal");
    };
    assert_eq!(refused.code, StatusCode::Other("moon_is_full".into()));
    assert_eq!(refused.family, Family::Other("lunar_error".to_owned()));
    assert_eq!(refused.to_string(), "moon_is_full: Not today.");
    let place = Place::new().await;
    let wrong = client::Client::new(&place.url, "sandbox", "another").unwrap();
    let refused = wrong.payments().info(&order("a")).await.unwrap_err();
    assert_eq!(refused.code(), Some(&StatusCode::AuthorizationFailed));
}

#[tokio::test]
async fn what_is_no_answer_is_told_in_a_sentence() {
    let html = "<!doctype html><title>Bad Gateway</title>";
    for (told, sentence) in [
        (
            answer("502 Bad Gateway", "content-type: text/html\r\n", html),
            "What came with status 502 is no answer of the service: it is a page in HTML; a proxy did not reach the service. \
             Ask `payments.info` what became of it.",
        ),
        (
            answer("404 Not Found", "", html),
            "What came with status 404 is no answer of the service: it is a page in HTML; check the service's address. \
             Ask `payments.info` what became of it.",
        ),
        (
            answer("302 Found", "location: https://elsewhere.example/\r\n", ""),
            "What came with status 302 is no answer of the service: it is empty; check the service's address. \
             Ask `payments.info` what became of it.",
        ),
        (
            answer("200 OK", "", r#"{"id":"1","external_id":"a","#),
            "What came with status 200 is no answer of the service: it is no whole JSON; is there a proxy in between, or an older version \
             of this library. Ask `payments.info` what became of it.",
        ),
        (
            answer("200 OK", "", "[]"),
            "What came with status 200 is no answer of the service: it is JSON of another kind; is there a proxy in between. \
             Ask `payments.info` what became of it.",
        ),
    ] {
        let url = answers(vec![told]).await;
        let error = client(&url).payments().refund(&full("a")).await.unwrap_err();
        assert_eq!(error.to_string(), sentence);
    }
    // Announced longer than it is.
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"id\":".to_owned();
    let url = answers(vec![Some(cut)]).await;
    let error = client(&url).payments().refund(&full("a")).await.unwrap_err();
    assert!(matches!(error, Error::Lost { .. }), "{error}");
}

/// A certificate that no authority vouches for: nobody is told the password.
#[tokio::test]
async fn strangers_are_not_spoken_to() {
    let folder = tempfile::TempDir::new().unwrap();
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let (certificate, key) = (
        folder.path().join("certificate.pem"),
        folder.path().join("key.pem"),
    );
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let tls = Tls::read(certificate, key).unwrap();
    let place = Place::with(Some(Arc::new(tls))).await;
    let error = client(&place.url)
        .payments()
        .refund(&full("a"))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::NotSent(_)), "{error}");
}

#[tokio::test]
async fn who_is_not_reached_has_done_nothing() {
    // A port that was free a moment ago.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = client(&url).payments().refund(&full("a")).await.unwrap_err();
    assert!(matches!(error, Error::NotSent(_)), "{error}");
    // Never in clear to another machine.
    let error = client::Client::new("http://pay.example", "login", "word").unwrap_err();
    assert!(error.to_string().contains("https"), "{error}");
}

#[tokio::test]
async fn time_ends_and_a_dropped_call_leaves_the_client_as_it_was() {
    let place = Place::new().await;
    let slow = json!([{ "path": NEW, "kind": "delay", "milliseconds": 5000 }]);
    place.faults(slow.clone()).await;
    let hasty = settings(&place.url).timeout(Duration::from_millis(400));
    let hasty = hasty.policy(client::retry::Policy::NEVER).client().unwrap();
    let late = hasty
        .payments()
        .create(&payment("late", GOOD, json!({})))
        .await
        .unwrap_err();
    assert!(matches!(late, Error::Lost { .. }), "{late}");
    place.faults(slow).await;
    let payments = place.client.payments();
    let body = payment("dropped", GOOD, json!({}));
    let dropped = tokio::time::timeout(Duration::from_millis(300), payments.create(&body)).await;
    assert!(dropped.is_err());
    assert!(
        payments
            .create(&payment("next", GOOD, json!({})))
            .await
            .unwrap()
            .is_success
    );
}
