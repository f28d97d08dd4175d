//! A backup on PostgreSQL as an operator makes it and rehearses putting it back.

use std::path::Path;

use serde_json::{Value, json};
use service::config::DatabaseArgs;
use service::operator::audit::{self, AuditCommand, VerifyArgs};
use service::operator::backup::{BackupArgs, RestoreArgs, backup, restore};
use service::{AppConfig, operator::OperatorError};

use super::cluster;
use super::operator::{card_of_today, today};
use super::sealing::{VISA, seal};
use super::service::{Answer, Service, call};

/// Pays, and saves the card.
async fn pay(service: &Service, external_id: &str) -> Value {
    let envelope = seal(&service.boot().await, &card_of_today(VISA));
    let token = service.tokenize(&envelope).await.json()["token"].clone();
    order(service, external_id, &token).await
}

async fn order(service: &Service, external_id: &str, token: &Value) -> Value {
    let order = json!({
        "amount": "100.50", "currency": "UAH", "external_id": external_id, "mode": "direct", "confirm": true,
        "callback_url": null, "description": "",
        "customer": {
            "external_id": "customer-17",
            "payment_method": {
                "type": "cc_token", "cc_token": { "token": token, "use_3ds_flow": false, "save_to_wallet": true },
            },
        },
    });
    let answer = service
        .send(call("POST", "/api/payments/v1/new", &order.to_string()))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn info(service: &Service, external_id: &str) -> Answer {
    let path = format!("/api/payments/v1/info?external_id={external_id}");
    service.send(call("GET", &path, "")).await
}

fn store(url: &str, folder: &Path) -> DatabaseArgs {
    DatabaseArgs {
        database: Some(url.to_owned()),
        keys: Some(folder.join("vault.sqlite.keys")),
        master_key_from: Some(format!("file:{}", folder.join("vault.sqlite.master").display())),
        ..DatabaseArgs::default()
    }
}

/// Commands wait for the server by themselves: not on a thread of the tests' runtime.
async fn command(
    run: impl FnOnce(&mut Vec<u8>) -> Result<(), OperatorError> + Send + 'static,
) -> Result<String, String> {
    let ran = tokio::task::spawn_blocking(move || {
        let mut out = Vec::new();
        let ran = run(&mut out).map_err(|error| error.to_string());
        ran.map(|()| String::from_utf8(out).unwrap())
    });
    ran.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_and_cards_are_put_back_together() {
    let (Some(url), Some(empty)) = (cluster::database(), cluster::database()) else {
        return;
    };
    let service = Service::on(url.clone(), AppConfig::default());
    service.clock.set(today());
    let before = pay(&service, "before").await;
    let folder = tempfile::tempdir().unwrap();
    let tuesday = folder.path().join("tuesday");
    let args = BackupArgs {
        store: store(&url, service.folder()),
        to: tuesday.clone(),
    };
    // Nothing waits for it.
    let (made, ()) = tokio::join!(command(|out| backup(args, out)), async {
        for at in 0..10 {
            pay(&service, &format!("meanwhile-{at}")).await;
        }
    });
    assert!(made.unwrap().starts_with("installation "));
    pay(&service, "after").await;

    // The rehearsal: an empty database, and a folder with the master key alone.
    let elsewhere = std::env::temp_dir().join(format!("card-widget-rehearsal-{}", std::process::id()));
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::copy(
        service.folder().join("vault.sqlite.master"),
        elsewhere.join("vault.sqlite.master"),
    )
    .unwrap();
    let put_back = |url: &str, folder: &Path| {
        let args = RestoreArgs {
            store: store(url, folder),
            from: Some(tuesday.clone()),
            backup_master_key_from: None,
            keep_tokens: false,
            only_end_tokens: false,
        };
        command(|out| restore(args, out))
    };
    let told = put_back(&empty, &elsewhere).await.unwrap();
    assert!(!told.contains("without payments"), "{told}");
    let verify = VerifyArgs {
        store: store(&empty, &elsewhere),
        heads: Vec::new(),
        log: None,
    };
    command(|out| audit::run(AuditCommand::Verify(verify), out))
        .await
        .unwrap();
    let rehearsed = Service::from(elsewhere.clone(), empty);
    rehearsed.clock.set(today());
    // The password opens, so the vault has the keys of what is in the payments' tables.
    for external_id in ["before", "after"] {
        let expected = if external_id == "before" { 200 } else { 400 };
        assert_eq!(
            info(&rehearsed, external_id).await.status,
            expected,
            "{external_id}"
        );
    }
    // Every card that a payment speaks of is there: the customer's saved one pays.
    let token = &before["payment_method"]["cc_token"]["token"];
    assert!(token.is_string(), "{before}");
    order(&rehearsed, "again", token).await;

    // In earnest, below the running service. A damaged file is refused before anything is touched.
    let file = tuesday.join("payments.postgres");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 1]).unwrap();
    assert!(put_back(&url, service.folder()).await.is_err());
    assert_eq!(info(&service, "after").await.status, 200);
    std::fs::write(&file, &whole).unwrap();
    put_back(&url, service.folder()).await.unwrap();
    assert_eq!(info(&service, "after").await.status, 400);
    assert_eq!(info(&service, "before").await.status, 200);
    pay(&service, "after").await;
}
