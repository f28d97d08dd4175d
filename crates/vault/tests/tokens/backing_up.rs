//! What a backup brings back, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};

use vault::{
    MasterKeyError, MasterKeySource, OperationId, Outcome, Purpose, Recognised, RedeemError, RestoreParams,
    TokenState, Vault, VaultError,
};

use super::support::*;

/// A folder for backups, beside nothing else.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("monday");
    (folder, backup)
}

/// All that the machine had is gone, but for the master key.
fn lose(place: &Place) {
    if let Some(url) = &place.url {
        super::drop_store(url);
    }
    for entry in fs::read_dir(place.folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else if !path.to_string_lossy().ends_with(".master") {
            fs::remove_file(path).unwrap();
        }
    }
}

/// Name of the store's copy.
fn copy_name(place: &Place) -> &'static str {
    match place.url {
        Some(_) => "store.postgres",
        None => "store.sqlite",
    }
}

fn state(place: &Place, token: &str) -> TokenState {
    let known = place.open().recognise(PROJECT, token).unwrap();
    known.and_then(Recognised::widget).unwrap().state
}

fn restore(place: &Place, from: &Path) -> Result<(), VaultError> {
    Vault::restore(place.config(), from, &RestoreParams::default()).map(drop)
}

#[test]
fn made_under_load_and_put_back_after_a_loss() {
    let (place, (_folder, backup)) = (Place::new(), folder());
    let vault = place.open();
    let before = token(&place, &vault);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| (0..50).for_each(|_| drop(token(&place, &vault)))))
            .collect();
        let info = vault.backup(&backup).unwrap();
        assert_eq!(info.made_at, NOW);
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
    let mut names: Vec<_> = fs::read_dir(&backup)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["backup.json", "keys", copy_name(&place)]);
    assert!(
        matches!(vault.backup(&backup), Err(VaultError::File { .. })),
        "never over another one"
    );
    let kid = vault.sealing_key(NOW).unwrap().kid;
    let ticket = *vault.ticket_key();
    drop(vault);
    lose(&place);

    restore(&place, &backup).unwrap();
    let vault = place.open();
    assert_eq!(vault.widget_keys().unwrap().len(), 2);
    assert_eq!(
        (vault.sealing_key(NOW).unwrap().kid, *vault.ticket_key()),
        (kid, ticket)
    );
    // Whether it was used since, nobody knows.
    let id = OperationId::new("op").unwrap();
    assert!(matches!(
        vault.redeem(PROJECT, &before, &id, Purpose::PAY),
        Err(RedeemError::UsedUp)
    ));
    token(&place, &vault);
    assert_eq!(vault.verify_audit(&[]).unwrap().findings, []);
}

#[test]
fn a_planned_move_keeps_its_tokens() {
    let (place, (_folder, backup)) = (Place::new(), folder());
    let vault = place.open();
    let token = token(&place, &vault);
    vault.backup(&backup).unwrap();
    drop(vault);
    lose(&place);
    let params = RestoreParams {
        keep_tokens: true,
        ..RestoreParams::default()
    };
    Vault::restore(place.config(), &backup, &params).unwrap();
    let vault = place.open();
    let id = OperationId::new("op").unwrap();
    let redeemed = vault.redeem(PROJECT, &token, &id, Purpose::PAY).unwrap();
    assert!(!redeemed.has_code, "the keys of hours are in no backup");
    vault
        .use_card(&redeemed, |card| assert_eq!(card.number.expose(), VISA))
        .unwrap();
}

#[test]
fn put_back_below_running_instances() {
    let (place, (_folder, backup)) = (Place::new(), folder());
    let (one, other) = (place.open(), place.open());
    let (used, unused) = (token(&place, &one), token(&place, &other));
    one.backup(&backup).unwrap();
    let id = OperationId::new("after").unwrap();
    let redeemed = one.redeem(PROJECT, &used, &id, Purpose::PAY).unwrap();
    one.settle(&redeemed, Outcome::UsedUp).unwrap();
    one.remove_widget_key("wk_sandbox_2").unwrap();
    one.rotate_data_key(PROJECT).unwrap();

    std::thread::scope(|scope| {
        // Requests on both before, while and after.
        for vault in [&one, &other] {
            let place = &place;
            scope.spawn(move || (0..40).for_each(|_| drop(token(place, vault))));
        }
        restore(&place, &backup).unwrap();
    });
    for vault in [&one, &other] {
        assert!(vault.widget_key("wk_sandbox_2").unwrap().is_some(), "back again");
        let again = OperationId::new("again").unwrap();
        for token in [&used, &unused] {
            assert!(matches!(
                vault.redeem(PROJECT, token, &again, Purpose::PAY),
                Err(RedeemError::UsedUp)
            ));
        }
    }
    // They may be sealing under a data key that the backup did not have: it stays.
    let keys = place.open().data_keys().unwrap();
    assert!(keys.iter().any(|key| key.project == PROJECT && key.epoch == 2));
    // Both write: one that had done its work before the restore has not noticed it yet.
    for vault in [&one, &other] {
        let token = token(&place, vault);
        assert!(place.open().recognise(PROJECT, &token).unwrap().is_some());
    }
    let heads = [one.audit_head().unwrap(), other.audit_head().unwrap()];
    assert_eq!(place.open().verify_audit(&heads).unwrap().findings, []);
}

