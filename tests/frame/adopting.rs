//! Values that no key put in: scripts, password managers, and what is being composed.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::bench::{Bench, CHANGED, COMPOSED, ENTERED, LEFT};

#[wasm_bindgen_test]
fn an_event_of_one_field_takes_in_the_others_too() {
    for kind in [CHANGED, ENTERED, LEFT] {
        let bench = Bench::new("full_card");
        for (id, value) in [
            ("number", "4242424242424242"),
            ("expiry", "2030-12"),
            ("code", "123"),
        ] {
            bench.input(id).set_value(value);
        }
        bench.happens("number", kind);
        assert_eq!(bench.input("number").value(), "4242 4242 4242 4242");
        assert_eq!(bench.input("expiry").value(), "12/30");
        assert_eq!(bench.input("code").value(), "123");
    }
}

#[wasm_bindgen_test]
fn the_shops_parameters_take_nothing_away() {
    let bench = Bench::new("full_card");
    bench.input("number").set_value("4242424242424242");
    bench.shop_says(json!({ "type": "init" }));
    assert_eq!(bench.input("number").value(), "4242 4242 4242 4242");
}

#[wasm_bindgen_test]
fn what_is_being_composed_is_left_alone_until_it_is_done() {
    let bench = Bench::composing("full_card", "42424");
    bench.input("code").set_value("123");
    bench.shop_says(json!({ "type": "init" }));
    bench.happens("number", CHANGED);
    assert_eq!(bench.input("number").value(), "42424");
    bench.happens("number", COMPOSED);
    assert_eq!(bench.input("number").value(), "4242 4");
    assert_eq!(bench.input("code").value(), "123");
}
