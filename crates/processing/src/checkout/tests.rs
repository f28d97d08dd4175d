//! Payments from the request to the receipt, on both databases.

mod basket;

use std::thread;
use std::time::{Duration, Instant};

use database::{DatabaseError, Row};
use serde_json::{Value, json};
use wire::interface::answer::{self, Status};
use wire::interface::payment::NewPayment;
use wire::interface::steps::{Step, WaitingRefund};
use wire::interface::{StatusCode, read};

use crate::Processing;
use crate::page::{PageSecret, PageState};
use crate::port::acquirer::Proof;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};
use vault::ClearCard;

/// Pays without a challenge.
const GOOD: &str = "4111111111111111";
/// Pays after a challenge.
const ASKS: &str = "4242424242424242";
/// Is rejected.
const BAD: &str = "4444333322221111";

impl Place {
    /// A token of a card.
    pub(crate) fn token(&self, number: &str) -> String {
        let card = json!({ "number": number, "exp_month": 12, "exp_year": 2030, "cvv": "123" }).to_string();
        self.vault
            .take("sandbox", false, ClearCard::read(&card).unwrap())
            .unwrap()
            .token
            .clone()
    }

    pub(crate) fn request(&self, external_id: &str, more: Value) -> NewPayment {
        let mut body = json!({
            "amount": 100.5, "currency": "UAH", "external_id": external_id, "mode": "direct",
            "callback_url": "http://127.0.0.1:9/callback", "customer": { "external_id": "anna" },
        });
        merge(&mut body, more);
        read(body.to_string().as_bytes()).unwrap()
    }

    pub(crate) fn pay(
        &self,
        external_id: &str,
        number: &str,
        more: Value,
    ) -> Result<answer::Payment, Refusal> {
        let method = json!({ "type": "cc_token", "cc_token": { "token": self.token(number) } });
        let mut request = json!({ "customer": { "payment_method": method } });
        merge(&mut request, more);
        let request = self.request(external_id, request);
        self.processing.create_payment(&self.sandbox(), request)
    }

    pub(crate) fn step(
        &self,
        call: fn(&Processing, &crate::Project, &Step) -> Result<answer::Payment, Refusal>,
        external_id: &str,
        amount: Option<&str>,
    ) -> Result<(Status, StatusCode), Refusal> {
        let mut body = json!({ "external_id": external_id });
        if let Some(amount) = amount {
            body["amount"] = amount.into();
        }
        let request: Step = read(body.to_string().as_bytes()).unwrap();
        call(&self.processing, &self.sandbox(), &request).map(ended)
    }

    /// Rows of a table.
    pub(crate) fn count(&self, sql: &'static str) -> u64 {
        let rows = self.processing.shared.database.read(move |tx| tx.row(sql, &[]));
        rows.unwrap().unwrap().get(0).unwrap()
    }

    /// No job is left but for callbacks. A try that has ended takes its own back when its answer is out: that is waited for.
    pub(crate) fn has_no_work(&self, context: &str) {
        const WORK: &str = "SELECT kind, failures FROM jobs WHERE kind <> 'deliver'";
        let kind = |row: &Row| Ok::<_, DatabaseError>((row.get::<String>(0)?, row.get::<u32>(1)?));
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            let rows = self.processing.shared.database.read(|tx| tx.rows(WORK, &[]));
            let work: Vec<_> = rows.unwrap().iter().map(|row| kind(row).unwrap()).collect();
            if work.is_empty() {
                return;
            }
            assert!(
                Instant::now() < end,
                "to be done, and failed so often: {work:?}: {context}"
            );
            thread::sleep(Duration::from_millis(5));
        }
    }
}

pub(crate) fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

pub(crate) fn ended(payment: answer::Payment) -> (Status, StatusCode) {
    let details = payment.details.unwrap();
    (details.status, details.status_code)
}

pub(crate) fn secret(address: &str) -> PageSecret {
    address.rsplit('/').next().unwrap().parse().unwrap()
}

#[test]
fn a_token_pays_once_and_is_told_of() {
    in_both(|place| {
        let paid = place.pay("one", GOOD, json!({})).unwrap();
        assert!(paid.is_success && !paid.action_required);
        assert_eq!(
            paid.receipt_url.as_deref().map(|url| url.contains("/receipt/")),
            Some(true)
        );
        let card = paid.payment_method.clone().unwrap().cc_token;
        assert_eq!(
            (&*card.mask, card.payment_system.as_deref()),
            ("41111111****1111", Some("VISA"))
        );
        assert_eq!(ended(paid), (Status::Success, StatusCode::TransactionSuccessful));
        let info = place.processing.info(&place.sandbox(), "one").unwrap();
        assert_eq!(
            (info.amount_confirmed.minor(), info.purchase_details.len()),
            (10_050, 1)
        );
        assert_eq!(place.count("SELECT COUNT(*) FROM callbacks"), 1);
        let again = place.pay("one", GOOD, json!({})).unwrap_err();
        assert_eq!(
            (again.code, &*again.param),
            (StatusCode::TransactionAlreadyPaid, "external_id")
        );
        assert_eq!(place.count("SELECT COUNT(*) FROM payments"), 1);
    });
}

