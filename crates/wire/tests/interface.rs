//! The vectors of `tests/vectors/interface/`.

#![cfg(feature = "interface")]
#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests: the lint knows only the tests themselves"
)]

use std::fs;
use std::path::Path;

use card_widget_wire::interface::basket::NewBasket;
use card_widget_wire::interface::callback;
use card_widget_wire::interface::method::{Method, PaymentMethod};
use card_widget_wire::interface::payment::NewPayment;
use card_widget_wire::interface::payout::NewPayout;
use card_widget_wire::interface::recipient::PayoutRecipient;
use card_widget_wire::interface::steps::Step;
use card_widget_wire::interface::{Wrong, read};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    #[serde(rename = "type")]
    kind: String,
    name: String,
    /// `${text*number}` stands for so many of the text.
    body: String,
    reads: Option<Value>,
    wrong: Option<Expected>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Expected {
    param: String,
    expected: String,
}

#[test]
fn requests_are_read_or_the_wrong_member_is_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/interface/requests.json");
    let file: File = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut failed = Vec::new();
    for case in &file.cases {
        let body = unfold(&case.body);
        let read = match case.kind.as_str() {
            "payment" => written::<NewPayment>(&body),
            "basket" => written::<NewBasket>(&body),
            "step" => written::<Step>(&body),
            "method" => method(&body),
            "payout" => written::<NewPayout>(&body),
            "recipient" => recipient(&body),
            other => panic!("no type {other}"),
        };
        let is_right = match (&read, &case.reads, &case.wrong) {
            (Ok(read), Some(reads), None) => reads
                .as_object()
                .unwrap()
                .iter()
                .all(|(name, value)| &read[name] == value),
            (Err(Wrong { param, expected }), None, Some(wrong)) => {
                (param, expected) == (&wrong.param, &wrong.expected)
            }
            _ => false,
        };
        if !is_right {
            failed.push(format!("{}, {}: {read:?}", case.kind, case.name));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn nothing_that_was_sent_is_in_an_error() {
    let values = [
        json!("SECRET"),
        json!("SECRET, expected nothing"),
        json!("SECRET at line 1 column 1"),
        json!(["SECRET"]),
        json!({ "SECRET": "SECRET" }),
        json!(4_242_424_242_u64),
        json!(4_242_424_242.5),
        json!(true),
        json!(null),
    ];
    let good = json!({
        "amount": 1, "currency": "UAH", "external_id": "o", "mode": "hosted", "confirm": true, "checkout_ttl": 5,
        "callback_url": "https://shop.example/", "campaign_name": "campaign_a", "init_recurrent_payment": false,
        "products": [], "customer": { "email": "e" },
    });
    for member in good.as_object().unwrap().keys() {
        for value in &values {
            let mut body = good.clone();
            body[member] = value.clone();
            let Err(wrong) = read::<NewPayment>(body.to_string().as_bytes()) else {
                continue;
            };
            let text = format!("{wrong} {wrong:?}");
            assert!(
                !text.contains("SECRET") && !text.contains("424242"),
                "{member}: {text}"
            );
            assert!(wrong.param.starts_with(member.as_str()), "{member}: {wrong:?}");
        }
    }
}

#[test]
fn a_secret_is_not_printed() {
    let method = r#"{"type":"cc_token","cc_token":{"token":"SECRET"},"cc":{"number":"SECRET"}}"#;
    let method: PaymentMethod = serde_json::from_str(method).unwrap();
    let named = method.named("payment_method").unwrap();
    assert!(!format!("{method:?} {named:?}").contains("SECRET"));
    let payout = r#"{"payout_type":"card","card":{"first_name":"SECRET","last_name":"SECRET","card_data":{"number":"SECRET"}}}"#;
    let recipient: PayoutRecipient = serde_json::from_str(payout).unwrap();
    let named = recipient.named().unwrap();
    let source = named.card_data.source("").unwrap();
    assert!(!format!("{recipient:?} {named:?} {source:?}").contains("SECRET"));
}

fn written<T: DeserializeOwned + Serialize>(body: &str) -> Result<Value, Wrong> {
    read::<T>(body.as_bytes()).map(|read| serde_json::to_value(read).unwrap())
}

fn method(body: &str) -> Result<Value, Wrong> {
    let method: PaymentMethod = read(body.as_bytes())?;
    Ok(match method.named("customer.payment_method")? {
        Method::CcToken(token) => serde_json::to_value(token).unwrap(),
        Method::Wallet(card) => serde_json::to_value(card).unwrap(),
        other => unreachable!("no vector for {other:?}"),
    })
}

fn recipient(body: &str) -> Result<Value, Wrong> {
    let recipient: PayoutRecipient = read(body.as_bytes())?;
    let named = recipient.named()?;
    let at = format!("recipient.{}.card_data", recipient.payout_type);
    named.card_data.source(&at)?;
    Ok(serde_json::to_value(named).unwrap())
}

fn unfold(body: &str) -> String {
    let Some((before, rest)) = body.split_once("${") else {
        return body.to_owned();
    };
    let end = rest.rfind('}').into_iter();
    let (folded, after) = end
        .chain(rest.match_indices('}').map(|(at, _)| at))
        .map(|at| (&rest[..at], &rest[at + 1..]))
        .find(|(folded, _)| {
            folded
                .rsplit_once('*')
                .is_some_and(|(_, count)| count.parse::<usize>().is_ok())
        })
        .unwrap();
    let (text, count) = folded.rsplit_once('*').unwrap();
    format!("{before}{}{after}", text.repeat(count.parse().unwrap()))
}

#[test]
fn callbacks_are_signed_as_shops_verify_them() {
    #[derive(Deserialize)]
    struct Signed {
        name: String,
        password: String,
        body: String,
        signature: String,
    }
    #[derive(Deserialize)]
    struct File {
        cases: Vec<Signed>,
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/interface/signatures.json");
    let file: File = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(file.cases.len(), 4);
    for case in file.cases {
        let signature = callback::signature(case.password.as_bytes(), case.body.as_bytes());
        assert_eq!(signature, case.signature, "{}", case.name);
    }
}
