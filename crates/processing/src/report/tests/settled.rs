//! What was settled, by the day on which it was.

use serde_json::{Value, json};
use wire::interface::report::row::Row as _;
use wire::interface::report::{OperationType, RegisterRow};
use wire::interface::{StatusCode, Word, read};
use zeroize::Zeroizing;

use super::super::Report;
use super::{ASKS, DAY, GOOD, TODAY, TOMORROW};
use crate::checkout::tests::secret;
use crate::port::acquirer::Proof;
use crate::testing::{Place, in_both};
use crate::{FeeRate, NewProject, Permissions, Processing};

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
