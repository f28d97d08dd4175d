//! What the shop can say instead of us, and how an amount is written.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::bench::Bench;

#[wasm_bindgen_test]
fn the_button_shows_the_amount_in_the_languages_format() {
    for (init, button) in [
        (json!({ "type": "init" }), "Pay"),
        (json!({ "type": "init", "amount": 1234.5 }), "Pay 1,234.50"),
        (
            json!({ "type": "init", "amount": 1234.5, "currency": "UAH" }),
            "Pay UAH\u{a0}1,234.50",
        ),
        (
            json!({ "type": "init", "amount": 7, "locale": { "submit": "Buy" } }),
            "Buy 7.00",
        ),
        (
            json!({ "type": "init", "amount": 7, "locale": { "submit": "{amount} now" } }),
            "7.00 now",
        ),
        (json!({ "type": "init", "locale": { "submit": "Buy" } }), "Buy"),
    ] {
        let bench = Bench::new("full_card");
        bench.shop_says(init);
        assert_eq!(bench.text("submit"), button);
    }
}

#[wasm_bindgen_test]
fn every_text_of_the_interface_can_be_replaced_and_markup_stays_text() {
    let bench = Bench::new("full_card");
    bench.shop_says(json!({ "type": "init", "locale": {
        "cardNumber": "<b>PAN</b>", "expiryDate": "Until", "cvv": "CVC", "mm": "m", "yy": "y", "hints.cvvHint": "behind",
        "errors.cardNumber": "no number", "errors.expiryDate": "no date", "errors.cvv": "no code",
    } }));
    for (id, text) in [("number", "<b>PAN</b>"), ("expiry", "Until"), ("code", "CVC")] {
        assert_eq!(bench.text(&format!("{id}-label")), text);
    }
    assert_eq!(
        bench.input("expiry").get_attribute("placeholder").as_deref(),
        Some("m/y")
    );
    assert_eq!(bench.text("code-note"), "behind");
    assert!(card_widget::on_submit().is_none());
    for (id, text) in [
        ("number", "no number"),
        ("expiry", "no date"),
        ("code", "no code"),
    ] {
        assert_eq!(bench.text(&format!("{id}-note")), text);
    }
}

#[wasm_bindgen_test]
fn the_code_of_american_express_is_asked_for_where_it_stands() {
    let bench = Bench::new("full_card");
    assert_eq!(bench.text("code-note"), "3 digits on the back");
    bench.edit("number", "378282246310005", 15);
    assert_eq!(bench.text("code-note"), "4 digits on the front");
    assert_eq!(bench.text("brand"), "American Express");
}

#[wasm_bindgen_test]
fn other_messages_are_ignored() {
    let bench = Bench::new("full_card");
    for message in [
        json!(null),
        json!("init"),
        json!({ "type": "INIT" }),
        json!({ "amount": 1 }),
        json!([1]),
    ] {
        bench.shop_says(message);
    }
    assert!(bench.asked::<serde_json::Value>("told").is_empty());
}
