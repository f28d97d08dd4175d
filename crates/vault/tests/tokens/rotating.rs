//! Keys change while cards come in, and nobody notices.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use vault::{IssueError, Vault};
use wire::Code;

use super::support::*;

/// Issues tokens through `vaults` until `work` has ended, each with the boot data of one instance sent to another.
/// Gives how many, all of which were answered.
fn under_load(vaults: &[&Vault], now: u64, work: impl FnOnce()) -> u64 {
    let (stop, issued) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for worker in 0..4 {
            let (stop, issued) = (&stop, &issued);
            scope.spawn(move || {
                let (boot, taker) = (vaults[worker % vaults.len()], vaults[(worker + 1) % vaults.len()]);
                while !stop.load(Ordering::Relaxed) {
                    let token = Submit::new(boot, now).send(taker).unwrap().token;
                    assert!(boot.recognise(PROJECT, &token).unwrap().is_some());
                    issued.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // Also when `work` panics: the others would go on for ever.
        struct Stop<'a>(&'a AtomicBool);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let _stop = Stop(&stop);
        while issued.load(Ordering::Relaxed) < 8 {
            thread::yield_now();
        }
        work();
        let enough = issued.load(Ordering::Relaxed) + 8;
        while issued.load(Ordering::Relaxed) < enough {
            thread::yield_now();
        }
    });
    issued.into_inner()
}

#[test]
fn sealing_keys_are_rotated_under_load() {
    let place = Place::new();
    // Two instances, and the operator's command as a third.
    let (one, other) = (place.open(), place.open());
    let mut kids = vec![one.sealing_key(NOW).unwrap().kid];
    under_load(&[&one, &other], NOW, || {
        for _ in 0..5 {
            kids.push(place.open().rotate_sealing_key(3600).unwrap());
            // Whoever asks by id finds the new key at once; a submit for it was opened by both then.
            let submit = Submit::new(&place.open(), NOW);
            assert_eq!(Some(&submit.sealing.kid), kids.last());
            submit.send(&one).unwrap();
        }
    });
    let listed = one.sealing_keys();
    assert_eq!(
        listed.iter().map(|key| &key.kid).collect::<Vec<_>>(),
        kids.iter().collect::<Vec<_>>()
    );
    assert_eq!(one.sealing_key(NOW).unwrap().kid, kids[5]);
    for (index, key) in listed.iter().enumerate() {
        assert_eq!(
            (key.newest, key.until),
            (index == 5, (index < 5).then_some(NOW + 3600))
        );
    }
}

#[test]
fn a_retired_sealing_key_has_its_own_code() {
    let place = Place::new();
    let vault = place.open();
    // A form that was opened before the rotation and sends after the overlap.
    let mut open_form = Submit::new(&vault, NOW);
    vault.rotate_sealing_key(600).unwrap();
    place.advance(599);
    open_form.ticket_made_at = place.now();
    open_form.claims.issued_at = place.now();
    open_form.send(&vault).unwrap();
    place.advance(1);
    let late = Submit {
        sealing: open_form.sealing.clone(),
        ..Submit::new(&vault, place.now())
    };
    let error = late.send(&vault).unwrap_err();
    assert!(matches!(error, IssueError::SealingKeyUnknown));
    assert_eq!(error.code(), Code::SealingKeyUnknown);
    // What the frame does then: boot data anew, the same card sealed again.
    Submit::new(&vault, place.now()).send(&vault).unwrap();
}

#[test]
fn a_stolen_sealing_key_ends_at_once() {
    let place = Place::new();
    let vault = place.open();
    let stolen = Submit::new(&vault, NOW);
    vault.rotate_sealing_key(0).unwrap();
    assert!(matches!(stolen.send(&vault), Err(IssueError::SealingKeyUnknown)));
    place.advance(25 * 3600);
    vault.rotate_sealing_key(0).unwrap();
    assert_eq!(vault.sealing_keys().len(), 2, "what ended a day ago is destroyed");
}
