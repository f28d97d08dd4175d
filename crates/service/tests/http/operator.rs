use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use service::config::{AddKeyArgs, DatabaseArgs, InspectArgs, RemoveKeyArgs};
use service::operator;
use service::operator::audit::{AuditCommand, VerifyArgs};
use service::operator::backup::{BackupArgs, RestoreArgs};
use service::operator::keys::{
    KeysCommand, RotateCommand, RotateDataArgs, RotateMasterArgs, RotateSealingArgs,
};
use service::operator::project::{AddProjectArgs, ProjectCommand};
use vault::{AuditHead, OperationId, Outcome, Purpose, Vault, VaultConfig};
use wire::payload::CardPayload;

use super::projects::of_project;
use super::sealing::{REAL, VISA, seal, seal_with};
use super::service::{SHOP, Service};

/// Operators work beside a running service, on the same store and by the machine's clock.
pub(super) fn service_of_today() -> Service {
    let service = Service::new();
    service.clock.set(today());
    service
}

pub(crate) fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// A card that is good for a year or two from today.
pub(crate) fn card_of_today(number: &str) -> Vec<u8> {
    let year = 1970 + u16::try_from(today() / 31_556_952).unwrap();
    CardPayload::write(number, Some((12, year + 1)), Some("123")).to_vec()
}

pub(super) fn store(service: &Service) -> DatabaseArgs {
    DatabaseArgs {
        database: Some(service.database()),
        ..DatabaseArgs::default()
    }
}

#[tokio::test]
async fn a_token_is_recognised_without_its_number() {
    let service = service_of_today();
    let answer = service
        .tokenize(&seal(&service.boot().await, &card_of_today(VISA)))
        .await
        .json();
    let token = answer["token"].as_str().unwrap();

    let inspect = |project: &str, token: &str| {
        let args = InspectArgs {
            store: store(&service),
            project: project.into(),
        };
        let mut out = Vec::new();
        operator::inspect(args, format!("{token}\n").as_bytes(), &mut out)
            .map(|()| String::from_utf8(out).unwrap())
    };
    let told = inspect("sandbox", token).unwrap();
    let expected = format!(
        "mask\t42424242****4242\ntype\tfull_card\nstate\tready\nexpires_at\t{}\n",
        answer["expires_at"].as_str().unwrap()
    );
    assert_eq!(told, expected);
    assert!(!told.contains(VISA));
    assert!(inspect("sandbox-2", token).is_err(), "another project's token");
    assert!(inspect("sandbox", &token[..token.len() - 1]).is_err(), "cut off");
}

#[tokio::test]
async fn a_saved_card_is_recognised_and_followed_to_a_new_data_key() {
    let service = service_of_today();
    let envelope = seal(&service.boot().await, &card_of_today(VISA));
    let answer = service.tokenize(&envelope).await.json();
    let folder = service.database().replace("sqlite:", "");
    let vault = Vault::open(VaultConfig::new(PathBuf::from(folder), service.clock.clone())).unwrap();
    let id = OperationId::new("op").unwrap();
    let save = Purpose::save(None);
    let token = answer["token"].as_str().unwrap();
    let redeemed = vault.redeem("sandbox", token, &id, save).unwrap();
    vault.settle(&redeemed, Outcome::UsedUp).unwrap();
    let args = InspectArgs {
        store: store(&service),
        project: "sandbox".into(),
    };
    let mut out = Vec::new();
    let lasting = redeemed.saved.unwrap();
    operator::inspect(args, lasting.as_bytes(), &mut out).unwrap();
    let told = String::from_utf8(out).unwrap();
    let expected =
        "mask\t42424242****4242\ntype\tfull_card\nstate\tsaved\nuse\tpays and receives\nsaved_at\t";
    assert!(told.starts_with(expected), "{told}");

    vault.rotate_data_key("sandbox").unwrap();
    let listed = keys(&service, KeysCommand::List);
    assert!(
        listed.contains("sandbox 1\t-\t-\t3 rows left, 1 of them saved cards,"),
        "{listed}"
    );
    vault.reseal().unwrap();
    let listed = keys(&service, KeysCommand::List);
    assert!(listed.contains("sandbox 1\t-\t-\t2 rows left, under"), "{listed}");

    let forget = |project: &str, token: &str| {
        let args = InspectArgs {
            store: store(&service),
            project: project.into(),
        };
        operator::forget(args, format!("{token}\n").as_bytes())
    };
    assert!(forget("sandbox-2", &lasting).is_err(), "another project's");
    assert!(forget("sandbox", token).is_err(), "a widget token");
    forget("sandbox", &lasting).unwrap();
    assert!(forget("sandbox", &lasting).is_err(), "gone");
    assert_eq!(vault.recognise("sandbox", &lasting).unwrap(), None);
}

