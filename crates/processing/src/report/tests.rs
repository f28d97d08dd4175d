//! Reports over what payments have left; on both databases.

mod rows;
mod settled;

use serde_json::{Value, json};
use wire::interface::report::{RegisterRequest, RegisterRow, TransactionRow, TransactionsRequest};
use wire::interface::{StatusCode, read};

use super::{Report, register, transactions};
use crate::checkout::tests::merge;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};
use crate::{FeeRate, Processing, Project};

/// Pays without a challenge.
const GOOD: &str = "4111111111111111";
/// Pays after one.
const ASKS: &str = "5454545454545454";
/// Rejected.
const BAD: &str = "4444333322221111";
/// Has no money.
const POOR: &str = "4000000000000044";

/// The day on which tests begin, and the next.
const TODAY: &str = "2026-09-21";
const TOMORROW: &str = "2026-09-22";

/// In milliseconds.
const DAY: u64 = 86_400_000;

fn all<R: Report>(mut report: R) -> Vec<R::Row> {
    let mut rows = Vec::new();
    while let Some(page) = report.next_page().unwrap() {
        rows.extend(page);
    }
    rows
}

impl Place {
    fn transactions(&self, project: &Project, asked: Value) -> Result<Vec<TransactionRow>, Refusal> {
        let request: TransactionsRequest = read(asked.to_string().as_bytes())?;
        self.processing.transactions(project, request).map(all)
    }

    fn register(&self, project: &Project, asked: Value) -> Result<Vec<RegisterRow>, Refusal> {
        let request: RegisterRequest = read(asked.to_string().as_bytes())?;
        self.processing.register(project, request).map(all)
    }

    fn today(&self) -> Vec<TransactionRow> {
        let asked = json!({ "date_from": TODAY, "date_to": TODAY });
        self.transactions(&self.sandbox(), asked).unwrap()
    }

    /// One of everything, each a second after the other.
    fn fill(&self) {
        let pay = |number, card, more| {
            self.clock.advance(1000);
            self.pay(number, card, more).unwrap()
        };
        let step = |call, number, amount| {
            self.clock.advance(1000);
            self.step(call, number, amount).unwrap()
        };
        pay("charged", GOOD, json!({ "description": "=tea, \"green\"" }));
        pay("rejected", BAD, json!({}));
        pay("poor", POOR, json!({}));
        let asked = pay("asked", ASKS, json!({}));
        assert!(asked.action_required);
        pay("held", GOOD, json!({ "confirm": false }));
        step(Processing::confirm, "held", Some("60.00"));
        pay("freed", GOOD, json!({ "confirm": false }));
        step(Processing::cancel, "freed", Some("0.50"));
        step(Processing::refund, "charged", Some("20.00"));
        pay(
            "verified",
            GOOD,
            json!({ "amount": 0, "init_recurrent_payment": true }),
        );
    }
}

