//! Reports over what payments have left; on both databases.

use serde_json::{Value, json};
use wire::interface::report::row::Row as _;
use wire::interface::report::{
    OperationType, RegisterRequest, RegisterRow, TransactionRow, TransactionsRequest,
};
use wire::interface::{StatusCode, Word, read};
use zeroize::Zeroizing;

use super::{Report, register, transactions, words};
use crate::checkout::tests::{merge, secret};
use crate::port::acquirer::Proof;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};
use crate::{FeeRate, NewProject, Permissions, Processing, Project};

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
fn the_register_has_what_moved_by_the_day_on_which_it_did() {
    in_both(|place| {
        let processing = &place.processing;
        processing
            .set_fee_rate("sandbox", FeeRate::from_hundredths(175).unwrap())
            .unwrap();
        place.fill();
        // Waits for tomorrow's money.
        place
            .pay(
                "late",
                GOOD,
                json!({ "customer": { "email": "anna@example.org", "first_name": "Ганна" } }),
            )
            .unwrap();
        let balance = json!({ "amount": 0, "currency": "UAH" });
        let balance = read(balance.to_string().as_bytes()).unwrap();
        processing.set_sandbox_balance(&place.sandbox(), balance).unwrap();
        place.step(Processing::refund, "late", None).unwrap();
        place.clock.advance(DAY);
        place.pay("tomorrow", GOOD, json!({})).unwrap();
        place.clock.advance(1000);
        while processing.run_job().unwrap() {}
        place.clock.advance(1000);
        place.pay("afterwards", GOOD, json!({})).unwrap();

        let told = |from: &str, to: &str| {
            let rows = place
                .register(&place.sandbox(), json!({ "date_from": from, "date_to": to }))
                .unwrap();
            rows.into_iter()
                .map(|row| {
                    (
                        row.external_id,
                        row.payment_type,
                        row.amount,
                        row.internal_commission,
                        row.payout_amount,
                        row.payout_date.to_string(),
                    )
                })
                .collect::<Vec<_>>()
        };
        let row = |number: &str, kind, amount, fee, payout, day: &str| {
            let kind = Word::from(OperationType::of(kind).unwrap());
            (number.to_owned(), kind, amount, fee, payout, day.to_owned())
        };
        let today = [
            row("charged", "purchase", 10_050, 176, 9_874, TODAY),
            row("held", "capture", 6_000, 105, 5_895, TODAY),
            row("charged", "refund", 2_000, 0, -2_000, TODAY),
            row("late", "purchase", 10_050, 176, 9_874, TODAY),
        ];
        let tomorrow = [
            row("tomorrow", "purchase", 10_050, 176, 9_874, TOMORROW),
            row("late", "refund", 10_050, 0, -10_050, TOMORROW),
            row("afterwards", "purchase", 10_050, 176, 9_874, TOMORROW),
        ];
        assert_eq!(told(TODAY, TODAY), today);
        assert_eq!(told(TOMORROW, TOMORROW), tomorrow);
        assert_eq!(told("0001-01-01", "9999-12-31"), [&today[..], &tomorrow].concat());

        let asked = json!({ "date_from": TODAY, "date_to": TODAY });
        let rows = place.register(&place.sandbox(), asked).unwrap();
        let info = processing.info(&place.sandbox(), "late").unwrap();
        assert_eq!(
            serde_json::to_value(&rows[3]).unwrap(),
            json!({
                "amount": 10_050, "card_pan": "41111111****1111", "currency": "UAH", "description": null, "external_id": "late",
                "internal_commission": 176, "payer_external_fee": 0, "payment_id": info.id, "payment_method": "cc_token",
                "payment_system": "VISA", "payment_type": "purchase", "payout_amount": 9_874, "payout_date": TODAY,
                "processing_date": TODAY, "project_name": "sandbox", "client_email": "anna@example.org",
                "client_first_name": "Ганна", "client_last_name": null,
            })
        );
    });
}

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

/// A proof that comes after midnight is of the day on which the money moved.
#[test]
fn a_payment_over_midnight_is_settled_on_the_next_day() {
    in_both(|place| {
        // Five minutes to midnight.
        place.clock.advance(DAY - 51_200_000 - 300_000);
        let asked = place.pay("midnight", ASKS, json!({})).unwrap();
        place.clock.advance(600_000);
        let secret = secret(&asked.action.unwrap().value);
        place.processing.answer_challenge(&secret, Proof::Passed).unwrap();
        let days = |day: &str| {
            let asked = json!({ "date_from": day, "date_to": day });
            let settled = place.register(&place.sandbox(), asked.clone()).unwrap().len();
            (
                settled,
                place.transactions(&place.sandbox(), asked).unwrap().len(),
            )
        };
        assert_eq!((days(TODAY), days(TOMORROW)), ((0, 1), (1, 0)));
    });
}

