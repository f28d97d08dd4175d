//! An answered token survives `kill -9` at any moment.

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use vault::{Replay, Vault, VaultConfig};

use super::support::*;

const FOLDER: &str = "VAULT_CRASH_TEST_FOLDER";
const VICTIM: &str = "tokens::crashing::issuing_victim";

/// The victim: issues tokens as fast as it can and prints each one when it is answered, never before.
#[test]
#[ignore = "the process that `answered_tokens_survive_sigkill` starts and kills"]
fn issuing_victim() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let clock = Place::new().clock;
    let vault = Vault::open(VaultConfig::new(
        PathBuf::from(folder).join("vault.sqlite"),
        clock,
    ))
    .unwrap();
    vault.ensure_sandbox().unwrap();
    let (sender, answered) = channel();
    let mut out = std::io::stdout().lock();
    for _ in 0..8 {
        send(&vault, &sender);
    }
    for line in answered.iter() {
        writeln!(out, "answered {line}").unwrap();
        out.flush().unwrap();
        send(&vault, &sender);
    }
}

fn send(vault: &Vault, sender: &std::sync::mpsc::Sender<String>) {
    let submit = Submit::new(vault, NOW);
    let sender = sender.clone();
    let key = submit.key.clone();
    let hash: String = submit
        .body_hash
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    vault.issue(submit.request(), move |issued| {
        sender
            .send(format!("{} {key} {hash}", issued.unwrap().token))
            .unwrap();
    });
}

#[test]
fn answered_tokens_survive_sigkill() {
    let mut seen = 0;
    let place = Place::new();
    // Killed at different moments, each time on the same store.
    for answers in [1, 7, 40, 133] {
        let mut victim = victim(VICTIM);
        victim.env(FOLDER, place.folder.path());
        let mut answered = answered_until_killed(&mut victim, answers);
        answered.retain(|line| line.len() == 80 + 1 + 32 + 1 + 64);

        let vault = place.open();
        for line in &answered {
            let [token, key, hash] = line.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let info = vault
                .recognise(PROJECT, token)
                .unwrap()
                .and_then(vault::Recognised::widget)
                .expect("an answered token is there");
            assert_eq!((info.card_mask.as_str(), info.has_code), (MASK, true));
            let hash: Vec<u8> = (0..32)
                .map(|n| u8::from_str_radix(&hash[2 * n..2 * n + 2], 16).unwrap())
                .collect();
            match vault
                .replay(PROJECT, key, hash.as_slice().try_into().unwrap())
                .unwrap()
            {
                Replay::Answer(issued) => assert_eq!(issued.token, token),
                other => panic!("{other:?}"),
            }
        }
        seen += answered.len();
    }
    assert!(seen >= 181);
}

#[test]
fn a_first_start_may_be_killed_at_any_moment() {
    for milliseconds in (0..60).step_by(4) {
        let place = Place::new();
        let mut victim = victim(VICTIM)
            .env(FOLDER, place.folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        victim.kill().unwrap();
        victim.wait().unwrap();
        let vault = place.open();
        let token = token(&place, &vault);
        assert!(
            vault.recognise(PROJECT, &token).unwrap().is_some(),
            "killed after {milliseconds} ms"
        );
    }
}
