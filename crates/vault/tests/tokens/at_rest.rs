//! What lies on the disk: no card in any spelling, and nothing that can be moved or changed unnoticed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use base64ct::{Base64, Base64Url, Encoding};
use rusqlite::Connection;
use vault::{MasterKeyError, OperationId, Outcome, Purpose, RedeemError, Vault, VaultError};

use super::support::*;

/// Every file of the folder, journals and keys included.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    files
}

fn holds(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

/// The ways to write digits that a program might leave behind.
fn spellings(digits: &str) -> Vec<(&'static str, Vec<u8>)> {
    let ascii = digits.as_bytes();
    let value: u128 = digits.parse().unwrap();
    let nibbles = |digits: &str| -> Vec<u8> {
        digits
            .as_bytes()
            .chunks(2)
            .map(|pair| (pair[0] - b'0') << 4 | (pair[1] - b'0'))
            .collect()
    };
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let spaced = |by: &str| {
        let groups: Vec<_> = ascii
            .chunks(4)
            .map(|group| std::str::from_utf8(group).unwrap())
            .collect();
        groups.join(by).into_bytes()
    };
    let mut spellings = vec![
        ("ASCII", ascii.to_vec()),
        ("ASCII backwards", ascii.iter().rev().copied().collect()),
        ("groups with spaces", spaced(" ")),
        ("groups with dashes", spaced("-")),
        (
            "UTF-16 little-endian",
            digits.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        ),
        (
            "UTF-16 big-endian",
            digits.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        ),
        (
            "UTF-32",
            digits.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        ),
        (
            "digits as bytes",
            ascii.iter().map(|digit| digit - b'0').collect(),
        ),
        ("BCD", nibbles(digits)),
        (
            "BCD, nibbles swapped",
            nibbles(digits).iter().map(|byte| byte.rotate_left(4)).collect(),
        ),
        ("integer, big-endian", (value as u64).to_be_bytes().to_vec()),
        ("integer, little-endian", (value as u64).to_le_bytes().to_vec()),
        ("integer, shortest", (value as u64).to_be_bytes()[1..].to_vec()),
        ("float", (value as f64).to_le_bytes().to_vec()),
        ("hex of ASCII", hex(ascii).into_bytes()),
        ("hex of ASCII, capitals", hex(ascii).to_uppercase().into_bytes()),
        ("hex of the integer", format!("{value:x}").into_bytes()),
        (
            "percent escapes",
            ascii
                .iter()
                .map(|digit| format!("%{digit:02X}"))
                .collect::<String>()
                .into_bytes(),
        ),
        (
            "JSON escapes",
            ascii
                .iter()
                .map(|digit| format!("\\u{digit:04x}"))
                .collect::<String>()
                .into_bytes(),
        ),
    ];
    // base64 depends on where the number stands in the text: three alignments, without the letters that neighbours share.
    for shift in 0..3 {
        let padded = [vec![b'x'; shift], ascii.to_vec()].concat();
        let whole = padded.len() / 3 * 4;
        let from = if shift == 0 { 0 } else { 4 };
        for text in [Base64::encode_string(&padded), Base64Url::encode_string(&padded)] {
            spellings.push(("base64", text.as_bytes()[from..whole].to_vec()));
        }
    }
    spellings
}

fn assert_clean(folder: &Path, secrets: &[&str], when: &str) {
    for (name, bytes) in files(folder) {
        for (spelling, needle) in secrets.iter().flat_map(|digits| spellings(digits)) {
            assert!(!holds(&bytes, &needle), "{when}: {spelling} in {name}");
        }
    }
}

#[test]
fn the_search_finds_what_it_looks_for() {
    for (spelling, needle) in spellings(VISA) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("x"),
            [b"before".to_vec(), needle, b"after".to_vec()].concat(),
        )
        .unwrap();
        let found = std::panic::catch_unwind(|| assert_clean(folder.path(), &[VISA], "")).is_err();
        assert!(found, "{spelling}");
    }
}

