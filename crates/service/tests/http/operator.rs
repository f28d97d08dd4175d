use std::time::{SystemTime, UNIX_EPOCH};

use service::config::{AddKeyArgs, DatabaseArgs, InspectArgs};
use service::operator;
use wire::payload::CardPayload;

use super::sealing::{VISA, seal};
use super::service::{SHOP, Service};

/// Operators work beside a running service, on the same store and by the machine's clock.
fn service_of_today() -> Service {
    let service = Service::new();
    service.clock.set(today());
    service
}

fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// A card that is good for a year or two from today.
fn card_of_today() -> Vec<u8> {
    let year = 1970 + u16::try_from(today() / 31_556_952).unwrap();
    CardPayload::write(VISA, Some((12, year + 1)), Some("123")).to_vec()
}

fn store(service: &Service) -> DatabaseArgs {
    DatabaseArgs {
        database: Some(service.database()),
        config: None,
    }
}

#[tokio::test]
async fn a_token_is_recognised_without_its_number() {
    let service = service_of_today();
    let answer = service
        .tokenize(&seal(&service.boot().await, &card_of_today()))
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
async fn a_key_works_as_soon_as_it_is_added() {
    let service = service_of_today();
    let args = AddKeyArgs {
        store: store(&service),
        project: "shop".into(),
        origins: vec![SHOP.into()],
        live: true,
    };
    let mut out = Vec::new();
    operator::add_key(args, &mut out).unwrap();
    let boot = service.boot_for(String::from_utf8(out).unwrap().trim()).await;
    assert!(boot.live);
    let answer = service.tokenize(&seal(&boot, &card_of_today())).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    // A live key has a limit without being asked for one.
    assert_eq!(answer.header("x-ratelimit-limit"), "60");
}
