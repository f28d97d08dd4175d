//! Saved cards: added, looked at, paid with, deleted; on both databases.

use std::thread;

use serde_json::{Value, json};
use vault::ClearCard;
use wire::interface::answer::Status;
use wire::interface::method::{Method, PaymentMethod};
use wire::interface::saved::{AddCard, AddedCard, NamedCard, Wallet, WalletItem};
use wire::interface::values::ExternalId;
use wire::interface::{StatusCode, read};

use super::MOST;
use crate::checkout::tests::{ended, merge, secret};
use crate::page::{ChallengeState, PagePurpose, PageState};
use crate::port::acquirer::Proof;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};

/// Saved without a challenge.
const GOOD: &str = "4111111111111111";
const OTHER: &str = "5555555555554444";
/// Saved after a challenge.
const ASKS: &str = "4242424242424242";
/// Rejected.
const BAD: &str = "4444333322221111";

fn anna() -> ExternalId {
    ExternalId::new("anna").unwrap()
}

fn named(item: &WalletItem) -> NamedCard {
    read(
        json!({ "option_id": item.option_id, "type": "card" })
            .to_string()
            .as_bytes(),
    )
    .unwrap()
}

fn method(token: &str) -> Method {
    let method = json!({ "type": "cc_token", "cc_token": { "token": token } });
    let method: PaymentMethod = read(method.to_string().as_bytes()).unwrap();
    method.named("").unwrap()
}

impl Place {
    fn add(&self, token: &str, more: Value) -> Result<AddedCard, Refusal> {
        let mut body = json!({
            "callback_url": "http://127.0.0.1:9/callback",
            "payment_method": { "type": "cc_token", "cc_token": { "token": token } },
        });
        merge(&mut body, more);
        let request: AddCard = read(body.to_string().as_bytes()).unwrap();
        self.processing.add_card(&self.sandbox(), &anna(), request)
    }

    fn added(&self, number: &str) -> WalletItem {
        let added = self.add(&self.token(number), json!({})).unwrap();
        assert_eq!(added.status, Status::Success);
        added.payment_method.unwrap()
    }

    fn wallet(&self) -> Wallet {
        self.processing.wallet(&self.sandbox(), &anna()).unwrap()
    }

    /// Their option ids and which is the default, the oldest first.
    fn defaults(&self) -> Vec<(String, bool)> {
        let items = self.wallet().wallet.into_iter();
        items.map(|item| (item.option_id, item.is_default)).collect()
    }

    fn leaves_nothing_to_do(&self) {
        self.clock.advance(120_000);
        while self.processing.run_job().unwrap() {}
        self.has_no_work("saved cards");
    }

    /// A token of a number alone.
    fn number_alone(&self, number: &str) -> String {
        let pan = card::Pan::new(number).unwrap();
        let card = ClearCard::number_alone(pan);
        self.vault.take("sandbox", false, card).unwrap().token.clone()
    }

    fn pay_saved(&self, external_id: &str, option_id: &str) -> Result<Status, Refusal> {
        let method = json!({ "type": "wallet", "wallet": { "option_id": option_id } });
        let request = self.request(external_id, json!({ "customer": { "payment_method": method } }));
        let paid = self.processing.create_payment(&self.sandbox(), request)?;
        assert!(
            paid.payment_method
                .as_ref()
                .is_none_or(|method| method.cc_token.saved_card)
        );
        Ok(ended(paid).0)
    }
}

