//! Payments and payouts against a model of them: whatever shops and payers do, in whatever order and at once.

mod expected;
mod payouts;

use std::cell::Cell;
use std::thread;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use wire::interface::answer;
use wire::interface::basket::{Basket, OrderDetails};
use wire::interface::method::PaymentMethod;
use wire::interface::payout::Payout;
use wire::interface::recipient::PayoutType;
use wire::interface::{StatusCode, read};

use crate::checkout::tests::{ended, secret};
use crate::page::{PageSecret, PageState};
use crate::port::acquirer::Proof;
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};
use expected::{AMOUNT, Act, Answer, Card, Is, Model, Part, Terms};
use payouts::NewPayout;

#[test]
fn whatever_is_done_the_money_is_where_the_model_has_it() {
    let asked = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|count| count.parse().ok());
    let cases = Cell::new(asked.unwrap_or(32_u32));
    in_both(|place| {
        // Fewer on the second database, where each takes longer.
        let config = Config {
            cases: cases.replace(cases.get().div_ceil(6)),
            failure_persistence: None,
            ..Config::default()
        };
        let told = TestRunner::new(config).run(&vec(act(), 1..28), |acts| {
            place.processing.reset(&place.sandbox()).unwrap();
            let mut model = Model::default();
            let mut played = Played::default();
            // At last, what is under way ends.
            for act in acts.iter().chain([&Act::Soon]) {
                played.play(place, &mut model, act)?;
                while place.processing.run_job().unwrap() {}
                played.compare(place, &model)?;
            }
            holds_whatever_was_done(place)
        });
        if let Err(error) = told {
            panic!("{error}");
        }
    });
}

fn act() -> impl Strategy<Value = Act> {
    let once = prop_oneof![
        4 => (0..2_usize, card(), terms()).prop_map(|(at, card, terms)| Act::Pay(at, card, terms)),
        2 => (0..2_usize, terms()).prop_map(|(at, terms)| Act::Open(at, terms)),
        3 => (0..2_usize, card()).prop_map(|(at, card)| Act::PayPage(at, card)),
        3 => (0..2_usize, any::<bool>()).prop_map(|(at, passed)| Act::Prove(at, passed)),
        3 => (0..2_usize, part()).prop_map(|(at, part)| Act::Confirm(at, part)),
        2 => (0..2_usize, part()).prop_map(|(at, part)| Act::Cancel(at, part)),
        4 => (0..2_usize, part()).prop_map(|(at, part)| Act::Refund(at, part)),
        1 => (0..2_usize).prop_map(Act::RetryRefund),
        1 => (0..2_usize).prop_map(Act::CancelRefund),
        3 => (card(), prop_oneof![Just(Terms::Charge), Just(Terms::Hold)])
            .prop_map(|(card, terms)| Act::Basket(card, terms)),
        2 => [option::of(part()), option::of(part())]
            .prop_filter("one order at least", |parts| parts.iter().any(Option::is_some))
            .prop_map(Act::ConfirmBasket),
        1 => Just(Act::CancelBasket),
        4 => (0..2_usize, payout()).prop_map(|(at, payout)| Act::PayOut(at, payout)),
        2 => (0..2_usize).prop_map(Act::CancelPayout),
        2 => Just(Act::Soon),
        1 => Just(Act::NextDay),
    ];
    prop_oneof![
        4 => once.clone(),
        // A page tells which try it means, and time has no other side.
        1 => once
            .prop_filter("not from two sides", |act| {
                !matches!(act, Act::PayPage(..) | Act::Open(..) | Act::Soon | Act::NextDay)
            })
            .prop_map(|act| Act::Twice(Box::new(act))),
    ]
}

fn card() -> impl Strategy<Value = Card> {
    prop_oneof![3 => Just(Card::Good), 1 => Just(Card::Bad), 2 => Just(Card::Asks)]
}

fn terms() -> impl Strategy<Value = Terms> {
    prop_oneof![3 => Just(Terms::Charge), 3 => Just(Terms::Hold), 1 => Just(Terms::Verify)]
}

