//! Keys change while cards come in, and nobody notices.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use vault::{IssueError, MasterKeyError, MasterKeySource, OperationId, Purpose, Vault, VaultError};
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

#[test]
fn data_keys_are_rotated_under_load_and_destroyed_when_nothing_needs_them() {
    let place = Place::new();
    let (one, other) = (place.open(), place.open());
    let id = OperationId::new("op").unwrap();
    let before = token(&place, &one);
    under_load(&[&one, &other], NOW, || {
        assert_eq!(place.open().rotate_data_key(PROJECT).unwrap(), 2);
    });
    assert!(matches!(
        one.rotate_data_key("nobodys"),
        Err(VaultError::UnknownProject)
    ));
    // What was sealed before is opened as ever, by either.
    let redeemed = other.redeem(PROJECT, &before, &id, Purpose::PAY).unwrap();
    one.use_card(&redeemed, |card| assert_eq!(card.number.expose(), VISA))
        .unwrap();

    // New tokens are under the new epoch within two seconds: progress stands still then.
    let left = |vault: &Vault| {
        let keys = vault.data_keys().unwrap();
        let keys = keys.iter().filter(|key| key.project == PROJECT);
        keys.map(|key| (key.epoch, key.left)).collect::<Vec<_>>()
    };
    let old = left(&one);
    assert_eq!(old[1], (2, None));
    assert!(old[0].1 > Some(0), "{old:?}");
    thread::sleep(Duration::from_millis(2100));
    let after = [token(&place, &one), token(&place, &other)];
    let still = left(&one);
    for _ in 0..3 {
        token(&place, &one);
    }
    assert_eq!(left(&one), still);

    // All of it expires; the job sees that, and destroys the key when its time has come.
    one.clean().unwrap();
    place.advance(2 * 3600);
    assert_eq!(one.clean().unwrap().data_keys, 0);
    assert_eq!(left(&one), [(1, Some(0)), (2, None)]);
    place.advance(600);
    assert_eq!(one.clean().unwrap().data_keys, 1);
    assert_eq!(left(&one), [(2, None)]);
    let fresh = token(&place, &one);
    assert!(other.recognise(PROJECT, &fresh).unwrap().is_some());
    drop(after);
}

#[test]
fn the_master_key_is_rotated_under_load() {
    let place = Place::new();
    let (one, other) = (place.open(), place.open());
    one.rotate_data_key(PROJECT).unwrap();
    let before = token(&place, &one);
    let master = place.folder.path().join("vault.sqlite.master");
    let old_master = std::fs::read(&master).unwrap();
    let mut heard = Vec::new();
    let mut id = 0;
    under_load(&[&one, &other], NOW, || {
        id = place
            .open()
            .rotate_master_key(None, |progress| heard.push((progress.done, progress.of)))
            .unwrap();
        // While it runs, and after: projects and keys that both know.
        let mut key = one.widget_key("wk_sandbox").unwrap().unwrap();
        (key.id, key.project) = ("wk_new".into(), "new".into());
        one.add_widget_key(&key).unwrap();
    });
    assert_eq!((id, heard), (2, vec![(1, 3), (2, 3), (3, 3)]));
    let keys = other.data_keys().unwrap();
    assert!(keys.iter().all(|key| key.wrapping_key == 2), "{keys:?}");
    assert_ne!(std::fs::read(&master).unwrap(), old_master);
    for vault in [&one, &other, &place.open()] {
        assert!(vault.recognise(PROJECT, &before).unwrap().is_some());
        let mut submit = Submit::new(vault, NOW);
        submit.project = "new".into();
        submit.send(vault).unwrap();
    }
    // With the old master key nothing starts any more.
    drop((one, other));
    let new_master = std::fs::read(&master).unwrap();
    std::fs::write(&master, old_master).unwrap();
    assert!(matches!(
        Vault::open(place.config()),
        Err(VaultError::MasterKey(MasterKeyError::Wrong { .. }))
    ));
    std::fs::write(&master, new_master).unwrap();
    // Again: the wrapping key before the last is destroyed.
    assert_eq!(place.open().rotate_master_key(None, |_| {}).unwrap(), 3);
    assert!(place.open().recognise(PROJECT, &before).unwrap().is_some());
    assert_eq!(place.open().verify_audit(&[]).unwrap().findings, []);
}

/// Keeps what it is given in a table, as a key service keeps what its keys open: nothing of it leaves but by its answers.
fn agent(socket: &std::path::Path) -> Arc<AtomicBool> {
    let listener = UnixListener::bind(socket).unwrap();
    let sealed = Arc::new(AtomicBool::new(false));
    let closed = Arc::clone(&sealed);
    thread::spawn(move || {
        let mut table = Vec::<(Value, Value)>::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let question: Value = serde_json::from_str(&line).unwrap();
            let answer = match question["ask"].as_str() {
                _ if closed.load(Ordering::SeqCst) => json!({ "error": "sealed until somebody comes" }),
                Some("wrap") => {
                    table.push((question["context"].clone(), question["key"].clone()));
                    json!({ "id": format!("v{}", table.len()), "wrapped": "AAAA" })
                }
                _ => {
                    let at: usize = question["id"].as_str().unwrap()[1..].parse().unwrap();
                    match table.get(at - 1) {
                        Some((context, key)) if *context == question["context"] => json!({ "key": key }),
                        _ => json!({ "error": "of another installation" }),
                    }
                }
            };
            stream.write_all(answer.to_string().as_bytes()).unwrap();
        }
    });
    sealed
}

#[test]
fn a_key_agent_keeps_the_master_key() {
    let place = Place::new();
    let socket = place.folder.path().join("agent");
    let sealed = agent(&socket);
    let config = || {
        let mut config = place.config();
        config.master_key = MasterKeySource::Agent(socket.clone());
        config
    };
    let vault = Vault::open(config()).unwrap();
    vault.ensure_sandbox().unwrap();
    assert!(!place.folder.path().join("vault.sqlite.master").exists());
    let token = token(&place, &vault);
    vault.rotate_master_key(None, |_| {}).unwrap();
    vault.rotate_sealing_key(60).unwrap();

    // Out of reach: what runs goes on, what starts is told why not.
    sealed.store(true, Ordering::SeqCst);
    Submit::new(&vault, NOW).send(&vault).unwrap();
    let error = Vault::open(config()).unwrap_err().to_string();
    assert!(
        error.contains("sealed until somebody comes") && error.contains("agent"),
        "{error}"
    );
    sealed.store(false, Ordering::SeqCst);
    assert!(
        Vault::open(config())
            .unwrap()
            .recognise(PROJECT, &token)
            .unwrap()
            .is_some()
    );

    // From the agent to a file, and no further without it.
    let file = MasterKeySource::File(place.folder.path().join("elsewhere"));
    vault.rotate_master_key(Some(&file), |_| {}).unwrap();
    assert!(Vault::open(config()).is_err());
    let mut config = place.config();
    config.master_key = file;
    assert!(
        Vault::open(config)
            .unwrap()
            .recognise(PROJECT, &token)
            .unwrap()
            .is_some()
    );
}
