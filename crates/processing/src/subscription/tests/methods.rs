//! What a customer may pay a subscription with: each of the four is bound, and pays every further period.

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};
use wire::interface::StatusCode;

use super::{GOOD, customer};
use crate::testing::{Place, in_both};

/// A token of the form that its wallet's tokens have.
fn wallet_token(content: Value) -> Value {
    json!({ "token": Base64::encode_string(content.to_string().as_bytes()) })
}

/// Id of a saved card of Anna's.
fn saved_card(place: &Place) -> String {
    let saved = json!({ "callback_url": null, "customer": {
        "external_id": "anna", "payment_method": { "cc_token": { "save_to_wallet": true } },
    } });
    place.pay("saving", GOOD, saved).unwrap();
    let mut wallet = place
        .processing
        .wallet(&place.sandbox(), &customer("anna"))
        .unwrap();
    wallet.wallet.remove(0).option_id
}

#[test]
fn each_of_the_four_is_charged_now_and_at_the_next_renewal() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        let of_a = json!({
            "version": "EC_v1", "data": "sandbox:success", "signature": "s",
            "header": { "ephemeralPublicKey": "k", "publicKeyHash": "h", "transactionId": "t" },
        });
        let of_b = json!({ "protocolVersion": "ECv2", "signature": "s", "signedMessage": "sandbox:success" });
        let mut ids = Vec::new();
        for (kind, value) in [
            ("cc_token", json!({ "token": place.token(GOOD) })),
            ("wallet", json!({ "option_id": saved_card(place) })),
            ("mobile_a_pay", wallet_token(of_a)),
            ("mobile_b_pay", wallet_token(of_b)),
        ] {
            let plan = place.plan(json!({})).unwrap();
            let method = json!({ "type": kind, (kind): value });
            let made = place
                .subscribe(&plan, GOOD, json!({ "customer": { "payment_method": method } }))
                .unwrap();
            assert_eq!(
                (made.payment.details.status_code, made.subscription.state.as_str()),
                (StatusCode::SubscriptionSuccessful, "active"),
                "{kind}"
            );
            ids.push((kind, made.subscription.id));
        }
        place.advance_to("2027-03-01T00:00:00Z", &heard);
        for (kind, id) in ids {
            assert_eq!(
                place.days(&id),
                ["2027-01-31 100.00 success", "2027-02-28 100.00 success"],
                "{kind}"
            );
        }
    });
}

/// Tokens that are none of their wallet's, by the member that holds them.
#[test]
fn a_wallets_token_that_cannot_be_read_subscribes_nobody() {
    let place = Place::sqlite();
    let plan = place.plan(json!({})).unwrap();
    for (kind, code) in [
        ("mobile_a_pay", StatusCode::InvalidMobileAPayToken),
        ("mobile_b_pay", StatusCode::InvalidMobileBPayToken),
    ] {
        let method = json!({ "type": kind, (kind): wallet_token(json!({ "version": 1 })) });
        let refused = place
            .subscribe(&plan, GOOD, json!({ "customer": { "payment_method": method } }))
            .unwrap_err();
        assert_eq!(
            (refused.code, refused.param),
            (code, format!("customer.payment_method.{kind}.token"))
        );
    }
    assert_eq!(place.count("SELECT COUNT(*) FROM subscriptions"), 0);
    assert_eq!(place.count("SELECT COUNT(*) FROM payments"), 0);
}