fn payout() -> impl Strategy<Value = NewPayout> {
    let kind = prop_oneof![Just(PayoutType::Card), Just(PayoutType::Cash)];
    let amount = prop_oneof![3 => Just(4000), 1 => Just(AMOUNT)];
    (kind, card(), amount).prop_map(|(kind, card, amount)| NewPayout { kind, card, amount })
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![2 => Just(None), 3 => Just(Some(4000)), 1 => Just(Some(AMOUNT + 1))]
}

/// What is needed to go on with what was begun: addresses, by order and payment.
#[derive(Default)]
struct Played {
    pages: Vec<(usize, usize, PageSecret)>,
    proofs: Vec<(usize, usize, PageSecret)>,
}

/// With the address that it gives.
type Answered = (Answer, Option<PageSecret>);

impl Played {
    fn play(&mut self, place: &Place, model: &mut Model, act: &Act) -> Result<(), TestCaseError> {
        let (mut expected, mut answered) = (Vec::new(), Vec::new());
        match act {
            Act::Soon | Act::NextDay => {
                let passes = if matches!(act, Act::Soon) { 700 } else { 86_400_000 };
                place.clock.advance(passes);
                let _ = model.apply(act);
                return Ok(());
            }
            Act::Twice(act) => {
                let both = thread::scope(|scope| {
                    [(); 2]
                        .map(|()| scope.spawn(|| self.call(place, model, act)))
                        .map(|side| side.join().unwrap())
                });
                for (at, (answer, address)) in both.into_iter().enumerate() {
                    answered.push(answer);
                    let before = model.clone();
                    expected.push(match **act {
                        // Of the same proof, which is answered once.
                        Act::Prove(..) if at == 1 => Ok(None),
                        _ => model.apply(act),
                    });
                    self.keep(&before, model, act, address);
                }
            }
            act => {
                let (answer, address) = self.call(place, model, act);
                answered.push(answer);
                let before = model.clone();
                expected.push(model.apply(act));
                self.keep(&before, model, act, address);
            }
        }
        // Which of two was first nobody knows.
        let sort = |answers: &mut Vec<_>| answers.sort_by_key(|answer| format!("{answer:?}"));
        sort(&mut expected);
        sort(&mut answered);
        prop_assert_eq!(answered, expected, "{:?}", act);
        Ok(())
    }

