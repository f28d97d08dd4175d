//! Every call, once at least.

use std::collections::BTreeSet;

use client::hosted::{Wait, Waited};
use client::interface::answer::Status;
use client::interface::basket::ConfirmBasket;
use client::interface::call::CALLS;
use client::interface::method::{Method, PaymentMethod, SavedCard};
use client::interface::payout::{BalanceQuery, NamedPayout};
use client::interface::plan::PlanPath;
use client::interface::query::{BasketQuery, CardQuery, OrderQuery};
use client::interface::steps::{Recurrent, Resend, Step, WaitingRefund};
use client::interface::subscription::{CancelQuery, ChangeSubscription, Flag, SubscriptionPath};
use client::interface::values::{ExternalId, Text};
use client::interface::{Amount, StatusCode};
use client::{Customer, InstallmentRefundRequest, RefundAmount, RefundRequest};
use serde_json::{Value, json};

use super::place::{GOOD, POOR, Place, payment};

fn id(text: &str) -> ExternalId {
    ExternalId::new(text).unwrap()
}

fn order(number: &str) -> OrderQuery {
    OrderQuery {
        external_id: id(number),
    }
}

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

#[tokio::test]
async fn payments() {
    let place = Place::new().await;
    let payments = place.client.payments();
    let held = json!({ "confirm": false, "init_recurrent_payment": true });
    let made = payments.create(&payment("held", GOOD, held)).await.unwrap();
    let details = made.details.unwrap();
    assert!(made.is_success && details.status == Status::Success);
    assert_eq!(details.amount, amount("100.50"));
    let part = Step {
        amount: Some(amount("60")),
        ..Step::new(id("held"))
    };
    let confirmed = payments.confirm(&part).await.unwrap();
    assert_eq!(confirmed.details.unwrap().amount, amount("60.00"));
    let refund = RefundRequest::new(id("held"), RefundAmount::Part(amount("10.25")));
    let refunded = payments.refund(&refund).await.unwrap();
    assert_eq!(
        refunded.details.unwrap().status_code,
        StatusCode::RefundSuccessful
    );
    let rest = RefundRequest::new(id("held"), RefundAmount::Full);
    assert!(payments.refund(&rest).await.unwrap().is_success);
    let info = payments.info(&order("held")).await.unwrap();
    assert_eq!(info.amount_refunded, amount("60"));
    assert_eq!(info.refund_details.len(), 2);
    let receipt = payments.receipt(&order("held")).await.unwrap();
    assert!(receipt.receipt_url.starts_with(&place.url));

    let again = Recurrent {
        recurrent_id: Text::new(details.recurrent_id.unwrap()).unwrap(),
        external_id: id("again"),
        amount: amount("5"),
        callback_url: None,
        confirm: Some(false),
        payload: None,
    };
    assert!(payments.charge(&again).await.unwrap().is_success);
    let cancelled = payments.cancel(&Step::new(id("again"))).await.unwrap();
    assert_eq!(
        cancelled.details.unwrap().status_code,
        StatusCode::CancelSuccessful
    );

    // A refund that waits, tried and taken back.
    assert!(
        payments
            .create(&payment("late", GOOD, json!({})))
            .await
            .unwrap()
            .is_success
    );
    place
        .control(
            "/sandbox/v1/balance",
            &json!({ "amount": "0", "currency": "UAH" }),
        )
        .await;
    let waits = RefundRequest::new(id("late"), RefundAmount::Full);
    let waits = payments.refund(&waits).await.unwrap();
    assert_eq!(
        (waits.is_success, waits.details.unwrap().status_code),
        (false, StatusCode::RefundWaitingForFunds)
    );
    let waiting = WaitingRefund {
        external_id: id("late"),
    };
    payments.retry_refund(&waiting).await.unwrap();
    let taken = payments.cancel_refund(&waiting).await.unwrap();
    assert_eq!(
        taken.details.unwrap().status_code,
        StatusCode::RefundIsCancelledByInitiator
    );

    // A decline is an answer.
    let poor = payments.create(&payment("poor", POOR, json!({}))).await.unwrap();
    assert_eq!(
        (poor.is_success, poor.details.unwrap().status_code),
        (false, StatusCode::InsufficientFunds)
    );
    let told = payment(
        "told",
        GOOD,
        json!({ "callback_url": "http://127.0.0.1:9/heard" }),
    );
    payments.create(&told).await.unwrap();
    let resend = Resend {
        external_id: id("told"),
        operation: None,
    };
    payments.resend_callback(&resend).await.unwrap();
}