#[test]
fn a_partner_sees_all_of_its_projects_and_no_others() {
    let place = Place::sqlite();
    let live = |id: &str, partner: &str, is_live| NewProject {
        id: id.into(),
        partner: partner.into(),
        name: id.into(),
        is_live,
        password: Zeroizing::new("a password of an operator".into()),
        permissions: Permissions::default(),
    };
    place
        .processing
        .add_project(&live("real", "sandbox-entity", true))
        .unwrap();
    place
        .processing
        .add_project(&live("stranger", "other", false))
        .unwrap();
    place.pay("one", GOOD, json!({})).unwrap();
    let basket = json!({
        "batch_external_id": "basket", "currency": "UAH", "mode": "direct", "callback_url": "http://127.0.0.1:9/callback",
        "customer": { "payment_method": { "type": "cc_token", "cc_token": { "token": place.token(GOOD) } } },
        "orders": [{ "api_key": "sandbox-2", "amount": 5, "external_id": "two" }],
    });
    let basket = read(basket.to_string().as_bytes()).unwrap();
    place.processing.create_basket(&place.sandbox(), basket).unwrap();
    // What others have, and what the sandbox must not see of real money.
    for owner in ["real", "stranger"] {
        let sql = "UPDATE operations SET project = $1 WHERE payment IN (SELECT id FROM payments WHERE external_id = $2)";
        place.pay(owner, GOOD, json!({})).unwrap();
        place
            .processing
            .shared
            .database
            .write(move |tx| tx.change(sql, database::values![owner, owner]))
            .unwrap();
    }
    let numbers = |scope: Value| {
        let asked = json!({ "date_from": TODAY, "date_to": TODAY, "scope": scope });
        let rows = place.register(&place.sandbox(), asked).unwrap();
        rows.into_iter()
            .map(|row| (row.external_id, row.project_name))
            .collect::<Vec<_>>()
    };
    let one = ("one".to_owned(), "sandbox".to_owned());
    for own in [json!(null), json!("current_login")] {
        assert_eq!(numbers(own), std::slice::from_ref(&one));
    }
    assert_eq!(
        numbers(json!("all_keys")),
        [one, ("two".to_owned(), "sandbox-2".to_owned())]
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

#[test]
fn the_columns_of_a_register_are_those_that_are_asked_for() {
    let place = Place::sqlite();
    let columns = |fields: Value| {
        let request = json!({ "date_from": TODAY, "date_to": TODAY, "fields": fields });
        let request = read(request.to_string().as_bytes()).unwrap();
        let report = place.processing.register(&place.sandbox(), request).unwrap();
        report
            .columns()
            .iter()
            .map(|column| RegisterRow::name(*column))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        columns(json!(["payout_date", "amount", "payout_date"])),
        ["payout_date", "amount"]
    );
    assert_eq!(columns(json!([])).len(), 18);
    assert_eq!(columns(json!(null)).len(), 18);
}

/// Another rate is for what comes then; a project that is emptied pays none, and one that is brought back what it paid.
#[test]
fn a_commission_is_set_kept_and_forgotten() {
    in_both(|place| {
        let (processing, sandbox) = (&place.processing, place.sandbox());
        let set = |percent: &str| {
            let fee = read(format!(r#"{{"percent":"{percent}"}}"#).as_bytes()).unwrap();
            processing.set_sandbox_fee(&sandbox, fee)
        };
        let fee = |number: &str| {
            let paid = place.pay(number, GOOD, json!({})).unwrap().details.unwrap();
            paid.fee.map(|fee| fee.amount.minor())
        };
        assert_eq!(fee("none"), None);
        set("1.75").unwrap();
        assert_eq!(fee("some"), Some(176));
        let refused = set("100.01").unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::InvalidRequestBody, "percent")
        );
        let saved = processing.snapshot(&sandbox).unwrap();
        set("2").unwrap();
        assert_eq!(fee("more"), Some(201));
        let info = processing.info(&sandbox, "some").unwrap();
        assert_eq!(
            info.purchase_details[0].fee.map(|fee| fee.amount.minor()),
            Some(176)
        );
        processing.reset(&sandbox).unwrap();
        assert_eq!(fee("none"), None);
        processing.restore(&sandbox, &saved.id).unwrap();
        assert_eq!(fee("again"), Some(176));
        assert_eq!(place.today().len(), 3);
    });
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
