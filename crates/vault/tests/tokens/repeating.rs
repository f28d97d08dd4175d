//! Idempotency, nonces, and what time does to them.

use std::sync::Barrier;
use std::thread;

use vault::{Cleaned, IssueError, Replay, TokenState, Vault};

use super::support::*;

fn replay(vault: &Vault, submit: &Submit) -> Option<vault::Issued> {
    match vault
        .replay(&submit.project, &submit.key, &submit.body_hash)
        .unwrap()
    {
        Replay::Answer(issued) => Some(issued),
        Replay::None => None,
        Replay::Conflict => panic!("a conflict"),
    }
}

#[test]
fn a_repeat_gets_the_first_answer() {
    let place = Place::new();
    let vault = place.open();
    let submit = Submit::new(&vault, NOW);
    assert!(replay(&vault, &submit).is_none());
    let issued = submit.send(&vault).unwrap();
    let again = replay(&vault, &submit).unwrap();
    assert_eq!(
        (&again.token, again.expires_at, &again.card_mask),
        (&issued.token, issued.expires_at, &issued.card_mask)
    );
    assert!(again.repeated && !issued.repeated);
    assert_eq!(
        submit.send(&vault).unwrap().token,
        issued.token,
        "also where nobody asked before"
    );
    assert!(matches!(
        vault.replay(PROJECT, &submit.key, &[0; 32]).unwrap(),
        Replay::Conflict
    ));
    assert!(matches!(
        vault.replay("sandbox-2", &submit.key, &submit.body_hash).unwrap(),
        Replay::None
    ));
    drop(vault);
    assert_eq!(
        replay(&place.open(), &submit).unwrap().token,
        issued.token,
        "after a restart"
    );
}

/// Keys as the frame makes them: the store finds them behind their time, whatever that says.
#[test]
fn keys_that_tell_a_time_are_told_apart_by_all_they_hold() {
    let place = Place::new();
    let vault = place.open();
    let mut tokens = Vec::new();
    for key in [
        "01990c0d-2f31-7one-of-one-moment",
        "01990c0d-2f31-7two-of-one-moment",
        "ffffffff-ffff-7of-a-time-to-come",
        "00000000-0000-7of-the-first-time",
        "01990c0d-2f31-4not-of-any-moment",
    ] {
        let mut submit = Submit::new(&vault, NOW);
        submit.key = key.into();
        let issued = submit.send(&vault).unwrap();
        assert_eq!(replay(&vault, &submit).unwrap().token, issued.token, "{key}");
        assert_eq!(submit.send(&vault).unwrap().token, issued.token, "{key}");
        let mut other = Submit::new(&vault, NOW);
        other.key = key.into();
        assert!(
            matches!(other.send(&vault), Err(IssueError::IdempotencyConflict)),
            "{key}"
        );
        tokens.push(issued.token);
    }
    tokens.sort();
    tokens.dedup();
    assert_eq!(tokens.len(), 5);
}

#[test]
fn another_body_under_the_same_key_is_a_conflict() {
    let place = Place::new();
    let vault = place.open();
    let first = Submit::new(&vault, NOW);
    first.send(&vault).unwrap();
    let mut second = Submit::new(&vault, NOW);
    second.key = first.key;
    assert!(matches!(
        second.send(&vault),
        Err(IssueError::IdempotencyConflict)
    ));
}

#[test]
fn a_nonce_is_good_once() {
    let place = Place::new();
    let vault = place.open();
    let first = Submit::new(&vault, NOW);
    first.send(&vault).unwrap();
    let mut second = Submit::new(&vault, NOW);
    second.claims.nonce = first.claims.nonce;
    assert!(matches!(second.send(&vault), Err(IssueError::NonceReplayed)));
    // Until its ticket has expired, whatever the job removes.
    place.advance(3599);
    vault.clean().unwrap();
    assert!(matches!(second.send(&vault), Err(IssueError::NonceReplayed)));
    place.advance(1);
    assert!(matches!(second.send(&vault), Err(IssueError::TicketExpired)));
}

#[test]
fn a_refusal_uses_up_neither_nonce_nor_key() {
    let place = Place::new();
    let vault = place.open();
    let mut submit = Submit::new(&vault, NOW);
    submit.payload = pan_only();
    assert!(submit.send(&vault).is_err());
    submit.payload = full_card();
    assert!(submit.send(&vault).is_ok());
}