#[test]
fn a_card_is_added_at_once_and_pays() {
    in_both(|place| {
        let added = place.add(&place.token(GOOD), json!({})).unwrap();
        assert_eq!(
            (
                added.status.clone(),
                added.status_code.clone(),
                added.action_required
            ),
            (Status::Success, StatusCode::TransactionSuccessful, false)
        );
        assert_eq!(
            (&*added.operation, &*added.customer.external_id),
            ("add_payment_method", "anna")
        );
        let item = added.payment_method.unwrap();
        assert_eq!((&*item.name, item.is_default), ("VISA 1111", true));
        assert_eq!(item.card.card_art_url, None, "its picture is not there yet");
        // The answer told it.
        assert_eq!(place.count("SELECT COUNT(*) FROM callbacks"), 0);
        place.clock.advance(3000);
        let found = place
            .processing
            .find_card(&place.sandbox(), &anna(), &item.option_id)
            .unwrap();
        assert!(found.card.card_art_url.is_some());
        assert_eq!(place.wallet().wallet, [found]);
        assert_eq!(place.pay_saved("one", &item.option_id), Ok(Status::Success));
        let again = place.pay("two", GOOD, json!({})).unwrap();
        assert!(
            again.payment_method.unwrap().cc_token.saved_card,
            "it was saved before"
        );
        // No order came of it, and no try is left open.
        assert_eq!(
            place.count("SELECT COUNT(*) FROM orders WHERE external_id = ''"),
            0
        );
        place.leaves_nothing_to_do();
    });
}

