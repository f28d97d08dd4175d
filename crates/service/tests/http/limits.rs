//! Limits as callers meet them: told, kept, and under load on loopback.

use std::num::NonZeroU32;

use serde_json::json;
use service::AppConfig;
use service::limit::{Limit, Rates};

use super::sealing::{full_card, idempotency_key, seal};
use super::service::{SHOP, Service, from_address, token_request};
use super::socket::{Client, Running};

fn rates(limit: u32) -> Rates {
    Rates {
        key_and_address: NonZeroU32::new(limit).map(Limit::At),
        ..Rates::default()
    }
}

#[tokio::test]
async fn the_limit_is_told_and_kept() {
    let service = Service::with(AppConfig {
        rates: rates(2),
        ..AppConfig::default()
    });
    for (remaining, status) in [("1", 201), ("0", 201), ("0", 429)] {
        let answer = service.tokenize(&seal(&service.boot().await, &full_card())).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        assert_eq!(answer.header("x-ratelimit-limit"), "2");
        assert_eq!(answer.header("x-ratelimit-remaining"), remaining);
        assert!((1..=60).contains(&answer.header("x-ratelimit-reset").parse::<u64>().unwrap()));
        if status == 429 {
            assert_eq!(answer.refusal(), (429, "too_many_requests".into()));
            assert!((1..=30).contains(&answer.header("retry-after").parse::<u64>().unwrap()));
        } else {
            assert_eq!(answer.header("retry-after"), "");
        }
    }
    // Another address is not held up by this one.
    let body = json!({"envelope": seal(&service.boot().await, &full_card())}).to_string();
    let request = from_address(token_request(&body, &idempotency_key()), "192.0.2.99");
    assert_eq!(service.send(request).await.status, 201);
}

#[tokio::test]
async fn refusals_after_the_limit_carry_it_too() {
    let service = Service::with(AppConfig {
        rates: rates(5),
        ..AppConfig::default()
    });
    let body = json!({"envelope": seal(&service.boot().await, &full_card())}).to_string();
    let answer = service.send(token_request(&body, "short")).await;
    assert_eq!(answer.refusal(), (400, "idempotency_key_invalid".into()));
    assert_eq!(answer.header("x-ratelimit-remaining"), "4");
}

/// Sixteen connections ask as fast as they can. What passes is the limit, and what the bucket gains meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn under_load_no_more_passes_than_the_limit() {
    let service = Service::with(AppConfig {
        rates: rates(60),
        ..AppConfig::default()
    });
    let boot = service.boot().await;
    let running = Running::start(&service).await;
    let begun = std::time::Instant::now();
    let clients: Vec<_> = (0..16)
        .map(|_| {
            let (address, boot) = (running.address, boot.clone());
            tokio::spawn(async move {
                let mut client = Client::connect(address).await;
                let mut counts = [0; 2];
                for _ in 0..10 {
                    let answer = client
                        .tokenize(&seal(&boot, &full_card()), &idempotency_key())
                        .await;
                    match answer.status {
                        201 => counts[0] += 1,
                        429 => counts[1] += 1,
                        other => panic!("{other}"),
                    }
                    assert_eq!(answer.header("x-ratelimit-limit"), "60");
                }
                counts
            })
        })
        .collect();
    let mut passed = 0;
    let mut refused = 0;
    for client in clients {
        let counts = client.await.unwrap();
        passed += counts[0];
        refused += counts[1];
    }
    // One a second is gained.
    let gained = begun.elapsed().as_secs() + 1;
    assert_eq!(passed + refused, 160);
    assert!((60..=60 + gained).contains(&passed), "{passed} in {gained} s");
    let figures = service.get_from("127.0.0.1", "/metrics").await.text();
    let line = format!("card_widget_rate_limited_total{{scope=\"key_and_address\"}} {refused}");
    assert!(figures.contains(&line), "{figures}");
    running.stop().await;
}

/// Two instances do not know of each other's callers: together they let pass twice the limit and no more.
#[tokio::test]
async fn instances_count_for_themselves() {
    let first = Service::with(AppConfig {
        rates: rates(3),
        ..AppConfig::default()
    });
    let second = first.beside(AppConfig {
        rates: rates(3),
        ..AppConfig::default()
    });
    let boot = first.boot().await;
    let mut passed = 0;
    for service in [&first, &second].into_iter().cycle().take(20) {
        let answer = service.tokenize(&seal(&boot, &full_card())).await;
        passed += u32::from(answer.status == 201);
    }
    assert_eq!(passed, 6);
}

