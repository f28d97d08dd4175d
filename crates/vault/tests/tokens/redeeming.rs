//! From token to card, one operation at a time.

use std::sync::Barrier;
use std::thread;

use vault::{OperationId, Outcome, Purpose, RedeemError, TokenState, Vault};

use super::support::*;

fn id(text: &str) -> OperationId {
    OperationId::new(text).unwrap()
}

/// Number, year, month, code, as an acquirer would get them.
fn card(vault: &Vault, redeemed: &vault::Redeemed) -> (String, Option<(u16, u8)>, Option<String>) {
    vault
        .use_card(redeemed, |card| {
            (
                card.number.expose().to_owned(),
                card.expiry.map(|expiry| (expiry.year, expiry.month)),
                card.code.map(|code| code.expose().to_owned()),
            )
        })
        .unwrap()
}

fn state(vault: &Vault, token: &str) -> TokenState {
    vault
        .recognise(PROJECT, token)
        .unwrap()
        .unwrap()
        .widget()
        .unwrap()
        .state
}

#[test]
fn success_uses_the_token_up() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    let redeemed = vault.redeem(PROJECT, &token, &id("op-1"), Purpose::PAY).unwrap();
    assert_eq!((redeemed.card_mask.as_str(), redeemed.has_code), (MASK, true));
    assert_eq!(
        card(&vault, &redeemed),
        (VISA.into(), Some((2030, 12)), Some("123".into()))
    );
    assert_eq!(state(&vault, &token), TokenState::Reserved);

    vault.settle(&redeemed, Outcome::UsedUp).unwrap();
    vault.settle(&redeemed, Outcome::UsedUp).unwrap();
    assert_eq!(state(&vault, &token), TokenState::UsedUp);
    assert!(
        !vault
            .recognise(PROJECT, &token)
            .unwrap()
            .unwrap()
            .widget()
            .unwrap()
            .has_code
    );
    assert!(matches!(
        vault.settle(&redeemed, Outcome::Released),
        Err(RedeemError::NotOpen)
    ));
    assert!(matches!(
        vault.use_card(&redeemed, |_| ()),
        Err(RedeemError::NotOpen)
    ));
    for operation in ["op-1", "op-2"] {
        assert!(
            matches!(
                vault.redeem(PROJECT, &token, &id(operation), Purpose::PAY),
                Err(RedeemError::UsedUp)
            ),
            "{operation}"
        );
    }
}

#[test]
fn decline_releases_the_token_without_its_code() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    let first = vault.redeem(PROJECT, &token, &id("op-1"), Purpose::PAY).unwrap();
    vault.settle(&first, Outcome::Released).unwrap();
    assert_eq!(state(&vault, &token), TokenState::Ready);
    assert!(
        matches!(
            vault.redeem(PROJECT, &token, &id("op-1"), Purpose::PAY),
            Err(RedeemError::NotOpen)
        ),
        "the same operation"
    );
    let second = vault.redeem(PROJECT, &token, &id("op-2"), Purpose::PAY).unwrap();
    assert!(!second.has_code);
    assert_eq!(card(&vault, &second), (VISA.into(), Some((2030, 12)), None));
}

#[test]
fn a_number_alone_is_redeemed_without_expiry_and_code() {
    let place = Place::new();
    let vault = place.open();
    let token = Submit::pan_only(&vault, NOW).send(&vault).unwrap().token;
    let redeemed = vault
        .redeem(PROJECT, &token, &id("op"), Purpose::RECEIVE)
        .unwrap();
    assert_eq!(redeemed.form, card::FormKind::PanOnly);
    assert_eq!(card(&vault, &redeemed), ("5555555555554444".into(), None, None));
}

#[test]
fn an_operation_goes_on_after_a_restart() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    let before = vault.redeem(PROJECT, &token, &id("op"), Purpose::PAY).unwrap();
    assert_eq!(
        vault.redeem(PROJECT, &token, &id("op"), Purpose::PAY).unwrap(),
        before,
        "the same call again"
    );
    drop(vault);
    let vault = place.open();
    let after = vault.resume(PROJECT, &id("op")).unwrap();
    assert_eq!(after, before);
    assert_eq!(card(&vault, &after).2.as_deref(), Some("123"));
}

