//! From submit to token: what is sent, what is sent again, and what the shop hears.

use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::bench::{Bench, boot};

#[derive(Deserialize)]
struct Post {
    path: String,
    envelope: String,
    customer_id: Value,
    key: String,
}

fn token() -> Value {
    json!({ "ok": true, "body": { "token": "ct_abc", "expires_at": "2026-11-21T01:00:00", "card_mask": "42424242****4242" } })
}

fn refusal(code: &str, retryable: bool) -> Value {
    let retryable = if retryable { "true" } else { "" };
    let body =
        json!({ "code": code, "message": "m", "actor": "service", "retryable": retryable, "error_id": "r1" });
    json!({ "ok": false, "body": body })
}

#[wasm_bindgen_test]
async fn a_card_becomes_a_token_with_one_request() {
    let bench = Bench::new("full_card");
    bench.shop_says(json!({ "type": "init", "customer_id": "c1" }));
    bench.fill();
    bench.will_answer(token());
    bench.submit().await;

    let posts: Vec<Post> = bench.asked("posts");
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0].path, "/api/widget/v1/tokens");
    assert_eq!(posts[0].customer_id, "c1");
    assert_eq!(posts[0].envelope.split('.').count(), 5);
    assert!((16..=64).contains(&posts[0].key.len()));
    let plaintexts: Vec<String> = bench.asked("plaintexts");
    assert_eq!(
        plaintexts,
        [r#"{"number":"4242424242424242","exp_month":12,"exp_year":2030,"cvv":"123"}"#]
    );

    let told: Vec<Value> = bench.told();
    assert_eq!(told[0]["type"], "token");
    assert_eq!(told[0]["token"], "ct_abc");
    assert_eq!(told[0]["card_mask"], "42424242****4242");
    assert_eq!(told.len(), 1);
    for id in ["number", "expiry", "code"] {
        assert_eq!(bench.input(id).value(), "", "{id}");
    }
}

#[wasm_bindgen_test]
async fn a_number_alone_is_sent_alone() {
    let bench = Bench::new("pan_only");
    bench.edit("number", "4242424242424242", 16);
    bench.will_answer(token());
    bench.submit().await;
    let plaintexts: Vec<String> = bench.asked("plaintexts");
    assert_eq!(plaintexts, [r#"{"number":"4242424242424242"}"#]);
}

#[wasm_bindgen_test]
async fn without_an_answer_the_same_request_is_sent_again() {
    let bench = Bench::new("full_card");
    bench.fill();
    for failure in [
        json!("offline"),
        json!("timeout"),
        refusal("internal_error", true),
        json!({ "ok": false, "body": {} }),
    ] {
        bench.will_answer(failure);
        bench.submit().await;
    }
    assert_eq!(
        bench.input("number").value(),
        "4242 4242 4242 4242",
        "what was typed is kept"
    );
    bench.will_answer(token());
    bench.submit().await;

    let posts: Vec<Post> = bench.asked("posts");
    assert_eq!(posts.len(), 5);
    assert!(
        posts
            .iter()
            .all(|post| post.key == posts[0].key && post.envelope == posts[0].envelope)
    );
    let told: Vec<Value> = bench.told();
    let codes: Vec<_> = told
        .iter()
        .map(|message| message["code"].as_str().unwrap_or("token"))
        .collect();
    assert_eq!(
        codes,
        [
            "offline",
            "timeout",
            "internal_error",
            "answer_unreadable",
            "token"
        ]
    );
    assert!(told[..4].iter().all(|message| message["retryable"] == true));
}

#[wasm_bindgen_test]
async fn a_changed_card_is_a_new_request() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.will_answer(json!("offline"));
    bench.submit().await;
    bench.edit("code", "321", 3);
    bench.will_answer(token());
    bench.submit().await;
    let posts: Vec<Post> = bench.asked("posts");
    assert_ne!(posts[0].key, posts[1].key);
    assert_ne!(posts[0].envelope, posts[1].envelope);
}

#[wasm_bindgen_test]
async fn yesterdays_boot_data_is_renewed_once_and_silently() {
    for code in ["ticket_expired", "sealing_key_unknown", "nonce_replayed"] {
        let bench = Bench::new("full_card");
        bench.fill();
        bench.will_answer(refusal(code, code != "nonce_replayed"));
        bench.will_answer(json!({ "ok": true, "body": boot("t2") }));
        bench.will_answer(token());
        bench.submit().await;
        let renewals: Vec<String> = bench.asked("renewals");
        assert_eq!(renewals, ["/widget/v1/boot"]);
        let posts: Vec<Post> = bench.asked("posts");
        assert_eq!(posts.len(), 2, "{code}");
        assert_ne!(posts[0].key, posts[1].key, "{code}");
        let told: Vec<Value> = bench.told();
        assert_eq!(told.len(), 1, "{code}");
        assert_eq!(told[0]["type"], "token", "{code}");
    }
}

#[wasm_bindgen_test]
async fn boot_data_that_stays_old_is_a_failure() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.will_answer(refusal("ticket_expired", true));
    bench.will_answer(json!({ "ok": true, "body": boot("t2") }));
    bench.will_answer(refusal("ticket_expired", true));
    bench.submit().await;
    let told: Vec<Value> = bench.told();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["code"], "ticket_expired");
    assert!(!bench.is_busy());
}