#[test]
fn no_card_in_any_file_at_any_time() {
    let place = Place::new();
    let vault = place.open();
    let secrets = [VISA, "5555555555554444"];
    let mut tokens = Vec::new();
    let mut keys = Vec::new();
    for _ in 0..20 {
        let (full, number) = (Submit::new(&vault, NOW), Submit::pan_only(&vault, NOW));
        tokens.push(full.send(&vault).unwrap().token);
        tokens.push(number.send(&vault).unwrap().token);
        keys.extend([full.key, number.key]);
    }
    assert_clean(place.folder.path(), &secrets, "open, with its journal");
    assert!(
        files(place.folder.path())
            .iter()
            .any(|(name, bytes)| name.ends_with("-wal") && !bytes.is_empty())
    );
    for (index, token) in tokens.iter().enumerate() {
        let id = OperationId::new(&format!("op-{index}")).unwrap();
        // Full cards and numbers take turns.
        let purpose = [Purpose::PAY, Purpose::RECEIVE][index % 2];
        let redeemed = vault.redeem(PROJECT, token, &id, purpose).unwrap();
        match index % 4 {
            0 => vault.settle(&redeemed, Outcome::UsedUp).unwrap(),
            1 => vault.settle(&redeemed, Outcome::Released).unwrap(),
            _ => vault
                .use_card(&redeemed, |card| assert!(!card.number.expose().is_empty()))
                .unwrap(),
        }
    }
    assert_clean(place.folder.path(), &secrets, "redeemed");
    drop(vault);
    assert_clean(place.folder.path(), &secrets, "closed");
    for (name, bytes) in files(place.folder.path()) {
        assert!(!holds(&bytes, b"42424242****"), "a mask in {name}");
        assert!(!holds(&bytes, b"customer-17"), "the customer in {name}");
        assert!(
            tokens.iter().all(|token| !holds(&bytes, token.as_bytes())),
            "a token in {name}"
        );
        assert!(
            keys.iter().all(|key| !holds(&bytes, key.as_bytes())),
            "an idempotency key in {name}"
        );
    }
}

