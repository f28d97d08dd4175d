//! What the shop asks for at once: focus, clear, validate, submit.

use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::bench::{Bench, CLEAR, FOCUS, LEFT, UNDONE, VALIDATE};

fn token() -> Value {
    json!({ "ok": true, "body": { "token": "ct_abc", "expires_at": "2026-11-21T01:00:00", "card_mask": "42424242****4242" } })
}

#[wasm_bindgen_test]
fn the_keyboard_goes_where_the_shop_says_else_to_the_first_field_that_needs_it() {
    let bench = Bench::new("full_card");
    for (field, there) in [
        (Some("code"), "code"),
        (Some("number"), "number"),
        (None, "number"),
    ] {
        bench.shop_asks(FOCUS, field);
        assert_eq!(bench.take_focused().as_deref(), Some(there));
    }
    bench.edit("number", "4242424242424242", 16);
    bench.take_focused();
    bench.shop_asks(FOCUS, None);
    assert_eq!(bench.take_focused().as_deref(), Some("expiry"));
    bench.fill();
    bench.take_focused();
    bench.shop_asks(FOCUS, None);
    assert_eq!(bench.take_focused().as_deref(), Some("number"), "all is right");

    let bench = Bench::new("pan_only");
    bench.shop_asks(FOCUS, Some("code"));
    assert_eq!(
        bench.take_focused().as_deref(),
        Some("number"),
        "there is no code"
    );
}

#[wasm_bindgen_test]
fn clearing_leaves_nothing_of_the_card_and_nothing_to_undo() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.edit("number", "4242424242424241", 16);
    bench.happens("number", LEFT);
    assert_ne!(bench.text("number-note"), "");
    bench.shop_asks(CLEAR, None);
    for id in ["number", "expiry", "code"] {
        assert_eq!(bench.input(id).value(), "", "{id}");
        bench.travels(id, true);
        bench.input(id).set_value("4");
        bench.happens(id, UNDONE);
        assert_eq!(bench.input(id).value(), "", "{id} has nothing to undo");
    }
    assert_eq!(bench.text("number-note"), "");
    assert_eq!(bench.text("spoken"), "");
    assert_eq!(bench.text("brand"), "");
    let change = bench.change();
    assert_eq!(change["fields"]["number"]["state"], "empty");
    assert_eq!(change["brands"], json!([]));
}

#[wasm_bindgen_test]
async fn clearing_takes_back_what_became_of_the_submit_before() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.will_answer(json!("offline"));
    bench.submit().await;
    assert_ne!(bench.text("status"), "");
    bench.shop_asks(CLEAR, None);
    assert_eq!(bench.text("status"), "");

    bench.fill();
    bench.will_answer(token());
    bench.submit().await;
    let keys: Vec<Value> = bench.asked("posts");
    assert_ne!(keys[0]["key"], keys[1]["key"], "it is another card");
    assert_ne!(bench.text("status"), "");
    bench.shop_asks(CLEAR, None);
    assert_eq!(bench.text("status"), "");
}

#[wasm_bindgen_test]
async fn a_submit_under_way_is_not_cleared() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.will_answer(token());
    let first = card_widget::on_submit(false);
    bench.shop_asks(CLEAR, None);
    assert_eq!(bench.input("number").value(), "4242 4242 4242 4242");
    bench.finish(first).await;
    assert_eq!(bench.told()[0]["type"], "token");
}

#[wasm_bindgen_test]
fn clearing_ends_a_composition_whose_end_nobody_will_tell() {
    let bench = Bench::composing("full_card", "42424");
    bench.shop_asks(CLEAR, None);
    bench.edit("number", "42424", 5);
    assert_eq!(bench.input("number").value(), "4242 4");
}

#[wasm_bindgen_test]
fn validating_shows_every_error_and_moves_nothing() {
    let bench = Bench::new("full_card");
    bench.edit("number", "424242", 6);
    bench.edit("expiry", "12", 2);
    assert_eq!(bench.text("number-note"), "");
    bench.take_focused();
    bench.shop_asks(VALIDATE, None);
    assert_ne!(bench.text("number-note"), "");
    assert_ne!(bench.text("expiry-note"), "");
    assert_eq!(bench.text("spoken"), bench.text("number-note"));
    assert_eq!(bench.take_focused(), None);
    let told: Vec<Value> = bench.told();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["type"], "validated");
    assert_eq!(told[0]["complete"], false);
    let fields = &told[0]["fields"];
    assert_eq!(fields["number"]["error"], "number_incomplete");
    assert_eq!(fields["expiry"]["error"], "expiry_incomplete");
    assert_eq!(fields["code"]["error"], "code_empty");
    assert_ne!(bench.text("code-note"), "");

    bench.fill();
    bench.shop_asks(VALIDATE, None);
    let told: Vec<Value> = bench.told();
    assert_eq!(told[1]["complete"], true);
}

#[wasm_bindgen_test]
async fn a_wrong_card_answers_the_shops_submit_alone() {
    let bench = Bench::new("full_card");
    bench.submit().await;
    assert!(bench.told().is_empty(), "whoever pressed the button sees it");
    bench.shop_submits().await;
    assert_eq!(bench.told()[0]["code"], "card_invalid");
    assert_eq!(bench.take_focused().as_deref(), Some("number"));
}

#[wasm_bindgen_test]
async fn the_shops_submit_after_a_token_is_about_the_empty_form() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.will_answer(token());
    bench.shop_submits().await;
    assert_eq!(bench.told()[0]["type"], "token");
    bench.shop_submits().await;
    assert_eq!(bench.told()[1]["code"], "card_invalid");
    assert_eq!(bench.text("status"), "");
    assert_ne!(bench.text("number-note"), "");
}

#[wasm_bindgen_test]
async fn a_card_that_becomes_wrong_while_it_is_sealed_is_the_fields_fault() {
    let bench = Bench::new("full_card");
    bench.fill();
    let first = card_widget::on_submit(false);
    bench.edit("code", "1", 1);
    bench.finish(first).await;
    assert_eq!(bench.told()[0]["code"], "card_invalid");
    assert_eq!(bench.take_focused().as_deref(), Some("code"));
    assert_ne!(bench.text("code-note"), "");
    assert_eq!(bench.text("spoken"), bench.text("code-note"));
    assert_eq!(bench.text("status"), "");
    assert!(!bench.is_busy());
    assert!(bench.asked::<Value>("posts").is_empty());

    bench.edit("code", "123", 3);
    bench.will_answer(token());
    bench.submit().await;
    assert_eq!(bench.told()[1]["type"], "token");
}

#[wasm_bindgen_test]
async fn a_step_that_takes_too_long_is_a_time_out() {
    let bench = Bench::new("full_card");
    bench.fill();
    bench.replace("agree", "return Promise.reject('timeout')");
    bench.submit().await;
    assert_eq!(bench.told()[0]["code"], "timeout");
    assert!(!bench.is_busy());
}

#[wasm_bindgen_test]
fn a_form_that_was_started_anew_says_how_its_submit_ended() {
    let bench = Bench::new("full_card");
    card_widget::fail(&"form_restarted".into());
    assert_eq!(bench.told()[0]["code"], "form_restarted");
    assert_ne!(bench.text("status"), "");
    assert!(!bench.is_busy());
}
