//! Saved cards: tokens that last.

use std::sync::Barrier;
use std::thread;

use vault::{
    OperationId, Outcome, Purpose, Recognised, RedeemError, Redeemed, RestoreParams, SavedCard, TokenKind,
    Vault,
};
use wire::payload::CardPayload;

use super::support::*;

const NUMBER: &str = "5555555555554444";

fn id(text: &str) -> OperationId {
    OperationId::new(text).unwrap()
}

fn save(holder: Option<&str>) -> Purpose<'_> {
    Purpose::save(holder)
}

fn pay_and_save(holder: &str) -> Purpose<'_> {
    Purpose::PAY.and_save(Some(holder))
}

/// A new widget token of that card.
fn typed(place: &Place, vault: &Vault, number: &str, expiry: Option<(u8, u16)>) -> String {
    let mut submit = Submit::new(vault, place.now());
    submit.payload = CardPayload::write(number, expiry, expiry.map(|_| "123")).to_vec();
    if expiry.is_none() {
        submit.claims.form = "pan_only".into();
    }
    submit.send(vault).unwrap().token
}

/// Types a card and saves it, in an operation that is not settled yet.
fn begin(place: &Place, vault: &Vault, card: (&str, Option<(u8, u16)>), holder: Option<&str>) -> Redeemed {
    let token = typed(place, vault, card.0, card.1);
    vault.redeem(PROJECT, &token, &id(&key()), save(holder)).unwrap()
}

/// The same, with success: the lasting token.
fn saved(place: &Place, vault: &Vault, card: (&str, Option<(u8, u16)>), holder: Option<&str>) -> String {
    let redeemed = begin(place, vault, card, holder);
    vault.settle(&redeemed, Outcome::UsedUp).unwrap();
    redeemed.saved.unwrap()
}

fn info(vault: &Vault, token: &str) -> Option<SavedCard> {
    vault
        .recognise(PROJECT, token)
        .unwrap()
        .map(|found| found.lasting().unwrap())
}

/// Number, expiry, code, as an acquirer would get them.
fn card(vault: &Vault, redeemed: &Redeemed) -> (String, Option<(u8, u16)>, bool) {
    let lent = vault.use_card(redeemed, |card| {
        let expiry = card.expiry.map(|expiry| (expiry.month, expiry.year));
        (card.number.expose().to_owned(), expiry, card.code.is_some())
    });
    lent.unwrap()
}

const FULL: (&str, Option<(u8, u16)>) = (VISA, Some((12, 2030)));

#[test]
fn a_payment_saves_its_card() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    let paying = vault
        .redeem(PROJECT, &token, &id("pay"), pay_and_save("anna"))
        .unwrap();
    assert_eq!(
        card(&vault, &paying),
        (VISA.into(), FULL.1, true),
        "with its code, this once"
    );
    let lasting = paying.saved.clone().unwrap();
    assert!(lasting.starts_with("cl_") && lasting.len() <= 128);
    assert!(!lasting.bytes().any(|letter| letter.is_ascii_digit()));
    assert!(
        !info(&vault, &lasting).unwrap().kept,
        "there at once, and not yet for good"
    );
    // After a restart, and asked again.
    drop(vault);
    let vault = place.open();
    assert_eq!(vault.resume(PROJECT, &id("pay")).unwrap(), paying);
    let again = vault
        .redeem(PROJECT, &token, &id("pay"), pay_and_save("anna"))
        .unwrap();
    assert_eq!(again, paying);

    vault.settle(&paying, Outcome::UsedUp).unwrap();
    let known = info(&vault, &lasting).unwrap();
    assert_eq!(
        (known.card_mask.as_str(), known.kept, known.saved_at),
        (MASK, true, NOW)
    );
    assert_eq!(known.expiry.map(|expiry| (expiry.month, expiry.year)), FULL.1);
    assert!(known.may_pay());
    assert!(matches!(
        vault.redeem(PROJECT, &token, &id("pay-2"), Purpose::PAY),
        Err(RedeemError::UsedUp)
    ));
    let later = vault
        .redeem(PROJECT, &lasting, &id("pay-2"), Purpose::PAY)
        .unwrap();
    assert_eq!(
        card(&vault, &later),
        (VISA.into(), FULL.1, false),
        "never with a code"
    );
    assert_eq!((later.source, later.saved.as_deref()), (TokenKind::Lasting, None));
    assert!(later.may_pay() && later.may_receive());
    // Long after all widget tokens are gone.
    place.advance(10 * 365 * 86_400);
    vault.clean().unwrap();
    assert_eq!(vault.recognise(PROJECT, &token).unwrap(), None);
    let late = vault
        .redeem(PROJECT, &lasting, &id("pay-3"), Purpose::PAY)
        .unwrap();
    assert_eq!(card(&vault, &late).0, VISA);
}

