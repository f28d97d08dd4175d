//! Plans and subscriptions over HTTP: addresses, statuses, and how bodies are written.

use axum::http::Request;
use jiff::SignedDuration;
use serde_json::{Value, json};
use wire::interface::values::ExternalId;
use wire::payload::CardPayload;

use super::sealing::seal;
use super::service::{Answer, Service, call, call_as};

const PLANS: &str = "/api/subscriptions/v1/plans";
const SUBSCRIPTIONS: &str = "/api/subscriptions/v1/subscriptions";

/// A call of Anna's.
async fn ask(service: &Service, method: &str, path: &str, body: &Value) -> Answer {
    let (mut parts, body) = call(method, path, &body.to_string()).into_parts();
    parts
        .headers
        .insert("x-customer-auth", access(service).parse().unwrap());
    service.send(Request::from_parts(parts, body)).await
}

fn access(service: &Service) -> String {
    let project = service.processing.find_project("sandbox").unwrap().unwrap();
    let anna = ExternalId::new("Anna").unwrap();
    let lifetime = SignedDuration::from_hours(1);
    service
        .processing
        .customer_token(&project, &anna, lifetime)
        .unwrap()
        .access_token
}

async fn plan(service: &Service) -> String {
    let body = json!({
        "name": "Coffee", "price": "100.50", "currency": "UAH", "frequency_type": "monthly", "frequency": 1,
        "duration_periods": 12, "start_date": "2026-01-01T02:00:00+02:00", "platforms": ["web"],
        "callbacks": [{ "api_key": "sandbox-2", "url": "https://shop.example/heard" }], "end_date": "",
    });
    let made = service.send(call("POST", PLANS, &body.to_string())).await;
    assert_eq!(made.status, 200, "{}", made.text());
    // Numbers have their decimals, times their zone.
    assert!(made.text().contains(r#""price":100.50,"#), "{}", made.text());
    let made = made.json();
    assert_eq!(made["start_date"], "2026-01-01T00:00:00Z");
    assert_eq!(made["end_date"], Value::Null);
    assert_eq!(made["state"], "active");
    made["id"].as_str().unwrap().to_owned()
}

async fn subscribe(service: &Service, plan: &str) -> Answer {
    let card = CardPayload::write("4111111111111111", Some((12, 2028)), Some("123")).to_vec();
    let answer = service.tokenize(&seal(&service.boot().await, &card)).await;
    let token = answer.json()["token"].as_str().unwrap().to_owned();
    let body = json!({
        "plan_id": plan, "result_url": "https://shop.example/back", "start_date": "2026-01-01T00:00:00Z",
        "customer": { "payment_method": { "type": "cc_token", "cc_token": { "token": token } } },
    });
    ask(service, "POST", SUBSCRIPTIONS, &body).await
}

#[tokio::test]
async fn a_plan_is_made_read_changed_and_deleted() {
    let service = Service::new();
    let id = plan(&service).await;
    let one = format!("{PLANS}/{id}");
    let send =
        |method: &'static str, path: String, body: &'static str| service.send(call(method, &path, body));
    assert_eq!(
        send("PATCH", one.clone(), r#"{"price": 7}"#).await.json(),
        json!({ "message": "OK" })
    );
    assert_eq!(send("GET", one.clone(), "").await.json()["price"], 7.0);
    let all = send("GET", PLANS.into(), "").await.json();
    assert_eq!(all[0]["id"], json!(id), "a bare array");
    assert_eq!(
        send("DELETE", one.clone(), "").await.json(),
        json!({ "message": "OK" })
    );
    assert_eq!(
        send("DELETE", one.clone(), "").await.refusal(),
        (412, "plan_not_active".into())
    );
    assert_eq!(
        send("PATCH", one.clone(), "{}").await.refusal(),
        (400, "plan_not_active".into())
    );
    let unknown = format!("{PLANS}/123456789012345678");
    assert_eq!(
        send("GET", unknown, "").await.refusal(),
        (404, "plan_not_found".into())
    );
    let other = call_as("sandbox-2:sandbox-2-password", "GET", &one, "");
    assert_eq!(
        service.send(other).await.refusal(),
        (404, "plan_not_found".into())
    );
    let refused = send("POST", PLANS.into(), r#"{"name": "x"}"#).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["param"]),
        (400, &json!("price"))
    );
}

#[tokio::test]
async fn a_customer_subscribes_looks_changes_and_cancels() {
    let service = Service::new();
    let plan = plan(&service).await;
    let made = subscribe(&service, &plan).await;
    assert_eq!(made.status, 200, "{}", made.text());
    assert!(made.text().contains(r#""amount":100.50,"#), "{}", made.text());
    let made = made.json();
    assert_eq!(
        made["payment"]["details"]["status_code"],
        "subscription_successful"
    );
    assert_eq!(made["payment"]["user_action"], Value::Null);
    let subscription = &made["subscription"];
    assert_eq!(made["payment"]["subscription_id"], subscription["id"]);
    assert_eq!(
        (&subscription["state"], &subscription["plan_id"]),
        (&json!("active"), &json!(plan))
    );
    let one = format!("{SUBSCRIPTIONS}/{}", subscription["id"].as_str().unwrap());

    assert_eq!(
        subscribe(&service, &plan).await.refusal(),
        (409, "subscription_already_exists".into())
    );
    assert_eq!(ask(&service, "GET", &one, &json!({})).await.json(), *subscription);
    let all = ask(&service, "GET", SUBSCRIPTIONS, &json!({})).await.json();
    assert_eq!(all, json!([subscription]));
    let payments = ask(&service, "GET", &format!("{one}/payments"), &json!({}))
        .await
        .json();
    assert_eq!(payments, json!([made["payment"]]));
    let ok = json!({ "message": "OK" });
    assert_eq!(
        ask(&service, "PATCH", &one, &json!({ "auto_renew": false }))
            .await
            .json(),
        ok
    );
    let without = ask(&service, "PATCH", &one, &json!({})).await;
    assert_eq!(
        (without.refusal(), &without.json()["param"]),
        ((400, "invalid_request_body".into()), &json!("auto_renew"))
    );
    let strange = ask(
        &service,
        "DELETE",
        &format!("{one}/cancel?refund=perhaps"),
        &json!({}),
    )
    .await;
    assert_eq!(
        (strange.refusal().0, &strange.json()["param"]),
        (400, &json!("refund"))
    );
    assert_eq!(
        ask(
            &service,
            "DELETE",
            &format!("{one}/cancel?refund=true"),
            &json!({})
        )
        .await
        .json(),
        ok
    );
    let again = ask(&service, "DELETE", &one, &json!({})).await;
    assert_eq!(again.refusal(), (412, "subscription_not_active".into()));
    let given_back = ask(&service, "GET", &format!("{one}/payments"), &json!({}))
        .await
        .json();
    assert_eq!(given_back[0]["details"]["amount_refunded"], 100.5);
}

#[tokio::test]
async fn a_customer_is_known_by_their_token_alone() {
    let service = Service::new();
    let plan = plan(&service).await;
    let made = subscribe(&service, &plan).await.json();
    let id = made["subscription"]["id"].as_str().unwrap();
    for (method, path) in [
        ("POST", SUBSCRIPTIONS.to_owned()),
        ("GET", SUBSCRIPTIONS.to_owned()),
        ("GET", format!("{SUBSCRIPTIONS}/{id}")),
        ("PATCH", format!("{SUBSCRIPTIONS}/{id}")),
        ("DELETE", format!("{SUBSCRIPTIONS}/{id}")),
        ("DELETE", format!("{SUBSCRIPTIONS}/{id}/cancel")),
        ("GET", format!("{SUBSCRIPTIONS}/{id}/payments")),
    ] {
        let without = service
            .send(call(method, &format!("{path}?external_id=Anna"), "{}"))
            .await;
        assert_eq!(
            without.refusal(),
            (401, "customer_auth_not_found".into()),
            "{method} {path}"
        );
        let mut forged = call(method, &path, "{}");
        let token = access(&service).replace(['A', 'B'], "C");
        forged
            .headers_mut()
            .insert("x-customer-auth", token.parse().unwrap());
        let forged = service.send(forged).await;
        assert_eq!(
            forged.refusal(),
            (401, "customer_auth_token_expired_or_invalid".into())
        );
    }
    let unknown = format!("{SUBSCRIPTIONS}/{plan}");
    let refused = ask(&service, "GET", &unknown, &json!({})).await;
    assert_eq!(refused.refusal(), (404, "subscription_not_found".into()));
}
