//! The frame's module in a real browser: the page of `www/frame/frame.html` in small, a browser whose network and
//! cryptography answer as the test says, and the vectors that the card rules are proven with elsewhere too.
#![cfg(target_arch = "wasm32")]
#![expect(
    clippy::unwrap_used,
    reason = "the lint knows plain tests, not those of wasm-bindgen"
)]

#[path = "frame/adopting.rs"]
mod adopting;
#[path = "frame/asking.rs"]
mod asking;
#[path = "frame/bench.rs"]
mod bench;
#[path = "frame/submitting.rs"]
mod submitting;
#[path = "frame/texts.rs"]
mod texts;
#[path = "frame/typing.rs"]
mod typing;
#[path = "frame/vectors.rs"]
mod vectors;
#[path = "frame/wiping.rs"]
mod wiping;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