#[tokio::test]
async fn hosted_pages_are_waited_for() {
    let place = Place::new().await;
    let soon = Wait {
        limit: std::time::Duration::from_millis(1),
        ..Wait::default()
    };
    let address = client::interface::values::WebAddress::new("https://shop.example/done").unwrap();
    let uah = client::interface::Currency::new("UAH").unwrap();
    let hosted = client::hosted::payment(amount("1"), uah, id("hosted"), address);
    let payments = place.client.payments();
    let made = payments.create(&hosted).await.unwrap();
    assert!(
        client::hosted::address(made.action.as_ref(), &["127.0.0.1"])
            .unwrap()
            .contains("/pay/")
    );
    // Nobody has paid, which the service says with a refusal.
    assert_eq!(
        payments.info(&order("hosted")).await.unwrap_err().code(),
        Some(&StatusCode::DataNotFound)
    );
    assert_eq!(payments.wait(&id("hosted"), soon).await.unwrap(), Waited::Open);
    for (number, card) in [("paid", GOOD), ("failed", POOR)] {
        payments.create(&payment(number, card, json!({}))).await.unwrap();
        let waited = payments.wait(&id(number), soon).await.unwrap();
        match number {
            "paid" => assert!(matches!(waited, Waited::Paid(_))),
            _ => assert!(matches!(waited, Waited::Failed(_))),
        }
    }
}

#[tokio::test]
async fn baskets() {
    let place = Place::new().await;
    let baskets = place.client.baskets();
    let body = |number: &str| {
        let paid = serde_json::to_value(payment("x", GOOD, json!({}))).unwrap();
        let orders = json!([
            { "api_key": "sandbox", "amount": "10", "external_id": format!("{number}-1") },
            { "api_key": "sandbox-2", "amount": "20.50", "external_id": format!("{number}-2") },
        ]);
        let body = json!({
            "batch_external_id": number, "callback_url": "http://127.0.0.1:9/heard", "currency": "UAH", "confirm": false,
            "mode": "direct", "customer": paid["customer"], "orders": orders,
        });
        client::parameters(body).unwrap()
    };
    let made = baskets.create(&body("first")).await.unwrap();
    assert!(made.is_success);
    assert_eq!(made.batch_details.unwrap().amount, amount("30.50"));
    let confirm: ConfirmBasket = client::parameters(json!({
        "batch_external_id": "first", "orders": [{ "external_id": "first-2", "amount": "20" }],
    }))
    .unwrap();
    let confirmed = baskets.confirm(&confirm).await.unwrap();
    assert_eq!(confirmed.order_details.unwrap().len(), 1);
    let query = BasketQuery {
        batch_external_id: id("first"),
    };
    assert_eq!(baskets.status(&query).await.unwrap().status, Status::Success);
    let waited = baskets.wait(&id("first"), Wait::default()).await.unwrap();
    assert!(matches!(waited, Waited::Paid(_)));
    baskets.create(&body("second")).await.unwrap();
    let cancel = client::parameters(json!({ "batch_external_id": "second" })).unwrap();
    assert!(baskets.cancel(&cancel).await.unwrap().is_success);
}

