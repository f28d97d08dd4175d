//! A customer's cards, by the shop's number and by the customer's own token.

use jiff::SignedDuration;
use serde_json::{Value, json};
use wire::interface::values::ExternalId;
use wire::payload::CardPayload;

use super::sealing::seal;
use super::service::{Answer, Service, call, call_as};

const WALLET: &str = "/api/customers/v1/wallet";
const MARIA: &str = "/api/customers/v1/wallet?external_id=%D0%9C%D0%B0%D1%80%D1%96%D1%8F";

async fn ask(service: &Service, method: &str, path: &str, body: &Value) -> Answer {
    service.send(call(method, path, &body.to_string())).await
}

async fn added(service: &Service) -> Value {
    // One that asks for no proof.
    let card = CardPayload::write("4111111111111111", Some((12, 2028)), Some("123")).to_vec();
    let answer = service.tokenize(&seal(&service.boot().await, &card)).await;
    let token = answer.json()["token"].as_str().unwrap().to_owned();
    let body = json!({
        "payment_method": { "type": "cc_token", "cc_token": { "token": token } },
        "make_default": "",
    });
    let answer = ask(service, "POST", MARIA, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn a_card_is_added_found_made_the_default_and_deleted() {
    let service = Service::new();
    let added = added(&service).await;
    assert_eq!(added["operation"], "add_payment_method");
    assert_eq!(added["customer"]["external_id"], "Марія");
    let listed = ask(&service, "GET", MARIA, &json!({})).await.json();
    assert_eq!(listed["external_id"], "Марія");
    let item = &listed["wallet"][0];
    let id = item["option_id"].as_str().unwrap();
    let found = ask(
        &service,
        "GET",
        &format!("{WALLET}/find?external_id=%D0%9C%D0%B0%D1%80%D1%96%D1%8F&option_id={id}"),
        &json!({}),
    )
    .await;
    assert_eq!(found.json()["card"]["mask"], "41111111****1111");
    let named = json!({ "option_id": id, "type": "card" });
    let query = "external_id=%D0%9C%D0%B0%D1%80%D1%96%D1%8F";
    let set = ask(
        &service,
        "POST",
        &format!("{WALLET}/settings/set?{query}"),
        &named,
    )
    .await;
    assert_eq!(
        set.json(),
        json!({ "option_id": id, "type": "card", "success": true })
    );
    let strangers = service
        .send(call_as(
            "sandbox-2:sandbox-2-password",
            "DELETE",
            MARIA,
            &named.to_string(),
        ))
        .await;
    assert_eq!(strangers.refusal(), (400, "payment_method_not_found".into()));
    let deleted = ask(&service, "DELETE", MARIA, &named).await;
    assert_eq!(
        deleted.json(),
        json!({ "delete": true, "option_id": id, "type": "card" })
    );
    let again = ask(&service, "DELETE", MARIA, &named).await;
    assert_eq!(again.refusal(), (400, "payment_method_not_found".into()));
}

#[tokio::test]
async fn a_customer_is_named_in_one_of_two_ways() {
    let service = Service::new();
    let without = ask(&service, "GET", WALLET, &json!({})).await;
    assert_eq!(without.refusal(), (400, "customer_id_not_passed".into()));
    assert_eq!(
        (&without.json()["param"], &without.json()["type"]),
        (&json!("external_id"), &json!("customer_error"))
    );
    let empty = ask(&service, "GET", &format!("{WALLET}?external_id="), &json!({})).await;
    assert_eq!(empty.refusal(), (400, "invalid_request_body".into()));

    let project = |login: &str| {
        service
            .processing
            .authenticate(login, format!("{login}-password").as_bytes())
            .unwrap()
    };
    let token = |login: &str| {
        let customer = ExternalId::new("Марія").unwrap();
        let lifetime = SignedDuration::from_secs(60);
        service
            .processing
            .customer_token(&project(login), &customer, lifetime)
            .unwrap()
            .access_token
    };
    let with = async |token: &str| {
        // The header goes before the query.
        let mut request = call("GET", &format!("{WALLET}?external_id=somebody"), "");
        request
            .headers_mut()
            .insert("x-customer-auth", token.parse().unwrap());
        service.send(request).await
    };
    let own = token("sandbox");
    assert_eq!(with(&own).await.json()["external_id"], "Марія");
    for wrong in ["", "rubbish", &own[1..], &token("sandbox-2")] {
        let refused = with(wrong).await;
        assert_eq!(
            refused.refusal(),
            (401, "customer_auth_token_expired_or_invalid".into())
        );
        assert!(wrong.is_empty() || !refused.text().contains(wrong));
    }
    service.clock.advance(60);
    assert_eq!(with(&own).await.status, 401);
}
