//! Saved cards on the disk: what a file holds, and what an intruder may exchange.

use std::fs;

use rusqlite::Connection;
use vault::{OperationId, Purpose, RedeemError, Vault, VaultError};

use super::support::*;

fn redeem(vault: &Vault, token: &str, holder: Option<&str>) -> Result<vault::Redeemed, RedeemError> {
    let operation = OperationId::new(&key()).unwrap();
    vault.redeem(PROJECT, token, &operation, Purpose::save(holder))
}

/// All bytes of all files.
fn bytes(place: &Place) -> Vec<u8> {
    let files = fs::read_dir(place.folder.path()).unwrap();
    let paths = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file());
    paths.flat_map(|path| fs::read(path).unwrap()).collect()
}

fn holds(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

fn blobs(place: &Place, sql: &str) -> Vec<Vec<u8>> {
    let connection = Connection::open(place.database()).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map((), |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn nothing_of_card_token_or_holder_in_any_file() {
    let place = Place::new();
    let vault = place.open();
    let annas = save(&vault, &token(&place, &vault), "anna.maria@shop.example");
    let number = Submit::pan_only(&vault, NOW).send(&vault).unwrap().token;
    let receiving = save(&vault, &number, "anna.maria@shop.example");
    vault.rotate_data_key(PROJECT).unwrap();
    vault.reseal().unwrap();
    let mark = vault
        .recognise(PROJECT, &annas)
        .unwrap()
        .unwrap()
        .lasting()
        .unwrap()
        .mark;
    for when in ["open", "closed"] {
        let all = bytes(&place);
        for (needle, what) in [
            (VISA, "a number"),
            ("5555555555554444", "a number"),
            ("42424242", "its first digits"),
            (&annas, "a token"),
            (&annas[20..], "a token's secret"),
            (&receiving, "a token"),
            ("anna.maria", "the holder"),
            (&mark, "the mark"),
        ] {
            assert!(!holds(&all, needle.as_bytes()), "{when}: {what}");
        }
        if when == "open" {
            place.open();
        }
    }
}

#[test]
fn what_was_forgotten_is_in_no_file_after_cleaning() {
    let place = Place::new();
    let vault = place.open();
    let token = save(&vault, &token(&place, &vault), "source");
    let saved: Vec<_> = (0..50).map(|n| save(&vault, &token, &n.to_string())).collect();
    let mut gone = blobs(&place, "SELECT record FROM lasting");
    gone.extend(blobs(&place, "SELECT fingerprint FROM fingerprints"));
    assert_eq!(gone.len(), 102);
    for token in saved.iter().chain([&token]) {
        assert!(vault.forget(PROJECT, token).unwrap());
    }
    vault.clean().unwrap();
    let all = bytes(&place);
    for value in &gone {
        // The last bytes: a freed cell begins with SQLite's own link.
        assert!(!holds(&all, &value[value.len() - 24..]));
    }
}

/// Changes the closed store as somebody with the file could.
fn tamper(place: &Place, sql: &str) {
    let connection = Connection::open(place.database()).unwrap();
    // The table as it was, for statements that exchange what rows hold.
    let copy = "CREATE TEMP TABLE old AS SELECT * FROM lasting";
    connection.execute_batch(copy).unwrap();
    assert!(connection.execute(sql, ()).unwrap() > 0, "{sql}");
}

#[test]
fn what_was_moved_or_altered_does_not_open() {
    for (sql, why) in [
        (
            "UPDATE lasting SET record = (SELECT o.record FROM old o WHERE o.id <> lasting.id)",
            "another card's record",
        ),
        (
            "UPDATE lasting SET hash = (SELECT o.hash FROM old o WHERE o.id <> lasting.id)",
            "another token's hash",
        ),
        ("UPDATE lasting SET id = randomblob(16)", "another id"),
        ("UPDATE lasting SET epoch = 2", "another epoch"),
        ("UPDATE lasting SET project = 'sandbox-2'", "another project"),
        ("UPDATE lasting SET record = x''", "empty"),
        ("UPDATE lasting SET record = substr(record, 1, 50)", "cut"),
        (
            "UPDATE lasting SET record = CAST(x'02' || substr(record, 2) AS BLOB)",
            "another version",
        ),
        (
            "UPDATE lasting SET record = (SELECT card FROM operations WHERE card IS NOT NULL)",
            "an operation's card",
        ),
        (
            "UPDATE lasting SET record = (SELECT facts FROM tokens)",
            "a widget token's facts",
        ),
    ] {
        let place = Place::new();
        let vault = place.open();
        let lasting = save(&vault, &token(&place, &vault), "anna");
        let other = Submit::pan_only(&vault, NOW).send(&vault).unwrap().token;
        save(&vault, &other, "anna");
        let open = OperationId::new("open").unwrap();
        vault
            .redeem(PROJECT, &token(&place, &vault), &open, Purpose::PAY)
            .unwrap();
        drop(vault);
        tamper(&place, sql);
        let vault = place.open();
        assert!(
            !matches!(vault.recognise(PROJECT, &lasting), Ok(Some(_))),
            "{why}"
        );
        assert!(number(&vault, &lasting).is_err(), "{why}");
        assert!(
            !matches!(vault.recognise("sandbox-2", &lasting), Ok(Some(_))),
            "{why}"
        );
    }
}

#[test]
fn a_record_of_another_project_does_not_open() {
    let place = Place::new();
    let vault = place.open();
    let lasting = save(&vault, &token(&place, &vault), "anna");
    drop(vault);
    tamper(&place, "UPDATE lasting SET project = 'sandbox-2'");
    assert!(matches!(
        place.open().recognise("sandbox-2", &lasting),
        Err(VaultError::Damaged)
    ));
}

/// Whoever may write to the store leads a card's fingerprint to a row of their choice.
#[test]
fn a_fingerprint_that_leads_elsewhere_saves_no_other_card() {
    for (to, why) in [
        (0, "the same holder's other card"),
        (1, "another holder's equal card"),
    ] {
        let place = Place::new();
        let vault = place.open();
        let other = Submit::pan_only(&vault, NOW).send(&vault).unwrap().token;
        let targets = [
            save(&vault, &other, "anna"),
            save(&vault, &token(&place, &vault), "boris"),
        ];
        let known = blobs(&place, "SELECT id FROM lasting");
        let annas = save(&vault, &token(&place, &vault), "anna");
        let ids = blobs(&place, "SELECT id FROM lasting");
        let mine = ids.into_iter().find(|id| !known.contains(id)).unwrap();
        vault.forget(PROJECT, &targets[1 - to]).unwrap();
        drop(vault);
        let hex: String = mine.iter().map(|byte| format!("{byte:02x}")).collect();
        tamper(
            &place,
            &format!("DELETE FROM fingerprints WHERE lasting <> x'{hex}'"),
        );
        tamper(
            &place,
            &format!("UPDATE fingerprints SET lasting = (SELECT id FROM lasting WHERE id <> x'{hex}')"),
        );
        let vault = place.open();
        let again = redeem(&vault, &token(&place, &vault), Some("anna"));
        assert!(
            matches!(again, Err(RedeemError::Vault(VaultError::Damaged))),
            "{why}: {again:?}"
        );
        assert_eq!(number(&vault, &annas).unwrap(), VISA, "{why}");
        // Nowhere: it is as if there was none.
        drop(vault);
        tamper(&place, "UPDATE fingerprints SET lasting = randomblob(16)");
        let vault = place.open();
        let anew = save(&vault, &token(&place, &vault), "anna");
        assert_ne!(anew, annas);
        assert_eq!(number(&vault, &anew).unwrap(), VISA);
    }
}

#[test]
fn a_damaged_record_keeps_its_key_and_stops_no_other() {
    let place = Place::new();
    let vault = place.open();
    let source = save(&vault, &token(&place, &vault), "source");
    let tokens: Vec<_> = (0..20).map(|n| save(&vault, &source, &n.to_string())).collect();
    drop(vault);
    tamper(
        &place,
        "UPDATE lasting SET record = zeroblob(120) WHERE id = (SELECT min(id) FROM lasting)",
    );
    let vault = place.open();
    vault.rotate_data_key(PROJECT).unwrap();
    assert_eq!(vault.reseal().unwrap(), 20);
    vault.clean().unwrap();
    place.advance(3 * 3600);
    assert_eq!(vault.clean().unwrap().data_keys, 0);
    assert_eq!(
        (
            vault.data_keys().unwrap()[0].cards_left,
            vault.figures().to_reseal
        ),
        (1, 1)
    );
    let all = tokens.iter().chain([&source]);
    let damaged: Vec<_> = all.filter(|token| number(&vault, token).is_err()).collect();
    // Deleted, though it cannot be opened; then its key goes too.
    assert_eq!(damaged.len(), 1);
    assert!(vault.forget(PROJECT, damaged[0]).unwrap());
    assert_eq!(vault.clean().unwrap().data_keys, 1);
}
