//! Saved cards survive `kill -9` at any moment, while their data keys are rotated, and what was forgotten stays so.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use vault::{Location, PostgresUrl, Vault, VaultConfig};

use super::support::*;

fn typed(vault: &Vault) -> String {
    Submit::new(vault, NOW).send(vault).unwrap().token
}

const FOLDER: &str = "VAULT_SAVING_CRASH_FOLDER";
const ROUND: &str = "VAULT_SAVING_CRASH_ROUND";
const URL: &str = "VAULT_SAVING_CRASH_URL";

/// The victim: saves and forgets cards while data keys are rotated below them, and prints what was answered.
#[test]
#[ignore = "the process that `saved_cards_survive_sigkill` starts and kills"]
fn saving_victim() {
    let (Some(folder), Ok(round)) = (std::env::var_os(FOLDER), std::env::var(ROUND)) else {
        return;
    };
    // As `Place::config`, of the place that the other process has made.
    let mut config = VaultConfig::new(PathBuf::from(folder).join("vault.sqlite"), clock());
    if let Ok(url) = std::env::var(URL) {
        config.database = Location::Postgres(PostgresUrl::parse(&url).unwrap());
    }
    let vault = Vault::open(config).unwrap();
    vault.ensure_sandbox().unwrap();
    let source = save(&vault, &typed(&vault), "source");
    let out = Mutex::new(std::io::stdout());
    let print = |line: String| {
        let mut out = out.lock().unwrap();
        writeln!(out, "{line}").unwrap();
        out.flush().unwrap();
    };
    thread::scope(|scope| {
        for worker in 0..6 {
            let (vault, source, print, round) = (&vault, &source, &print, &round);
            scope.spawn(move || {
                for n in 0.. {
                    let holder = format!("{round}-{worker}-{n}");
                    let saved = save(vault, source, &holder);
                    print(format!("answered saved {holder} {saved}"));
                    if n % 3 == 0 {
                        print(format!("answered forgetting {holder} {saved}"));
                        assert!(vault.forget(PROJECT, &saved).unwrap());
                        print(format!("answered forgot {holder} {saved}"));
                    }
                }
            });
        }
        scope.spawn(|| {
            loop {
                vault.rotate_data_key(PROJECT).unwrap();
                vault.reseal().unwrap();
            }
        });
    });
}

#[test]
fn saved_cards_survive_sigkill() {
    let place = Place::new();
    let (mut saved, mut maybe, mut forgotten) = (Vec::new(), Vec::new(), Vec::new());
    for (round, answers) in [3, 40, 170].into_iter().enumerate() {
        let mut victim = victim("tokens::saved_crashing::saving_victim");
        victim
            .env(FOLDER, place.folder.path())
            .env(ROUND, round.to_string())
            .envs(place.url.iter().map(|url| (URL, url)));
        let answered = answered_until_killed(&mut victim, answers);
        for line in &answered {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            // The last line may be cut.
            let [did, holder, token] = &words[..] else {
                continue;
            };
            if token.len() != 80 {
                continue;
            }
            let list = match did.as_str() {
                "saved" => &mut saved,
                "forgetting" => &mut maybe,
                _ => &mut forgotten,
            };
            list.push((holder.clone(), token.clone()));
        }

        let vault = place.open();
        for (holder, token) in &saved {
            let there = vault.recognise(PROJECT, token).unwrap();
            if forgotten.iter().any(|(_, gone)| gone == token) {
                assert!(there.is_none(), "{holder}: forgotten");
            } else if !maybe.iter().any(|(_, gone)| gone == token) {
                assert!(there.unwrap().lasting().unwrap().kept, "{holder}: saved");
            }
        }
        // A database may still do what the victim has sent it last.
        while vault.data_keys().unwrap().iter().any(|key| key.cards_left > 0) {
            vault.reseal().unwrap();
        }
        let source = save(&vault, &typed(&vault), "source");
        for (holder, token) in saved
            .iter()
            .filter(|(_, token)| maybe.iter().all(|(_, gone)| gone != token))
        {
            assert_eq!(number(&vault, token).unwrap(), VISA);
            assert_eq!(&save(&vault, &source, holder), token, "its fingerprint is there");
        }
        assert_eq!(vault.verify_audit(&[]).unwrap().findings, []);
    }
    assert!(saved.len() > 100 && !forgotten.is_empty());
}