#[test]
fn a_decline_is_an_answer_and_the_order_may_be_tried_again() {
    in_both(|place| {
        let declined = place.pay("one", BAD, json!({})).unwrap();
        assert!(!declined.is_success && declined.receipt_url.is_none());
        assert_eq!(declined.payment_method.as_ref().unwrap().cc_token.token, None);
        assert_eq!(ended(declined).0, Status::Failure);
        assert_eq!(
            ended(place.pay("one", GOOD, json!({})).unwrap()).0,
            Status::Success
        );
        assert_eq!(place.count("SELECT COUNT(*) FROM callbacks"), 2);
    });
}

#[test]
fn a_token_that_is_none_leaves_no_trace() {
    in_both(|place| {
        let method = json!({ "type": "cc_token", "cc_token": { "token": "ct_nothing" } });
        let request = place.request("one", json!({ "customer": { "payment_method": method } }));
        let refused = place
            .processing
            .create_payment(&place.sandbox(), request)
            .unwrap_err();
        assert_eq!(refused.code, StatusCode::TokenDoesNotExist);
        assert_eq!(refused.param, "customer.payment_method.cc_token.token");
        for table in [
            "SELECT COUNT(*) FROM checkouts",
            "SELECT COUNT(*) FROM payments",
            "SELECT COUNT(*) FROM operations",
            "SELECT COUNT(*) FROM orders",
            "SELECT COUNT(*) FROM jobs",
            "SELECT COUNT(*) FROM callbacks",
        ] {
            assert_eq!(place.count(table), 0, "{table}");
        }
    });
}

#[test]
fn a_challenge_is_answered_once() {
    in_both(|place| {
        for (number, proof, status) in [
            ("passed", Proof::Passed, Status::Success),
            ("failed", Proof::Failed, Status::Failure),
        ] {
            let waits = place.pay(number, ASKS, json!({})).unwrap();
            assert!(waits.action_required && waits.is_success);
            let address = waits.action.clone().unwrap().value;
            assert_eq!(
                ended(waits),
                (Status::Pending, StatusCode::WaitingForVerification)
            );
            place
                .processing
                .answer_challenge(&secret(&address), proof)
                .unwrap();
            let other = if proof == Proof::Passed {
                Proof::Failed
            } else {
                Proof::Passed
            };
            place
                .processing
                .answer_challenge(&secret(&address), other)
                .unwrap();
            let info = place.processing.info(&place.sandbox(), number).unwrap();
            assert_eq!(info.purchase_details[0].status, status);
        }
        assert_eq!(place.count("SELECT COUNT(*) FROM callbacks"), 2);
    });
}

#[test]
fn a_hold_is_charged_or_released() {
    in_both(|place| {
        let hold = json!({ "confirm": false });
        for number in ["a", "b", "c"] {
            place.pay(number, GOOD, hold.clone()).unwrap();
        }
        let done = |code| Ok((Status::Success, code));
        let refused = |result: Result<_, Refusal>| result.unwrap_err().code;
        let too_much = place.step(Processing::confirm, "a", Some("100.51"));
        assert_eq!(refused(too_much), StatusCode::ConfirmAmountTooHigh);
        assert_eq!(
            place.step(Processing::confirm, "a", Some("60")),
            done(StatusCode::TransactionSuccessful)
        );
        assert_eq!(
            refused(place.step(Processing::confirm, "a", None)),
            StatusCode::ActionAlreadyDone
        );
        assert_eq!(
            place.step(Processing::cancel, "b", Some("40.5")),
            done(StatusCode::CancelSuccessful)
        );
        assert_eq!(
            refused(place.step(Processing::confirm, "b", Some("60.01"))),
            StatusCode::ConfirmAmountTooHigh
        );
        assert_eq!(
            place.step(Processing::confirm, "b", None),
            done(StatusCode::TransactionSuccessful)
        );
        assert_eq!(
            place.step(Processing::cancel, "c", None),
            done(StatusCode::CancelSuccessful)
        );
        assert_eq!(
            refused(place.step(Processing::cancel, "c", None)),
            StatusCode::ActionAlreadyDone
        );
        assert_eq!(
            refused(place.step(Processing::refund, "c", None)),
            StatusCode::ActionNotAllowed
        );
        let info = |number| place.processing.info(&place.sandbox(), number).unwrap();
        assert_eq!(
            (
                info("a").amount_confirmed.minor(),
                info("a").amount_canceled.minor()
            ),
            (6000, 0)
        );
        assert_eq!(
            (
                info("b").amount_confirmed.minor(),
                info("b").amount_canceled.minor()
            ),
            (6000, 4050)
        );
        assert_eq!(
            (
                info("c").amount_confirmed.minor(),
                info("c").amount_canceled.minor()
            ),
            (0, 10_050)
        );
    });
}