#[test]
fn a_declined_card_is_not_kept() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    let declined = vault.redeem(PROJECT, &token, &id("1"), save(None)).unwrap();
    vault.settle(&declined, Outcome::Released).unwrap();
    assert_eq!(info(&vault, declined.saved.as_ref().unwrap()), None);
    // Tried again with the same widget token.
    let second = vault.redeem(PROJECT, &token, &id("2"), save(None)).unwrap();
    assert_ne!(second.saved, declined.saved);
    vault.settle(&second, Outcome::UsedUp).unwrap();
    assert!(info(&vault, second.saved.as_ref().unwrap()).unwrap().kept);
    // An operation that nobody ever ends.
    let left = begin(&place, &vault, (NUMBER, None), None);
    place.advance(3600);
    assert_eq!(vault.clean().unwrap().cards, 1);
    assert_eq!(info(&vault, left.saved.as_ref().unwrap()), None);
}

#[test]
fn equal_cards_of_one_holder_are_one() {
    let place = Place::new();
    let vault = place.open();
    let anna = Some("anna");
    let first = saved(&place, &vault, FULL, anna);
    assert_eq!(saved(&place, &vault, FULL, anna), first, "the same token again");
    let mark = info(&vault, &first).unwrap().mark;
    for (card, holder, alike, why) in [
        (FULL, Some("boris"), true, "another customer"),
        (FULL, None, true, "the project"),
        (
            FULL,
            Some(""),
            true,
            "a customer without a name is not the project",
        ),
        (
            (VISA, Some((11, 2030))),
            anna,
            false,
            "another month: perhaps a renewed card",
        ),
        ((VISA, None), anna, false, "a number alone"),
        ((NUMBER, FULL.1), anna, false, "another number"),
    ] {
        let token = saved(&place, &vault, card, holder);
        assert_ne!(token, first, "{why}");
        assert_eq!(info(&vault, &token).unwrap().mark == mark, alike, "{why}");
        assert_eq!(saved(&place, &vault, card, holder), token, "{why}");
    }
    // Another project knows nothing of it.
    let mut submit = Submit::new(&vault, NOW);
    submit.project = "sandbox-2".into();
    let foreign = submit.send(&vault).unwrap().token;
    let foreign = vault
        .redeem("sandbox-2", &foreign, &id("op"), save(anna))
        .unwrap();
    let foreign = foreign.saved.unwrap();
    assert_ne!(foreign, first);
    let foreign = vault
        .recognise("sandbox-2", &foreign)
        .unwrap()
        .and_then(Recognised::lasting);
    assert_ne!(foreign.unwrap().mark, mark);
}