#[test]
fn what_is_refused_touches_nothing() {
    let (place, stranger, (_folder, backup), (_other, foreign)) =
        (Place::new(), Place::new(), folder(), folder());
    // So that something would be lost.
    let kept = token(&place, &place.open());
    place.open().backup(&backup).unwrap();
    stranger.open().backup(&foreign).unwrap();
    let files = || {
        let mut files: Vec<_> = fs::read_dir(place.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (fs::read(&path).ok(), path))
            .collect();
        files.sort();
        files
    };
    let before = files();
    // Not even the master key fits.
    assert!(matches!(
        restore(&place, &foreign),
        Err(VaultError::MasterKey(MasterKeyError::Wrong { .. }))
    ));
    let params = RestoreParams {
        master_key: Some(MasterKeySource::File(
            stranger.folder.path().join("vault.sqlite.master"),
        )),
        ..RestoreParams::default()
    };
    assert!(matches!(
        Vault::restore(place.config(), &foreign, &params),
        Err(VaultError::AnotherInstallation)
    ));
    assert!(matches!(
        restore(&place, place.folder.path()),
        Err(VaultError::NotABackup(_))
    ));
    for name in [copy_name(&place), "keys", "backup.json"] {
        let path = backup.join(name);
        let whole = fs::read(&path).unwrap();
        let mut altered = whole.clone();
        let middle = altered.len() / 2;
        altered[middle] ^= 1;
        for content in [altered, whole[..middle].to_vec()] {
            fs::write(&path, content).unwrap();
            assert!(restore(&place, &backup).is_err(), "{name}");
        }
        fs::write(&path, whole).unwrap();
    }
    assert_eq!(files(), before);
    assert_eq!(state(&place, &kept), TokenState::Ready, "it was not ended");
    restore(&place, &backup).unwrap();
    assert_eq!(state(&place, &kept), TokenState::UsedUp);
}

#[test]
fn a_backup_from_before_the_master_key_was_rotated() {
    let (place, (keep, backup)) = (Place::new(), folder());
    let vault = place.open();
    let old_master = keep.path().join("old-master");
    fs::copy(place.folder.path().join("vault.sqlite.master"), &old_master).unwrap();
    vault.backup(&backup).unwrap();
    // Twice: the wrapping key of the backup is destroyed.
    vault.rotate_master_key(None, |_| {}).unwrap();
    vault.rotate_master_key(None, |_| {}).unwrap();
    drop(vault);
    assert!(matches!(
        restore(&place, &backup),
        Err(VaultError::MasterKey(MasterKeyError::Wrong { .. }))
    ));
    let params = RestoreParams {
        master_key: Some(MasterKeySource::File(old_master)),
        ..RestoreParams::default()
    };
    Vault::restore(place.config(), &backup, &params).unwrap();
    let vault = place.open();
    token(&place, &vault);
    assert!(vault.data_keys().unwrap().iter().all(|key| key.wrapping_key == 1));
    vault.rotate_master_key(None, |_| {}).unwrap();
    token(&place, &place.open());
}

#[test]
fn a_lost_master_key_is_the_end() {
    let (place, (_folder, backup)) = (Place::new(), folder());
    place.open().backup(&backup).unwrap();
    fs::remove_file(place.folder.path().join("vault.sqlite.master")).unwrap();
    let missing = |error| matches!(error, VaultError::MasterKey(MasterKeyError::Missing(_)));
    assert!(missing(Vault::open(place.config()).unwrap_err()));
    assert!(missing(restore(&place, &backup).unwrap_err()));
    // All that is left to do: begin anew, in an empty place.
    lose(&place);
    token(&place, &place.open());
}

/// As after a restore of the machine, or of the database by its own tools.
#[test]
fn tokens_can_be_ended_by_themselves() {
    let place = Place::new();
    let vault = place.open();
    let token = token(&place, &vault);
    let stranger = Place::new();
    drop(stranger.open());
    let mut config = place.config();
    config.keys = stranger.config().keys;
    config.master_key = stranger.config().master_key;
    assert!(matches!(Vault::end_tokens(config), Err(VaultError::WrongKeys)));
    assert_eq!(state(&place, &token), TokenState::Ready);
    Vault::end_tokens(place.config()).unwrap();
    let id = OperationId::new("op").unwrap();
    assert!(matches!(
        vault.redeem(PROJECT, &token, &id, Purpose::PAY),
        Err(RedeemError::UsedUp)
    ));
    assert_eq!(vault.verify_audit(&[]).unwrap().findings, []);
}
