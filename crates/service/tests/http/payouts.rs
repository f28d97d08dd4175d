//! Payouts as a shop's server makes them, from a token of the form `pan_only` to the callback.

use processing::Permissions;
use serde_json::{Value, json};
use service::config::DatabaseArgs;
use service::operator::find::FindArgs;
use service::operator::project::{self, FiguresArgs, ProjectCommand};
use wire::interface::callback::signature;

use super::sealing::{full_card, pan_only, seal, seal_with};
use super::service::{Answer, Service, call, call_as};

const REQUEST: &str = "/api/payouts/v1/request-payout";
const BALANCE: &str = "/api/payouts/v1/account-balance?merchant_entity_id=sandbox-entity";

async fn ask(service: &Service, method: &str, path: &str, body: Value) -> Answer {
    service.send(call(method, path, &body.to_string())).await
}

async fn fund(service: &Service, amount: &str) {
    let project = service.processing.find_project("sandbox").unwrap().unwrap();
    let balance = serde_json::from_value(json!({ "amount": amount, "currency": "UAH" })).unwrap();
    service.processing.set_sandbox_balance(&project, balance).unwrap();
}

/// As the widget's form for payouts gives it.
async fn token(service: &Service) -> String {
    let envelope = seal_with(&service.boot().await, &pan_only(), |header| {
        header.claims.form = "pan_only".into()
    });
    let answer = service.tokenize(&envelope).await.json();
    answer["token"].as_str().unwrap().to_owned()
}

fn payout(external_id: &str, card_data: Value) -> Value {
    json!({
        "order": {
            "external_id": external_id, "original_amount": "75.60", "currency": "UAH", "description": "Earnings in March",
            "callback_url": "https://shop.example/payouts",
        },
        "payer": { "entity_id": "sandbox-entity" },
        "recipient": {
            "payout_type": "card",
            "card": { "first_name": "Леся", "last_name": "Косач", "email": "", "phone": "+380501234567", "card_data": card_data },
        },
    })
}

fn pass(service: &Service) {
    service.clock.advance(1);
    while service.processing.run_job().unwrap() {}
}

#[tokio::test]
async fn a_number_alone_receives_and_the_shop_is_told() {
    let service = Service::new();
    fund(&service, "100").await;
    let card = json!({ "token": token(&service).await });
    let made = ask(&service, "POST", REQUEST, payout("march", card)).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let made = made.json();
    assert_eq!(made.get("code"), None, "clients take it for an error");
    for (member, value) in [
        ("external_id", "march"),
        ("status", "pending"),
        ("status_code", "transaction_in_progress"),
        ("original_amount", "75.60"),
        ("payer_amount", "75.60"),
        ("currency", "UAH"),
        ("payout_type", "card"),
    ] {
        assert_eq!(made[member], value, "{member}");
    }
    let id = made["transaction_id"].as_str().unwrap();
    assert_eq!((id.len(), &made["processed_at"]), (18, &json!(null)));
    let balance = ask(&service, "GET", BALANCE, json!({})).await;
    assert_eq!(
        balance.text(),
        r#"{"available_amount":24.40,"commitment_amount":75.60}"#
    );
    pass(&service);
    let info = ask(
        &service,
        "GET",
        "/api/payouts/v1/info?external_id=march",
        json!({}),
    )
    .await;
    assert_eq!(info.json()["status"], "success");
    let balance = ask(&service, "GET", BALANCE, json!({})).await;
    assert_eq!(
        balance.text(),
        r#"{"available_amount":24.40,"commitment_amount":0.00}"#
    );

    let told = service.processing.due_deliveries(10).unwrap();
    assert_eq!(told.len(), 1);
    let (url, body) = (&told[0].url, &told[0].body);
    assert_eq!(url, "https://shop.example/payouts");
    assert_eq!(told[0].signature, signature(b"sandbox-password", body.as_bytes()));
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&body["id"], &body["status"]), (&json!(id), &json!("success")));
    assert!(body["amount"].is_number() && body["processed_at"].is_string());

    let named = json!({ "external_id": "march" });
    let again = ask(&service, "POST", "/api/payouts/v1/resend-callback", named.clone()).await;
    assert_eq!((again.status.as_u16(), again.text()), (204, String::new()));
    // A payment's calls know nothing of it.
    let of_payments = ask(
        &service,
        "POST",
        "/api/payments/v1/callback/resend",
        named.clone(),
    )
    .await;
    assert_eq!(of_payments.refusal(), (400, "transaction_not_found".into()));
    let cancelled = ask(&service, "POST", "/api/payouts/v1/cancel-payout", named).await;
    assert_eq!(cancelled.refusal(), (400, "action_not_allowed".into()));
}

