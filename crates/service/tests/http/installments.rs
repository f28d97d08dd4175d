//! Payment in parts as a shop's server and a payer's browser see it.

use axum::body::Body;
use axum::http::{Request, StatusCode as Status};
use serde_json::{Value, json};
use wire::interface::callback::signature;

use super::service::{Answer, OURS, Service, call, call_as};

const CREATE: &str = "/api/payparts/v1/order/create";
const CONFIRM: &str = "/api/payparts/v1/order/confirm";

async fn ask(service: &Service, method: &str, path: &str, body: Value) -> Answer {
    service.send(call(method, path, &body.to_string())).await
}

fn order(number: &str, bank: &str, more: Value) -> Value {
    let mut body = json!({
        "bank_name": bank, "mode": "direct", "external_id": number, "amount": "1200.50", "currency": "UAH", "parts_count": 4,
        "description": "A kettle", "callback_url": "https://shop.example/callbacks", "result_url": "https://shop.example/back",
        "products": [{ "name": "Kettle", "quantity": 1, "price": 1200.5 }], "customer": { "phone": "+380671112233", "email": "" },
        "payload": null, "unknown": [1],
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[tokio::test]
async fn a_payer_agrees_on_the_page_and_the_shop_confirms() {
    let service = Service::new();
    let made = ask(&service, "POST", CREATE, order("one", "bank_service", json!({}))).await;
    assert_eq!(made.status, 200, "{}", made.text());
    assert!(made.text().contains(r#""amount":1200.50"#), "{}", made.text());
    let made = made.json();
    assert_eq!(made.get("code"), None, "clients take it for an error");
    assert_eq!(
        (&made["is_success"], &made["action_required"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(
        (&made["details"]["method"], &made["details"]["status"]),
        (&json!("create"), &json!("init"))
    );
    let address = made["action"]["value"].as_str().unwrap();
    let path = address.strip_prefix(OURS).unwrap().to_owned();
    let page = service.get(&path).await;
    assert_eq!(page.status, 200);
    assert!(
        page.text().contains("UAH\u{a0}300.13"),
        "the largest part: {}",
        page.text()
    );
    assert!(page.text().contains("Kettle <span"), "{}", page.text());
    assert!(page.text().contains("× 1</span>"), "{}", page.text());
    let early = ask(&service, "POST", CONFIRM, json!({ "external_id": "one" })).await;
    assert_eq!(
        (early.status, &early.json()["code"]),
        (Status::BAD_REQUEST, &json!("action_not_allowed"))
    );
    let project = service.processing.find_project("sandbox").unwrap().unwrap();
    let form = |origin: &str| {
        let request = Request::post(&path)
            .header("host", "localhost:8080")
            .header("origin", origin);
        request.body(Body::from("answer=agreed")).unwrap()
    };
    // Nobody agrees from another site's form.
    assert_eq!(service.send(form("https://evil.example")).await.status, 403);
    assert_eq!(service.send(form(OURS)).await.status, 303);
    let confirmed = ask(
        &service,
        "POST",
        CONFIRM,
        json!({ "external_id": "one", "payload": "p" }),
    )
    .await;
    let confirmed = confirmed.json();
    assert_eq!(
        (
            &confirmed["is_success"],
            &confirmed["details"]["status_code"],
            &confirmed["details"]["payload"]
        ),
        (&json!(true), &json!("transaction_successful"), &json!("p"))
    );
    let receipt = confirmed["receipt_url"].as_str().unwrap();
    let receipt = receipt.split_once("/receipt/").unwrap().1;
    assert_eq!(service.get(&format!("/receipt/{receipt}")).await.status, 200);
    let told = service.processing.journal(&project, None, 1).unwrap().remove(0);
    assert_eq!(
        (told.external_id.as_str(), told.operation.as_str()),
        ("one", "confirm")
    );
    assert!(told.body.contains(r#""amount":1200.50"#), "{}", told.body);
    assert!(!signature(b"sandbox-password", told.body.as_bytes()).is_empty());
}

#[tokio::test]
async fn banks_are_a_bare_array_with_amounts_as_numbers() {
    let service = Service::new();
    let banks = ask(&service, "GET", "/api/payparts/v1/banks/info", json!({})).await;
    assert!(banks.text().starts_with('['), "{}", banks.text());
    assert!(
        banks.text().contains(r#""limits":{"min_amount":1.00,"#),
        "{}",
        banks.text()
    );
}

#[tokio::test]
async fn an_order_is_its_projects_alone_and_refusals_have_their_statuses() {
    let service = Service::new();
    ask(&service, "POST", CREATE, order("one", "bank_a", json!({}))).await;
    let body = json!({ "external_id": "one" }).to_string();
    for path in [
        CONFIRM,
        "/api/payparts/v1/order/cancel",
        "/api/payparts/v1/refund",
        "/api/payparts/v1/refund/retry",
    ] {
        let other = service
            .send(call_as("sandbox-2:sandbox-2-password", "POST", path, &body))
            .await;
        assert_eq!(
            (other.status, &other.json()["code"]),
            (Status::BAD_REQUEST, &json!("transaction_not_found")),
            "{path}"
        );
    }
    let wrong = ask(
        &service,
        "POST",
        CREATE,
        order("two", "bank_a", json!({ "parts_count": 25 })),
    )
    .await;
    let told = wrong.json();
    assert_eq!(wrong.status, 400);
    assert_eq!(
        (&told["code"], &told["param"]),
        (&json!("wrong_payparts_period"), &json!("parts_count"))
    );
    let unknown = ask(
        &service,
        "GET",
        "/api/payparts/v1/info?external_id=two",
        json!({}),
    )
    .await;
    assert_eq!(
        (unknown.status, &unknown.json()["code"]),
        (Status::BAD_REQUEST, &json!("data_not_found"))
    );
    for path in [
        "/installment/",
        "/installment/x",
        "/installment/0123456789abcdef0123456789abcdef",
    ] {
        assert_eq!(service.get(path).await.status, 404, "{path}");
    }
}
