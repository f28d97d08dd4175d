//! What operators do to keys, on PostgreSQL as on the embedded store.

use vault::{Location, VaultError};

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
fn backups_are_left_to_its_own_tools() {
    let place = Place::new();
    if let Location::Sqlite(_) = place.config().database {
        // Done without PostgreSQL, as asked.
        return;
    }
    let vault = place.open();
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("monday");
    assert!(matches!(vault.backup(&to), Err(VaultError::BackupElsewhere)));
    assert!(!to.exists());
}
