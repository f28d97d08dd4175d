//! Payouts and orders in parts are rows of both reports.

use serde_json::json;
use wire::interface::report::OperationType;

use super::super::words;
use super::{BAD, GOOD, TODAY};
use crate::testing::in_both;
use crate::{FeeRate, Processing};

#[test]
fn payouts_are_rows_of_both() {
    in_both(|place| {
        place.fund(500);
        let next = || {
            place.clock.advance(2000);
            while place.processing.run_job().unwrap() {}
        };
        place.pay_out("card", GOOD, json!({})).unwrap();
        next();
        place.pay_out("bad", BAD, json!({})).unwrap();
        next();
        place.pay_cash("cash");
        next();
        place.pay_out("begun", GOOD, json!({})).unwrap();
        let rows = place.today();
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    &*row.external_id,
                    &*row.payment_method,
                    row.operation_type.as_str(),
                    row.status.as_str(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("card", "card", "payout", "Success"),
                ("bad", "card", "payout", "Rejected"),
                ("cash", "cash", "payout", "Success"),
                ("begun", "card", "payout", "Pending"),
            ]
        );
        assert_eq!(rows[0].payer_card_mask.as_deref(), Some("41111111****1111"));
        let asked = json!({ "date_from": TODAY, "date_to": TODAY });
        let settled = place.register(&place.sandbox(), asked).unwrap();
        let told: Vec<_> = settled
            .iter()
            .map(|row| {
                (
                    &*row.external_id,
                    row.amount,
                    row.payout_amount,
                    row.client_first_name.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("card", 4_000, -4_000, Some("Леся")),
                ("cash", 4_000, -4_000, Some("Леся"))
            ]
        );
    });
}

#[test]
fn orders_in_parts_are_rows_of_both() {
    in_both(|place| {
        let rate = FeeRate::from_hundredths(150).unwrap();
        place.processing.set_fee_rate("sandbox", rate).unwrap();
        let taken = json!({ "customer": { "phone": "+380930000003", "first_name": "Леся" } });
        place.order("parts", "stub", taken.clone()).unwrap();
        place.second();
        place
            .step_order(Processing::confirm_installment, "parts")
            .unwrap();
        place.second();
        place.refund_order("parts", Some(300)).unwrap();
        place.second();
        place
            .order(
                "refused",
                "stub",
                json!({ "customer": { "phone": "+380930000009" } }),
            )
            .unwrap();
        place.second();
        place.order("cancelled", "stub", taken).unwrap();
        place.second();
        place
            .step_order(Processing::cancel_installment, "cancelled")
            .unwrap();
        let rows = place.today();
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                assert_eq!(
                    (&*row.payment_method, row.order_description.as_deref()),
                    ("stub", Some("A kettle"))
                );
                let amounts = (row.original_amount.0.minor(), row.merchant_fee.0.minor());
                (
                    &*row.external_id,
                    row.operation_type.as_str(),
                    row.status.as_str(),
                    amounts,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("parts", "create", "Success", (120_000, 0)),
                ("parts", "payment", "Success", (120_000, 1_800)),
                ("parts", "refund", "Success", (30_000, 0)),
                ("refused", "create", "Rejected", (120_000, 0)),
                ("cancelled", "create", "Success", (120_000, 0)),
                ("cancelled", "void", "Success", (120_000, 0)),
            ]
        );
        let asked = json!({ "date_from": TODAY, "date_to": TODAY });
        let settled = place.register(&place.sandbox(), asked).unwrap();
        let told: Vec<_> = settled
            .iter()
            .map(|row| {
                (
                    row.payment_type.as_str(),
                    row.payout_amount,
                    row.client_first_name.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("payment", 118_200, Some("Леся")),
                ("refund", -30_000, Some("Леся"))
            ]
        );
        assert_eq!(
            words::of_method("capture", Some("bank_service")),
            Some(OperationType::Credit)
        );
    });
}
