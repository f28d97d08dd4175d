//! What the shop can say instead of us, and how an amount is written.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::bench::Bench;

#[wasm_bindgen_test]
fn the_button_has_the_text_that_belongs_to_the_amount() {
    for (init, button) in [
        (json!({ "type": "init" }), "Pay|en||"),
        (json!({ "type": "init", "amount": 0 }), "Pay {amount}|en|0|"),
        (
            json!({ "type": "init", "amount": 1234.5, "currency": "UAH" }),
            "Pay {amount}|en|1234.5|UAH",
        ),
        (
            json!({ "type": "init", "amount": 7, "locale": { "submit": "Buy" } }),
            "Buy|en|7|",
        ),
        (
            json!({ "type": "init", "locale": { "submit": "Buy" } }),
            "Buy|en||",
        ),
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
    assert!(card_widget::on_submit(false).is_none());
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
    assert_eq!(bench.text("brand"), "amex");
}
