//! Reports over HTTP: the same table in two forms, for those whose it is.

use serde_json::{Value, json};

use super::service::{Answer, Service, call, call_as};

const TRANSACTIONS: &str = "/api/reports/v1/transactions";
const REGISTER: &str = "/api/reports/v1/payments";
/// The day on which tests begin.
const TODAY: &str = "2026-09-21";

async fn ask(service: &Service, path: &str, more: Value) -> Answer {
    let mut body = json!({ "date_from": TODAY, "date_to": TODAY });
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    service.send(call("POST", path, &body.to_string())).await
}

/// An order paid with a card in clear.
async fn pay(service: &Service, external_id: &str, description: &str) {
    let card = json!({ "number": "4111111111111111", "exp_month": 12, "exp_year": 2030, "cvv": "123" });
    let body = json!({
        "amount": 100.5, "currency": "UAH", "external_id": external_id, "mode": "direct", "description": description,
        "customer": { "payment_method": { "type": "cc", "cc": card } },
    });
    let paid = service
        .send(call("POST", "/api/payments/v1/new", &body.to_string()))
        .await;
    assert_eq!(paid.json()["is_success"], true, "{}", paid.text());
}

#[tokio::test]
async fn a_report_is_json_or_csv() {
    let service = Service::new();
    pay(&service, "order-1", "=1+1, \"tea\"").await;
    pay(&service, "order-2", "coffee").await;
    let told = ask(&service, TRANSACTIONS, json!({})).await;
    assert_eq!(
        (told.status.as_u16(), told.header("content-type")),
        (200, "application/json")
    );
    assert!(!told.header("x-ratelimit-limit").is_empty());
    let rows = told.json()["transactions"].clone();
    assert_eq!(rows[0]["external_id"], "order-1");
    assert_eq!(rows[1]["original_amount"], 100.5);
    assert!(told.text().contains("\"original_amount\":100.50,"));

    let fields = json!({ "fields": ["external_id", "description", "payout_amount", "client_email"] });
    let told = ask(&service, REGISTER, fields.clone()).await;
    assert_eq!(
        told.json(),
        json!({ "payments": [
            { "external_id": "order-1", "description": "=1+1, \"tea\"", "payout_amount": 10_050, "client_email": null },
            { "external_id": "order-2", "description": "coffee", "payout_amount": 10_050, "client_email": null },
        ] })
    );
    let mut body = fields;
    body["date_from"] = TODAY.into();
    body["date_to"] = TODAY.into();
    let mut request = call("POST", REGISTER, &body.to_string());
    request
        .headers_mut()
        .insert("accept", "text/csv".parse().unwrap());
    let told = service.send(request).await;
    assert_eq!(
        told.header("content-type"),
        "text/csv; charset=utf-8; header=present"
    );
    assert_eq!(
        told.text(),
        "external_id,description,payout_amount,client_email\r\n\
         order-1,\"'=1+1, \"\"tea\"\"\",10050,\r\norder-2,coffee,10050,\r\n"
    );
    let stranger = format!("{{\"date_from\":\"{TODAY}\",\"date_to\":\"{TODAY}\"}}");
    let told = service
        .send(call_as(
            "sandbox-2:sandbox-2-password",
            "POST",
            REGISTER,
            &stranger,
        ))
        .await;
    assert_eq!(told.json(), json!({ "payments": [] }));
}

#[tokio::test]
async fn a_wrong_request_is_refused_as_json() {
    let service = Service::new();
    for (path, more, param) in [
        (TRANSACTIONS, json!({ "date_to": "2026-09-20" }), "date_to"),
        (TRANSACTIONS, json!({ "date_from": "2026-02-29" }), "date_from"),
        (TRANSACTIONS, json!({ "statuses": ["good"] }), "statuses"),
        (REGISTER, json!({ "fields": [7] }), "fields"),
        (REGISTER, json!({ "scope": "others" }), "scope"),
        (REGISTER, json!({ "date_to": null }), "date_to"),
    ] {
        let told = ask(&service, path, more).await;
        assert_eq!(told.refusal(), (400, "invalid_request_body".into()));
        assert_eq!(told.json()["param"], param);
    }
    let mut request = call("POST", REGISTER, "{}");
    request
        .headers_mut()
        .insert("accept", "text/csv".parse().unwrap());
    let told = service.send(request).await;
    assert_eq!(told.header("content-type"), "application/json");
    let told = service
        .send(call_as("sandbox:wrong", "POST", REGISTER, "{}"))
        .await;
    assert_eq!(told.status, 401);
    let told = service.send(call("GET", REGISTER, "")).await;
    assert_eq!(told.status, 405);
}
