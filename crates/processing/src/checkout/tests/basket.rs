//! Baskets.

use serde_json::{Value, json};
use wire::interface::{StatusCode, read};

use super::{ASKS, BAD, GOOD, merge, secret};
use crate::Processing;
use crate::page::PageState;
use crate::port::acquirer::Proof;
use crate::testing::{Place, in_both};

/// A basket of both projects of the sandbox.
pub(super) fn basket(place: &Place, number: &str, more: Value) -> wire::interface::basket::NewBasket {
    let method = json!({ "type": "cc_token", "cc_token": { "token": place.token(GOOD) } });
    let mut body = json!({
        "batch_external_id": number, "currency": "UAH", "mode": "direct", "callback_url": "http://127.0.0.1:9/callback",
        "customer": { "payment_method": method },
        "orders": [
            { "api_key": "sandbox", "amount": "60", "external_id": format!("{number}-1") },
            { "api_key": "sandbox-2", "amount": 40.5, "external_id": format!("{number}-2") },
        ],
    });
    merge(&mut body, more);
    read(body.to_string().as_bytes()).unwrap()
}

#[test]
fn a_basket_is_paid_as_a_whole_and_told_of_by_order() {
    in_both(|place| {
        let (login, create) = (place.sandbox(), Processing::create_basket);
        let paid = create(&place.processing, &login, basket(place, "b", json!({}))).unwrap();
        assert!(paid.is_success && !paid.action_required);
        assert_eq!(paid.batch_details.unwrap().amount.minor(), 10_050);
        let orders = paid.order_details.unwrap();
        assert_eq!(
            orders
                .iter()
                .map(|order| order.amount.minor())
                .collect::<Vec<_>>(),
            [6000, 4050]
        );
        assert_ne!(orders[0].operation_id, orders[1].operation_id);
        assert_eq!(
            place.count("SELECT COUNT(*) FROM callbacks WHERE signer = 'sandbox'"),
            2
        );
        let status = place.processing.basket_status(&login, "b").unwrap();
        assert_eq!(status.status_code, StatusCode::TransactionSuccessful);
        // An order of it that was paid is not paid again, whatever basket it is in, and nothing of that basket stays.
        let again = json!({ "orders": [
            { "api_key": "sandbox", "amount": "1", "external_id": "new" },
            { "api_key": "sandbox-2", "amount": "1", "external_id": "b-2" },
        ] });
        let refused = create(&place.processing, &login, basket(place, "other", again)).unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::TransactionAlreadyPaid, "external_id")
        );
        assert_eq!(place.count("SELECT COUNT(*) FROM payments"), 2);
        let refused = create(&place.processing, &login, basket(place, "b", json!({}))).unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::TransactionAlreadyPaid, "batch_external_id")
        );
    });
}

#[test]
fn a_basket_that_is_held_is_confirmed_by_order_or_not_at_all() {
    in_both(|place| {
        let login = place.sandbox();
        let held = basket(place, "b", json!({ "confirm": false }));
        place.processing.create_basket(&login, held).unwrap();
        let confirm = |second: &str| {
            let body = json!({ "batch_external_id": "b", "orders": [
                { "api_key": "sandbox", "external_id": "b-1", "amount": "10" },
                { "api_key": "sandbox-2", "external_id": "b-2", "amount": second },
            ] });
            place
                .processing
                .confirm_basket(&login, &read(body.to_string().as_bytes()).unwrap())
        };
        let refused = confirm("40.51").unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::ConfirmAmountTooHigh, "orders.amount")
        );
        assert_eq!(
            place.count("SELECT COUNT(*) FROM payments WHERE state = 'held'"),
            2
        );
        let confirmed = confirm("40.5").unwrap();
        assert!(confirmed.is_success);
        let sums: Vec<_> = confirmed
            .order_details
            .unwrap()
            .iter()
            .map(|order| order.amount.minor())
            .collect();
        assert_eq!(sums, [1000, 4050]);
        let cancel = read(br#"{"batch_external_id":"b"}"#).unwrap();
        let refused = place.processing.cancel_basket(&login, &cancel).unwrap_err();
        assert_eq!(refused.code, StatusCode::ActionNotAllowed);
        let held = basket(place, "c", json!({ "confirm": false }));
        place.processing.create_basket(&login, held).unwrap();
        let cancel = read(br#"{"batch_external_id":"c"}"#).unwrap();
        let cancelled = place.processing.cancel_basket(&login, &cancel).unwrap();
        assert_eq!(
            cancelled.order_details.unwrap()[1].status_code,
            StatusCode::CancelSuccessful
        );
        assert_eq!(
            place.count("SELECT COUNT(*) FROM payments WHERE state = 'released'"),
            2
        );
    });
}

#[test]
fn a_basket_on_the_payment_page_is_paid_after_a_decline_and_a_proof() {
    in_both(|place| {
        let login = place.sandbox();
        let opened = basket(place, "b", json!({ "mode": "hosted" }));
        let opened = place.processing.create_basket(&login, opened).unwrap();
        let address = secret(&opened.action.unwrap().value);
        assert!(opened.is_success && opened.order_details.is_none());
        let waiting = place.processing.basket_status(&login, "b").unwrap();
        assert_eq!(waiting.status_code, StatusCode::WaitingForRedirect);
        let method = |number: &str| {
            let method = json!({ "type": "cc_token", "cc_token": { "token": place.token(number) } });
            let method: wire::interface::method::PaymentMethod = read(method.to_string().as_bytes()).unwrap();
            method.named("").unwrap()
        };
        place.processing.pay_page(&address, 0, method(BAD)).unwrap();
        place.processing.pay_page(&address, 1, method(ASKS)).unwrap();
        let PageState::Challenge { secret } = place.processing.page(&address).unwrap().state else {
            panic!()
        };
        place.processing.answer_challenge(&secret, Proof::Passed).unwrap();
        assert!(matches!(
            place.processing.page(&address).unwrap().state,
            PageState::Paid { .. }
        ));
        assert_eq!(
            place.count("SELECT COUNT(*) FROM payments WHERE state = 'charged'"),
            2
        );
        assert_eq!(place.count("SELECT COUNT(*) FROM callbacks"), 4);
    });
}

#[test]
fn an_order_of_a_basket_belongs_to_a_project_of_the_partner() {
    in_both(|place| {
        for (orders, param) in [
            (
                json!([{ "api_key": "nobody", "amount": "1", "external_id": "x" }]),
                "orders.api_key",
            ),
            (
                json!([{ "api_key": "sandbox", "amount": 0, "external_id": "x" }]),
                "orders.amount",
            ),
            (
                json!([
                    { "api_key": "sandbox", "amount": 1, "external_id": "x" },
                    { "api_key": "sandbox", "amount": 2, "external_id": "x" },
                ]),
                "orders.external_id",
            ),
        ] {
            let refused = basket(place, "b", json!({ "orders": orders }));
            let refused = place
                .processing
                .create_basket(&place.sandbox(), refused)
                .unwrap_err();
            assert_eq!(refused.param, param);
        }
        assert_eq!(place.count("SELECT COUNT(*) FROM orders"), 0);
    });
}