fn frames(limit: u32) -> AppConfig {
    AppConfig {
        frame_rates: rates(limit),
        ..AppConfig::default()
    }
}

#[tokio::test]
async fn forms_and_boot_data_have_a_limit_of_their_own() {
    let service = Service::with(frames(2));
    let frame = format!("/widget/v1/frame?key=wk_sandbox&origin={SHOP}&lang=en");
    let boot = format!("/widget/v1/boot?key=wk_sandbox&origin={SHOP}");
    for (path, remaining) in [(&frame, "1"), (&boot, "0")] {
        let answer = service.get(path).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("x-ratelimit-limit")),
            (200, "2")
        );
        assert_eq!(answer.header("x-ratelimit-remaining"), remaining);
    }
    // The page that stands in the form's place tells the shop's page why, and may be embedded by it.
    let answer = service.get(&frame).await;
    assert_eq!(answer.status, 429);
    assert!(
        answer.text().contains("data-code=\"too_many_requests\""),
        "{}",
        answer.text()
    );
    assert!(answer.text().contains("data-retryable"));
    assert!(
        !answer
            .header("content-security-policy")
            .contains("frame-ancestors 'none'")
    );
    assert!((1..=30).contains(&answer.header("retry-after").parse::<u64>().unwrap()));
    let answer = service.get(&boot).await;
    assert_eq!(answer.refusal(), (429, "too_many_requests".into()));
    assert_eq!(answer.header("x-ratelimit-remaining"), "0");
    assert!((1..=30).contains(&answer.header("retry-after").parse::<u64>().unwrap()));
    // Refusals that come before it use up nothing, and other addresses and keys have theirs.
    let stranger = "/widget/v1/boot?key=wk_nobodys&origin=https://shop.example";
    assert_eq!(service.get(stranger).await.status, 401);
    assert_eq!(service.get_from("192.0.2.99", &boot).await.status, 200);
    assert_eq!(
        service
            .get(&boot.replace("wk_sandbox", "wk_sandbox_2"))
            .await
            .status,
        200
    );
    // Tokens are not held up: a form that is open can be sent.
    let boot = service.get_from("192.0.2.99", &boot).await.json();
    let boot = serde_json::from_value(boot).unwrap();
    assert_eq!(service.tokenize(&seal(&boot, &full_card())).await.status, 201);
}

#[tokio::test]
async fn test_keys_have_none_until_asked() {
    let service = Service::new();
    for _ in 0..300 {
        let answer = service
            .get(&format!("/widget/v1/boot?key=wk_sandbox&origin={SHOP}"))
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("x-ratelimit-limit")),
            (200, "")
        );
    }
}

/// Eight connections ask as fast as they can, for forms and boot data in turn.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_forms_passes_no_more_than_the_limit() {
    let service = Service::with(frames(60));
    let running = Running::start(&service).await;
    let begun = std::time::Instant::now();
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let address = running.address;
            tokio::spawn(async move {
                let mut client = Client::connect(address).await;
                let mut passed = 0;
                for page in ["frame", "boot"].into_iter().cycle().take(30) {
                    let path = format!("/widget/v1/{page}?key=wk_sandbox&origin={SHOP}");
                    let answer = client.get(&path).await;
                    assert!([200, 429].contains(&answer.status), "{}", answer.status);
                    assert_eq!(answer.header("x-ratelimit-limit"), "60");
                    passed += u64::from(answer.status == 200);
                }
                passed
            })
        })
        .collect();
    let mut passed = 0;
    for client in clients {
        passed += client.await.unwrap();
    }
    let gained = begun.elapsed().as_secs() + 1;
    assert!((60..=60 + gained).contains(&passed), "{passed} in {gained} s");
    let figures = service.get_from("127.0.0.1", "/metrics").await.text();
    let refused = 240 - passed;
    let line = format!("card_widget_rate_limited_total{{scope=\"frame_key_and_address\"}} {refused}");
    assert!(figures.contains(&line), "{figures}");
    running.stop().await;
}
