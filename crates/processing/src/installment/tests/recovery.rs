//! Interruptions: whatever ends a process, an order comes to one end, and nobody is asked for two contracts.

use serde_json::{Value, json};
use wire::interface::StatusCode;
use wire::interface::read;

use super::{BY_ITSELF, body, phone};
use crate::checkout::tests::secret;
use crate::recovery::until;
use crate::testing::{Place, in_both};

/// Lets the time pass after which jobs take up what was interrupted.
fn recover(place: &Place) {
    for _ in 0..4 {
        place.clock.advance(121_000);
        while place.processing.run_job().unwrap() {}
    }
}

/// What holds whatever was interrupted.
fn all_is_well(place: &Place, context: &str) {
    for (sql, what) in [
        ("SELECT COUNT(*) FROM installments WHERE busy IS NOT NULL", "busy"),
        ("SELECT COUNT(*) FROM orders WHERE holder IS NOT NULL", "held"),
        (
            "SELECT COUNT(*) FROM operations WHERE processed_at IS NULL",
            "open",
        ),
    ] {
        assert_eq!(place.count(sql), 0, "{what}: {context}");
    }
    place.has_no_work(context);
    let told = place.count("SELECT COUNT(*) FROM callbacks");
    let done = place.count("SELECT COUNT(*) FROM operations");
    assert_eq!(told, done, "told once: {context}");
}

/// Makes an order, cut off at the so-many-th look at the clock.
fn make(place: &Place, looks: usize, bank: &str, more: Value) -> Option<Option<String>> {
    let request = body(&format!("cut at {looks}"), bank, more);
    let request = read(request.to_string().as_bytes()).unwrap();
    let made = until(Some(looks), || {
        place.processing.create_installment(&place.sandbox(), request)
    });
    made.map(|made| made.unwrap().action.map(|action| action.value))
}

#[test]
fn an_order_that_is_cut_off_anywhere_is_confirmed_once_or_not_made() {
    in_both(|place| {
        let mut looks = 0;
        loop {
            let mut more = phone(BY_ITSELF);
            more["auto_confirm_after_success"] = true.into();
            let made = make(place, looks, "stub", more);
            recover(place);
            let number = format!("cut at {looks}");
            all_is_well(place, &number);
            let info = place.processing.installment(&place.sandbox(), &number);
            match info {
                Ok(info) => assert_eq!(
                    (info.confirmed, info.confirmation_details.len()),
                    (true, 1),
                    "{number}"
                ),
                Err(refusal) => assert_eq!((refusal.code, made.is_none()), (StatusCode::DataNotFound, true)),
            }
            if made.is_some() {
                assert!(looks > 2, "a creation looks at the clock more often");
                break;
            }
            looks += 1;
        }
    });
}

#[test]
fn a_card_that_is_cut_off_anywhere_signs_once_and_is_settled() {
    in_both(|place| {
        let mut looks = 0;
        loop {
            let number = format!("card at {looks}");
            let more = json!({ "mode": "hosted", "customer": { "phone": null }, "auto_confirm_after_success": true });
            let made = place.order(&number, "bank_e", more).unwrap();
            let page = secret(&made.action.unwrap().value);
            let token = place.token("4111111111111111");
            let signed = until(Some(looks), || {
                place.processing.sign_installment(&page, 0, &token)
            });
            recover(place);
            let after = place.processing.installment_page(&page).unwrap();
            if after.state != super::InstallmentState::Signed {
                // It never came to the bank: the payer gives it once more, with the same token.
                assert!(signed.is_none(), "{number}");
                place
                    .processing
                    .sign_installment(&page, after.tries, &token)
                    .unwrap();
            }
            let info = place.order_info(&number);
            assert_eq!(
                (info.confirmed, info.confirmation_details.len()),
                (true, 1),
                "{number}"
            );
            recover(place);
            all_is_well(place, &number);
            let again = place.pay(&format!("{number} again"), "4111111111111111", json!({}));
            assert!(again.is_ok(), "the payer's next token is another one");
            recover(place);
            if signed.is_some() {
                assert!(looks > 3, "a card looks at the clock more often");
                break;
            }
            looks += 1;
        }
    });
}
