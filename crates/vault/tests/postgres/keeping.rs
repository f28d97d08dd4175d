//! What operators do to keys, on PostgreSQL as on the embedded store.

use vault::{Location, RestoreParams, Vault, VaultError};

use super::cluster::sql;
use super::support::*;

#[test]
fn keys_are_rotated_and_every_change_is_in_the_log() {
    let place = Place::new();
    let (one, other) = (place.open(), place.open());
    let before = token(&place, &one);
    assert_eq!(one.rotate_data_key(PROJECT).unwrap(), 2);
    one.rotate_sealing_key(3600).unwrap();
    let wrapping = one.rotate_master_key(None, |_| {}).unwrap();
    let keys = other.data_keys().unwrap();
    assert!(keys.iter().all(|key| key.wrapping_key == wrapping), "{keys:?}");
    for vault in [&one, &other, &place.open()] {
        assert!(vault.recognise(PROJECT, &before).unwrap().is_some());
        token(&place, vault);
    }

    assert!(one.add_project("second").unwrap());
    assert!(!other.add_project("second").unwrap(), "there is one");
    assert!(other.projects().unwrap().contains(&"second".to_owned()));
    let origins = vec!["https://new.example".to_owned()];
    assert!(one.set_origins("wk_sandbox", &origins).unwrap());
    assert!(!one.set_origins("wk_nobodys", &origins).unwrap());
    assert_eq!(other.widget_key("wk_sandbox").unwrap().unwrap().origins, origins);

    let heads = [one.audit_head().unwrap(), other.audit_head().unwrap()];
    assert_ne!(heads[0].chain, heads[1].chain);
    let report = place.open().verify_audit(&heads).unwrap();
    assert_eq!(report.findings, []);
    drop((one, other));
    assert_eq!(place.open().verify_audit(&heads).unwrap().findings, []);
}

#[test]
fn a_backup_belongs_to_one_kind_of_database() {
    let place = Place::new();
    let mut other = place.config();
    let Location::Postgres(_) = other.database else {
        // Done without PostgreSQL, as asked.
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("monday");
    place.open().backup(&to).unwrap();
    other.database = Location::Sqlite(place.database());
    assert!(matches!(
        Vault::restore(other, &to, &RestoreParams::default()),
        Err(VaultError::AnotherDatabase)
    ));
    assert!(!place.database().exists());
}

/// Whoever adds a table adds it to the copy.
#[test]
fn every_table_is_in_a_backup() {
    let place = Place::new();
    let Some(url) = &place.url else { return };
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("monday");
    place.open().backup(&to).unwrap();
    let copy = std::fs::read_to_string(to.join("store.postgres")).unwrap();
    let mut copied: Vec<_> = copy
        .lines()
        .filter_map(|line| line.strip_prefix("COPY ")?.split_once(' '))
        .map(|(table, _)| table)
        .chain(["store"])
        .collect();
    copied.sort();
    let tables = "SELECT string_agg(table_name, ' ' ORDER BY table_name) FROM information_schema.tables
        WHERE table_schema = 'card_widget_vault'";
    assert_eq!(sql(url, tables), copied.join(" "));
}

#[test]
fn an_earlier_backup_goes_into_an_empty_database_alone() {
    let place = Place::new();
    let Some(url) = &place.url else { return };
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("monday");
    place.open().backup(&to).unwrap();
    sql(url, "UPDATE card_widget_vault.store SET version = version + 1");
    assert!(matches!(
        Vault::restore(place.config(), &to, &RestoreParams::default()),
        Err(VaultError::LaterVersion)
    ));
    sql(url, "DROP SCHEMA card_widget_vault CASCADE");
    Vault::restore(place.config(), &to, &RestoreParams::default()).unwrap();
    token(&place, &place.open());
}