#[test]
fn what_cannot_be_added_is_said_and_leaves_no_trace() {
    in_both(|place| {
        let declined = place.add(&place.token(BAD), json!({})).unwrap();
        assert_eq!(
            (declined.status, declined.status_code),
            (Status::Failure, StatusCode::TransactionRejected)
        );
        assert_eq!(declined.payment_method, None);
        let refused = |more| {
            let refused = place.add("ct_nothing", more).unwrap_err();
            (refused.code, refused.param)
        };
        let at = |code, param: &str| (code, param.to_owned());
        assert_eq!(
            refused(json!({})),
            at(StatusCode::TokenDoesNotExist, "payment_method.cc_token.token")
        );
        assert_eq!(
            refused(json!({ "payment_method": null })),
            at(StatusCode::InvalidRequestBody, "payment_method")
        );
        let other = json!({ "payment_method": { "type": "wallet", "wallet": { "option_id": "1" } } });
        assert_eq!(
            refused(other),
            at(StatusCode::InvalidRequestBody, "payment_method.type")
        );
        assert_eq!(place.wallet().wallet, []);
        assert_eq!(
            place.count("SELECT COUNT(*) FROM payments"),
            1,
            "the declined one"
        );
        let none: NamedCard = read(br#"{"option_id":"1","type":"card"}"#).unwrap();
        let gone = place
            .processing
            .delete_card(&place.sandbox(), &anna(), &none)
            .unwrap_err();
        assert_eq!(
            (gone.code, &*gone.param),
            (StatusCode::PaymentMethodNotFound, "option_id")
        );
        let cash: NamedCard = read(br#"{"option_id":"1","type":"cash"}"#).unwrap();
        let gone = place
            .processing
            .set_default_card(&place.sandbox(), &anna(), &cash)
            .unwrap_err();
        assert_eq!(
            (gone.code, &*gone.param),
            (StatusCode::InvalidRequestBody, "type")
        );
    });
}

#[test]
fn after_a_proof_a_callback_says_what_the_answer_could_not() {
    in_both(|place| {
        for (proof, status, cards) in [(Proof::Failed, "failure", 0), (Proof::Passed, "success", 1)] {
            let waits = place.add(&place.token(ASKS), json!({})).unwrap();
            assert!(waits.action_required && waits.payment_method.is_none());
            assert_eq!(waits.status, Status::Pending);
            let address = secret(&waits.action.unwrap().value);
            assert_eq!(place.wallet().wallet.len(), 0);
            place.processing.answer_challenge(&address, proof).unwrap();
            assert_eq!(place.wallet().wallet.len(), cards);
            let told = place
                .processing
                .journal(&place.sandbox(), None, 1)
                .unwrap()
                .remove(0);
            assert_eq!(told.operation.as_str(), "add_payment_method");
            let told: AddedCard = serde_json::from_str(&told.body).unwrap();
            assert_eq!(told.status.as_str(), status);
            assert_eq!(told.payment_method.is_some(), cards == 1);
            let state = place.processing.challenge(&address).unwrap().state;
            if cards == 1 {
                assert_eq!(state, ChallengeState::Paid { receipt: None });
            }
        }
        assert_eq!(place.count("SELECT COUNT(*) FROM callbacks"), 2);
        // Without a proof, because the shop said so.
        let method = json!({ "payment_method": { "cc_token": { "use_3ds_flow": false } } });
        let added = place.add(&place.token(ASKS), method).unwrap();
        assert_eq!(added.payment_method, Some(place.wallet().wallet.remove(0)));
    });
}

#[test]
fn on_a_page_the_payer_types_the_card() {
    in_both(|place| {
        let more =
            json!({ "mode": "hosted", "payment_method": null, "result_url": "https://shop.example/back" });
        let opened = place.add("", more).unwrap();
        assert_eq!((opened.status, opened.action_required), (Status::Init, true));
        let address = secret(&opened.action.unwrap().value);
        let page = place.processing.page(&address).unwrap();
        assert_eq!((page.purpose, page.may_save), (PagePurpose::Save, false));
        assert!(page.cards.is_empty() && page.wallets.is_empty() && page.order.lines.is_empty());
        assert_eq!(page.order.back.external_id, "anna");
        let wallet: PaymentMethod = read(br#"{"type":"wallet","wallet":{"option_id":"1"}}"#).unwrap();
        let refused = place
            .processing
            .pay_page(&address, 0, wallet.named("").unwrap())
            .unwrap_err();
        assert_eq!(refused.param, "payment_method.type");
        for (attempt, number) in [(0, BAD), (1, GOOD)] {
            place
                .processing
                .pay_page(&address, attempt, method(&place.token(number)))
                .unwrap();
        }
        let PageState::Paid {
            receipt: None,
            mask: Some(_),
        } = place.processing.page(&address).unwrap().state
        else {
            panic!()
        };
        assert_eq!(place.wallet().wallet.len(), 1);
        // The answer came before the card did.
        let told = place.processing.journal(&place.sandbox(), None, 10).unwrap();
        let told: Vec<_> = told
            .iter()
            .map(|told| serde_json::from_str::<AddedCard>(&told.body).unwrap())
            .collect();
        assert_eq!(told.len(), 2);
        assert_eq!(told[0].payment_method, Some(place.wallet().wallet.remove(0)));
    });
}

#[test]
fn a_number_alone_is_saved_and_never_pays() {
    in_both(|place| {
        let added = place.add(&place.number_alone(GOOD), json!({})).unwrap();
        let item = added.payment_method.unwrap();
        assert_eq!((item.card.expires_at, item.is_default), (None, true));
        let refused = place.pay_saved("one", &item.option_id).unwrap_err();
        assert_eq!(refused.code, StatusCode::InvalidCardToken);
        assert_eq!(refused.param, "customer.payment_method.wallet.option_id");
        let whole = place.added(GOOD);
        assert_eq!(place.wallet().wallet.len(), 2, "the whole card is another one");
        let opened = place.processing.create_payment(
            &place.sandbox(),
            place.request("two", json!({ "mode": "hosted" })),
        );
        let address = secret(&opened.unwrap().action.unwrap().value);
        let offered = place.processing.page(&address).unwrap().cards;
        assert_eq!(
            offered.iter().map(|card| &card.option_id).collect::<Vec<_>>(),
            [&whole.option_id]
        );
    });
}

#[test]
fn there_is_one_default_while_there_are_cards() {
    in_both(|place| {
        let (first, second) = (place.added(GOOD), place.added(OTHER));
        let third = place
            .add(&place.number_alone(OTHER), json!({ "make_default": true }))
            .unwrap();
        let third = third.payment_method.unwrap();
        let now = |default: &WalletItem| {
            let ids = place.defaults().into_iter();
            ids.filter(|(_, is_default)| *is_default)
                .eq([(default.option_id.clone(), true)])
        };
        assert!(now(&third));
        let set = place
            .processing
            .set_default_card(&place.sandbox(), &anna(), &named(&first))
            .unwrap();
        assert!(set.success && now(&first));
        let delete = |item: &WalletItem| {
            let deleted = place
                .processing
                .delete_card(&place.sandbox(), &anna(), &named(item))
                .unwrap();
            assert_eq!((deleted.delete, &deleted.option_id), (true, &item.option_id));
        };
        delete(&first);
        assert!(now(&third), "the one that was saved last");
        delete(&second);
        assert!(now(&third));
        delete(&third);
        assert_eq!(place.defaults(), []);
        let back = place.added(GOOD);
        assert!(back.is_default);
        assert_ne!(back.option_id, first.option_id);
        assert_eq!(place.count("SELECT COUNT(*) FROM saved_cards"), 1);
    });
}

#[test]
fn the_vault_forgets_what_was_deleted_unless_a_binding_charges_it() {
    in_both(|place| {
        let save = json!({ "customer": { "payment_method": { "cc_token": { "save_to_wallet": true } } } });
        let paid = place.pay("one", GOOD, save).unwrap();
        let card = paid.payment_method.unwrap().cc_token;
        assert!(card.saved_card);
        let token = card.token.unwrap();
        let delete = || {
            let item = place.wallet().wallet.remove(0);
            place
                .processing
                .delete_card(&place.sandbox(), &anna(), &named(&item))
                .unwrap();
        };
        let pay = |number: &str, token: &str| {
            let method = json!({ "type": "cc_token", "cc_token": { "token": token } });
            let request = place.request(number, json!({ "customer": { "payment_method": method } }));
            place
                .processing
                .create_payment(&place.sandbox(), request)
                .map(|paid| ended(paid).0)
        };
        assert_eq!(pay("two", &token), Ok(Status::Success));
        delete();
        assert_eq!(
            pay("three", &token).unwrap_err().code,
            StatusCode::TokenDoesNotExist
        );
        let more = json!({ "init_recurrent_payment": true });
        let bound = place.pay("four", GOOD, more).unwrap();
        let id = bound.details.unwrap().recurrent_id.unwrap();
        place.added(GOOD);
        delete();
        let body = json!({ "recurrent_id": id, "external_id": "five", "amount": "20" });
        let request = read(body.to_string().as_bytes()).unwrap();
        let again = place.processing.charge_again(&place.sandbox(), request).unwrap();
        assert_eq!(ended(again).0, Status::Success);
        assert_eq!(place.count("SELECT COUNT(*) FROM saved_cards"), 0);
        place.leaves_nothing_to_do();
    });
}

#[test]
fn many_at_once_save_a_card_once() {
    in_both(|place| {
        let other = place.beside();
        let tokens: Vec<_> = (0..6)
            .map(|at| place.token(if at % 2 == 0 { GOOD } else { OTHER }))
            .collect();
        thread::scope(|scope| {
            for (at, token) in tokens.iter().enumerate() {
                let processing = if at < 3 { &place.processing } else { &other };
                scope.spawn(move || {
                    let body =
                        json!({ "payment_method": { "type": "cc_token", "cc_token": { "token": token } } });
                    let request = read(body.to_string().as_bytes()).unwrap();
                    let added = processing.add_card(&place.sandbox(), &anna(), request).unwrap();
                    assert_eq!(added.status, Status::Success);
                });
            }
        });
        let cards = place.defaults();
        assert_eq!(
            (
                cards.len(),
                cards.iter().filter(|(_, is_default)| *is_default).count()
            ),
            (2, 1)
        );
    });
}

#[test]
fn a_customer_has_so_many_cards_and_no_more() {
    let place = Place::sqlite();
    let add = |at: usize| place.add(&place.number_alone(&number(at)), json!({}));
    for at in 0..MOST {
        add(at).unwrap();
    }
    let refused = add(MOST).unwrap_err();
    assert_eq!(refused.code, StatusCode::ActionNotAllowed);
    // A payment is not lost over it.
    let save = json!({ "customer": { "payment_method": { "cc_token": { "save_to_wallet": true } } } });
    let paid = place.pay("one", GOOD, save).unwrap();
    assert!(paid.is_success && !paid.payment_method.unwrap().cc_token.saved_card);
    assert_eq!(place.wallet().wallet.len(), MOST);
    let other = ExternalId::new("bert").unwrap();
    assert_eq!(
        place.processing.wallet(&place.sandbox(), &other).unwrap().wallet,
        []
    );
}

/// Numbers of no issuer, with the right last digit.
fn number(at: usize) -> String {
    let body = format!("42424242424{at:04}");
    (0..10)
        .map(|digit| format!("{body}{digit}"))
        .find(|number| card::Pan::new(number).is_some())
        .unwrap()
}