#[tokio::test]
async fn a_card_in_clear_needs_a_permission_and_is_nowhere() {
    let service = Service::new();
    fund(&service, "100").await;
    let clear = json!({ "number": "4111111111111111", "token": null });
    let made = ask(&service, "POST", REQUEST, payout("one", clear.clone())).await;
    assert_eq!(made.status, 200, "{}", made.text());
    pass(&service);
    let overview = service
        .processing
        .sandbox_overview(&service.processing.find_project("sandbox").unwrap().unwrap());
    let overview = serde_json::to_string(&overview.unwrap()).unwrap();
    assert!(overview.contains("41111111****1111") && !overview.contains("4111111111111111"));
    assert!(
        service
            .processing
            .permit("sandbox", Permissions::default())
            .unwrap()
    );
    let refused = ask(&service, "POST", REQUEST, payout("two", clear)).await;
    assert_eq!(refused.refusal(), (403, "access_not_allowed".into()));
    assert_eq!(refused.json()["param"], "recipient.card.card_data.number");
    assert_eq!(
        refused.header("connection"),
        "close",
        "its buffers hold the number"
    );
    let broken = payout("two", json!({ "number": "4111111111111112" }));
    let refused = ask(&service, "POST", REQUEST, broken).await;
    assert!(
        !refused.text().contains("4111"),
        "nothing that was sent comes back"
    );
}

#[tokio::test]
async fn a_card_that_pays_does_not_receive() {
    let service = Service::new();
    fund(&service, "100").await;
    let full = service
        .tokenize(&seal(&service.boot().await, &full_card()))
        .await
        .json();
    let refused = ask(
        &service,
        "POST",
        REQUEST,
        payout("one", json!({ "token": full["token"] })),
    )
    .await;
    assert_eq!(refused.refusal(), (400, "invalid_card_token".into()));
    assert_eq!(refused.json()["param"], "recipient.card.card_data.token");
    let unknown = ask(&service, "GET", "/api/payouts/v1/info?external_id=one", json!({})).await;
    assert_eq!(unknown.refusal(), (400, "transaction_not_found".into()));
}

#[tokio::test]
async fn a_payout_is_its_projects_alone() {
    let service = Service::new();
    fund(&service, "100").await;
    let token = token(&service).await;
    let other = |method: &str, path: &str, body: Value| {
        service.send(call_as(
            "sandbox-2:sandbox-2-password",
            method,
            path,
            &body.to_string(),
        ))
    };
    let card = json!({ "token": token });
    let refused = other("POST", REQUEST, payout("one", card.clone())).await;
    assert_eq!(refused.refusal(), (400, "insufficient_funds".into()));
    ask(&service, "POST", REQUEST, payout("one", card)).await;
    for path in ["resend-callback", "cancel-payout"] {
        let path = format!("/api/payouts/v1/{path}");
        let refused = other("POST", &path, json!({ "external_id": "one" })).await;
        assert_eq!(refused.refusal(), (400, "transaction_not_found".into()), "{path}");
    }
    let refused = other("GET", "/api/payouts/v1/info?external_id=one", json!({})).await;
    assert_eq!(refused.refusal(), (400, "transaction_not_found".into()));
    let theirs = "/api/payouts/v1/account-balance?merchant_entity_id=another";
    assert_eq!(
        other("GET", theirs, json!({})).await.refusal(),
        (403, "access_not_allowed".into())
    );
    let nobodys = call_as("sandbox:wrong", "GET", BALANCE, "");
    assert_eq!(
        service.send(nobodys).await.refusal(),
        (401, "authorization_failed".into())
    );
}

#[tokio::test]
async fn operators_see_how_many_and_how_much() {
    let service = Service::new();
    fund(&service, "100").await;
    let card = json!({ "token": token(&service).await });
    ask(&service, "POST", REQUEST, payout("one", card.clone())).await;
    pass(&service);
    fund(&service, "100").await;
    let card = json!({ "token": token(&service).await });
    ask(&service, "POST", REQUEST, payout("two", card)).await;
    let store = || DatabaseArgs {
        database: Some(service.database()),
        ..DatabaseArgs::default()
    };
    let run = |command| {
        let mut out = Vec::new();
        let done = project::run(command, &mut std::io::empty(), &mut out);
        done.map(|()| String::from_utf8(out).unwrap())
    };
    let told = run(ProjectCommand::Figures(FiguresArgs {
        store: store(),
        project: "sandbox".into(),
    }));
    let told = told.unwrap();
    for line in [
        "payouts\tpaid\t1",
        "payouts\tpending\t1",
        "callbacks\twaiting\t1",
        "balance\tpayouts\t24.40 UAH",
        "balance\treserved\t75.60 UAH",
    ] {
        assert!(told.lines().any(|told| told == line), "{line} in\n{told}");
    }
    let find = |number: &str| {
        run(ProjectCommand::Find(FindArgs {
            store: store(),
            project: "sandbox".into(),
            number: number.into(),
        }))
    };
    let told = find("one").unwrap();
    let lines: Vec<Vec<_>> = told.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(
        (lines[0][0], &lines[0][2..5]),
        ("payout", &["\"one\"", "paid", "75.60 UAH"][..])
    );
    assert_eq!(
        (lines[1][0], &lines[1][2..6]),
        (
            "operation",
            &["payout", "success", "transaction_successful", "75.60"][..]
        )
    );
    assert_eq!(lines[2], ["callback", "payout", "waiting", "0", "-"]);
    assert_eq!(lines.len(), 3, "{told}");
    assert!(!told.contains("Леся") && !told.contains("4111"), "{told}");
    assert!(find("two").unwrap().contains("\tpending\t"));
    let nothing = find("three").unwrap_err();
    assert!(nothing.to_string().contains("\"three\""), "{nothing}");
}
