//! Control of the sandbox.

use serde_json::{Value, json};
use service::AppConfig;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::sealing::{full_card, seal};
use super::service::{Answer, Service, call, call_as};
use super::socket::{Client, Running};

const NEW: &str = "/api/payments/v1/new";

fn sandbox() -> Service {
    Service::with(AppConfig {
        sandbox: true,
        ..AppConfig::default()
    })
}

async fn ask(service: &Service, method: &str, path: &str, body: Value) -> Answer {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    service
        .send(call(method, &format!("/sandbox/v1/{path}"), &body))
        .await
}

async fn told(service: &Service, method: &str, path: &str, body: Value) -> Value {
    let answer = ask(service, method, path, body).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.json()
}

fn payment(external_id: &str) -> Value {
    json!({
        "amount": 100.5, "currency": "UAH", "external_id": external_id, "mode": "direct",
        "customer": { "payment_method": { "type": "cc", "cc": {
            "number": "4111111111111111", "exp_month": 12, "exp_year": 2030, "cvv": "123",
        } } },
    })
}

async fn pay(service: &Service, external_id: &str) -> Answer {
    service
        .send(call("POST", NEW, &payment(external_id).to_string()))
        .await
}

#[tokio::test]
async fn without_a_sandbox_there_is_nothing_to_control() {
    let service = Service::new();
    for (method, path) in [("GET", "overview"), ("POST", "reset"), ("POST", "balance")] {
        let answer = ask(&service, method, path, Value::Null).await;
        assert_eq!(answer.refusal(), (404, "not_found".into()), "{path}");
    }
    assert_eq!(service.get("/sandbox").await.status, 404);
    // And nothing that goes wrong on purpose.
    assert_eq!(pay(&service, "one").await.status, 200);
}

#[tokio::test]
async fn what_happens_is_told_and_can_be_undone() {
    let service = sandbox();
    let balance = json!({ "amount": "1.5", "currency": "UAH" });
    let set = told(&service, "POST", "balance", balance).await;
    assert_eq!(set, json!({ "amount": "1.50", "currency": "UAH" }));
    let saved = told(&service, "POST", "snapshots", Value::Null).await;
    assert_eq!(pay(&service, "one").await.status, 200);
    let overview = told(&service, "GET", "overview", Value::Null).await;
    assert_eq!(overview["project"], "sandbox");
    assert_eq!(overview["operations"][0]["external_id"], "one");
    assert_eq!(overview["operations"][0]["card_mask"], "41111111****1111");
    assert_eq!(overview["operations"][0]["status_code"], "transaction_successful");
    assert_eq!(
        overview["balances"]["UAH"],
        json!({ "refunds": "102.00", "payouts": "102.00", "reserved": "0.00" })
    );
    assert!(!overview.to_string().contains("4111111111111111"));

    let restore = format!("snapshots/{}/restore", saved["id"].as_str().unwrap());
    assert_eq!(told(&service, "POST", &restore, Value::Null).await, saved);
    let overview = told(&service, "GET", "overview", Value::Null).await;
    assert_eq!(overview["operations"], json!([]));
    assert_eq!(overview["balances"]["UAH"]["refunds"], "1.50");
    // The number of the order is free again.
    assert_eq!(pay(&service, "one").await.status, 200);
    told(&service, "POST", "reset", Value::Null).await;
    let overview = told(&service, "GET", "overview", Value::Null).await;
    assert_eq!(
        (&overview["operations"], &overview["balances"]),
        (&json!([]), &json!({}))
    );

    let unknown = ask(
        &service,
        "POST",
        "snapshots/123456789012345678/restore",
        Value::Null,
    )
    .await;
    assert_eq!(unknown.refusal(), (400, "data_not_found".into()));
    let others = call_as(
        "sandbox-2:sandbox-2-password",
        "POST",
        &format!("/sandbox/v1/{restore}"),
        "",
    );
    assert_eq!(
        service.send(others).await.refusal(),
        (400, "data_not_found".into())
    );
    let nobodys = call_as("sandbox:wrong", "GET", "/sandbox/v1/overview", "");
    assert_eq!(
        service.send(nobodys).await.refusal(),
        (401, "authorization_failed".into())
    );
}