    fn call(&self, place: &Place, model: &Model, act: &Act) -> Answered {
        let number = |at: &usize| at.to_string();
        let create = |at: &usize, terms: &Terms, more: Value| {
            let mut body = json!({
                "amount": "100.00", "currency": "UAH", "external_id": number(at), "mode": "hosted",
                "callback_url": "http://127.0.0.1:9/callback", "confirm": *terms != Terms::Hold,
            });
            if *terms == Terms::Verify {
                body["amount"] = 0.into();
                body["init_recurrent_payment"] = true.into();
            }
            crate::checkout::tests::merge(&mut body, more);
            let request = read(body.to_string().as_bytes()).unwrap();
            place.processing.create_payment(&place.sandbox(), request)
        };
        let address_in = |action: Option<&answer::Action>| action.map(|action| secret(&action.value));
        let address = |answer: &Result<answer::Payment, Refusal>| {
            address_in(answer.as_ref().ok().and_then(|answer| answer.action.as_ref()))
        };
        let step = |call: fn(&Processing, &crate::Project, &wire::interface::steps::Step) -> _,
                    at: &usize,
                    part: &Part| {
            let part = part.map(amount_of);
            let done = place.step(call, &number(at), part.as_deref());
            (done.map(Some).map_err(|refusal| refusal.code), None)
        };
        let basket = |done: Result<Basket, Refusal>| {
            let address = address_in(done.as_ref().ok().and_then(|done| done.action.as_ref()));
            (
                done.map(|done| all_alike(&done)).map_err(|refusal| refusal.code),
                address,
            )
        };
        let waiting =
            |call: fn(&Processing, &crate::Project, &wire::interface::steps::WaitingRefund) -> _,
             at: &usize| {
                let request = read(json!({ "external_id": number(at) }).to_string().as_bytes()).unwrap();
                let done: Result<answer::Payment, Refusal> =
                    call(&place.processing, &place.sandbox(), &request);
                (
                    done.map(|done| Some(ended(done))).map_err(|refusal| refusal.code),
                    None,
                )
            };
        match act {
            Act::Pay(at, card, terms) => {
                let method =
                    json!({ "type": "cc_token", "cc_token": { "token": place.token(card_number(*card)) } });
                let paid = create(
                    at,
                    terms,
                    json!({ "mode": "direct", "customer": { "payment_method": method } }),
                );
                let address = address(&paid);
                (
                    paid.map(|paid| Some(ended(paid))).map_err(|refusal| refusal.code),
                    address,
                )
            }
            Act::Open(at, terms) => {
                let opened = create(at, terms, json!({}));
                let address = address(&opened);
                (opened.map(|_| None).map_err(|refusal| refusal.code), address)
            }
            Act::PayPage(at, card) => {
                let page = model.orders[*at].page();
                let Some(page) = page.and_then(|page| find(&self.pages, *at, page)) else {
                    return (Ok(None), None);
                };
                let attempt = place.processing.page(page).unwrap().attempt;
                let method =
                    json!({ "type": "cc_token", "cc_token": { "token": place.token(card_number(*card)) } });
                let method: PaymentMethod = read(method.to_string().as_bytes()).unwrap();
                let paid = place
                    .processing
                    .pay_page(page, attempt, method.named("").unwrap());
                let asked = match place.processing.page(page).unwrap().state {
                    PageState::Challenge { secret } => Some(secret),
                    _ => None,
                };
                (paid.map(|()| None).map_err(|refusal| refusal.code), asked)
            }
            Act::Prove(at, passed) => {
                let asked = model.orders[*at].asked();
                if let Some(proof) = asked.and_then(|asked| find(&self.proofs, *at, asked)) {
                    let proved = if *passed { Proof::Passed } else { Proof::Failed };
                    place.processing.answer_challenge(proof, proved).unwrap();
                }
                (Ok(None), None)
            }
            Act::Confirm(at, part) => step(Processing::confirm, at, part),
            Act::Cancel(at, part) => step(Processing::cancel, at, part),
            Act::Refund(at, part) => step(Processing::refund, at, part),
            Act::RetryRefund(at) => waiting(Processing::retry_refund, at),
            Act::CancelRefund(at) => waiting(Processing::cancel_refund, at),
            Act::Basket(card, terms) => {
                let orders = [0, 1].map(
                    |at| json!({ "api_key": "sandbox", "amount": "100.00", "external_id": number(&at) }),
                );
                let token = place.token(card_number(*card));
                let body = json!({
                    "batch_external_id": BASKET, "currency": "UAH", "mode": "direct", "confirm": *terms != Terms::Hold,
                    "callback_url": "http://127.0.0.1:9/callback", "orders": orders,
                    "customer": { "payment_method": { "type": "cc_token", "cc_token": { "token": token } } },
                });
                let request = read(body.to_string().as_bytes()).unwrap();
                basket(place.processing.create_basket(&place.sandbox(), request))
            }
            Act::ConfirmBasket(parts) => {
                let named = parts.iter().enumerate().filter_map(|(at, part)| {
                    let amount = part.as_ref()?.map(amount_of);
                    Some(json!({ "external_id": number(&at), "amount": amount }))
                });
                let body = json!({ "batch_external_id": BASKET, "orders": named.collect::<Vec<_>>() });
                let request = read(body.to_string().as_bytes()).unwrap();
                basket(place.processing.confirm_basket(&place.sandbox(), &request))
            }
            Act::CancelBasket => {
                let request = read(json!({ "batch_external_id": BASKET }).to_string().as_bytes()).unwrap();
                basket(place.processing.cancel_basket(&place.sandbox(), &request))
            }
            Act::PayOut(at, payout) => {
                let more = json!({ "order": { "original_amount": amount_of(payout.amount) } });
                let number = number(at);
                let asked = match payout.kind {
                    PayoutType::Cash => place.ask_cash(&number, card_number(payout.card), more),
                    _ => place.pay_out(&number, card_number(payout.card), more),
                };
                (how(asked), None)
            }
            Act::CancelPayout(at) => {
                let named = read(json!({ "external_id": number(at) }).to_string().as_bytes()).unwrap();
                let cancelled = how(place.processing.cancel_payout(&place.sandbox(), &named));
                let again = Err(StatusCode::ActionAlreadyDone);
                let is_again = cancelled == again;
                let same = Ok(Some((answer::Status::Failure, StatusCode::CancelSuccessful)));
                (if is_again { same } else { cancelled }, None)
            }
            Act::Twice(_) | Act::Soon | Act::NextDay => (Ok(None), None),
        }
    }