#[test]
fn a_refund_waits_until_the_balance_suffices() {
    in_both(|place| {
        place.pay("one", GOOD, json!({})).unwrap();
        assert_eq!(
            place.step(Processing::refund, "one", Some("0.5")),
            Ok((Status::Success, StatusCode::RefundSuccessful))
        );
        // A day later nothing of it is to be paid out any more.
        place.clock.advance(86_400_000);
        let waits = Ok((Status::Pending, StatusCode::RefundWaitingForFunds));
        assert_eq!(place.step(Processing::refund, "one", Some("40")), waits);
        assert_eq!(place.step(Processing::refund, "one", Some("60")), waits);
        let code = |result: Result<_, Refusal>| result.unwrap_err().code;
        assert_eq!(
            code(place.step(Processing::refund, "one", None)),
            StatusCode::PaymentWasRefunded
        );
        let request: WaitingRefund = read(br#"{"external_id":"one"}"#).unwrap();
        let cancelled = place
            .processing
            .cancel_refund(&place.sandbox(), &request)
            .unwrap();
        assert_eq!(
            ended(cancelled),
            (Status::Failure, StatusCode::RefundIsCancelledByInitiator)
        );
        let retried = place.processing.retry_refund(&place.sandbox(), &request).unwrap();
        assert_eq!(
            ended(retried),
            (Status::Pending, StatusCode::RefundWaitingForFunds)
        );
        // Another payment brings the funds.
        place.pay("two", GOOD, json!({})).unwrap();
        while place.processing.run_job().unwrap() {}
        let info = place.processing.info(&place.sandbox(), "one").unwrap();
        assert_eq!(info.amount_refunded.minor(), 4050);
        assert_eq!(place.count("SELECT COUNT(*) FROM waiting_refunds"), 0);
    });
}

#[test]
fn of_many_at_once_one_succeeds() {
    in_both(|place| {
        let tokens: Vec<_> = (0..20).map(|_| place.token(GOOD)).collect();
        let results: Vec<_> = thread::scope(|scope| {
            let pay = |token: &String| {
                let method = json!({ "type": "cc_token", "cc_token": { "token": token } });
                let request = place.request("one", json!({ "customer": { "payment_method": method } }));
                let processing = place.processing.clone();
                scope.spawn(move || processing.create_payment(&place.sandbox(), request))
            };
            let threads: Vec<_> = tokens.iter().map(pay).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let paid = results.iter().filter(|result| result.is_ok()).count();
        assert_eq!(paid, 1);
        for refused in results.into_iter().filter_map(Result::err) {
            assert_eq!(refused.code, StatusCode::TransactionAlreadyPaid);
        }
    });
}

#[test]
fn the_payment_page_takes_another_card_after_a_decline() {
    in_both(|place| {
        let opened = place.request("one", json!({ "mode": "hosted", "checkout_ttl": 5 }));
        let opened = place.processing.create_payment(&place.sandbox(), opened).unwrap();
        assert!(opened.is_success && opened.action_required && opened.details.is_none());
        let address = secret(&opened.action.unwrap().value);
        let unpaid = place.processing.info(&place.sandbox(), "one").unwrap_err();
        assert_eq!(unpaid.code, StatusCode::DataNotFound);
        let method = |number: &str| {
            let method = json!({ "type": "cc_token", "cc_token": { "token": place.token(number) } });
            let method: wire::interface::method::PaymentMethod = read(method.to_string().as_bytes()).unwrap();
            method.named("").unwrap()
        };
        let pay = |attempt, number| {
            place
                .processing
                .pay_page(&address, attempt, method(number))
                .unwrap()
        };
        let state = || place.processing.page(&address).unwrap();
        assert_eq!(state().state, PageState::Open { declined: None });
        pay(0, BAD);
        assert!(matches!(state().state, PageState::Open { declined: Some(_) }));
        // A double click.
        pay(0, GOOD);
        assert!(matches!(state().state, PageState::Open { declined: Some(_) }));
        pay(1, ASKS);
        let PageState::Challenge { .. } = state().state else {
            panic!()
        };
        // Another card instead of an answer.
        pay(2, GOOD);
        assert!(matches!(state().state, PageState::Paid { .. }));
        assert_eq!(
            place
                .processing
                .info(&place.sandbox(), "one")
                .unwrap()
                .purchase_details
                .len(),
            3
        );
        assert_eq!(place.count("SELECT COUNT(*) FROM callbacks"), 3);
    });
}

#[test]
fn a_page_of_an_order_that_was_paid_elsewhere_is_closed() {
    in_both(|place| {
        let open = || {
            let opened = place.request("one", json!({ "mode": "hosted" }));
            let opened = place.processing.create_payment(&place.sandbox(), opened).unwrap();
            secret(&opened.action.unwrap().value)
        };
        let page = open();
        place.pay("one", GOOD, json!({})).unwrap();
        let PageState::Closed { code } = place.processing.page(&page).unwrap().state else {
            panic!()
        };
        assert_eq!(code, StatusCode::TransactionAlreadyPaid);
    });
}

#[test]
fn a_page_has_its_time() {
    in_both(|place| {
        let opened = place.request("one", json!({ "mode": "hosted", "checkout_ttl": 5 }));
        let opened = place.processing.create_payment(&place.sandbox(), opened).unwrap();
        let address = secret(&opened.action.unwrap().value);
        place.clock.advance(300_000);
        assert_eq!(place.processing.page(&address).unwrap().state, PageState::Expired);
        while place.processing.run_job().unwrap() {}
        assert_eq!(place.processing.page(&address).unwrap().state, PageState::Expired);
        assert_eq!(
            place.count("SELECT COUNT(*) FROM payments WHERE state = 'expired'"),
            1
        );
    });
}

#[test]
fn a_binding_is_charged_again() {
    in_both(|place| {
        let first = place
            .pay(
                "card",
                GOOD,
                json!({ "amount": 0, "init_recurrent_payment": true }),
            )
            .unwrap();
        let details = first.details.unwrap();
        assert_eq!(details.method, answer::DetailsMethod::Lookup);
        let id = details.recurrent_id.unwrap();
        let body = json!({ "recurrent_id": id, "external_id": "month", "amount": "20" });
        let request = read(body.to_string().as_bytes()).unwrap();
        let again = place.processing.charge_again(&place.sandbox(), request).unwrap();
        assert_eq!(again.operation, Some(answer::Operation::Recurrent));
        assert_eq!(ended(again), (Status::Success, StatusCode::TransactionSuccessful));
        // The same payer's binding is the same.
        let other = place
            .pay("later", GOOD, json!({ "init_recurrent_payment": true }))
            .unwrap();
        assert_eq!(other.details.unwrap().recurrent_id, Some(id));
    });
}

/// All that a payment goes through, at the shop's call and on pages, and the jobs behind it.
fn whole_life(place: &Place, name: &str) {
    let order = |what: &str| format!("{name}-{what}");
    place.pay(&order("paid"), GOOD, json!({})).unwrap();
    place.step(Processing::refund, &order("paid"), Some("1")).unwrap();
    place
        .pay(&order("held"), GOOD, json!({ "confirm": false }))
        .unwrap();
    place.step(Processing::confirm, &order("held"), None).unwrap();
    let asks = place.pay(&order("asks"), ASKS, json!({})).unwrap();
    let address = secret(&asks.action.unwrap().value);
    place.processing.challenge(&address).unwrap();
    place
        .processing
        .answer_challenge(&address, Proof::Passed)
        .unwrap();
    let hosted = place.request(&order("hosted"), json!({ "mode": "hosted" }));
    let hosted = place.processing.create_payment(&place.sandbox(), hosted).unwrap();
    place
        .processing
        .page(&secret(&hosted.action.unwrap().value))
        .unwrap();
    place
        .processing
        .create_basket(
            &place.sandbox(),
            basket::basket(place, &order("basket"), json!({})),
        )
        .unwrap();
    place
        .processing
        .basket_status(&place.sandbox(), &order("basket"))
        .unwrap();
    place.processing.info(&place.sandbox(), &order("paid")).unwrap();
    place
        .processing
        .receipt(&place.sandbox(), &order("paid"))
        .unwrap();
    place.processing.journal(&place.sandbox(), None, 10).unwrap();
    while place.processing.run_job().unwrap() {}
}

#[test]
fn nothing_goes_through_all_payments() {
    let place = Place::sqlite();
    whole_life(&place, "first");
    for n in 0..30 {
        place.pay(&format!("more-{n}"), GOOD, json!({})).unwrap();
    }
    // What was planned with the first rows is planned anew with all of them.
    let before = place.processing.shared.database.scanned().unwrap();
    whole_life(&place, "second");
    let scanned = place.processing.shared.database.scanned().unwrap() - before;
    assert_eq!(scanned, 0, "rows were read without an index");
}