#[wasm_bindgen_test]
async fn five_submits_at_once_are_one() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.will_answer(token());
    let first = card_widget::on_submit(false);
    assert!(first.is_some());
    assert!(bench.is_busy());
    for _ in 0..4 {
        assert!(card_widget::on_submit(false).is_none());
    }
    let mut step = first;
    while let Some(promise) = step {
        step = card_widget::resume(promise.unchecked_into::<js_sys::Promise>().await.unwrap(), None);
    }
    let posts: Vec<Post> = bench.asked("posts");
    assert_eq!(posts.len(), 1);
}

#[wasm_bindgen_test]
async fn a_late_click_after_the_token_finds_no_fault_with_the_empty_form() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.will_answer(token());
    bench.submit().await;
    let done = bench.text("status");
    bench.submit().await;
    assert_eq!(bench.text("number-note"), "");
    assert_eq!((bench.text("status"), done.is_empty()), (done, false));

    bench.edit("number", "4", 1);
    bench.submit().await;
    assert_ne!(bench.text("number-note"), "", "whoever types again is told again");
}

#[wasm_bindgen_test]
async fn an_answer_without_a_token_is_no_token_and_keeps_the_card() {
    for body in [json!({}), json!([]), json!(null), json!({ "token": 7 })] {
        let bench = Bench::new("full_card");
        bench.fill();
        bench.will_answer(json!({ "ok": true, "body": body }));
        bench.submit().await;
        let told: Vec<Value> = bench.told();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0]["code"], "answer_unreadable");
        assert_eq!(bench.input("number").value(), "4242 4242 4242 4242");

        bench.will_answer(token());
        bench.submit().await;
        let posts: Vec<Post> = bench.asked("posts");
        assert_eq!(posts.len(), 2);
        assert_eq!(posts[0].key, posts[1].key, "the same request");
    }
}

#[wasm_bindgen_test]
async fn a_wrong_form_sends_nothing_and_shows_every_error() {
    let bench = Bench::new("full_card");
    bench.edit("number", "4242424242424241", 16);
    bench.submit().await;
    assert!(bench.asked::<Value>("posts").is_empty());
    assert!(bench.told().is_empty());
    for id in ["number", "expiry", "code"] {
        assert_eq!(
            bench.input(id).get_attribute("aria-invalid").as_deref(),
            Some("true"),
            "{id}"
        );
        assert!(!bench.text(&format!("{id}-note")).is_empty(), "{id}");
    }
    assert_eq!(bench.text("spoken"), bench.text("number-note"));
}

#[wasm_bindgen_test]
async fn broken_cryptography_is_told_and_leaves_the_form_usable() {
    let bench = Bench::new("full_card");
    bench.replace("agree", "return Promise.reject(new Error('no curve'))");
    bench.fill();
    bench.submit().await;
    let told: Vec<Value> = bench.told();
    assert_eq!(told[0]["code"], "sealing_failed");
    assert!(!bench.is_busy());
    assert_eq!(bench.input("number").value(), "4242 4242 4242 4242");
}

#[wasm_bindgen_test]
async fn what_was_typed_before_the_module_came_is_kept_and_formatted() {
    let typed = [
        ("number", "4242424242424242"),
        ("expiry", "12/2030"),
        ("code", "123"),
    ];
    let bench = Bench::with_typed("full_card", &typed);
    assert_eq!(bench.input("number").value(), "4242 4242 4242 4242");
    assert_eq!(bench.input("expiry").value(), "12/30");
    bench.will_answer(token());
    bench.submit().await;
    assert_eq!(bench.asked::<Value>("posts").len(), 1);
}