#[test]
fn many_at_once_save_one_card() {
    let place = Place::new();
    let vault = place.open();
    let tokens: Vec<_> = (0..8).map(|_| token(&place, &vault)).collect();
    let barrier = Barrier::new(8);
    let mut saved: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = tokens
            .iter()
            .map(|token| {
                let (vault, barrier) = (&vault, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    vault.redeem(PROJECT, token, &id(&key()), save(None)).unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let lasting = saved[0].saved.clone().unwrap();
    assert!(saved.iter().all(|one| one.saved.as_ref() == Some(&lasting)));
    // All but one are declined, the kept one in the middle.
    let winner = saved.remove(4);
    for one in &saved[..3] {
        vault.settle(one, Outcome::Released).unwrap();
    }
    vault.settle(&winner, Outcome::UsedUp).unwrap();
    for one in &saved[3..] {
        vault.settle(one, Outcome::Released).unwrap();
    }
    assert!(info(&vault, &lasting).unwrap().kept);
}

#[test]
fn a_number_alone_receives_and_never_pays() {
    let place = Place::new();
    let vault = place.open();
    let widget = typed(&place, &vault, NUMBER, None);
    let typed_ = vault
        .redeem(
            PROJECT,
            &widget,
            &id("1"),
            Purpose::RECEIVE.and_save(Some("anna")),
        )
        .unwrap();
    assert!(!typed_.may_pay() && typed_.may_receive());
    vault.settle(&typed_, Outcome::UsedUp).unwrap();
    let lasting = typed_.saved.unwrap();
    let known = info(&vault, &lasting).unwrap();
    assert!(!known.may_pay() && known.expiry.is_none());
    let payout = vault
        .redeem(PROJECT, &lasting, &id("2"), Purpose::RECEIVE)
        .unwrap();
    assert!(!payout.may_pay() && payout.may_receive());
    assert_eq!(card(&vault, &payout), (NUMBER.into(), None, false));
    // Typed whole later, it is another saved card: the first does not begin to pay.
    let whole = saved(&place, &vault, (NUMBER, FULL.1), Some("anna"));
    assert_ne!(whole, lasting);
    assert!(info(&vault, &whole).unwrap().may_pay() && !info(&vault, &lasting).unwrap().may_pay());
    // A full card out of a form pays, and does not receive before it is saved.
    let paying = begin(&place, &vault, FULL, None);
    assert!(paying.may_pay() && !paying.may_receive());
}

#[test]
fn a_saved_card_serves_many_operations_at_once() {
    let place = Place::new();
    let vault = place.open();
    let lasting = saved(&place, &vault, FULL, None);
    let barrier = Barrier::new(8);
    let operations: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|n| {
                let (vault, lasting, barrier) = (&vault, &lasting, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    vault
                        .redeem(PROJECT, lasting, &id(&format!("op-{n}")), Purpose::PAY)
                        .unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (n, operation) in operations.iter().enumerate() {
        assert_eq!(card(&vault, operation), (VISA.into(), FULL.1, false));
        let outcome = if n % 2 == 0 {
            Outcome::UsedUp
        } else {
            Outcome::Released
        };
        vault.settle(operation, outcome).unwrap();
        assert!(matches!(
            vault.redeem(PROJECT, &lasting, &operation.operation, Purpose::PAY),
            Err(RedeemError::NotOpen)
        ));
    }
    assert!(info(&vault, &lasting).is_some());
    // An operation id belongs to its token.
    let other = saved(&place, &vault, FULL, Some("anna"));
    vault
        .redeem(PROJECT, &lasting, &id("mine"), Purpose::PAY)
        .unwrap();
    assert!(matches!(
        vault.redeem(PROJECT, &other, &id("mine"), Purpose::PAY),
        Err(RedeemError::OtherToken)
    ));
}

#[test]
fn from_one_holder_to_another() {
    let place = Place::new();
    let vault = place.open();
    // What a payment's answer held goes into a customer's wallet.
    let answer = saved(&place, &vault, FULL, None);
    let adding = vault
        .redeem(PROJECT, &answer, &id("add"), save(Some("anna")))
        .unwrap();
    let again = vault
        .redeem(PROJECT, &answer, &id("add"), save(Some("anna")))
        .unwrap();
    assert_eq!(adding, again, "the same call again");
    vault.settle(&adding, Outcome::UsedUp).unwrap();
    let annas = adding.saved.unwrap();
    assert_ne!(annas, answer);
    assert_eq!(
        saved(&place, &vault, FULL, Some("anna")),
        annas,
        "as if she had typed it"
    );
}

#[test]
fn forgetting() {
    let place = Place::new();
    let vault = place.open();
    let (annas, boris) = (
        saved(&place, &vault, FULL, Some("anna")),
        saved(&place, &vault, FULL, Some("boris")),
    );
    let under_way = vault.redeem(PROJECT, &annas, &id("1"), Purpose::PAY).unwrap();
    let saving = begin(&place, &vault, FULL, Some("anna"));
    assert_eq!(saving.saved.as_ref(), Some(&annas));
    for (project, token) in [
        ("sandbox-2", annas.as_str()),
        (PROJECT, "cl_x"),
        (PROJECT, ""),
        (PROJECT, &annas.replace("cl_", "ct_")),
        // Its id with another secret.
        (PROJECT, &format!("{}{}", &annas[..40], &boris[40..])),
    ] {
        assert!(!vault.forget(project, token).unwrap());
    }
    assert!(vault.forget(PROJECT, &annas).unwrap());
    assert!(!vault.forget(PROJECT, &annas).unwrap());
    assert_eq!(info(&vault, &annas), None);
    assert!(matches!(
        vault.redeem(PROJECT, &annas, &id("2"), Purpose::PAY),
        Err(RedeemError::UnknownToken)
    ));
    assert!(info(&vault, &boris).is_some(), "another's equal card stays");
    // What was under way goes on, and the card it would have saved is gone.
    assert_eq!(card(&vault, &under_way).0, VISA);
    vault.settle(&under_way, Outcome::UsedUp).unwrap();
    assert_eq!(vault.resume(PROJECT, &saving.operation).unwrap().saved, None);
    vault.settle(&saving, Outcome::UsedUp).unwrap();
    assert_eq!(info(&vault, &annas), None);
    assert_ne!(saved(&place, &vault, FULL, Some("anna")), annas, "a new one");
}

#[test]
fn who_may_not_use_it() {
    let place = Place::new();
    let vault = place.open();
    let lasting = saved(&place, &vault, FULL, None);
    let other = saved(&place, &vault, FULL, Some("anna"));
    for (project, token, why) in [
        ("sandbox-2", lasting.clone(), "another project"),
        (PROJECT, lasting.replace("cl_", "ct_"), "for a widget token"),
        (PROJECT, lasting.to_uppercase(), "in capitals"),
        (
            PROJECT,
            format!("{}{}", &lasting[..40], &other[40..]),
            "with another's secret",
        ),
    ] {
        assert!(
            matches!(
                vault.redeem(project, &token, &id("op"), Purpose::PAY),
                Err(RedeemError::UnknownToken)
            ),
            "{why}"
        );
        assert!(!matches!(vault.recognise(project, &token), Ok(Some(_))), "{why}");
    }
    let printed = format!(
        "{:?} {:?}",
        info(&vault, &lasting),
        begin(&place, &vault, FULL, None)
    );
    assert!(!printed.contains("cl_") && !printed.contains("4242"), "{printed}");
}

#[test]
fn a_backup_brings_them_back() {
    let (place, keep) = (Place::new(), tempfile::tempdir().unwrap());
    let backup = keep.path().join("monday");
    let vault = place.open();
    let (kept, deleted) = (
        saved(&place, &vault, FULL, Some("anna")),
        saved(&place, &vault, FULL, Some("boris")),
    );
    vault.backup(&backup).unwrap();
    vault.forget(PROJECT, &deleted).unwrap();
    let later = saved(&place, &vault, FULL, Some("clara"));
    // Rotated since, and the key of the backup's cards destroyed.
    vault.rotate_data_key(PROJECT).unwrap();
    vault.reseal().unwrap();
    vault.clean().unwrap();
    place.advance(3 * 3600);
    assert_eq!(vault.clean().unwrap().data_keys, 1);
    drop(vault);
    let number = |vault: &Vault, token: &str| {
        let redeemed = vault.redeem(PROJECT, token, &id(&key()), Purpose::PAY).unwrap();
        let number = card(vault, &redeemed).0;
        vault.settle(&redeemed, Outcome::UsedUp).unwrap();
        number
    };
    let check = |restored: &Vault| {
        assert_eq!(number(restored, &kept), VISA);
        assert_eq!(number(restored, &deleted), VISA, "deleted since: there again");
        assert_eq!(
            restored.recognise(PROJECT, &later).unwrap(),
            None,
            "saved since: lost"
        );
        assert_eq!(
            saved(&place, restored, FULL, Some("anna")),
            kept,
            "equal cards are found"
        );
        restored.reseal().unwrap();
        assert_eq!(number(restored, &kept), VISA);
    };
    Vault::restore(place.config(), &backup, &RestoreParams::default()).unwrap();
    check(&place.open());

    // On another machine, with nothing but the backup and the master key.
    let elsewhere = Place::new();
    let master = "vault.sqlite.master";
    std::fs::copy(
        place.folder.path().join(master),
        elsewhere.folder.path().join(master),
    )
    .unwrap();
    elsewhere.advance(3 * 3600);
    Vault::restore(elsewhere.config(), &backup, &RestoreParams::default()).unwrap();
    check(&elsewhere.open());
}

#[test]
fn each_kind_of_token_has_its_purposes() {
    let place = Place::new();
    let vault = place.open();
    let (full, number) = (token(&place, &vault), typed(&place, &vault, NUMBER, None));
    let lasting = saved(&place, &vault, FULL, None);
    let receiving = saved(&place, &vault, (NUMBER, None), None);
    let (pay, receive, only_save) = (Purpose::PAY, Purpose::RECEIVE, save(Some("anna")));
    for (token, purpose, good, why) in [
        (&full, receive, false, "a full card that was typed to pay"),
        (&full, receive.and_save(None), false, "the same, saved besides"),
        (&full, pay, true, "a full card"),
        (&number, pay, false, "a number alone"),
        (&number, pay.and_save(None), false, "the same, saved besides"),
        (&number, receive, true, "a number alone"),
        (&lasting, pay, true, "a saved card"),
        (&lasting, receive, true, "a saved card"),
        (&lasting, only_save, true, "a saved card, for another holder"),
        (&receiving, pay, false, "a saved number"),
        (&receiving, receive, true, "a saved number"),
        (&receiving, only_save, true, "a saved number, for another holder"),
    ] {
        let operation = id(&key());
        let told = vault.redeem(PROJECT, token, &operation, purpose);
        match told {
            Ok(redeemed) => {
                assert!(good, "{why}");
                assert_eq!(redeemed.operation, operation);
            }
            Err(RedeemError::WrongPurpose) => {
                assert!(!good, "{why}");
                // It has cost nothing: no operation, and the code is still there.
                assert!(
                    matches!(vault.resume(PROJECT, &operation), Err(RedeemError::NotOpen)),
                    "{why}"
                );
            }
            Err(error) => panic!("{why}: {error}"),
        }
    }
    let paying = vault
        .recognise(PROJECT, &full)
        .unwrap()
        .and_then(Recognised::widget);
    assert!(paying.unwrap().has_code);
    // None of the refused ones has saved anything.
    assert!(vault.clean().unwrap().cards == 0 && vault.verify_audit(&[]).unwrap().findings.is_empty());
}