    /// Keeps the address of what was begun.
    fn keep(&mut self, before: &Model, after: &Model, act: &Act, address: Option<PageSecret>) {
        let Some(address) = address else { return };
        match act {
            Act::Pay(at, ..) => self
                .proofs
                .push((*at, before.orders[*at].payments.len(), address)),
            Act::Basket(..) => {
                for (at, order) in before.orders.iter().enumerate() {
                    self.proofs.push((at, order.payments.len(), address.clone()));
                }
            }
            Act::Open(at, _) => self.pages.push((*at, before.orders[*at].payments.len(), address)),
            Act::PayPage(at, _) => {
                self.proofs
                    .push((*at, after.orders[*at].page().unwrap(), address));
            }
            _ => {}
        }
    }

    /// The store against the model.
    fn compare(&self, place: &Place, model: &Model) -> Result<(), TestCaseError> {
        for (at, order) in model.orders.iter().enumerate() {
            let Some(payment) = order.target().map(|target| &order.payments[target]) else {
                continue;
            };
            let number = at.to_string();
            if payment.told == 0 && payment.is != Is::Asked {
                prop_assert!(place.processing.info(&place.sandbox(), &number).is_err());
                continue;
            }
            let info = place.processing.info(&place.sandbox(), &number).unwrap();
            prop_assert_eq!(
                (
                    info.amount_confirmed.minor(),
                    info.amount_canceled.minor(),
                    info.amount_refunded.minor()
                ),
                (payment.charged, payment.released, payment.refunded)
            );
            let won = matches!(payment.is, Is::Held | Is::Charged | Is::Verified | Is::Released);
            prop_assert_eq!(info.purchased, won);
        }
        for at in 0..2 {
            let info = place.processing.payout_info(&place.sandbox(), &at.to_string());
            prop_assert_eq!(
                info.ok().map(|payout| (payout.status, payout.status_code)),
                model.payouts.stands(at)
            );
        }
        let payments = model.orders.iter().flat_map(|order| &order.payments);
        let told = payments.map(|payment| payment.told).sum::<usize>() + model.payouts.told();
        prop_assert_eq!(place.count("SELECT COUNT(*) FROM callbacks"), told as u64);
        prop_assert_eq!(balance(place), (model.balance, model.payouts.reserved()));
        Ok(())
    }
}