/// A token that lasts.
async fn token(place: &Place, number: &str) -> String {
    let paid = place
        .client
        .payments()
        .create(&payment(number, GOOD, json!({})))
        .await
        .unwrap();
    paid.payment_method.unwrap().cc_token.token.unwrap()
}

async fn access(place: &Place) -> Customer {
    let path = "/sandbox/v1/customers/anna/access-token";
    let access = place.control(path, &json!({})).await;
    Customer::auth(access["access_token"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn saved_cards() {
    let place = Place::new().await;
    let cards = place.client.saved_cards();
    let token = token(&place, "first").await;
    let add = |token: &str| {
        let body = json!({ "payment_method": { "type": "cc_token", "cc_token": { "token": token, "use_3ds_flow": false } } });
        client::parameters(body).unwrap()
    };
    let anna = Customer::external_id("anna").unwrap();
    let added = cards.add(&anna, &add(&token)).await.unwrap();
    let item = added.payment_method.unwrap();
    assert_eq!(item.card.mask, "41111111****1111");
    for customer in [&anna, &access(&place).await] {
        let wallet = cards.list(customer).await.unwrap();
        assert_eq!((&*wallet.external_id, wallet.wallet.len()), ("anna", 1));
        let query = CardQuery {
            option_id: Text::new(&*item.option_id).unwrap(),
        };
        assert_eq!(
            cards.find(customer, &query).await.unwrap().option_id,
            item.option_id
        );
    }
    let named = client::parameters(json!({ "option_id": item.option_id, "type": "card" })).unwrap();
    assert!(cards.make_default(&anna, &named).await.unwrap().success);
    assert!(cards.remove(&anna, &named).await.unwrap().delete);
    assert!(cards.list(&anna).await.unwrap().wallet.is_empty());
}

#[tokio::test]
async fn wallets_and_saved_cards_pay() {
    let place = Place::new().await;
    let header = json!({ "ephemeralPublicKey": "k", "publicKeyHash": "h", "transactionId": "t" });
    let a = json!({ "version": "v1", "data": "d", "signature": "s", "header": header });
    let inner =
        json!({ "protocolVersion": "v2", "signature": "s", "signedMessage": "sandbox:insufficient-funds" });
    let b = json!({ "paymentMethodData": { "tokenizationData": { "token": inner.to_string() } } });
    let anna = Customer::external_id("anna").unwrap();
    let token = token(&place, "first").await;
    let add = json!({ "payment_method": { "type": "cc_token", "cc_token": { "token": token, "use_3ds_flow": false } } });
    let added = place
        .client
        .saved_cards()
        .add(&anna, &client::parameters(add).unwrap())
        .await
        .unwrap();
    let saved = SavedCard {
        option_id: Text::new(added.payment_method.unwrap().option_id).unwrap(),
        use_3ds_flow: Some(false),
    };
    for (number, method, code) in [
        (
            "a",
            client::wallets::mobile_a_pay(&a.to_string()).unwrap(),
            StatusCode::TransactionSuccessful,
        ),
        (
            "b",
            client::wallets::mobile_b_pay(&b.to_string()).unwrap(),
            StatusCode::InsufficientFunds,
        ),
        (
            "saved",
            PaymentMethod::of(&Method::Wallet(saved)),
            StatusCode::TransactionSuccessful,
        ),
    ] {
        let mut body = payment(number, GOOD, json!({}));
        body.customer.as_mut().unwrap().payment_method = Some(method);
        let paid = place.client.payments().create(&body).await.unwrap();
        assert_eq!(paid.details.unwrap().status_code, code, "{number}");
    }
}

#[tokio::test]
async fn installments() {
    let place = Place::new().await;
    let orders = place.client.installments();
    let banks = orders.banks().await.unwrap();
    assert!(
        banks
            .iter()
            .any(|bank| bank.name == "stub" && !bank.available_periods.is_empty())
    );
    let body = |number: &str| {
        client::parameters(json!({
            "bank_name": "stub", "mode": "direct", "external_id": number, "amount": "1200", "currency": "UAH", "parts_count": 4,
            "description": "A mug", "customer": { "phone": "+380930000003" },
        }))
        .unwrap()
    };
    let step = |number: &str| client::parameters(json!({ "external_id": number })).unwrap();
    for number in ["kept", "dropped"] {
        orders.create(&body(number)).await.unwrap();
        let short = Wait {
            first: std::time::Duration::from_millis(50),
            ..Wait::default()
        };
        let waited = orders.wait(&id(number), short).await.unwrap();
        assert!(matches!(waited, Waited::Paid(_)), "{waited:?}");
    }
    assert!(orders.confirm(&step("kept")).await.unwrap().is_success);
    assert!(orders.cancel(&step("dropped")).await.unwrap().is_success);
    let part = InstallmentRefundRequest::new(id("kept"), RefundAmount::Part(amount("100.50")));
    let refunded = orders.refund(&part).await.unwrap();
    assert_eq!(refunded.details.amount, amount("100.50"));
    let operation = client::parameters(json!({
        "external_id": "kept", "operation_id": refunded.details.operation_id,
    }))
    .unwrap();
    assert_eq!(
        orders.operation(&operation).await.unwrap().details.status,
        refunded.details.status
    );
    place
        .control(
            "/sandbox/v1/balance",
            &json!({ "amount": "0", "currency": "UAH" }),
        )
        .await;
    let full = InstallmentRefundRequest::new(id("kept"), RefundAmount::Full);
    assert!(!orders.refund(&full).await.unwrap().is_success);
    let waiting = WaitingRefund {
        external_id: id("kept"),
    };
    orders.retry_refund(&waiting).await.unwrap();
    orders.cancel_refund(&waiting).await.unwrap();
    assert_eq!(
        orders.info(&order("kept")).await.unwrap().amount_refunded,
        amount("100.50")
    );
}

#[tokio::test]
async fn payouts() {
    let place = Place::new().await;
    let payouts = place.client.payouts();
    let balance = BalanceQuery {
        merchant_entity_id: Text::new("sandbox-entity").unwrap(),
    };
    place
        .control(
            "/sandbox/v1/balance",
            &json!({ "amount": "1000", "currency": "UAH" }),
        )
        .await;
    assert_eq!(
        payouts.balance(&balance).await.unwrap().available_amount,
        amount("1000")
    );
    let body = |number: &str, kind: &str| {
        let person = json!({
            "first_name": "Anna", "last_name": "K", "phone": "+380501234567", "card_data": { "number": GOOD },
        });
        let mut body = json!({
            "order": {
                "external_id": number, "original_amount": "100.50", "currency": "UAH", "description": "Winnings",
                "callback_url": "http://127.0.0.1:9/heard",
            },
            "payer": { "entity_id": "sandbox-entity" },
            "recipient": { "payout_type": kind },
        });
        body["recipient"][kind] = person;
        client::parameters(body).unwrap()
    };
    let made = payouts.create(&body("card", "card")).await.unwrap();
    assert_eq!(made.payout_type.as_str(), "card");
    assert_eq!(
        payouts.info(&order("card")).await.unwrap().transaction_id,
        made.transaction_id
    );
    payouts.create(&body("cash", "cash")).await.unwrap();
    let named = |number: &str| NamedPayout {
        external_id: id(number),
    };
    let cancelled = payouts.cancel(&named("cash")).await.unwrap();
    assert_eq!(cancelled.status_code, StatusCode::CancelSuccessful);
    payouts.resend_callback(&named("cash")).await.unwrap();
}

#[tokio::test]
async fn plans_and_subscriptions() {
    let place = Place::new().await;
    let (plans, subscriptions) = (place.client.plans(), place.client.subscriptions());
    let made = plans
        .create(
            &client::parameters(json!({
                "name": "Coffee", "price": "100.50", "currency": "UAH", "frequency_type": "monthly", "frequency": 1,
                "duration_periods": 12, "start_date": "2026-01-01T00:00:00Z",
            }))
            .unwrap(),
        )
        .await
        .unwrap();
    let path = PlanPath {
        plan_id: Text::new(&*made.id).unwrap(),
    };
    assert_eq!(plans.get(&path).await.unwrap(), made);
    assert_eq!(plans.list().await.unwrap().len(), 1);
    let change = client::parameters(json!({ "price": "120" })).unwrap();
    assert_eq!(plans.update(&path, &change).await.unwrap().message, "OK");
    assert_eq!(plans.get(&path).await.unwrap().price, amount("120"));

    let anna = access(&place).await;
    let token = token(&place, "first").await;
    let subscribe = client::parameters(json!({
        "plan_id": made.id, "result_url": "https://shop.example/back", "start_date": "2026-01-01T00:00:00Z",
        "customer": { "payment_method": { "type": "cc_token", "cc_token": { "token": token } } },
    }))
    .unwrap();
    let subscribed = subscriptions.create(&anna, &subscribe).await.unwrap();
    let one = SubscriptionPath {
        subscription_id: Text::new(&*subscribed.subscription.id).unwrap(),
    };
    assert_eq!(subscriptions.list(&anna).await.unwrap().len(), 1);
    assert_eq!(subscriptions.get(&anna, &one).await.unwrap().plan_id, made.id);
    assert_eq!(subscriptions.payments(&anna, &one).await.unwrap().len(), 1);
    let change = ChangeSubscription { auto_renew: false };
    subscriptions.update(&anna, &one, &change).await.unwrap();
    subscriptions.deactivate(&anna, &one).await.unwrap();
    let how = CancelQuery {
        refund: Some(Flag::True),
    };
    subscriptions.cancel(&anna, &one, &how).await.unwrap();
    assert_eq!(
        subscriptions.get(&anna, &one).await.unwrap().state.as_str(),
        "inactive"
    );
    plans.remove(&path).await.unwrap();

    // The access token is needed, and named before anything is sent.
    let number = Customer::external_id("anna").unwrap();
    let refused = subscriptions.list(&number).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`customer` must be named by their access token: `Customer::auth`."
    );
}

#[tokio::test]
async fn reports() {
    let place = Place::new().await;
    place
        .client
        .payments()
        .create(&payment("first", GOOD, json!({})))
        .await
        .unwrap();
    let now = place
        .control("/sandbox/v1/clock/advance", &json!({ "seconds": 0 }))
        .await;
    let today = &now["now"].as_str().unwrap()[..10];
    let days = |more: Value| {
        let mut body = json!({ "date_from": today, "date_to": today });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let reports = place.client.reports();
    let wanted = client::parameters(days(json!({}))).unwrap();
    let rows = reports.transactions(&wanted).await.unwrap().transactions;
    assert_eq!(
        (&*rows[0].external_id, rows[0].original_amount.0),
        ("first", amount("100.50"))
    );
    let wanted = client::parameters(days(json!({ "fields": ["external_id", "amount"] }))).unwrap();
    let rows = reports.settlement(&wanted).await.unwrap().payments;
    assert_eq!(
        (rows[0].external_id.as_deref(), rows[0].amount),
        (Some("first"), Some(10_050))
    );
    assert_eq!(rows[0].currency, None);
}

/// The tests above, read as text: a call that is added is tried, too.
#[test]
fn no_call_is_left_out() {
    let (sources, calls) = (include_str!("calls.rs"), include_str!("../../src/http/calls.rs"));
    let methods: BTreeSet<_> = calls
        .split("pub async fn ")
        .skip(1)
        .filter_map(|method| method.split('(').next())
        .collect();
    for method in methods {
        assert!(sources.contains(&format!(".{method}(")), "{method}");
    }
    assert_eq!(calls.matches(".call::<").count(), CALLS.len());
}
