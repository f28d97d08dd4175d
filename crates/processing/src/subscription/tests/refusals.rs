//! What is refused, and that nothing is left of it.

use std::thread;

use serde_json::{Value, json};
use wire::interface::{StatusCode, read};

use super::{GOOD, customer};
use crate::testing::{Place, in_both};

#[test]
fn plans_that_cannot_be_are_refused_by_the_member() {
    in_both(|place| {
        for (more, code, param) in [
            (json!({ "price": 0 }), StatusCode::WrongAmount, "price"),
            (
                json!({ "currency": "EUR" }),
                StatusCode::InvalidCurrency,
                "currency",
            ),
            (
                json!({ "end_date": "2025-12-31" }),
                StatusCode::InvalidRequestBody,
                "end_date",
            ),
            (
                json!({ "end_date": "2026-02-30" }),
                StatusCode::InvalidRequestBody,
                "end_date",
            ),
            (
                json!({ "start_date": "2026-02-30T00:00:00Z" }),
                StatusCode::InvalidRequestBody,
                "start_date",
            ),
            (
                json!({ "start_date": "2026-02-20" }),
                StatusCode::InvalidRequestBody,
                "start_date",
            ),
            (
                json!({ "frequency": 0 }),
                StatusCode::InvalidRequestBody,
                "frequency",
            ),
            (
                json!({ "frequency": 1.5 }),
                StatusCode::InvalidRequestBody,
                "frequency",
            ),
            (
                json!({ "frequency_type": "hourly" }),
                StatusCode::InvalidRequestBody,
                "frequency_type",
            ),
            (
                json!({ "duration_periods": null }),
                StatusCode::InvalidRequestBody,
                "duration_periods",
            ),
            (json!({ "name": "" }), StatusCode::InvalidRequestBody, "name"),
            (
                json!({ "platforms": [1] }),
                StatusCode::InvalidRequestBody,
                "platforms",
            ),
            (
                json!({ "price": "1.005" }),
                StatusCode::InvalidRequestBody,
                "price",
            ),
            (
                json!({ "description": "x".repeat(2049) }),
                StatusCode::InvalidRequestBody,
                "description",
            ),
            (
                json!({ "callbacks": vec![json!({ "api_key": "sandbox", "url": "https://shop.example/" }); 11] }),
                StatusCode::InvalidRequestBody,
                "callbacks",
            ),
            (
                json!({ "callbacks": [{ "url": "https://shop.example/" }] }),
                StatusCode::InvalidRequestBody,
                "callbacks.api_key",
            ),
            (
                json!({ "callbacks": [{ "api_key": "nobody", "url": "https://shop.example/" }] }),
                StatusCode::InvalidData,
                "callbacks.api_key",
            ),
            (
                json!({ "callbacks": [{ "api_key": "sandbox", "url": "ftp://shop.example/" }] }),
                StatusCode::InvalidRequestBody,
                "callbacks.url",
            ),
        ] {
            let refused = place.plan(more.clone()).unwrap_err();
            assert_eq!((refused.code, &*refused.param), (code, param), "{more}");
        }
        assert_eq!(place.count("SELECT COUNT(*) FROM plans"), 0);
    });
}

#[test]
fn a_deleted_plan_is_not_changed_nor_subscribed_to() {
    in_both(|place| {
        let plan = place.plan(json!({})).unwrap();
        let delete = || {
            place
                .processing
                .delete_plan(&place.sandbox(), &plan)
                .map_err(|refusal| refusal.code)
        };
        delete().unwrap();
        assert_eq!(delete().unwrap_err(), StatusCode::PlanNotActive);
        let change = read(br#"{"price": 5}"#).unwrap();
        let changed = place.processing.change_plan(&place.sandbox(), &plan, change);
        let changed = changed.unwrap_err();
        assert_eq!(
            (changed.code, &*changed.param),
            (StatusCode::PlanNotActive, "plan_id")
        );
        let refused = place.subscribe(&plan, GOOD, json!({})).unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::PlanNotActive, "plan_id")
        );
        let left = place.processing.plans(&place.sandbox()).unwrap();
        assert_eq!(left[0].state.as_str(), "inactive");
    });
}