#[tokio::test]
async fn a_customer_gets_a_token() {
    let service = sandbox();
    let made = told(&service, "POST", "customers/%D1%96-17/access-token", Value::Null).await;
    let project = service
        .processing
        .authenticate("sandbox", b"sandbox-password")
        .unwrap();
    let token = made["access_token"].as_str().unwrap();
    let customer = service.processing.read_customer_token(&project, token).unwrap();
    assert_eq!(customer.as_str(), "і-17");
    assert_eq!(made["expires_at"], "2026-09-22T14:13:20Z");
}

#[tokio::test]
async fn limits_are_off_until_they_are_asked_for() {
    let service = sandbox();
    assert_eq!(pay(&service, "one").await.header("x-ratelimit-limit"), "1000000");
    let limits = json!({ "requests_per_minute": 2, "tokens_per_minute": 1, "cards_per_hour": null });
    told(&service, "POST", "limits", limits).await;
    for external_id in ["two", "three"] {
        assert_eq!(pay(&service, external_id).await.header("x-ratelimit-limit"), "2");
    }
    let refused = pay(&service, "four").await;
    assert_eq!(refused.refusal(), (429, "too_many_requests".into()));
    assert_eq!(refused.header("x-ratelimit-remaining"), "0");
    for status in [201, 429] {
        let answer = service.tokenize(&seal(&service.boot().await, &full_card())).await;
        assert_eq!(answer.status, status);
    }
    // Whoever has used them up can turn them off.
    told(&service, "POST", "limits", json!({})).await;
    assert_eq!(pay(&service, "four").await.status, 200);
    // The second card is one too many.
    told(&service, "POST", "limits", json!({ "cards_per_hour": 1 })).await;
    for (payload, status) in [(full_card(), 201), (full_card(), 201), (other_card(), 429)] {
        let answer = service.tokenize(&seal(&service.boot().await, &payload)).await;
        assert_eq!(answer.status, status);
    }
    let overview = told(&service, "GET", "overview", Value::Null).await;
    let tokens = overview["tokens"].as_array().unwrap();
    assert_eq!(
        (tokens.len(), &tokens[0]["widget_key"]),
        (3, &json!("wk_sandbox"))
    );
    for (body, param) in [
        (json!({ "requests_per_minute": 0 }), "requests_per_minute"),
        (json!({ "cards_per_hour": -1 }), "cards_per_hour"),
    ] {
        let answer = ask(&service, "POST", "limits", body).await;
        assert_eq!(answer.json()["param"], param);
    }
}

#[tokio::test]
async fn faults_happen_once_in_their_order() {
    let service = sandbox();
    let faults = json!([
        { "path": NEW, "kind": "error", "status": 503, "code": "internal_error" },
        { "path": "/api/payments/*", "kind": "forced_result", "code": "insufficient_funds" },
        { "path": "/api/payments/v1/refund", "kind": "drop" },
    ]);
    let added = told(&service, "POST", "faults", faults).await;
    assert_eq!(added["faults"].as_array().unwrap().len(), 3);
    assert_eq!(
        pay(&service, "one").await.refusal(),
        (503, "internal_error".into())
    );
    let declined = pay(&service, "one").await.json();
    assert_eq!(declined["details"]["status_code"], "insufficient_funds");
    let paid = pay(&service, "one").await.json();
    assert_eq!(paid["is_success"], true);
    let left = told(&service, "GET", "faults", Value::Null).await;
    assert_eq!(left["faults"][0]["kind"], "drop");
    told(&service, "DELETE", "faults", Value::Null).await;
    assert_eq!(
        told(&service, "GET", "faults", Value::Null).await,
        json!({ "faults": [] })
    );

    for (body, param) in [
        (json!([]), "faults"),
        (json!([{ "path": NEW, "kind": "explode" }]), "faults.kind"),
        (json!([{ "kind": "drop" }]), "faults.path"),
        (json!([{ "path": "/sandbox/v1/reset", "kind": "drop" }]), "path"),
        (json!("drop"), ""),
    ] {
        let answer = ask(&service, "POST", "faults", body.clone()).await;
        assert_eq!(answer.refusal(), (400, "invalid_request_body".into()), "{body}");
        assert_eq!(answer.json()["param"], param, "{body}");
    }
}

