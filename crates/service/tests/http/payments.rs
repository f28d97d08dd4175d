//! Payments as a shop's server makes them, from a token of the widget to its receipt.

use serde_json::{Value, json};

use super::sealing::{full_card, seal};
use super::service::{Answer, Service, call, call_as};

const NEW: &str = "/api/payments/v1/new";

async fn token(service: &Service) -> String {
    let answer = service.tokenize(&seal(&service.boot().await, &full_card())).await;
    answer.json()["token"].as_str().unwrap().to_owned()
}

fn order(external_id: &str, token: &str) -> Value {
    json!({
        "amount": "100.50", "currency": "UAH", "external_id": external_id, "mode": "direct", "confirm": false,
        "callback_url": null, "description": "",
        "customer": {
            "external_id": "customer-17",
            "payment_method": { "type": "cc_token", "cc_token": { "token": token, "use_3ds_flow": false } },
        },
    })
}

async fn post(service: &Service, path: &str, body: &Value) -> Answer {
    service.send(call("POST", path, &body.to_string())).await
}

#[tokio::test]
async fn a_token_is_held_charged_and_given_back() {
    let service = Service::new();
    let token = token(&service).await;
    let made = post(&service, NEW, &order("order-1", &token)).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let made = made.json();
    assert_eq!(made.get("code"), None, "clients take it for an error");
    assert_eq!(
        (&made["external_id"], &made["project_id"]),
        (&json!("order-1"), &json!("sandbox"))
    );
    assert_eq!(
        (&made["is_success"], &made["operation"]),
        (&json!(true), &json!("payment"))
    );
    assert_eq!(made["details"]["amount"], "100.50");
    assert_eq!(
        (&made["details"]["status"], &made["details"]["method"]),
        (&json!("success"), &json!("auth"))
    );

    let again = post(&service, NEW, &order("order-1", &token)).await;
    assert_eq!(again.refusal(), (400, "transaction_already_paid".into()));

    let body = json!({ "external_id": "order-1", "amount": 60, "currency": "UAH" });
    let confirmed = post(&service, "/api/payments/v1/confirm", &body).await.json();
    assert_eq!(confirmed["details"]["method"], "capture");
    assert_eq!(confirmed["details"]["amount"], "60.00");
    let body = json!({ "external_id": "order-1", "amount": "10.5" });
    let refunded = post(&service, "/api/payments/v1/refund", &body).await.json();
    assert_eq!(refunded["details"]["status_code"], "refund_successful");
    let body = json!({ "external_id": "order-1", "amount": "49.51" });
    let refused = post(&service, "/api/payments/v1/refund", &body).await;
    assert_eq!(
        refused.refusal(),
        (400, "incorrect_refund_sum_or_currency".into())
    );

    // A GET may carry a body.
    let info = service
        .send(call("GET", "/api/payments/v1/info?external_id=order-1", "{}"))
        .await
        .json();
    assert_eq!(
        (&info["amount"], &info["amount_confirmed"]),
        (&json!("100.50"), &json!("60.00"))
    );
    assert_eq!(info["amount_refunded"], "10.50");
    let receipt = service
        .send(call("GET", "/api/payments/v1/receipt?external_id=order-1", ""))
        .await
        .json();
    let address = receipt["receipt_url"].as_str().unwrap();
    assert!(address.starts_with("http://localhost:8080/receipt/"), "{address}");
}

#[tokio::test]
async fn an_order_is_its_projects_alone() {
    let service = Service::new();
    let token = token(&service).await;
    let other = |method: &str, path: &str, body: &Value| {
        service.send(call_as(
            "sandbox-2:sandbox-2-password",
            method,
            path,
            &body.to_string(),
        ))
    };
    let stolen = other("POST", NEW, &order("order-1", &token)).await;
    assert_eq!(stolen.refusal().0, 400, "another project's token");
    post(&service, NEW, &order("order-1", &token)).await;
    let body = json!({ "external_id": "order-1" });
    for path in [
        "confirm",
        "cancel",
        "refund",
        "refund/retry",
        "refund/cancel",
        "callback/resend",
    ] {
        let refused = other("POST", &format!("/api/payments/v1/{path}"), &body).await;
        assert_eq!(refused.refusal().0, 400, "{path}");
    }
    for path in ["info", "receipt"] {
        let path = format!("/api/payments/v1/{path}?external_id=order-1");
        assert_eq!(
            other("GET", &path, &body).await.refusal(),
            (400, "data_not_found".into())
        );
    }
    let info = service
        .send(call("GET", "/api/payments/v1/info?external_id=order-1", ""))
        .await
        .json();
    assert_eq!(
        (&info["confirmed"], &info["canceled"]),
        (&json!(false), &json!(false))
    );
}