#[test]
fn subscriptions_that_cannot_be_are_refused_by_the_member() {
    in_both(|place| {
        let plan = place.plan(json!({})).unwrap();
        let over = place.plan(json!({ "end_date": "2026-02-01" })).unwrap();
        let method = |method: Value| json!({ "customer": { "payment_method": method } });
        let cc = json!({ "type": "cc", "cc": { "number": GOOD, "exp_month": 12, "exp_year": 2030, "cvv": "123" } });
        for (plan, more, code, param) in [
            ("000", json!({}), StatusCode::PlanNotFound, "plan_id"),
            (
                "123456789012345678",
                json!({}),
                StatusCode::PlanNotFound,
                "plan_id",
            ),
            (&*over, json!({}), StatusCode::PlanNotActive, "plan_id"),
            (
                &*plan,
                json!({ "plan_id": null }),
                StatusCode::InvalidRequestBody,
                "plan_id",
            ),
            (
                &*plan,
                json!({ "result_url": "" }),
                StatusCode::InvalidRequestBody,
                "result_url",
            ),
            (
                &*plan,
                json!({ "start_date": "tomorrow" }),
                StatusCode::InvalidRequestBody,
                "start_date",
            ),
            (
                &*plan,
                json!({ "start_date": "2026-02-30T00:00:00Z" }),
                StatusCode::InvalidRequestBody,
                "start_date",
            ),
            (
                &*plan,
                json!({ "auto_renew": "yes" }),
                StatusCode::InvalidRequestBody,
                "auto_renew",
            ),
            (
                &*plan,
                json!({ "use_plan_price_on_auto_renew": 1 }),
                StatusCode::InvalidRequestBody,
                "use_plan_price_on_auto_renew",
            ),
            (
                &*plan,
                json!({ "callback_url": "shop" }),
                StatusCode::InvalidRequestBody,
                "callback_url",
            ),
            (
                &*plan,
                json!({ "description": "x".repeat(2049) }),
                StatusCode::InvalidRequestBody,
                "description",
            ),
            (
                &*plan,
                json!({ "trial_periods": -1 }),
                StatusCode::InvalidRequestBody,
                "trial_periods",
            ),
            (
                &*plan,
                json!({ "price": "1.005" }),
                StatusCode::InvalidRequestBody,
                "price",
            ),
            (
                &*plan,
                json!({ "customer": null }),
                StatusCode::InvalidRequestBody,
                "customer",
            ),
            (
                &*plan,
                json!({ "customer": { "external_id": "bob" } }),
                StatusCode::InvalidData,
                "customer.external_id",
            ),
            (
                &*plan,
                method(Value::Null),
                StatusCode::InvalidRequestBody,
                "customer.payment_method",
            ),
            (
                &*plan,
                method(cc),
                StatusCode::InvalidRequestBody,
                "customer.payment_method.type",
            ),
            (
                &*plan,
                method(json!({ "type": "cc_token", "cc_token": { "token": "unknown" } })),
                StatusCode::TokenDoesNotExist,
                "customer.payment_method.cc_token.token",
            ),
            (
                &*plan,
                method(json!({ "type": "wallet", "wallet": { "option_id": "123456789012345678" } })),
                StatusCode::PaymentMethodNotFound,
                "customer.payment_method.wallet.option_id",
            ),
        ] {
            let refused = place.subscribe(plan, GOOD, more.clone()).unwrap_err();
            assert_eq!((refused.code, &*refused.param), (code, param), "{more}");
        }
        for table in [
            "SELECT COUNT(*) FROM subscriptions",
            "SELECT COUNT(*) FROM subscription_payments",
            "SELECT COUNT(*) FROM payments",
            "SELECT COUNT(*) FROM orders",
        ] {
            assert_eq!(place.count(table), 0, "{table}");
        }
    });
}

#[test]
fn a_customer_has_one_of_a_plan_however_many_ask_at_once() {
    in_both(|place| {
        let plan = place.plan(json!({})).unwrap();
        let answers = thread::scope(|scope| {
            let ask = || {
                place
                    .subscribe(&plan, GOOD, json!({}))
                    .map(|made| made.subscription.id)
                    .map_err(|refusal| refusal.code)
            };
            let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            asking
                .into_iter()
                .map(|asking| asking.join().unwrap())
                .collect::<Vec<_>>()
        });
        let made: Vec<_> = answers.iter().flatten().collect();
        assert_eq!(made.len(), 1);
        assert!(
            answers
                .iter()
                .filter_map(|answer| answer.as_ref().err())
                .all(|code| *code == StatusCode::SubscriptionAlreadyExists)
        );
        assert_eq!(place.count("SELECT COUNT(*) FROM payments"), 1);
        place
            .processing
            .cancel_subscription(&place.sandbox(), &customer("anna"), made[0], false)
            .unwrap();
        assert!(
            place.subscribe(&plan, GOOD, json!({})).is_ok(),
            "one that has ended is none"
        );
        let all = place
            .processing
            .subscriptions(&place.sandbox(), &customer("anna"))
            .unwrap();
        assert_eq!(all.len(), 2);
    });
}

#[test]
fn nobody_sees_or_changes_what_is_another_customers_or_projects() {
    in_both(|place: &Place| {
        let plan = place.plan(json!({})).unwrap();
        let id = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription.id;
        let other = place
            .processing
            .authenticate("sandbox-2", b"sandbox-2-password")
            .unwrap();
        let of = &place.processing;
        for (project, name) in [(place.sandbox(), "bob"), (other.clone(), "anna")] {
            let name = customer(name);
            let change = read(br#"{"auto_renew": false}"#).unwrap();
            for refused in [
                of.subscription(&project, &name, &id).map(drop),
                of.subscription_payments(&project, &name, &id).map(drop),
                of.change_subscription(&project, &name, &id, change).map(drop),
                of.deactivate_subscription(&project, &name, &id).map(drop),
                of.cancel_subscription(&project, &name, &id, true).map(drop),
            ] {
                assert_eq!(refused.unwrap_err().code, StatusCode::SubscriptionNotFound);
            }
            assert_eq!(of.subscriptions(&project, &name).unwrap(), []);
        }
        assert_eq!(of.plan(&other, &plan).unwrap_err().code, StatusCode::PlanNotFound);
        assert_eq!(of.plans(&other).unwrap(), []);
        let change = read(br#"{"price": 5}"#).unwrap();
        assert_eq!(
            of.change_plan(&other, &plan, change).unwrap_err().code,
            StatusCode::PlanNotFound
        );
        assert_eq!(
            of.delete_plan(&other, &plan).unwrap_err().code,
            StatusCode::PlanNotFound
        );
        assert!(place.look(&id).auto_renew);
    });
}