/// Overwriting in the file is not all: the journal, too, holds what rows were.
#[test]
fn what_was_deleted_is_in_no_file_after_cleaning() {
    let place = Place::new();
    let vault = place.open();
    let mut tokens: Vec<_> = (0..200).map(|_| token(&place, &vault)).collect();
    let reading = Connection::open(place.database()).unwrap();
    let sealed = |sql: &str| -> Vec<Vec<u8>> {
        let mut statement = reading.prepare(sql).unwrap();
        let rows = statement.query_map((), |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let mut deleted = sealed("SELECT code FROM tokens");
    deleted.extend(sealed("SELECT card FROM tokens"));
    for (index, token) in tokens.drain(..).enumerate() {
        let id = OperationId::new(&format!("op-{index}")).unwrap();
        let redeemed = vault.redeem(PROJECT, &token, &id, Purpose::PAY).unwrap();
        deleted.extend(sealed("SELECT card FROM operations WHERE card IS NOT NULL"));
        deleted.extend(sealed("SELECT code FROM operations WHERE code IS NOT NULL"));
        vault.settle(&redeemed, Outcome::UsedUp).unwrap();
    }
    assert_eq!(deleted.len(), 800);
    vault.clean().unwrap();
    for (name, bytes) in files(place.folder.path()) {
        for value in &deleted {
            // The last bytes: a freed cell begins with SQLite's own link.
            assert!(!holds(&bytes, &value[value.len() - 24..]), "in {name}");
        }
    }
}

#[test]
fn files_are_their_owners_alone() {
    let place = Place::new();
    let vault = place.open();
    token(&place, &vault);
    let mut names = Vec::new();
    for (name, _) in files(place.folder.path()) {
        let mode = fs::metadata(&name).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{name}");
        names.push(name.rsplit('/').next().unwrap().to_owned());
    }
    names.sort();
    let hour = (NOW / 3600).to_string();
    assert_eq!(
        names,
        [
            hour.as_str(),
            "vault.sqlite",
            "vault.sqlite-shm",
            "vault.sqlite-wal",
            "vault.sqlite.keys",
            "vault.sqlite.master"
        ]
    );
}

/// Changes the closed store as somebody with the file could.
fn tamper(place: &Place, sql: &str) {
    let connection = Connection::open(place.database()).unwrap();
    // The tables as they were, for statements that exchange what rows hold.
    for table in ["tokens", "operations", "data_keys"] {
        connection
            .execute_batch(&format!("CREATE TEMP TABLE old_{table} AS SELECT * FROM {table}"))
            .unwrap();
    }
    assert!(connection.execute(sql, ()).unwrap() > 0, "{sql}");
}

/// Two tokens of one project and one of another, the store closed.
fn three_tokens(place: &Place) -> [String; 3] {
    let vault = place.open();
    let first = token(place, &vault);
    let second = token(place, &vault);
    let mut foreign = Submit::new(&vault, NOW);
    foreign.project = "sandbox-2".into();
    [first, second, foreign.send(&vault).unwrap().token]
}

#[test]
fn what_was_moved_or_altered_does_not_open() {
    let other = |column: &str| {
        format!(
            "UPDATE tokens SET {column} = (SELECT t.{column} FROM old_tokens t WHERE t.id <> tokens.id AND t.project = tokens.project)
             WHERE project = 'sandbox'"
        )
    };
    for (sql, why) in [
        (other("facts"), "facts of another token"),
        (other("card"), "card of another token"),
        (other("code"), "code of another token"),
        ("UPDATE tokens SET card = facts".into(), "facts for a card"),
        ("UPDATE tokens SET code = card".into(), "a card for a code"),
        ("UPDATE tokens SET facts = answer".into(), "an answer for facts"),
        ("UPDATE tokens SET card = substr(card, 1, 20)".into(), "cut"),
        ("UPDATE tokens SET card = x''".into(), "empty"),
        ("UPDATE tokens SET card = NULL".into(), "gone"),
        ("UPDATE tokens SET facts = CAST(x'02' || substr(facts, 2) AS BLOB)".into(), "another version"),
        ("UPDATE data_keys SET wrapped = (SELECT d.wrapped FROM old_data_keys d WHERE d.project <> data_keys.project)".into(), "data keys exchanged"),
        ("UPDATE data_keys SET epoch = 2".into(), "another epoch"),
        ("UPDATE data_keys SET master_key = 2".into(), "another master key"),
    ] {
        let place = Place::new();
        let [token, ..] = three_tokens(&place);
        tamper(&place, &sql);
        let vault = place.open();
        let id = OperationId::new("op").unwrap();
        let error = vault.redeem(PROJECT, &token, &id, Purpose::PAY).unwrap_err();
        assert!(matches!(error, RedeemError::Vault(_)), "{why}: {error}");
        assert!(matches!(vault.resume(PROJECT, &id), Err(RedeemError::NotOpen)), "{why}: nothing was reserved");
    }
}

#[test]
fn a_row_of_another_project_or_id_is_not_found_or_does_not_open() {
    for (sql, why) in [
        (
            "UPDATE tokens SET project = 'sandbox' WHERE project = 'sandbox-2'",
            "another project",
        ),
        ("UPDATE tokens SET hash = randomblob(32)", "another hash"),
        ("UPDATE tokens SET id = randomblob(16)", "another id"),
        ("UPDATE tokens SET epoch = 2", "another epoch"),
    ] {
        let place = Place::new();
        let [first, _, foreign] = three_tokens(&place);
        tamper(&place, sql);
        let vault = place.open();
        let token = if sql.contains("'sandbox-2'") {
            foreign
        } else {
            first
        };
        assert!(!matches!(vault.recognise(PROJECT, &token), Ok(Some(_))), "{why}");
    }
}

#[test]
fn a_longer_life_in_a_column_is_not_believed() {
    let place = Place::new();
    let [token, ..] = three_tokens(&place);
    tamper(
        &place,
        "UPDATE tokens SET expires_at = expires_at + 86400, remove_at = remove_at + 86400",
    );
    let vault = place.open();
    place.advance(3600);
    let id = OperationId::new("op").unwrap();
    assert!(matches!(
        vault.redeem(PROJECT, &token, &id, Purpose::PAY),
        Err(RedeemError::Expired)
    ));
}

#[test]
fn operations_do_not_change_places() {
    let place = Place::new();
    let [first, second, _] = three_tokens(&place);
    let (a, b) = (OperationId::new("a").unwrap(), OperationId::new("b").unwrap());
    let vault = place.open();
    vault.redeem(PROJECT, &first, &a, Purpose::PAY).unwrap();
    vault.redeem(PROJECT, &second, &b, Purpose::PAY).unwrap();
    drop(vault);
    tamper(
        &place,
        "UPDATE operations SET card = (SELECT o.card FROM old_operations o WHERE o.id <> operations.id)",
    );
    assert!(matches!(
        place.open().resume(PROJECT, &a),
        Err(RedeemError::Vault(VaultError::Damaged))
    ));
}

/// Whoever has the store, may write to it and has all keys, still needs the token: its hash is only how it is found.
#[test]
fn without_the_token_all_keys_are_not_enough() {
    let place = Place::new();
    let [token, other, _] = three_tokens(&place);
    // The id of one token (26 letters hold its 16 bytes) with the secret of another.
    let forged = format!("{}{}", &token[..29], &other[29..]);
    let mut bits = String::new();
    for letter in forged["ct_".len()..].bytes() {
        let value = if letter >= b'a' {
            letter - b'a'
        } else {
            letter - b'A' + 26
        };
        bits.push_str(&format!("{value:05b}"));
    }
    let bytes: Vec<u8> = (0..48)
        .map(|n| u8::from_str_radix(&bits[8 * n..8 * n + 8], 2).unwrap())
        .collect();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let hash = hex(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &bytes).as_ref());
    assert_eq!(place.open().recognise(PROJECT, &forged).unwrap(), None);
    tamper(
        &place,
        &format!(
            "UPDATE tokens SET hash = x'{hash}' WHERE id = x'{}'",
            hex(&bytes[..16])
        ),
    );
    assert!(matches!(
        place.open().recognise(PROJECT, &forged),
        Err(VaultError::Damaged)
    ));
}

/// Names and digests of all files.
fn snapshot(place: &Place) -> Vec<(String, String)> {
    let digest = |bytes: &[u8]| {
        format!(
            "{:?}",
            aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes)
        )
    };
    let files = files(place.folder.path());
    let mut files: Vec<_> = files
        .into_iter()
        .map(|(name, bytes)| (name, digest(&bytes)))
        .collect();
    files.sort();
    files
}

