//! The commands of `docs/operations/backup.md` for PostgreSQL's own tools, as they stand there.

use std::fs;
use std::path::Path;
use std::process::Command;

use vault::{MasterKeyError, OperationId, Purpose, RedeemError, Vault, VaultError};

use super::cluster;
use super::support::*;

/// The commands below a heading of the page, without `card-widget-service`, which `Vault` stands in for.
fn commands(heading: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations/backup.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, part) = page.split_once(&format!("### {heading}\n")).unwrap();
    let (_, block) = part.split_once("```text\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    block
        .lines()
        .filter(|line| !line.starts_with("card-widget-service") && !line.starts_with("systemctl"))
        .map(str::to_owned)
        .collect()
}

/// Runs them with what they name set to what the test has.
fn run(heading: &str, url: &str, folder: &Path, backup: &Path) {
    let commands = commands(heading);
    assert!(!commands.is_empty(), "{heading}");
    for command in commands {
        let path = format!(
            "{}:{}",
            cluster::programs().display(),
            std::env::var("PATH").unwrap()
        );
        let told = Command::new("sh")
            .args(["-ec", &command])
            .env("PATH", path)
            .env("DATABASE", url)
            .env("KEYS", folder.join("vault.sqlite.keys"))
            .env("BACKUP", backup)
            .output()
            .unwrap();
        assert!(
            told.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&told.stderr)
        );
    }
}

#[test]
fn a_dump_is_made_while_running_and_put_back() {
    let place = Place::new();
    let Some(url) = place.url.clone() else { return };
    let vault = place.open();
    let before = token(&place, &vault);
    let backup = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| (0..30).for_each(|_| drop(token(&place, &vault))));
        run(
            "With PostgreSQL's own tools",
            &url,
            place.folder.path(),
            backup.path(),
        );
    });
    let after = token(&place, &vault);
    drop(vault);

    // Database, key file and hours are lost; the master key is kept elsewhere.
    super::drop_store(&url);
    let keys = place.config().keys;
    fs::remove_file(&keys).unwrap();
    fs::remove_dir_all(place.folder.path().join("vault.sqlite.keys-hours")).unwrap();
    run("Put a dump back", &url, place.folder.path(), backup.path());
    Vault::end_tokens(place.config()).unwrap();
    let vault = place.open();
    let id = OperationId::new("op").unwrap();
    assert!(matches!(
        vault.redeem(PROJECT, &before, &id, Purpose::PAY),
        Err(RedeemError::UsedUp)
    ));
    assert!(matches!(
        vault.redeem(PROJECT, &after, &id, Purpose::PAY),
        Err(RedeemError::UnknownToken)
    ));
    token(&place, &vault);
    assert_eq!(vault.verify_audit(&[]).unwrap().findings, []);
    drop(vault);

    // Another installation's key file, and no master key.
    let stranger = Place::new();
    drop(stranger.open());
    let rows = || cluster::sql(&url, "SELECT count(*), max(state) FROM card_widget_vault.tokens");
    let held = rows();
    let mut config = place.config();
    config.keys = stranger.config().keys;
    config.master_key = stranger.config().master_key;
    assert!(matches!(Vault::open(config), Err(VaultError::WrongKeys)));
    fs::remove_file(place.folder.path().join("vault.sqlite.master")).unwrap();
    assert!(matches!(
        Vault::end_tokens(place.config()),
        Err(VaultError::MasterKey(MasterKeyError::Missing(_)))
    ));
    assert_eq!(rows(), held);
}
