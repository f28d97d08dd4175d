//! Card testing: many different cards through one key.

use std::num::NonZeroU32;

use serde_json::json;
use service::AppConfig;
use service::cards::CardRates;
use service::limit::Limit;
use wire::payload::CardPayload;

use super::apps;
use super::sealing::{idempotency_key, seal};
use super::service::{Answer, Service, from_address, token_request};

/// A number of a range that nobody has, with its check digit.
fn number(account: u32) -> String {
    let digits = format!("999900{account:09}");
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, digit)| {
            let digit = u32::from(digit - b'0');
            match at % 2 {
                0 if digit > 4 => digit * 2 - 9,
                0 => digit * 2,
                _ => digit,
            }
        })
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

fn limited(limit: u32) -> Service {
    Service::with(AppConfig {
        card_rates: CardRates {
            key_and_address: NonZeroU32::new(limit).map(Limit::At),
            key: None,
        },
        ..AppConfig::default()
    })
}

async fn send(service: &Service, account: u32, address: &str) -> Answer {
    let payload = CardPayload::write(&number(account), Some((12, 2028)), Some("123"));
    let body = json!({ "envelope": seal(&service.boot().await, &payload) }).to_string();
    service
        .send(from_address(token_request(&body, &idempotency_key()), address))
        .await
}

#[tokio::test]
async fn the_fourth_card_is_one_too_many() {
    let service = limited(3);
    let here = "192.0.2.7";
    for account in 1..=3 {
        let answer = send(&service, account, here).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
    service.clock.advance(600);
    let refused = send(&service, 4, here).await;
    assert_eq!(refused.refusal(), (429, "too_many_requests".into()));
    assert_eq!(refused.header("x-ratelimit-limit"), "3");
    assert_eq!(refused.header("x-ratelimit-remaining"), "0");
    assert_eq!(refused.header("retry-after"), "3000");

    // An app's card is no other card.
    let mut card = apps::card();
    card["card_number"] = json!(number(5));
    let sign = apps::sign("wk_sandbox", &card);
    let request = apps::request(apps::V2, "wk_sandbox", &sign, &card.to_string());
    let answer = service.send(from_address(request, here)).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("retry-after")),
        (429, "3000")
    );

    assert_eq!(send(&service, 2, here).await.status, 201, "a card that was seen");
    assert_eq!(
        send(&service, 4, "192.0.2.8").await.status,
        201,
        "another address"
    );
    let figures = service.get_from("127.0.0.1", "/metrics").await.text();
    for line in [
        r#"card_widget_cards_refused_total{scope="key_and_address"} 2"#,
        r#"card_widget_cards_most{scope="address"} 3"#,
        r#"card_widget_cards_most{scope="key"} 4"#,
    ] {
        assert!(figures.lines().any(|told| told == line), "{line}\n{figures}");
    }
    service.clock.advance(3000);
    assert_eq!(send(&service, 6, here).await.status, 201, "an hour later");
}

/// A flood of cards through one key: no more pass than the limit, give or take the one in sixteen that hides behind others.
#[tokio::test]
async fn a_flood_of_cards_ends_at_the_limit() {
    let service = limited(20);
    let mut passed = 0;
    for account in 0..120 {
        let answer = send(&service, account, "192.0.2.7").await;
        passed += u32::from(answer.status == 201);
    }
    assert!((20..=30).contains(&passed), "{passed}");
}