#[test]
fn wrong_keys_refuse_to_start_and_touch_nothing() {
    let (place, stranger) = (Place::new(), Place::new());
    drop(three_tokens(&place));
    drop(stranger.open());
    let keys = place.config().keys;
    let own = fs::read(&keys).unwrap();
    let before = snapshot(&place);

    let foreign = fs::read(stranger.config().keys).unwrap();
    fs::write(&keys, &foreign).unwrap();
    assert!(matches!(
        Vault::open(place.config()),
        Err(VaultError::MasterKey(MasterKeyError::Wrong { .. }))
    ));
    fs::write(&keys, &own).unwrap();

    let master = place.folder.path().join("vault.sqlite.master");
    let own_master = fs::read(&master).unwrap();
    let foreign_master = fs::read(stranger.folder.path().join("vault.sqlite.master")).unwrap();
    let foreign_text = std::str::from_utf8(&foreign_master).unwrap().trim();
    let refused = || match Vault::open(place.config()) {
        Err(VaultError::MasterKey(error)) => error,
        other => panic!("{other:?}"),
    };
    // Both files of another installation.
    fs::write(&keys, &foreign).unwrap();
    fs::write(&master, &foreign_master).unwrap();
    assert!(matches!(Vault::open(place.config()), Err(VaultError::WrongKeys)));
    fs::write(&keys, &own).unwrap();
    let error = refused();
    assert!(matches!(error, MasterKeyError::Wrong { .. }), "{error}");
    assert!(!error.to_string().contains(foreign_text));
    assert_eq!(fs::read(&master).unwrap(), foreign_master);
    fs::write(&master, b"not a key").unwrap();
    assert!(matches!(refused(), MasterKeyError::Malformed(_)));
    fs::remove_file(&master).unwrap();
    let error = refused();
    assert!(matches!(error, MasterKeyError::Missing(_)), "{error}");
    assert!(error.to_string().contains("vault.sqlite.master"), "{error}");
    assert!(!master.exists(), "no new master key for an old store");
    fs::write(&master, &own_master).unwrap();
    assert!(matches!(refused(), MasterKeyError::Exposed(_)));
    fs::set_permissions(&master, fs::Permissions::from_mode(0o600)).unwrap();

    fs::remove_file(&keys).unwrap();
    assert!(matches!(
        Vault::open(place.config()),
        Err(VaultError::KeysMissing(_))
    ));
    assert!(!keys.exists(), "no new keys for an old store");

    fs::write(&keys, &own).unwrap();
    assert!(
        matches!(Vault::open(place.config()), Err(VaultError::KeysExposed(_))),
        "written anew with a wide mode"
    );
    fs::set_permissions(&keys, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(snapshot(&place), before);
    drop(place.open());
}

#[test]
fn other_databases_are_refused() {
    let place = Place::new();
    let connection = Connection::open(place.database()).unwrap();
    connection
        .execute_batch("CREATE TABLE notes (text TEXT)")
        .unwrap();
    drop(connection);
    assert!(
        matches!(Vault::open(place.config()), Err(VaultError::KeysMissing(_))),
        "not even keys are made"
    );
    let stranger = Place::new();
    drop(stranger.open());
    fs::copy(stranger.config().keys, place.config().keys).unwrap();
    let master = "vault.sqlite.master";
    fs::copy(
        stranger.folder.path().join(master),
        place.folder.path().join(master),
    )
    .unwrap();
    let before = snapshot(&place);
    assert!(matches!(
        Vault::open(place.config()),
        Err(VaultError::NotAVault(_))
    ));
    assert_eq!(snapshot(&place), before);

    fs::write(place.database(), b"not a database at all").unwrap();
    assert!(matches!(
        Vault::open(place.config()),
        Err(VaultError::NotAVault(_))
    ));

    let later = Place::new();
    drop(later.open());
    let connection = Connection::open(later.database()).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    assert!(matches!(
        Vault::open(later.config()),
        Err(VaultError::LaterVersion)
    ));
}

#[test]
fn an_interrupted_first_start_is_taken_up() {
    // Keys were written; the store was made but is still empty, with or without a header.
    for header in [false, true] {
        let place = Place::new();
        drop(place.open());
        for name in ["", "-wal", "-shm"] {
            let mut path = place.database().into_os_string();
            path.push(name);
            let _ = fs::remove_file(path);
        }
        let keys = fs::read(place.config().keys).unwrap();
        fs::write(place.database(), b"").unwrap();
        if header {
            let connection = Connection::open(place.database()).unwrap();
            connection.pragma_update(None, "journal_mode", "wal").unwrap();
            drop(connection);
            assert!(fs::metadata(place.database()).unwrap().len() > 0);
        }
        let vault = place.open();
        token(&place, &vault);
        assert_eq!(fs::read(place.config().keys).unwrap(), keys, "the keys stay");
    }
}

#[test]
fn first_starts_at_once_make_one_store() {
    for _ in 0..5 {
        let place = Place::new();
        let barrier = std::sync::Barrier::new(6);
        let vaults: Vec<Vault> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        place.open()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let token = token(&place, &vaults[0]);
        for vault in &vaults {
            assert_eq!(vault.ticket_key(), vaults[0].ticket_key());
            assert!(vault.recognise(PROJECT, &token).unwrap().is_some());
        }
    }
}

#[test]
fn folders_are_made() {
    let mut place = Place::new();
    let config = vault::VaultConfig::new(place.folder.path().join("a/b/vault.sqlite"), place.clock.clone());
    drop(Vault::open(config).unwrap());
    assert!(place.folder.path().join("a/b/vault.sqlite.keys").exists());
    place.folder.disable_cleanup(false);
}
