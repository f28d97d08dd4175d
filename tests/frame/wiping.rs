//! What is left of a card in the module's own memory: a search through all of it, freed blocks and stack included.
//!
//! The number is made in JavaScript and never stands in Rust's hands but where the form puts it, so that what is found is the
//! form's.

use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::bench::{Bench, CHANGED, CLEAR, LEFT};

#[wasm_bindgen(inline_js = r#"
let digits, code;

// A number that nobody has used before: its check digit is right and no digit is 0, which memory is full of.
export function make_card() {
  const body = Array.from({ length: 14 }, () => 1 + Math.floor(Math.random() * 9));
  for (let check = 0; check < 10; check++) {
    const all = [4, ...body, check];
    const sum = all.reduce((sum, digit, at) => sum + (at % 2 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9), 0);
    if (sum % 10 === 0) digits = all.join('');
  }
  code = String(111 + Math.floor(Math.random() * 800));
}

export const key = (at) => digits[at];
export const number = () => digits;
export const security_code = () => code;

const grouped = (text) => text.replace(/(.{4})(?=.)/g, '$1 ');
const bytes = (text) => Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text) => bytes(text).flatMap((byte) => [byte, 0]);

function holds(memory, wanted) {
  let at = -1;
  while ((at = memory.indexOf(wanted[0], at + 1)) >= 0) {
    if (wanted.every((byte, index) => memory[at + index] === byte)) return true;
  }
  return false;
}

// In which writings the number stands in memory, whole or seven digits of it in a row.
export function found({ buffer }) {
  const memory = new Uint8Array(buffer);
  const found = new Set();
  const look = (name, wanted) => holds(memory, wanted) && found.add(name);
  look('payload', bytes('number":"' + digits));
  look('code', bytes('cvv":"' + code));
  look('whole', bytes(digits));
  look('grouped', bytes(grouped(digits)));
  for (let at = 0; at + 7 <= digits.length; at++) {
    const part = digits.slice(at, at + 7);
    look('part', bytes(part));
    look('values', Array.from(part, Number));
    look('wide', utf16(part));
    look('wide values', Array.from(part, Number).flatMap((digit) => [digit, 0, 0, 0]));
    look('grouped part', bytes(grouped(digits).slice(at, at + 9)));
    look('wide grouped part', utf16(grouped(digits).slice(at, at + 9)));
  }
  const packed = digits.match(/../g).map((pair) => parseInt(pair, 16));
  look('packed', packed.slice(1, 7));
  return [...found].sort().join(', ');
}
"#)]
extern "C" {
    fn make_card();
    fn key(at: usize) -> JsValue;
    fn number() -> JsValue;
    fn security_code() -> JsValue;
    fn found(memory: &JsValue) -> String;
}

const NUMBER: usize = 0;
const EXPIRY: usize = 1;
const CODE: usize = 2;

/// How a card comes into the form, in words and as it happens.
type Way = (&'static str, fn(&Bench));

/// What is found now.
fn scan() -> String {
    found(&wasm_bindgen::memory())
}

/// Types the number key by key, and the rest at one go.
fn type_card() {
    make_card();
    for at in 0..16 {
        // Behind what stands there, gaps included. To ask for the value would leave a copy of it.
        let end = at + (at.max(1) - 1) / 4;
        card_widget::on_edit(NUMBER, 0, end, end, &key(at));
    }
    card_widget::on_edit(EXPIRY, 0, 0, 0, &"1230".into());
    card_widget::on_edit(CODE, 0, 0, 0, &security_code());
}

#[wasm_bindgen_test]
fn the_search_finds_what_stands_there() {
    let _bench = Bench::new("full_card");
    type_card();
    assert!(scan().contains("grouped"), "{}", scan());
}

#[wasm_bindgen_test]
async fn sealing_leaves_nothing_behind_but_the_fields_and_a_token_not_even_those() {
    let bench = Bench::new("full_card");
    // Kept in JavaScript otherwise, and not as text: the bench would be the one who copies.
    bench.replace("encrypt", "return Promise.resolve(new ArrayBuffer(80))");
    type_card();
    assert_eq!(
        scan(),
        "grouped, grouped part",
        "typing keeps what the field shows and nothing else"
    );
    let mut promise = card_widget::on_submit(false).unwrap();
    for _ in ["agree", "content key", "encrypt"] {
        let value = wasm_bindgen::JsCast::unchecked_into::<js_sys::Promise>(promise)
            .await
            .unwrap();
        bench.will_answer(
            json!({ "ok": true, "body": { "token": "ct_abc", "expires_at": "", "card_mask": "" } }),
        );
        promise = card_widget::resume(value, None).unwrap();
        assert_eq!(scan(), "grouped, grouped part");
    }
    assert_eq!(bench.asked::<Value>("posts").len(), 1, "it is sealed and sent");
    bench.finish(Some(promise)).await;
    assert_eq!(bench.told()[0]["type"], "token");
    assert_eq!(scan(), "");
}

#[wasm_bindgen_test]
async fn clearing_leaves_nothing_behind_however_the_card_came() {
    let ways: [Way; 4] = [
        ("keys", |_| type_card()),
        ("paste", |_| {
            make_card();
            card_widget::on_edit(NUMBER, 0, 0, 0, &number());
        }),
        ("autofill", |bench| {
            make_card();
            bench.put("number", &number());
            bench.happens("number", CHANGED);
            bench.happens("number", LEFT);
        }),
        ("undo and redo", |bench| {
            type_card();
            for back in [true, true, true, false, false] {
                bench.travels("number", back);
            }
            card_widget::on_edit(NUMBER, 1, 9, 9, &JsValue::from_str(""));
            card_widget::on_edit(NUMBER, 7, 0, 4, &JsValue::from_str(""));
        }),
    ];
    for (way, come) in ways {
        let bench = Bench::new("full_card");
        come(&bench);
        assert_ne!(scan(), "", "{way}");
        bench.shop_asks(CLEAR, None);
        assert_eq!(scan(), "", "{way}");
    }
}

#[wasm_bindgen_test]
async fn a_submit_that_failed_leaves_nothing_behind_once_it_is_cleared() {
    let bench = Bench::new("full_card");
    bench.replace("encrypt", "return Promise.resolve(new ArrayBuffer(80))");
    type_card();
    bench.will_answer(json!("offline"));
    bench.submit().await;
    assert_eq!(scan(), "grouped, grouped part", "the person may try again");
    bench.shop_asks(CLEAR, None);
    assert_eq!(scan(), "");
}