/// What needs no model.
fn holds_whatever_was_done(place: &Place) -> Result<(), TestCaseError> {
    let none = |sql| place.count(sql);
    let charged = "SELECT CAST(COALESCE(SUM(charged - refunded), 0) AS BIGINT) FROM payments";
    let paid_out =
        place.count("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM payouts WHERE state <> 'failed'");
    let (available, reserved) = balance(place);
    prop_assert_eq!(place.count(charged), available + paid_out, "money is conserved");
    prop_assert_eq!(reserved, 0);
    prop_assert_eq!(
        none(
            "SELECT COUNT(*) FROM payments WHERE held > 0 AND charged + released > held OR refunded + refunding > charged"
        ),
        0
    );
    let twice = "SELECT COUNT(*) FROM (SELECT external_id FROM payments WHERE state IN ('held', 'charged', 'released', 'verified') \
                 GROUP BY external_id HAVING COUNT(*) > 1) AS twice";
    prop_assert_eq!(none(twice), 0, "one success for a number");
    let apart = "SELECT COUNT(*) FROM (SELECT checkout FROM payments GROUP BY checkout HAVING \
                 MIN(CASE WHEN state IN ('held', 'charged', 'released') THEN 1 ELSE 0 END) <> \
                 MAX(CASE WHEN state IN ('held', 'charged', 'released') THEN 1 ELSE 0 END)) AS apart";
    prop_assert_eq!(none(apart), 0, "a basket is paid as a whole");
    prop_assert_eq!(
        none("SELECT COUNT(*) FROM payments WHERE busy IS NOT NULL OR state = 'charging'"),
        0
    );
    prop_assert_eq!(none("SELECT COUNT(*) FROM orders WHERE holder IS NOT NULL"), 0);
    prop_assert_eq!(
        none("SELECT COUNT(*) FROM checkouts WHERE step NOT IN ('idle', 'challenged')"),
        0
    );
    // Each operation that has ended is told of once, and no other.
    let told = place.processing.journal(&place.sandbox(), None, 1000).unwrap();
    let mut told: Vec<_> = told
        .iter()
        .map(|told| {
            let body: Value = serde_json::from_str(&told.body).unwrap();
            // A payout has one operation, of the same id.
            let id = body.pointer("/details/operation_id").unwrap_or(&body["id"]);
            id.as_str().unwrap().to_owned()
        })
        .collect();
    told.sort();
    let ended = place.processing.shared.database.read(|tx| {
        tx.rows(
            "SELECT id FROM operations WHERE processed_at IS NOT NULL ORDER BY id",
            &[],
        )
    });
    let ended: Vec<_> = ended
        .unwrap()
        .iter()
        .map(|row| row.get::<crate::Id>(0).unwrap().to_string())
        .collect();
    prop_assert_eq!(told, ended);
    Ok(())
}

/// How the operations of a basket's orders stand, which is the same of all.
fn all_alike(basket: &Basket) -> Option<(answer::Status, StatusCode)> {
    let orders = basket.order_details.as_deref().unwrap_or_default();
    let how = |order: &OrderDetails| (order.status.clone(), order.status_code.clone());
    let first = orders.first().map(how);
    assert!(orders.iter().all(|order| Some(how(order)) == first));
    first
}

/// What there is and what is reserved, in hundredths.
fn balance(place: &Place) -> (u64, u64) {
    let balance = place
        .processing
        .account_balance(&place.sandbox(), "sandbox-entity")
        .unwrap();
    (
        balance.available_amount.minor(),
        balance.commitment_amount.minor(),
    )
}

/// How a payout stands.
fn how(answered: Result<Payout, Refusal>) -> Answer {
    let stands = |payout: Payout| Some((payout.status, payout.status_code));
    answered.map(stands).map_err(|refusal| refusal.code)
}

/// Hundredths, as the interface has them.
fn amount_of(minor: u64) -> String {
    format!("{}.{:02}", minor / 100, minor % 100)
}

fn find(secrets: &[(usize, usize, PageSecret)], at: usize, payment: usize) -> Option<&PageSecret> {
    let newest = secrets
        .iter()
        .rfind(|(order, of, _)| (*order, *of) == (at, payment));
    newest.map(|(_, _, secret)| secret)
}

fn card_number(card: Card) -> &'static str {
    match card {
        Card::Good => "4111111111111111",
        Card::Bad => "4444333322221111",
        Card::Asks => "4242424242424242",
    }
}

/// The basket's number; its orders are the two that are also paid alone.
const BASKET: &str = "basket";