#[test]
fn everything_that_was_begun_is_listed_in_its_order() {
    in_both(|place| {
        place
            .processing
            .set_fee_rate("sandbox", FeeRate::from_hundredths(175).unwrap())
            .unwrap();
        place.fill();
        let rows = place.today();
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    &*row.external_id,
                    row.operation_type.as_str(),
                    row.status.as_str(),
                    row.status_code,
                    row.original_amount.0.minor(),
                    row.merchant_fee.0.minor(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("charged", "purchase", "Success", 1000, 10_050, 176),
                ("rejected", "purchase", "Rejected", 4001, 10_050, 0),
                ("poor", "purchase", "Unsuccessful", 4002, 10_050, 0),
                ("asked", "purchase", "Pending", 2004, 10_050, 0),
                ("held", "auth", "Success", 1000, 10_050, 0),
                ("held", "capture", "Success", 1000, 6_000, 105),
                ("freed", "auth", "Success", 1000, 10_050, 0),
                ("freed", "void", "Success", 1001, 50, 0),
                ("charged", "refund", "Success", 1002, 2_000, 0),
                ("verified", "auth", "Success", 1000, 0, 0),
            ]
        );
        assert!(rows.is_sorted_by_key(|row| row.created_at.0));
        let info = place.processing.info(&place.sandbox(), "charged").unwrap();
        let [paid] = &*info.purchase_details else {
            panic!("one attempt");
        };
        assert_eq!(paid.fee.map(|fee| fee.amount.minor()), Some(176));
        let row = serde_json::to_value(&rows[0]).unwrap();
        assert_eq!(
            row,
            json!({
                "order_id": paid.payment_id, "transaction_id": paid.transaction_id, "external_id": "charged",
                "operation_type": "purchase", "status": "Success", "status_code": 1000, "payment_method": "cc_token",
                "project_name": "sandbox", "order_description": "=tea, \"green\"", "payer_card_mask": "41111111****1111",
                "payer_bank_name": "Bank A", "bin_payment_system": "VISA", "bin_country_digit_code": "804",
                "original_amount": 100.50, "payer_amount": 100.50, "currency": "UAH", "payer_fee": 0.0, "merchant_fee": 1.76,
                "auth_code": paid.auth_code, "rrn": paid.rrn,
                "created_at": "2026-09-21 14:13:21", "processed_at": "2026-09-21 14:13:21",
            })
        );
        assert_eq!(
            serde_json::to_value(&rows[3]).unwrap()["processed_at"],
            Value::Null
        );
    });
}

#[test]
fn filters_choose_and_others_see_nothing() {
    in_both(|place| {
        place.fill();
        let sandbox = place.sandbox();
        let numbers = |more: Value| {
            let mut asked = json!({ "date_from": TODAY, "date_to": TOMORROW });
            merge(&mut asked, more);
            let rows = place.transactions(&sandbox, asked).unwrap();
            rows.into_iter().map(|row| row.external_id).collect::<Vec<_>>()
        };
        assert_eq!(
            numbers(json!({ "operation_types": ["void", "refund"] })),
            ["freed", "charged"]
        );
        assert_eq!(
            numbers(json!({ "statuses": ["Rejected", "Pending"] })),
            ["rejected", "asked"]
        );
        assert_eq!(
            numbers(json!({ "operation_types": ["auth"], "statuses": ["Pending"] })),
            [""; 0]
        );
        assert_eq!(
            numbers(json!({ "operation_types": [], "statuses": null, "register_type": "" })).len(),
            10
        );
        let other = place.processing.find_project("sandbox-2").unwrap().unwrap();
        let asked = json!({ "date_from": TODAY, "date_to": TODAY });
        assert!(place.transactions(&other, asked.clone()).unwrap().is_empty());
        assert!(place.register(&other, asked).unwrap().is_empty());
    });
}

/// Another attempt has another card, and a card that is saved without an order is none of it.
#[test]
fn attempts_keep_their_cards_and_saved_cards_are_left_out() {
    let place = Place::sqlite();
    place.pay("twice", BAD, json!({})).unwrap();
    place.pay("twice", "5555555555554444", json!({})).unwrap();
    let body =
        json!({ "payment_method": { "type": "cc_token", "cc_token": { "token": place.token(GOOD) } } });
    let anna = wire::interface::values::ExternalId::new("anna").unwrap();
    let request = read(body.to_string().as_bytes()).unwrap();
    place
        .processing
        .add_card(&place.sandbox(), &anna, request)
        .unwrap();
    let rows = place.today();
    let cards: Vec<_> = rows
        .iter()
        .map(|row| (row.payer_card_mask.as_deref(), row.bin_payment_system.as_deref()))
        .collect();
    assert_eq!(
        cards,
        [
            (Some("44443333****1111"), Some("VISA")),
            (Some("55555555****4444"), Some("MASTERCARD"))
        ]
    );
}