#[test]
fn after_ten_minutes_an_answer_is_gone_and_its_key_is_free() {
    let place = Place::new();
    let vault = place.open();
    let submit = Submit::new(&vault, NOW);
    submit.send(&vault).unwrap();
    place.advance(599);
    assert!(replay(&vault, &submit).is_some());
    place.advance(1);
    assert!(replay(&vault, &submit).is_none());
    assert!(
        matches!(submit.send(&vault), Err(IssueError::NonceReplayed)),
        "the nonce stays"
    );
    let mut other = Submit::new(&vault, place.now());
    other.key = submit.key.clone();
    assert!(!other.send(&vault).unwrap().repeated, "before the job has run");
    assert_eq!(vault.clean().unwrap().answers, 0, "the new answer lives");
}

#[test]
fn the_job_removes_what_has_expired() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    assert_eq!(vault.clean().unwrap(), Cleaned::default());
    place.advance(600);
    assert_eq!(vault.clean().unwrap().answers, 1);
    place.advance(2999);
    assert_eq!(vault.clean().unwrap(), Cleaned::default());
    assert_eq!(
        vault
            .recognise(PROJECT, &token)
            .unwrap()
            .unwrap()
            .widget()
            .unwrap()
            .state,
        TokenState::Ready
    );
    place.advance(1);
    assert_eq!(
        vault
            .recognise(PROJECT, &token)
            .unwrap()
            .unwrap()
            .widget()
            .unwrap()
            .state,
        TokenState::Expired
    );
    assert_eq!(vault.clean().unwrap().tokens, 1);
    assert_eq!(vault.recognise(PROJECT, &token).unwrap(), None);
    place.advance(3600);
    assert_eq!(vault.clean().unwrap().hour_keys, 1);
}

/// Nobody destroys keys while the service is stopped. A start does it before anything else.
#[test]
fn a_start_destroys_the_keys_of_past_hours() {
    let place = Place::new();
    token(&place, &place.open());
    let hour = place
        .folder
        .path()
        .join("vault.sqlite.keys-hours")
        .join((NOW / 3600).to_string());
    assert!(hour.exists());
    place.advance(2 * 3600);
    let _vault = place.open();
    assert!(!hour.exists());
}

#[test]
fn the_job_removes_many_in_steps() {
    let place = Place::new();
    let vault = place.open();
    let submits: Vec<_> = (0..1100).map(|_| Submit::pan_only(&vault, NOW)).collect();
    let (sender, receiver) = std::sync::mpsc::channel();
    for submit in &submits {
        let sender = sender.clone();
        vault.issue(submit.request(), move |result| {
            sender.send(result.is_ok()).unwrap()
        });
    }
    drop(sender);
    assert_eq!(receiver.iter().filter(|&ok| ok).count(), submits.len());
    place.advance(3600);
    let cleaned = vault.clean().unwrap();
    assert_eq!(cleaned.tokens, submits.len());
}

#[test]
fn the_same_request_at_once_makes_one_token() {
    let place = Place::new();
    let vault = place.open();
    for _ in 0..10 {
        let submit = Submit::new(&vault, NOW);
        let envelope = submit.envelope();
        let barrier = Barrier::new(8);
        let issued: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        issue(&vault, submit.request_with(&envelope)).unwrap()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(issued.iter().all(|other| other.token == issued[0].token));
        assert_eq!(
            issued.iter().filter(|issued| !issued.repeated).count(),
            1,
            "one winner"
        );
    }
}

#[test]
fn different_requests_at_once_make_different_tokens() {
    let place = Place::new();
    let vault = place.open();
    let tokens: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| (0..40).map(|_| token(&place, &vault)).collect::<Vec<_>>()))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let mut distinct = tokens.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 320);
    for token in &tokens {
        assert_eq!(
            vault
                .recognise(PROJECT, token)
                .unwrap()
                .unwrap()
                .widget()
                .unwrap()
                .card_mask,
            MASK
        );
    }
}

#[test]
fn two_processes_share_a_store() {
    let place = Place::new();
    let (one, two) = (place.open(), place.open());
    thread::scope(|scope| {
        for vault in [&one, &two] {
            scope.spawn(|| {
                for _ in 0..50 {
                    let token = token(&place, vault);
                    assert!(
                        one.recognise(PROJECT, &token)
                            .unwrap()
                            .unwrap()
                            .widget()
                            .unwrap()
                            .has_code
                    );
                    assert!(
                        two.recognise(PROJECT, &token)
                            .unwrap()
                            .unwrap()
                            .widget()
                            .unwrap()
                            .has_code
                    );
                }
            });
        }
    });
    let submit = Submit::new(&one, NOW);
    assert_eq!(submit.send(&one).unwrap().token, submit.send(&two).unwrap().token);
}