/// Adds a widget key beside the running service and returns its id.
pub(super) fn add_key(service: &Service, live: bool) -> String {
    let args = AddKeyArgs {
        apps: false,
        store: store(service),
        project: "shop".into(),
        origins: vec![SHOP.into()],
        live,
    };
    let mut out = Vec::new();
    operator::add_key(args, &mut out).unwrap();
    String::from_utf8(out).unwrap().trim().to_owned()
}

#[tokio::test]
async fn a_key_works_as_soon_as_it_is_added() {
    let service = service_of_today();
    let boot = service.boot_for(&add_key(&service, true)).await;
    assert!(boot.live);
    let answer = service.tokenize(&seal(&boot, &card_of_today(REAL))).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    // A live key has a limit without being asked for one.
    assert_eq!(answer.header("x-ratelimit-limit"), "60");
}

#[tokio::test]
async fn a_withdrawn_key_is_refused_from_the_next_second_on() {
    let service = service_of_today();
    let key = add_key(&service, false);
    let boot = service.boot_for(&key).await;
    let card = card_of_today(VISA);
    assert_eq!(service.tokenize(&seal(&boot, &card)).await.status, 201);
    let remove = || {
        operator::remove_key(RemoveKeyArgs {
            store: store(&service),
            key: key.clone(),
        })
    };
    remove().unwrap();
    service.clock.advance(1);

    // A form that is open, and one that is about to be.
    let answer = service.tokenize(&seal(&boot, &card)).await;
    assert_eq!(answer.refusal(), (401, "widget_key_unknown".into()));
    let path = format!("/widget/v1/boot?key={key}&origin={SHOP}");
    assert_eq!(
        service.get(&path).await.refusal(),
        (401, "widget_key_unknown".into())
    );
    let error = remove().unwrap_err().to_string();
    assert!(error.contains(&key), "{error}");
}

#[tokio::test]
async fn a_live_key_takes_no_test_numbers() {
    let service = service_of_today();
    let live = add_key(&service, true);
    let test = add_key(&service, false);
    for number in [VISA, "5555555555554444", "4000000000000044"] {
        for key in ["wk_sandbox", &test] {
            let envelope = seal(&service.boot_for(key).await, &card_of_today(number));
            let answer = service.tokenize(&envelope).await;
            assert_eq!(answer.status, 201, "{}", answer.text());
        }

        let envelope = seal(&service.boot_for(&live).await, &card_of_today(number));
        // Nothing is stored, so the second time is no replay.
        for _ in 0..2 {
            let answer = service.tokenize(&envelope).await;
            assert_eq!(answer.refusal(), (422, "wrong_card_number".into()));
            assert!(!answer.text().contains(number));
        }
    }

    let receiving = CardPayload::write(VISA, None, None);
    let envelope = seal_with(&service.boot_for(&live).await, &receiving, |header| {
        header.claims.form = "pan_only".into()
    });
    let answer = service.tokenize(&envelope).await;
    assert_eq!(answer.refusal(), (422, "wrong_card_number".into()));
}