#[test]
fn wrong_periods_and_words_are_refused_by_name() {
    let place = Place::sqlite();
    let sandbox = place.sandbox();
    let asked = |from: &str, to: &str| json!({ "date_from": from, "date_to": to });
    for (request, param) in [
        (asked("2026-09-21", "2026-09-20"), "date_to"),
        (asked("2026-06-22", "2026-06-30"), "date_from"),
        (asked("2026-09-01", "2026-09-16"), "date_to"),
        (asked("2026-02-30", "2026-09-16"), "date_from"),
        (asked("2026-09-01", "16.09.2026"), "date_to"),
        (json!({ "date_from": "2026-09-01" }), "date_to"),
        (
            json!({ "date_from": 20260901, "date_to": "2026-09-02" }),
            "date_from",
        ),
        (
            json!({ "date_from": TODAY, "date_to": TODAY, "statuses": ["success"] }),
            "statuses",
        ),
        (
            json!({ "date_from": TODAY, "date_to": TODAY, "operation_types": "auth" }),
            "operation_types",
        ),
        (
            json!({ "date_from": TODAY, "date_to": TODAY, "register_type": "transactions_list_dwh" }),
            "register_type",
        ),
    ] {
        let refused = place.transactions(&sandbox, request).unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::InvalidRequestBody, param)
        );
    }
    // The last days that are allowed.
    assert!(
        place
            .transactions(&sandbox, asked("2026-06-23", "2026-06-23"))
            .is_ok()
    );
    assert!(
        place
            .transactions(&sandbox, asked("2026-09-01", "2026-09-15"))
            .is_ok()
    );
    for (more, param) in [
        (json!({ "scope": "everything" }), "scope"),
        (json!({ "fields": ["amount", "pan"] }), "fields"),
        (json!({ "date_to": "2026-09-20" }), "date_to"),
    ] {
        let mut request = asked(TODAY, TODAY);
        merge(&mut request, more);
        let refused = place.register(&sandbox, request).unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::InvalidRequestBody, param)
        );
    }
}

/// By the index, in its order: nothing is gone through, and nothing sorted.
#[test]
fn reports_are_read_by_their_indexes() {
    in_both(|place| {
        place.fill();
        for (sql, index) in [
            (transactions::SQL, "operations_time"),
            (register::ON_TIME, "operations_time"),
            (register::LATE, "operations_late"),
        ] {
            let plan = place.explain(sql);
            assert!(plan.contains(index), "{plan}");
            for word in ["TEMP B-TREE", "SCAN o", "Seq Scan on operations", "Sort"] {
                assert!(!plan.contains(word), "{word}: {plan}");
            }
        }
    });
}

impl Place {
    /// How the database would read a page.
    fn explain(&self, sql: &str) -> String {
        let values = ["'sandbox'", "0", "0", "9000000000000", "3"];
        let sql = (1..).zip(values).fold(sql.to_owned(), |sql, (at, value)| {
            sql.replace(&format!("${at}"), value)
        });
        // The store takes texts of the program.
        let leak = |sql: String| -> &'static str { sql.leak() };
        let (sqlite, postgres) = (
            leak(format!("EXPLAIN QUERY PLAN {sql}")),
            leak(format!("EXPLAIN {sql}")),
        );
        let is_sqlite = self.processing.shared.database.scanned().is_some();
        let rows = self.processing.shared.database.read(move |tx| {
            if is_sqlite {
                return tx.rows(sqlite, &[]);
            }
            // A table of ten rows is otherwise read whole.
            for kind in ["seqscan", "bitmapscan", "sort"] {
                tx.change(leak(format!("SET LOCAL enable_{kind} = off")), &[])?;
            }
            tx.rows(postgres, &[])
        });
        let column = if is_sqlite { 3 } else { 0 };
        let lines = rows.unwrap();
        lines
            .iter()
            .map(|row| row.get::<String>(column).unwrap() + "\n")
            .collect()
    }
}
