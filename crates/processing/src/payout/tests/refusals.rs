//! What is refused, and that nothing is left of it.

use serde_json::{Value, json};
use wire::interface::{Amount, StatusCode, read};

use super::{ENTITY, GOOD, paid};
use crate::checkout::tests::merge;
use crate::testing::in_both;
use crate::{Permissions, Project};

#[test]
fn every_kind_of_card_data_receives_and_a_card_that_pays_does_not() {
    in_both(|place| {
        place.fund(1000);
        let token = place.receiver(GOOD);
        let data = |data: Value| json!({ "recipient": { "card": { "card_data": data } } });
        let ask = |number: &str, data: Value| {
            let request = place.new_payout(number, data);
            place.processing.request_payout(&place.sandbox(), request)
        };
        ask(
            "token",
            data(json!({ "token": token, "number": "", "option_id": null })),
        )
        .unwrap();
        ask("number", data(json!({ "number": GOOD }))).unwrap();
        let saved = place.pay("saved", GOOD, json!({})).unwrap();
        let lasting = saved.payment_method.unwrap().cc_token.token;
        ask("lasting", data(json!({ "token": lasting }))).unwrap();
        let add = json!({ "cc_token": { "save_to_wallet": true } });
        place
            .pay("card", GOOD, json!({ "customer": { "payment_method": add } }))
            .unwrap();
        let customer = wire::interface::values::ExternalId::new("anna").unwrap();
        let wallet = place.processing.wallet(&place.sandbox(), &customer).unwrap();
        let option = &wallet.wallet[0].option_id;
        ask("option", data(json!({ "option_id": option }))).unwrap();
        place.pass(700);
        for number in ["token", "number", "lasting", "option"] {
            assert_eq!(place.stands(number), paid(), "{number}");
        }
        let before = (place.funds(), place.count("SELECT COUNT(*) FROM payouts"));
        let at = |member: &str| format!("recipient.card.card_data{member}");
        for (sent, code, param) in [
            (json!({ "token": token }), StatusCode::InvalidCardToken, ".token"),
            (
                json!({ "token": place.token(GOOD) }),
                StatusCode::InvalidCardToken,
                ".token",
            ),
            (
                json!({ "token": "ct_none" }),
                StatusCode::TokenDoesNotExist,
                ".token",
            ),
            (
                json!({ "option_id": "123456789012345678" }),
                StatusCode::PaymentMethodNotFound,
                ".option_id",
            ),
            (
                json!({ "option_id": "x" }),
                StatusCode::PaymentMethodNotFound,
                ".option_id",
            ),
            (
                json!({ "number": "4111111111111112" }),
                StatusCode::WrongCardNumber,
                ".number",
            ),
            (
                json!({ "number": 4_111_111_111_111_111_u64 }),
                StatusCode::InvalidRequestBody,
                ".number",
            ),
            (
                json!({ "number": GOOD, "token": token }),
                StatusCode::InvalidRequestBody,
                "",
            ),
            (
                json!({ "token": token, "option_id": option }),
                StatusCode::InvalidRequestBody,
                "",
            ),
            (json!({}), StatusCode::InvalidRequestBody, ""),
        ] {
            let refused = ask("refused", data(sent)).unwrap_err();
            assert_eq!((refused.code, refused.param), (code, at(param)));
        }
        let unknown = place.processing.payout_info(&place.sandbox(), "refused");
        assert_eq!(
            unknown.unwrap_err().code,
            StatusCode::TransactionNotFound,
            "without a trace"
        );
        assert_eq!(
            (place.funds(), place.count("SELECT COUNT(*) FROM payouts")),
            before
        );
        assert_eq!(place.count("SELECT COUNT(*) FROM jobs WHERE kind = 'payout'"), 0);
    });
}