fn keys(service: &Service, command: impl FnOnce(DatabaseArgs) -> KeysCommand) -> String {
    let mut out = Vec::new();
    operator::keys::run(command(store(service)), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn rotate_sealing(service: &Service, overlap: u32) -> String {
    let rotate = |store| KeysCommand::Rotate(RotateCommand::Sealing(RotateSealingArgs { store, overlap }));
    keys(service, rotate).trim().to_owned()
}

#[tokio::test]
async fn a_rotated_sealing_key_is_served_without_a_restart() {
    let service = service_of_today();
    let before = service.boot().await;
    let kid = rotate_sealing(&service, 10);
    let mut after = service.boot().await;
    // It looks at the key file once a second.
    for _ in 0..100 {
        if after.sealing_key.kid == kid {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        after = service.boot().await;
    }
    assert_eq!(after.sealing_key.kid, kid);
    let card = card_of_today(VISA);
    for boot in [&before, &after] {
        assert_eq!(service.tokenize(&seal(boot, &card)).await.status, 201);
    }
    let listed = keys(&service, KeysCommand::List);
    let line = |kid: &str| {
        let line = listed.lines().find(|line| line.contains(kid)).unwrap();
        line.rsplit('\t').next().unwrap().to_owned()
    };
    assert_eq!(
        (line(&kid).as_str(), line(&before.sealing_key.kid).as_str()),
        ("in use", "still opened")
    );

    // Without overlap the old one has ended, and a frame that holds it is told to fetch boot data.
    let third = rotate_sealing(&service, 0);
    // The service's clock stands still meanwhile; it looks at the file four times a second.
    service.clock.advance(60);
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    let answer = service.tokenize(&seal(&before, &card)).await;
    assert_eq!(answer.refusal(), (400, "sealing_key_unknown".into()));
    assert_eq!(service.boot().await.sealing_key.kid, third);
}

#[tokio::test]
async fn the_audit_log_is_verified_beside_the_running_service() {
    let service = service_of_today();
    let envelope = seal(&service.boot().await, &card_of_today(VISA));
    assert_eq!(service.tokenize(&envelope).await.status, 201);
    rotate_sealing(&service, 10);
    let verify = |heads: Vec<AuditHead>| {
        let args = VerifyArgs {
            store: store(&service),
            heads,
            log: None,
        };
        let mut out = Vec::new();
        let result = operator::audit::run(AuditCommand::Verify(args), &mut out);
        (result, String::from_utf8(out).unwrap())
    };
    let (result, told) = verify(Vec::new());
    result.unwrap();
    assert!(told.contains("\tclosed\t") && told.contains("\topen\t"), "{told}");
    let head = told.lines().nth(1).unwrap().rsplit('\t').next().unwrap();
    let head: AuditHead = head.parse().unwrap();
    verify(vec![head]).0.unwrap();

    let more = AuditHead {
        number: head.number + 100,
        ..head
    };
    let (result, told) = verify(vec![more]);
    assert!(result.is_err());
    assert!(told.contains("WRONG"), "{told}");
}

#[tokio::test]
async fn data_and_master_keys_are_rotated_beside_the_running_service() {
    let service = service_of_today();
    let card = card_of_today(VISA);
    let before = seal(&service.boot().await, &card);
    let rotate = |command| keys(&service, |_| KeysCommand::Rotate(command));
    let told = rotate(RotateCommand::Data(RotateDataArgs {
        store: store(&service),
        project: None,
        all: true,
    }));
    assert_eq!(told, "sandbox\t2\nsandbox-2\t2\n");
    let told = rotate(RotateCommand::Master(RotateMasterArgs {
        store: store(&service),
        to: None,
    }));
    assert_eq!(told, "4 of 4 data keys wrapped anew\nwrapping key 2\n");
    assert_eq!(service.tokenize(&before).await.status, 201);

    let listed = keys(&service, KeysCommand::List);
    for line in [
        "data\tsandbox 1\t-\t-\t0 rows left, under wrapping key 2",
        "data\tsandbox 2\t-\t-\tin use, under wrapping key 2",
    ] {
        assert!(listed.lines().any(|listed| listed == line), "{listed}");
    }
    let wrong = RotateMasterArgs {
        store: store(&service),
        to: Some("somewhere".into()),
    };
    let command = KeysCommand::Rotate(RotateCommand::Master(wrong));
    let error = operator::keys::run(command, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("file:PATH"), "{error}");
}

#[tokio::test]
async fn a_backup_is_made_and_put_back_below_the_running_service() {
    let service = service_of_today();
    let card = card_of_today(VISA);
    let answer = service.tokenize(&seal(&service.boot().await, &card)).await.json();
    let folder = tempfile::tempdir().unwrap();
    let monday = folder.path().join("monday");
    let backup = || {
        let args = BackupArgs {
            store: store(&service),
            to: monday.clone(),
        };
        operator::backup::backup(args, &mut Vec::new())
    };
    backup().unwrap();
    assert!(backup().is_err(), "never over another one");
    let later = add_key(&service, false);
    let args = AddProjectArgs {
        store: store(&service),
        project: "later".into(),
        ..AddProjectArgs::default()
    };
    of_project("", ProjectCommand::Add(args)).unwrap();
    let args = RestoreArgs {
        store: store(&service),
        from: Some(monday),
        backup_master_key_from: None,
        keep_tokens: false,
        only_end_tokens: false,
    };
    let mut out = Vec::new();
    operator::backup::restore(args, &mut out).unwrap();
    let told = String::from_utf8(out).unwrap();
    assert!(
        told.starts_with("installation ") && !told.contains("without payments"),
        "{told}"
    );
    let projects = service.processing.projects().unwrap();
    let projects: Vec<_> = projects.iter().map(|project| &*project.id).collect();
    assert_eq!(projects, ["sandbox", "sandbox-2"], "payments are put back, too");

    let path = format!("/widget/v1/boot?key={later}&origin={SHOP}");
    assert_eq!(
        service.get(&path).await.refusal(),
        (401, "widget_key_unknown".into())
    );
    assert_eq!(
        service.tokenize(&seal(&service.boot().await, &card)).await.status,
        201
    );
    let args = InspectArgs {
        store: store(&service),
        project: "sandbox".into(),
    };
    let mut out = Vec::new();
    operator::inspect(args, answer["token"].as_str().unwrap().as_bytes(), &mut out).unwrap();
    assert!(String::from_utf8(out).unwrap().contains("state\tused_up"));
}

/// The binary with a master key in its environment, and what it wrote to standard error.
fn with_master_key(folder: &std::path::Path, key: &str, arguments: &[&str]) -> (bool, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_card-widget-service"))
        .args(arguments)
        .env(
            "CARD_WIDGET_DATABASE",
            format!("sqlite:{}/v.sqlite", folder.display()),
        )
        .env("CARD_WIDGET_MASTER_KEY", key)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn the_master_key_may_come_from_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let run = |key: &str, arguments: &[&str]| with_master_key(folder.path(), key, arguments);
    // Public test values: 32 bytes of 1 and of 2.
    let (one, two) = (
        "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE",
        "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI",
    );
    let (good, error) = run(one, &["widget-key", "add", "--project", "shop", "--origin", SHOP]);
    assert!(good, "{error}");
    assert!(!folder.path().join("v.sqlite.master").exists());
    let keys = std::fs::read(folder.path().join("v.sqlite.keys")).unwrap();
    for (key, says) in [
        (two, "another one"),
        ("", "not a master key"),
        ("secret", "not a master key"),
    ] {
        let (good, error) = run(key, &["keys", "list"]);
        assert!(!good && error.contains(says), "{error}");
        assert!(
            error.contains("CARD_WIDGET_MASTER_KEY") && !error.contains(two),
            "{error}"
        );
    }
    // Only whoever starts the program can put a new one there.
    let (good, error) = run(one, &["keys", "rotate", "master"]);
    assert!(!good && error.contains("before the present one"), "{error}");
    assert_eq!(std::fs::read(folder.path().join("v.sqlite.keys")).unwrap(), keys);

    let both = format!("{two} {one}");
    assert!(run(&both, &["keys", "rotate", "master"]).0);
    assert!(run(two, &["keys", "list"]).0);
    assert!(!run(one, &["keys", "list"]).0);
}
