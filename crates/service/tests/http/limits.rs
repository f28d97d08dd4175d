//! Limits as callers meet them: told, kept, and under load on loopback.

use std::num::NonZeroU32;

use serde_json::json;
use service::AppConfig;
use service::limit::{Limit, Rates};

use super::sealing::{full_card, idempotency_key, seal};
use super::service::{Service, from_address, token_request};
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