#[test]
fn what_a_payout_may_not_be_is_refused_and_nothing_is_done() {
    in_both(|place| {
        place.fund(100);
        let token = json!({ "token": place.receiver(GOOD) });
        let good = json!({ "recipient": { "card": { "card_data": token } } });
        let cash = |cash: Value| json!({ "recipient": { "payout_type": "cash", "cash": cash } });
        for (more, code, param) in [
            (
                json!({ "payer": { "entity_id": "another" } }),
                StatusCode::AccessNotAllowed,
                "payer.entity_id",
            ),
            (
                json!({ "order": { "currency": "USD" } }),
                StatusCode::InvalidCurrency,
                "order.currency",
            ),
            (
                json!({ "order": { "original_amount": 0 } }),
                StatusCode::WrongAmount,
                "order.original_amount",
            ),
            (
                json!({ "order": { "original_amount": "100.01" } }),
                StatusCode::InsufficientFunds,
                "order.original_amount",
            ),
            (
                json!({ "recipient": { "card": null } }),
                StatusCode::InvalidRequestBody,
                "recipient.card",
            ),
            (
                cash(json!(null)),
                StatusCode::InvalidRequestBody,
                "recipient.cash",
            ),
            (
                cash(json!({ "first_name": "L", "last_name": "K", "card_data": token })),
                StatusCode::InvalidRequestBody,
                "recipient.cash.phone",
            ),
            (
                json!({ "recipient": { "card": { "phone": "0501234567" } } }),
                StatusCode::InvalidRequestBody,
                "recipient.card.phone",
            ),
            (
                json!({ "recipient": { "card": { "ipn": "123456789" } } }),
                StatusCode::InvalidRequestBody,
                "recipient.card.ipn",
            ),
            (
                json!({ "recipient": { "card": { "last_name": "" } } }),
                StatusCode::InvalidRequestBody,
                "recipient.card.last_name",
            ),
        ] {
            let mut request = good.clone();
            merge(&mut request, more);
            let request = place.new_payout("one", request);
            let refused = place
                .processing
                .request_payout(&place.sandbox(), request)
                .unwrap_err();
            assert_eq!((refused.code, &*refused.param), (code, param));
        }
        let long = |letters: usize| "x".repeat(letters);
        for (more, param) in [
            (json!({ "order": { "external_id": "" } }), "order.external_id"),
            (
                json!({ "order": { "external_id": long(256) } }),
                "order.external_id",
            ),
            (
                json!({ "order": { "original_amount": -1 } }),
                "order.original_amount",
            ),
            (
                json!({ "order": { "description": long(501) } }),
                "order.description",
            ),
            (
                json!({ "order": { "callback_url": "shop" } }),
                "order.callback_url",
            ),
            (json!({ "payer": null }), "payer"),
            (
                json!({ "recipient": { "payout_type": "gold" } }),
                "recipient.payout_type",
            ),
            (
                json!({ "recipient": { "card": { "middle_name": long(501) } } }),
                "recipient.card.middle_name",
            ),
            (
                json!({ "recipient": { "card": { "email": long(256) } } }),
                "recipient.card.email",
            ),
            (
                json!({ "recipient": { "card": { "ipn": "123456789x" } } }),
                "recipient.card.ipn",
            ),
        ] {
            let mut request = good.clone();
            merge(&mut request, more);
            let request = place.read_payout("one", request);
            let refused = request
                .and_then(|request| place.processing.request_payout(&place.sandbox(), request))
                .unwrap_err();
            assert_eq!(
                (refused.code, &*refused.param),
                (StatusCode::InvalidRequestBody, param)
            );
        }
        let number = json!({ "recipient": { "card": { "card_data": { "number": GOOD } } } });
        let shut = Project {
            may_send_cards: false,
            ..(*place.sandbox()).clone()
        };
        let refused = place
            .processing
            .request_payout(&shut, place.new_payout("one", number))
            .unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::AccessNotAllowed, "recipient.card.card_data.number")
        );
        let balance = place.processing.account_balance(&shut, "another").unwrap_err();
        assert_eq!(
            (balance.code, &*balance.param),
            (StatusCode::AccessNotAllowed, "merchant_entity_id")
        );
        for table in ["payouts", "operations", "orders", "callbacks", "jobs"] {
            let sql: &'static str = Box::leak(format!("SELECT COUNT(*) FROM {table}").into_boxed_str());
            assert_eq!(place.count(sql), 0, "{table}");
        }
        assert_eq!(place.funds(), (100, 0));
        assert!(place.processing.permit("sandbox", Permissions::default()).is_ok());
    });
}

#[test]
fn payouts_of_a_project_are_nobody_elses() {
    in_both(|place| {
        place.fund(100);
        place.pay_cash("one");
        let other = place.processing.shared.project("sandbox-2").unwrap().unwrap();
        let code = place.processing.payout_info(&other, "one").unwrap_err().code;
        assert_eq!(code, StatusCode::TransactionNotFound);
        let named = read(br#"{"external_id":"one"}"#).unwrap();
        let code = place.processing.cancel_payout(&other, &named).unwrap_err().code;
        assert_eq!(code, StatusCode::TransactionNotFound);
        let balance = place.processing.account_balance(&other, ENTITY).unwrap();
        assert_eq!(
            (balance.available_amount, balance.commitment_amount),
            (Amount::ZERO, Amount::ZERO)
        );
        let token = json!({ "recipient": { "card": { "card_data": { "token": place.receiver(GOOD) } } } });
        let request = place.new_payout("two", token);
        let refused = place.processing.request_payout(&other, request).unwrap_err();
        assert_eq!(
            refused.code,
            StatusCode::InsufficientFunds,
            "each has a balance of its own"
        );
    });
}