#[test]
fn who_may_not_redeem() {
    let place = Place::new();
    let vault = place.open();
    let (token, other) = (token(&place, &vault), token(&place, &vault));
    vault.redeem(PROJECT, &token, &id("op"), Purpose::PAY).unwrap();
    let redeem = |project: &str, token: &str, operation: &str| {
        vault.redeem(project, token, &id(operation), Purpose::PAY)
    };
    assert!(matches!(
        redeem(PROJECT, &token, "op-2"),
        Err(RedeemError::Reserved)
    ));
    assert!(matches!(
        redeem(PROJECT, &other, "op"),
        Err(RedeemError::OtherToken)
    ));
    assert!(matches!(
        redeem("sandbox-2", &other, "op-2"),
        Err(RedeemError::UnknownToken)
    ));
    assert!(matches!(
        redeem(PROJECT, "ct_x", "op-2"),
        Err(RedeemError::UnknownToken)
    ));
    assert!(matches!(
        vault.resume("sandbox-2", &id("op")),
        Err(RedeemError::NotOpen)
    ));
    assert!(matches!(
        vault.resume(PROJECT, &id("op-2")),
        Err(RedeemError::NotOpen)
    ));
    assert_eq!(
        state(&vault, &other),
        TokenState::Ready,
        "a refusal reserves nothing"
    );
    place.advance(3600);
    assert!(matches!(
        redeem(PROJECT, &other, "op-2"),
        Err(RedeemError::Expired)
    ));
}

#[test]
fn of_many_at_once_one_gets_the_token() {
    let place = Place::new();
    let vault = place.open();
    for round in 0..10 {
        let token = token(&place, &vault);
        let barrier = Barrier::new(8);
        let won = thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|n| {
                    let (vault, token, barrier) = (&vault, &token, &barrier);
                    scope.spawn(move || {
                        barrier.wait();
                        match vault.redeem(PROJECT, token, &id(&format!("op-{round}-{n}")), Purpose::PAY) {
                            Ok(_) => true,
                            Err(RedeemError::Reserved) => false,
                            Err(error) => panic!("{error}"),
                        }
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .filter(|&won| won)
                .count()
        });
        assert_eq!(won, 1);
    }
}

#[test]
fn a_code_is_gone_when_its_hour_is() {
    let place = Place::new();
    let vault = place.open();
    place.advance(2700); // 800 + 2700 = 3500 s into the hour
    let token = token(&place, &vault);
    place.advance(3000);
    let redeemed = vault.redeem(PROJECT, &token, &id("op"), Purpose::PAY).unwrap();
    assert!(redeemed.has_code);
    // 3-D Secure takes its time. The second hour ends, the operation goes on without the code.
    place.advance(700);
    assert!(!vault.resume(PROJECT, &id("op")).unwrap().has_code);
    assert_eq!(card(&vault, &redeemed), (VISA.into(), Some((2030, 12)), None));
    let cleaned = vault.clean().unwrap();
    assert_eq!(
        (cleaned.codes, cleaned.hour_keys),
        (1, 1),
        "the token's own row has expired as a whole"
    );
    place.advance(2900);
    assert!(
        matches!(vault.resume(PROJECT, &id("op")), Err(RedeemError::NotOpen)),
        "an hour has passed"
    );
    assert_eq!(vault.clean().unwrap().operations, 1);
}

#[test]
fn operation_ids() {
    for (text, good) in [
        ("a", true),
        ("payment-17/1", true),
        ("", false),
        ("a b", false),
        ("ж", false),
    ] {
        assert_eq!(OperationId::new(text).is_some(), good, "{text}");
    }
    assert!(OperationId::new(&"x".repeat(64)).is_some());
    assert!(OperationId::new(&"x".repeat(65)).is_none());
}
