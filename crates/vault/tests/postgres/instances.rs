//! Several instances on one PostgreSQL: what is decided, is decided once.

use std::sync::Barrier;
use std::sync::mpsc::channel;
use std::thread;

use vault::{IssueError, OperationId, Outcome, Purpose, RedeemError, Vault, VaultError, WidgetKey};

use super::cluster::sql;
use super::support::*;

/// Two vaults that know of each other only through the database, on one folder of keys.
fn two(place: &Place) -> [Vault; 2] {
    [place.open(), place.open()]
}

#[test]
fn the_same_requests_at_two_instances_make_one_token_each() {
    let place = Place::new();
    let vaults = two(&place);
    let submits: Vec<_> = (0..60).map(|_| Submit::new(&vaults[0], NOW)).collect();
    let envelopes: Vec<_> = submits.iter().map(Submit::envelope).collect();
    let barrier = Barrier::new(2);
    // All at once and in opposite orders, so that the batches of one meet those of the other.
    let issued: Vec<Vec<_>> = thread::scope(|scope| {
        let threads: Vec<_> = vaults
            .iter()
            .enumerate()
            .map(|(which, vault)| {
                let (submits, envelopes, barrier) = (&submits, &envelopes, &barrier);
                scope.spawn(move || {
                    let (sender, results) = channel();
                    barrier.wait();
                    for n in 0..submits.len() {
                        let n = if which == 0 { n } else { submits.len() - 1 - n };
                        let sender = sender.clone();
                        let request = submits[n].request_with(&envelopes[n]);
                        vault.issue(request, move |result| sender.send((n, result.unwrap())).unwrap());
                    }
                    drop(sender);
                    let mut issued: Vec<_> = results.iter().collect();
                    issued.sort_by_key(|&(n, _)| n);
                    issued.into_iter().map(|(_, issued)| issued).collect()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (one, two) in issued[0].iter().zip(&issued[1]) {
        assert_eq!(one.token, two.token);
        assert_ne!(one.repeated, two.repeated, "one winner");
    }
}

#[test]
fn a_nonce_is_good_once_on_all_instances() {
    let place = Place::new();
    let vaults = two(&place);
    let barrier = Barrier::new(2);
    let mut won = 0;
    for _ in 0..20 {
        // The same envelope under another idempotency key: a replay by somebody who has seen it.
        let first = Submit::new(&vaults[0], NOW);
        let envelope = first.envelope();
        let results: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = vaults
                .iter()
                .map(|vault| {
                    let mut request = first.request_with(&envelope);
                    request.idempotency_key = Some(key().into());
                    let barrier = &barrier;
                    scope.spawn(move || {
                        barrier.wait();
                        issue(vault, request)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
        assert!(
            results
                .iter()
                .any(|result| matches!(result, Err(IssueError::NonceReplayed)))
        );
        won += u32::from(results[0].is_ok());
    }
    println!("the first instance won {won} of 20");
}

#[test]
fn a_token_is_used_once_on_all_instances() {
    let place = Place::new();
    let vaults = two(&place);
    let barrier = Barrier::new(4);
    for round in 0..10 {
        let token = token(&place, &vaults[round % 2]);
        let results: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|n| {
                    let id = OperationId::new(&format!("op-{round}-{n}")).unwrap();
                    let (vault, token, barrier) = (&vaults[n % 2], &token, &barrier);
                    scope.spawn(move || {
                        barrier.wait();
                        vault.redeem(PROJECT, token, &id, Purpose::PAY)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        assert_eq!(won.len(), 1);
        assert!(
            lost.iter()
                .all(|result| matches!(result, Err(RedeemError::Reserved)))
        );
        // The other instance goes on with the operation.
        let redeemed = won.into_iter().next().unwrap().unwrap();
        let seen = vaults[1 - round % 2]
            .resume(PROJECT, &redeemed.operation)
            .unwrap();
        assert!(seen.has_code && seen == redeemed);
        vaults[0].settle(&redeemed, Outcome::UsedUp).unwrap();
        let again = OperationId::new("again").unwrap();
        assert!(matches!(
            vaults[1].redeem(PROJECT, &token, &again, Purpose::PAY),
            Err(RedeemError::UsedUp)
        ));
    }
}

#[test]
fn one_operation_at_two_instances_is_one() {
    let place = Place::new();
    let vaults = two(&place);
    let barrier = Barrier::new(2);
    for round in 0..10 {
        let token = token(&place, &vaults[0]);
        let id = OperationId::new(&format!("op-{round}")).unwrap();
        thread::scope(|scope| {
            for vault in &vaults {
                let (token, id, barrier) = (&token, &id, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    assert!(vault.redeem(PROJECT, token, id, Purpose::PAY).unwrap().has_code);
                });
            }
        });
    }
}

#[test]
fn instances_make_one_store_and_clean_it_together() {
    let place = Place::new();
    let barrier = Barrier::new(4);
    let vaults: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    barrier.wait();
                    place.open()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let key = WidgetKey {
        id: "wk_once".into(),
        project: "once".into(),
        live: false,
        origins: vec!["https://shop.example".into()],
        apps: false,
    };
    let added: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = vaults
            .iter()
            .map(|vault| {
                scope.spawn(|| {
                    barrier.wait();
                    vault.add_widget_key(&key)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(added.iter().filter(|added| added.is_ok()).count(), 1);
    assert!(
        added
            .iter()
            .all(|added| matches!(added, Ok(()) | Err(VaultError::WidgetKeyTaken)))
    );
    for vault in &vaults {
        assert_eq!(vault.widget_key("wk_once").unwrap(), Some(key.clone()));
    }
    let tokens: Vec<_> = (0..40).map(|n| token(&place, &vaults[n % 4])).collect();
    place.advance(3600);
    let removed: usize = thread::scope(|scope| {
        let threads: Vec<_> = vaults
            .iter()
            .map(|vault| scope.spawn(|| vault.clean().unwrap().tokens))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert!(removed <= tokens.len());
    vaults[0].clean().unwrap();
    for token in &tokens {
        assert_eq!(vaults[1].recognise(PROJECT, token).unwrap(), None);
    }
}

#[test]
fn lost_connections_are_made_again_and_nothing_is_lost_or_double() {
    let place = Place::new();
    let Some(url) = &place.url else { return };
    let vault = place.open();
    let (sender, results) = channel();
    let mut tokens = Vec::new();
    for round in 0..6 {
        let submits: Vec<_> = (0..30).map(|_| Submit::new(&vault, NOW)).collect();
        thread::scope(|scope| {
            scope.spawn(|| {
                // Under way, or between two batches.
                thread::sleep(std::time::Duration::from_millis(round * 3));
                sql(
                    url,
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()",
                );
            });
            for submit in &submits {
                let sender = sender.clone();
                vault.issue(submit.request(), move |result| sender.send(result).unwrap());
            }
        });
        let told: Vec<_> = (0..submits.len()).map(|_| results.recv().unwrap()).collect();
        for (submit, told) in submits.iter().zip(told) {
            // Told in order of submission, as one thread writes. Who was told of a failure asks again.
            let first = told.ok();
            let again = submit.send(&vault).unwrap();
            if let Some(first) = first {
                assert!(again.repeated);
                assert_eq!(again.token, first.token);
            }
            tokens.push(again.token);
        }
    }
    let rows = sql(url, "SELECT count(*) FROM card_widget_vault.tokens");
    assert_eq!(
        rows,
        tokens.len().to_string(),
        "one row for each, however often it was tried"
    );
    for token in &tokens {
        assert!(vault.recognise(PROJECT, token).unwrap().is_some());
    }
}

#[test]
fn other_databases_and_later_stores_are_refused_untouched() {
    let place = Place::new();
    let Some(url) = &place.url else { return };
    sql(
        url,
        "CREATE SCHEMA card_widget_vault; CREATE TABLE card_widget_vault.notes (text TEXT)",
    );
    assert!(matches!(
        Vault::open(place.config()),
        Err(VaultError::KeysMissing(_))
    ));

    let stranger = Place::new();
    drop(stranger.open());
    take_keys(&stranger, &place);
    assert!(matches!(
        Vault::open(place.config()),
        Err(VaultError::NotAVault(_))
    ));
    sql(url, "DROP SCHEMA card_widget_vault CASCADE");
    // On the way: keys without a store are taken up.
    drop(place.open());
    let other = Place::new();
    drop(other.open());
    take_keys(&other, &place);
    assert!(matches!(Vault::open(place.config()), Err(VaultError::WrongKeys)));
    take_keys(&stranger, &place);
    sql(url, "UPDATE card_widget_vault.store SET version = 99");
    assert!(matches!(
        Vault::open(place.config()),
        Err(VaultError::LaterVersion)
    ));
    assert_eq!(sql(url, "SELECT version FROM card_widget_vault.store"), "99");
}

fn take_keys(from: &Place, to: &Place) {
    for name in ["vault.sqlite.keys", "vault.sqlite.master"] {
        std::fs::copy(from.folder.path().join(name), to.folder.path().join(name)).unwrap();
    }
}

/// Keys of rows begin with one of sixteen numbers each: no place to which all that is new goes.
#[test]
fn keys_are_spread() {
    let place = Place::new();
    let Some(url) = &place.url else { return };
    let vault = place.open();
    for _ in 0..150 {
        token(&place, &vault);
    }
    for column in ["id", "nonce"] {
        let parts = sql(
            url,
            &format!(
                "SELECT count(DISTINCT get_byte({column}, 0)), max(get_byte({column}, 0)) FROM card_widget_vault.tokens"
            ),
        );
        assert_eq!(parts, "16|15", "{column}");
    }
}

fn saved(vault: &Vault, token: &str, holder: &str) -> vault::Redeemed {
    let operation = OperationId::new(&key()).unwrap();
    let save = Purpose::save(Some(holder));
    vault.redeem(PROJECT, token, &operation, save).unwrap()
}

/// No row of the one table without one of the other.
fn assert_whole(place: &Place) {
    let Some(url) = &place.url else { return };
    let lonely = "SELECT count(*) FROM card_widget_vault.lasting l
                      FULL JOIN card_widget_vault.fingerprints f ON l.id = f.lasting AND l.project = f.project
                      WHERE l.id IS NULL OR f.lasting IS NULL";
    assert_eq!(sql(url, lonely), "0");
}

/// One instance saves an equal card while the other's operation is declined, or succeeds, or the card is forgotten.
#[test]
fn equal_cards_at_two_instances_are_one_and_none_is_lost() {
    let place = Place::new();
    let vaults = two(&place);
    let source = saved(&vaults[0], &token(&place, &vaults[0]), "source");
    vaults[0].settle(&source, Outcome::UsedUp).unwrap();
    let source = source.saved.unwrap();
    let barrier = Barrier::new(2);
    let mut shared = 0;
    for round in 0..60 {
        let holder = format!("holder-{round}");
        let first = saved(&vaults[0], &source, &holder);
        let second = thread::scope(|scope| {
            let (barrier, vaults, first) = (&barrier, &vaults, &first);
            scope.spawn(move || {
                barrier.wait();
                match round % 3 {
                    0 => vaults[0].settle(first, Outcome::Released).unwrap(),
                    1 => vaults[0].settle(first, Outcome::UsedUp).unwrap(),
                    _ => assert!(vaults[0].forget(PROJECT, first.saved.as_ref().unwrap()).unwrap()),
                }
            });
            let (source, holder) = (&source, &holder);
            let other = scope.spawn(move || {
                barrier.wait();
                saved(&vaults[1], source, holder)
            });
            other.join().unwrap()
        });
        vaults[1].settle(&second, Outcome::UsedUp).unwrap();
        // `None`: it was forgotten after it was found equal.
        if let Some(lasting) = &second.saved {
            let same = Some(lasting) == first.saved.as_ref();
            shared += usize::from(same);
            let there = vaults[0].recognise(PROJECT, lasting).unwrap();
            let kept = there.and_then(vault::Recognised::lasting).map(|card| card.kept);
            // Of what was forgotten, the same token may have been told just before.
            if round % 3 != 2 || !same {
                assert_eq!(kept, Some(true), "{round}");
            }
        }
        assert!(round % 3 == 2 || second.saved.is_some(), "{round}");
    }
    assert!(shared >= 20, "{shared}");
    assert_whole(&place);
    // Both save the same new cards at once, in opposite orders and in batches.
    let tokens: Vec<Vec<_>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|which| {
                let (vaults, source) = (&vaults, &source);
                scope.spawn(move || {
                    thread::scope(|scope| {
                        let saving: Vec<_> = (0..24)
                            .map(|n| if which == 0 { n } else { 23 - n })
                            .map(|n| {
                                scope.spawn(move || (n, saved(&vaults[which], source, &format!("batch-{n}"))))
                            })
                            .collect();
                        let mut saved: Vec<_> = saving.into_iter().map(|one| one.join().unwrap()).collect();
                        saved.sort_by_key(|&(n, _)| n);
                        saved.into_iter().map(|(_, one)| one.saved.unwrap()).collect()
                    })
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(tokens[0], tokens[1]);
    assert_whole(&place);
    // Nobody ends these operations; both instances clean.
    place.advance(3600);
    thread::scope(|scope| {
        for vault in &vaults {
            scope.spawn(|| vault.clean().unwrap());
        }
    });
    vaults[0].clean().unwrap();
    assert!(
        tokens[0]
            .iter()
            .all(|token| vaults[1].recognise(PROJECT, token).unwrap().is_none())
    );
    assert_whole(&place);
}

/// As on two machines without a shared folder, which each make a key for the hour: told, and nothing is used up.
#[test]
fn instances_that_share_no_folder_of_hours_say_so() {
    let place = Place::new();
    let Some(_) = &place.url else { return };
    let one = place.open();
    let elsewhere = tempfile::tempdir().unwrap();
    let mut config = place.config();
    let keys = elsewhere.path().join("keys");
    std::fs::copy(&config.keys, &keys).unwrap();
    config.keys = keys;
    let other = Vault::open(config).unwrap();
    let (first, second) = (token(&place, &one), token(&place, &other));
    let redeem = |vault: &Vault, token: &str, id: &str| {
        let id = OperationId::new(id).unwrap();
        vault.redeem(PROJECT, token, &id, Purpose::PAY)
    };
    let told = redeem(&other, &first, "a").unwrap_err().to_string();
    assert!(told.contains("share one folder of hours"), "{told}");
    assert!(redeem(&one, &first, "b").unwrap().has_code);
    // A machine that issued nothing in that hour has no key for it: the card goes without its code.
    let third = tempfile::tempdir().unwrap();
    let mut config = place.config();
    let keys = third.path().join("keys");
    std::fs::copy(&config.keys, &keys).unwrap();
    config.keys = keys;
    let third = Vault::open(config).unwrap();
    assert!(!redeem(&third, &second, "c").unwrap().has_code);
}