#[tokio::test]
async fn a_call_that_arrives_twice_is_done_once() {
    let service = sandbox();
    told(
        &service,
        "POST",
        "faults",
        json!([{ "path": NEW, "kind": "duplicate" }]),
    )
    .await;
    let second = pay(&service, "one").await;
    assert_eq!(second.refusal(), (400, "transaction_already_paid".into()));
    let overview = told(&service, "GET", "overview", Value::Null).await;
    assert_eq!(overview["operations"].as_array().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_arrives_behind_the_next_one() {
    let service = sandbox();
    told(
        &service,
        "POST",
        "faults",
        json!([{ "path": NEW, "kind": "reorder" }]),
    )
    .await;
    let (first, second) = tokio::join!(pay(&service, "one"), async {
        tokio::task::yield_now().await;
        pay(&service, "one").await
    });
    assert_eq!(second.status, 200);
    assert_eq!(first.refusal(), (400, "transaction_already_paid".into()));
}

#[tokio::test]
async fn the_page_loads_nothing_from_elsewhere() {
    let service = sandbox();
    let page = service.get("/sandbox").await;
    assert_eq!(
        (page.status.as_u16(), page.header("content-type")),
        (200, "text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';"),
        "{policy}"
    );
    let text = page.text();
    for address in text.split('"').filter(|text| text.starts_with("/sandbox/")) {
        assert_eq!(service.get(address).await.status, 200, "{address}");
    }
    assert!(
        !text.contains("http") && !text.contains("style="),
        "its own files alone"
    );
    for (address, status) in [
        ("/sandbox/art/blue.png", 200),
        ("/sandbox/art/red.png", 404),
        ("/sandbox/banks/bank_a.svg", 200),
        ("/sandbox/banks/stub.svg", 200),
        ("/sandbox/banks/bank_z.svg", 404),
        ("/sandbox/fiscal/123456789012345678", 200),
        ("/sandbox/fiscal/12345678901234567%3C", 404),
    ] {
        assert_eq!(service.get(address).await.status, status, "{address}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_lost_and_the_payment_is_made() {
    let service = sandbox();
    let faults = json!([{ "path": NEW, "kind": "lost_answer" }, { "path": NEW, "kind": "drop" }]);
    told(&service, "POST", "faults", faults).await;
    let running = Running::start(&service).await;
    for external_id in ["lost", "dropped"] {
        let mut client = Client::connect(running.address).await;
        let body = payment(external_id).to_string();
        let head = format!(
            "POST {NEW} HTTP/1.1\r\nhost: localhost\r\nauthorization: Basic c2FuZGJveDpzYW5kYm94LXBhc3N3b3Jk\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        client.stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        client.stream.read_to_end(&mut answer).await.unwrap();
        assert_eq!(answer, b"", "{external_id}: not a word");
    }
    let code = pay(&service, "lost").await.refusal();
    assert_eq!(code, (400, "transaction_already_paid".into()));
    assert_eq!(pay(&service, "dropped").await.status, 200);
    running.stop().await;
}

#[tokio::test]
async fn the_clock_is_set_and_runs_on() {
    let service = sandbox();
    let now = |answer: Value| answer["now"].as_str().unwrap().to_owned();
    assert_eq!(
        now(told(&service, "GET", "clock", Value::Null).await),
        "2026-09-21T14:13:20Z"
    );
    let advanced = told(&service, "POST", "clock/advance", json!({ "seconds": 86_400 })).await;
    assert_eq!(now(advanced), "2026-09-22T14:13:20Z");
    let set = told(
        &service,
        "POST",
        "clock",
        json!({ "now": "2026-09-21T00:00:00+03:00" }),
    )
    .await;
    assert_eq!(now(set), "2026-09-20T21:00:00Z");
    pay(&service, "one").await;
    let overview = told(&service, "GET", "overview", Value::Null).await;
    assert!(
        overview["operations"][0]["created_at"]
            .as_str()
            .unwrap()
            .starts_with("2026-09-20T21:00:0")
    );
    for (path, body, param) in [
        ("clock", json!({}), "now"),
        ("clock", json!({ "now": "yesterday" }), "now"),
        ("clock", json!({ "now": "1999-01-01T00:00:00Z" }), "now"),
        ("clock/advance", json!({ "seconds": -1 }), "seconds"),
        ("clock/advance", json!({ "seconds": 1.5 }), "seconds"),
        (
            "clock/advance",
            json!({ "seconds": 99_999_999_999_u64 }),
            "seconds",
        ),
    ] {
        let answer = ask(&service, "POST", path, body.clone()).await;
        assert_eq!(answer.refusal(), (400, "invalid_request_body".into()), "{body}");
        assert_eq!(answer.json()["param"], param, "{body}");
    }
}

/// Another number than `full_card` has.
fn other_card() -> Vec<u8> {
    let text = String::from_utf8(full_card()).unwrap();
    text.replace("4242424242424242", "4111111111111111").into_bytes()
}