#[tokio::test]
async fn a_page_waits_for_its_payer() {
    let service = Service::new();
    let order = json!({
        "amount": 5, "currency": "UAH", "external_id": "order-2", "mode": "hosted", "checkout_ttl": 5,
        "customer": { "color_mode": "light", "payment_method": {} },
    });
    let made = post(&service, NEW, &order).await.json();
    assert_eq!(
        (&made["is_success"], &made["action_required"]),
        (&json!(true), &json!(true))
    );
    for unset in [
        "details",
        "receipt_url",
        "payment_method",
        "metadata",
        "fiscalization",
    ] {
        assert!(
            made.as_object().unwrap().contains_key(unset) && made[unset].is_null(),
            "{unset}"
        );
    }
    assert!(
        made["action"]["value"]
            .as_str()
            .unwrap()
            .starts_with("http://localhost:8080/pay/")
    );
    let unpaid = service
        .send(call("GET", "/api/payments/v1/info?external_id=order-2", ""))
        .await;
    assert_eq!(unpaid.refusal(), (400, "data_not_found".into()));
}

#[tokio::test]
async fn a_query_is_read_as_strictly_as_a_body() {
    let service = Service::new();
    let long = format!("external_id={}", "x".repeat(256));
    for query in [
        "",
        "external_id=",
        "external_id=a&external_id=a",
        "external_id=%00",
        &long,
        "EXTERNAL_ID=a",
    ] {
        let answer = service
            .send(call("GET", &format!("/api/payments/v1/info?{query}"), ""))
            .await;
        assert_eq!(
            answer.refusal(),
            (400, "invalid_request_body".into()),
            "{query:.40}"
        );
        assert_eq!(answer.json()["param"], "external_id");
    }
    let answer = service
        .send(call("GET", "/api/payments/v1/info?external_id=%D1%97&x=%ff", ""))
        .await;
    assert_eq!(answer.refusal(), (400, "data_not_found".into()));
}

#[tokio::test]
async fn a_basket_is_held_charged_and_looked_at() {
    let service = Service::new();
    let token = token(&service).await;
    let path = |step: &str| format!("/api/payments/batch/v1/{step}");
    let basket = json!({
        "batch_external_id": "basket-1", "callback_url": "http://127.0.0.1:1/hook", "currency": "UAH", "confirm": false,
        "mode": "direct",
        "customer": order("", &token)["customer"],
        "orders": [
            { "api_key": "sandbox", "amount": 10, "external_id": "order-1" },
            { "api_key": "sandbox-2", "amount": "5.50", "external_id": "order-1" },
        ],
    });
    let made = post(&service, &path("new"), &basket).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let made = made.json();
    assert_eq!(
        (&made["is_success"], &made["batch_details"]["amount"]),
        (&json!(true), &json!("15.50"))
    );
    assert_eq!(made["order_details"][1]["amount"], "5.50");
    let body = json!({ "batch_external_id": "basket-1", "orders": [{ "api_key": "sandbox", "amount": 9, "external_id": "order-1" }] });
    let confirmed = post(&service, &path("confirm"), &body).await.json();
    assert_eq!(confirmed["order_details"][0]["status"], "success", "{confirmed}");
    let status = format!("{}?batch_external_id=basket-1", path("payment-status"));
    let told = service.send(call("GET", &status, "")).await.json();
    assert_eq!(
        (&told["batch_external_id"], &told["status"]),
        (&json!("basket-1"), &json!("success"))
    );
    let strangers = service
        .send(call_as("sandbox-2:sandbox-2-password", "GET", &status, ""))
        .await;
    assert_eq!(strangers.refusal().0, 400);
}
