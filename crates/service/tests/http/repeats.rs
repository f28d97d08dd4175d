use axum::http::StatusCode;
use serde_json::json;

use super::sealing::{full_card, idempotency_key, seal};
use super::service::{Service, token_request};

#[tokio::test]
async fn a_repeat_answers_the_same_token() {
    let service = Service::new();
    let body = json!({"envelope": seal(&service.boot().await, &full_card())}).to_string();
    let key = idempotency_key();
    let first = service.send(token_request(&body, &key)).await;
    assert_eq!(first.status, StatusCode::CREATED);
    for _ in 0..2 {
        let repeat = service.send(token_request(&body, &key)).await;
        assert_eq!(repeat.status, StatusCode::OK);
        assert_eq!(repeat.json(), first.json());
    }
}

#[tokio::test]
async fn a_repeat_is_answered_though_its_ticket_has_expired_meanwhile() {
    let service = Service::new();
    let boot = service.boot().await;
    service.clock.advance(3590);
    let body = json!({"envelope": seal(&boot, &full_card())}).to_string();
    let key = idempotency_key();
    let first = service.send(token_request(&body, &key)).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.text());
    service.clock.advance(60);
    let repeat = service.send(token_request(&body, &key)).await;
    assert_eq!((repeat.status, repeat.json()), (StatusCode::OK, first.json()));
}

#[tokio::test]
async fn another_body_under_the_same_key_is_a_conflict() {
    let service = Service::new();
    let boot = service.boot().await;
    let key = idempotency_key();
    let send = async |key: &str| {
        let body = json!({"envelope": seal(&boot, &full_card())}).to_string();
        service.send(token_request(&body, key)).await
    };
    assert_eq!(send(&key).await.status, StatusCode::CREATED);
    assert_eq!(send(&key).await.refusal(), (409, "idempotency_conflict".into()));
    assert_eq!(send(&idempotency_key()).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn the_same_envelope_under_another_key_is_a_replay() {
    let service = Service::new();
    let envelope = seal(&service.boot().await, &full_card());
    assert_eq!(service.tokenize(&envelope).await.status, StatusCode::CREATED);
    assert_eq!(
        service.tokenize(&envelope).await.refusal(),
        (409, "nonce_replayed".into())
    );
}

#[tokio::test]
async fn projects_do_not_share_idempotency_keys() {
    let service = Service::new();
    let key = idempotency_key();
    let mut tokens = Vec::new();
    for widget_key in ["wk_sandbox", "wk_sandbox_2"] {
        let body = json!({"envelope": seal(&service.boot_for(widget_key).await, &full_card())}).to_string();
        let answer = service.send(token_request(&body, &key)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        tokens.push(answer.json()["token"].clone());
    }
    assert_ne!(tokens[0], tokens[1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_clicks_at_once_make_one_token() {
    let service = Service::new();
    let body = json!({"envelope": seal(&service.boot().await, &full_card())}).to_string();
    let key = idempotency_key();
    let send = || service.send(token_request(&body, &key));
    let answers: [_; 5] = tokio::join!(send(), send(), send(), send(), send()).into();
    let created = answers
        .iter()
        .filter(|answer| answer.status == StatusCode::CREATED)
        .count();
    assert_eq!(created, 1);
    for answer in &answers {
        assert!(answer.status.is_success(), "{}", answer.text());
        assert_eq!(answer.json(), answers[0].json());
    }
}
