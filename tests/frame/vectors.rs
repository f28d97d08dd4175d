//! `tests/vectors/card/` in wasm, through the inputs of a real page.

use gloo::timers::future::TimeoutFuture;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::bench::{Bench, ENTERED, LEFT};

#[derive(Deserialize)]
struct File<T> {
    cases: Vec<T>,
}

/// Read as JavaScript would read it: by the browser's own parser.
fn read<T: DeserializeOwned>(json: &str) -> Vec<T> {
    let file: File<T> = serde_wasm_bindgen::from_value(js_sys::JSON::parse(json).unwrap()).unwrap();
    assert!(file.cases.len() > 5);
    file.cases
}

#[derive(Deserialize)]
struct Step {
    r#in: String,
    out: String,
    select: Option<u32>,
}

#[derive(Deserialize)]
struct Formatting {
    name: String,
    field: String,
    steps: Vec<Step>,
}

#[wasm_bindgen_test]
async fn a_field_shows_what_the_vectors_say_with_the_caret_where_they_say() {
    for case in read::<Formatting>(include_str!("../vectors/card/format.json")) {
        // Where the caret stood before is not known to who sees the outcome only; `tests/vectors/typing` has those.
        if case.steps.iter().any(|step| step.select.is_some()) {
            continue;
        }
        let bench = Bench::new("full_card");
        let input = bench.input(&case.field);
        input.focus().unwrap();
        bench.happens(&case.field, ENTERED);
        for step in &case.steps {
            let (head, tail) = step.r#in.split_once('|').unwrap();
            bench.edit(
                &case.field,
                &format!("{head}{tail}"),
                head.encode_utf16().count() as u32,
            );
            let caret = input.selection_start().unwrap().unwrap() as usize;
            let mut shown = input.value();
            shown.insert(caret, '|');
            assert_eq!(shown, step.out, "{}", case.name);
        }
        // Lets the page breathe, as it does between keys.
        TimeoutFuture::new(0).await;
    }
}

#[derive(Deserialize)]
struct Number {
    name: String,
    digits: String,
    left: Option<String>,
}

#[wasm_bindgen_test]
fn a_number_is_marked_wrong_exactly_when_the_vectors_say_so() {
    for case in read::<Number>(include_str!("../vectors/card/numbers.json")) {
        let Some(left) = case.left else { continue };
        let bench = Bench::new("pan_only");
        bench.edit("number", &case.digits, case.digits.len() as u32);
        bench.happens("number", LEFT);
        let marked = bench.input("number").get_attribute("aria-invalid").is_some();
        // An empty field is incomplete, and nobody is blamed for passing through it.
        assert_eq!(
            marked,
            left != "valid" && !case.digits.is_empty(),
            "{}",
            case.name
        );
    }
}
