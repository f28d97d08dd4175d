//! What the banks of the sandbox do: by their names, by payers' phones, by faults.

use serde_json::json;
use wire::interface::StatusCode;
use wire::interface::answer::Status;

use super::super::page::{Asks, InstallmentState};
use super::{done, failed, phone, signed, stands};
use crate::checkout::tests::secret;
use crate::processing::Processing;
use crate::testing::{Place, in_both};

/// Wire notes §7, line by line.
#[test]
fn the_stub_bank_does_what_the_phone_says() {
    let place = Place::sqlite();
    for (end, on_page, takes) in [
        ("01", true, true),
        ("02", true, true),
        ("03", false, true),
        ("04", false, true),
        ("07", true, false),
        ("08", true, false),
        ("09", false, false),
        ("10", false, false),
    ] {
        let phone = phone(&format!("+3809300000{end}"));
        let made = place.order(end, "stub", phone).unwrap();
        assert_eq!(made.action_required, on_page, "{end}");
        assert_eq!(made.details.status, Status::Init, "{end}");
        match made.action {
            Some(action) => {
                let secret = secret(&action.value);
                let page = place.processing.installment_page(&secret).unwrap();
                assert_eq!(
                    (page.state, page.asks),
                    (InstallmentState::Open { declined: None }, Asks::Agreement)
                );
                assert!(page.order.lines[0].products.is_empty());
                place.processing.answer_installment_page(&secret, true).unwrap();
                // The first answer counts.
                place.processing.answer_installment_page(&secret, false).unwrap();
            }
            None => place.second(),
        }
        let expected = match takes {
            true => signed(),
            false => failed(StatusCode::RejectedByBank),
        };
        assert_eq!(place.made(end), expected, "{end}");
    }
}

/// Service interface, "Installment order", the table of banks, line by line.
#[test]
fn each_bank_has_its_mode_and_its_requisite() {
    let place = Place::sqlite();
    let banks = place.processing.banks(&place.sandbox()).unwrap();
    assert_eq!(banks.len(), 9);
    let stub = banks.iter().find(|bank| bank.name == "stub").unwrap();
    assert_eq!(stub.available_periods, (2..=24).collect::<Vec<_>>());
    assert_eq!(
        serde_json::to_value(stub.limits).unwrap()["min_amount"],
        json!(1.00)
    );
    for (bank, direct, needs_phone, on_page) in [
        ("bank_service", true, true, true),
        ("bank_a", true, true, false),
        ("bank_b", true, true, false),
        ("bank_c", true, true, false),
        ("bank_d", true, true, false),
        ("bank_e", false, false, true),
        ("bank_f", true, true, false),
        ("bank_g", true, false, false),
        ("stub", true, true, false),
    ] {
        let (mode, other) = if direct {
            ("direct", "hosted")
        } else {
            ("hosted", "direct")
        };
        let made = place.order(bank, bank, json!({ "mode": mode })).unwrap();
        assert_eq!((made.action_required, made.is_success), (on_page, true), "{bank}");
        let wrong = place.order("other", bank, json!({ "mode": other })).unwrap_err();
        assert_eq!(
            (wrong.code, &*wrong.param),
            (StatusCode::InvalidRequestBody, "mode"),
            "{bank}"
        );
        let without = place.order(
            "without",
            bank,
            json!({ "mode": mode, "customer": { "phone": null } }),
        );
        match (needs_phone, without) {
            (true, without) => {
                let without = without.unwrap_err();
                assert_eq!(
                    (without.code, &*without.param),
                    (StatusCode::InvalidPhoneNumber, "customer.phone"),
                    "{bank}"
                );
            }
            (false, without) => {
                // Without a phone to be asked on, the payer follows a link.
                assert!(without.unwrap().action_required, "{bank}");
                place
                    .step_order(Processing::cancel_installment, "without")
                    .unwrap();
            }
        }
    }
}

#[test]
fn faults_decide_and_no_answer_is_asked_for_again() {
    in_both(|place| {
        let force = |path: &str, code: &str| {
            let fault = json!({ "path": path, "kind": "forced_result", "code": code });
            let faults = vec![serde_json::from_value(fault).unwrap()];
            place.processing.add_faults(&place.sandbox(), faults).unwrap();
        };
        let (create, confirm) = ("/api/payparts/v1/order/create", "/api/payparts/v1/order/confirm");
        force(create, "rejected_by_bank");
        let rejected = place.order("rejected", "bank_a", json!({})).unwrap();
        assert!(!rejected.is_success);
        assert_eq!(stands(rejected), failed(StatusCode::RejectedByBank));
        force(create, "contract_was_signed_on_client_side");
        assert_eq!(
            stands(place.order("signed", "bank_a", json!({})).unwrap()),
            signed()
        );
        force(create, "transaction_in_progress");
        let silent = place.order("silent", "bank_a", json!({})).unwrap();
        assert_eq!(silent.details.status_code, StatusCode::TransactionInProgress);
        assert!(!silent.is_success);
        place.clock.advance(120_000);
        place.second();
        assert_eq!(
            place.made("silent"),
            (Status::Init, StatusCode::TransactionCreated)
        );
        place.answer(true);
        force(confirm, "transaction_in_progress");
        let silent = place.step_order(Processing::confirm_installment, "silent");
        assert_eq!(silent, Ok((Status::Init, StatusCode::TransactionInProgress)));
        place.clock.advance(120_000);
        place.second();
        assert!(place.order_info("silent").confirmed);
        force(confirm, "rejected_by_bank");
        let refused = place.step_order(Processing::confirm_installment, "signed");
        assert_eq!(refused, Ok(failed(StatusCode::RejectedByBank)));
        // The bank may be asked again.
        let confirmed = place.step_order(Processing::confirm_installment, "signed");
        assert_eq!(confirmed, Ok(done(StatusCode::TransactionSuccessful)));
    });
}
