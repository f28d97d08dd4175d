//! Two instances on one PostgreSQL: what they decide together, and what each counts for itself.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use service::AppConfig;
use service::limit::{Limit, Rates};

use super::cluster;
use super::sealing::{full_card, idempotency_key, seal};
use super::service::{Service, token_request};

fn limited(limit: u32) -> AppConfig {
    let rates = Rates {
        key_and_address: NonZeroU32::new(limit).map(Limit::At),
        ..Rates::default()
    };
    AppConfig {
        rates,
        ..AppConfig::default()
    }
}

/// Eight callers, all behind one address, ask both as fast as they can. What passes is twice the limit at most, and what
/// the buckets gain meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn together_they_let_pass_twice_the_limit_and_no_more() {
    let Some(url) = cluster::database() else { return };
    let first = Service::on(url, limited(30));
    let second = first.beside(limited(30));
    let boot = first.boot().await;
    let instances = Arc::new([first, second]);
    let begun = Instant::now();
    let callers: Vec<_> = (0..8)
        .map(|_| {
            let (instances, boot) = (Arc::clone(&instances), boot.clone());
            tokio::spawn(async move {
                let mut passed = 0;
                for service in instances.iter().cycle().take(16) {
                    let answer = service.tokenize(&seal(&boot, &full_card())).await;
                    match answer.status.as_u16() {
                        201 => passed += 1,
                        429 => assert_eq!(answer.header("x-ratelimit-limit"), "30"),
                        other => panic!("{other}: {}", answer.text()),
                    }
                }
                passed
            })
        })
        .collect();
    let mut passed = 0;
    for caller in callers {
        passed += caller.await.unwrap();
    }
    // Each gains one in two seconds.
    let gained = 2 * (begun.elapsed().as_secs() / 2 + 1);
    assert!(
        (60..=60 + gained).contains(&passed),
        "{passed} with {gained} gained"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_at_both_has_one_token_and_a_nonce_is_good_at_one() {
    let Some(url) = cluster::database() else { return };
    let first = Service::on(url, AppConfig::default());
    let second = first.beside(AppConfig::default());
    let body = json!({"envelope": seal(&first.boot().await, &full_card())}).to_string();
    let key = idempotency_key();
    let (one, other) = tokio::join!(
        first.send(token_request(&body, &key)),
        second.send(token_request(&body, &key))
    );
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201]);
    assert_eq!(one.json()["token"], other.json()["token"]);
    for service in [&first, &second] {
        let answer = service.send(token_request(&body, &idempotency_key())).await;
        assert_eq!(answer.refusal().1, "nonce_replayed");
    }
}
