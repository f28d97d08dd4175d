//! A new data key reaches saved cards while they are used.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use vault::{Recognised, Vault};

use super::support::*;

/// Saves `count` cards, one for each holder, at the same time as they come.
fn save_many(place: &Place, vault: &Vault, count: usize) -> Vec<String> {
    let source = {
        let token = token(place, vault);
        save(vault, &token, "source")
    };
    let threads = 8;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|thread| {
                let source = &source;
                scope.spawn(move || {
                    let holders = (thread..count).step_by(threads);
                    let saved = holders.map(|n| save(vault, source, &n.to_string()));
                    saved.collect::<Vec<_>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    })
}

/// Saved cards under each epoch but the last, as operators see them.
fn left(vault: &Vault) -> Vec<(u32, u64)> {
    let keys = vault.data_keys().unwrap();
    let keys = keys
        .iter()
        .filter(|key| key.project == PROJECT && key.left.is_some());
    keys.map(|key| (key.epoch, key.cards_left)).collect()
}

#[test]
fn by_two_instances_while_cards_are_used() {
    let place = Place::new();
    let vaults = [place.open(), place.open()];
    let tokens = save_many(&place, &vaults[0], 450);
    let described: Vec<_> = tokens
        .iter()
        .map(|token| vaults[0].recognise(PROJECT, token).unwrap().unwrap())
        .collect();
    place.open().rotate_data_key(PROJECT).unwrap();
    assert_eq!(left(&vaults[0]), [(1, 451)]);
    let stop = AtomicBool::new(false);
    let sealed: u64 = thread::scope(|scope| {
        // Payments all the time, of cards under the old key and the new one.
        for vault in &vaults {
            let (tokens, stop) = (&tokens, &stop);
            scope.spawn(move || {
                for token in tokens.iter().cycle() {
                    assert_eq!(number(vault, token).unwrap(), VISA);
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        let sealing: Vec<_> = vaults
            .iter()
            .map(|vault| {
                scope.spawn(|| {
                    let mut sum = 0;
                    while left(vault) != [(1, 0)] {
                        sum += vault.reseal().unwrap();
                    }
                    sum
                })
            })
            .collect();
        let sum = sealing.into_iter().map(|one| one.join().unwrap()).sum();
        stop.store(true, Ordering::Relaxed);
        sum
    });
    assert_eq!(sealed, 451, "each once, by one of them");
    let figures = vaults.each_ref().map(Vault::figures);
    assert_eq!(figures[0].resealed + figures[1].resealed, 451);
    assert_eq!((figures[0].to_reseal, figures[1].to_reseal), (0, 0));
    // The old key is destroyed in its time, and every card is what it was.
    vaults[1].clean().unwrap();
    place.advance(3 * 3600);
    assert_eq!(vaults[1].clean().unwrap().data_keys, 1);
    drop(vaults);
    let vault = place.open();
    for (token, described) in tokens.iter().zip(described) {
        assert_eq!(vault.recognise(PROJECT, token).unwrap(), Some(described));
    }
    assert_eq!(number(&vault, &tokens[449]).unwrap(), VISA);
    assert_eq!(vault.verify_audit(&[]).unwrap().findings, []);
}

#[test]
fn through_several_epochs_with_equal_cards_still_found() {
    let place = Place::new();
    let vault = place.open();
    let mine = {
        let token = token(&place, &vault);
        save(&vault, &token, "mine")
    };
    for epoch in 2..=4 {
        assert_eq!(vault.rotate_data_key(PROJECT).unwrap(), epoch);
        // Once it has been skipped: two epochs are behind then.
        if epoch != 2 {
            vault.reseal().unwrap();
        }
        // Saved by an instance that has not noticed the new epoch yet, or by one that has.
        let token = token(&place, &vault);
        assert_eq!(save(&vault, &token, "mine"), mine);
    }
    thread::sleep(Duration::from_millis(2100));
    vault.reseal().unwrap();
    assert!(left(&vault).iter().all(|&(_, cards)| cards == 0));
    assert!(matches!(
        vault.recognise(PROJECT, &mine).unwrap(),
        Some(Recognised::Lasting(card)) if card.kept
    ));
}

#[test]
fn what_was_forgotten_meanwhile_stays_forgotten() {
    let place = Place::new();
    let vault = place.open();
    let tokens = save_many(&place, &vault, 250);
    vault.rotate_data_key(PROJECT).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            for token in &tokens[..125] {
                assert!(vault.forget(PROJECT, token).unwrap());
            }
        });
        vault.reseal().unwrap();
    });
    vault.reseal().unwrap();
    assert_eq!(left(&vault), [(1, 0)]);
    for (n, token) in tokens.iter().enumerate() {
        let there = vault.recognise(PROJECT, token).unwrap().is_some();
        assert_eq!(there, n >= 125, "{n}");
    }
}
