//! What only a browser can do, as `www/frame/main.js` lends it: WebCrypto, requests, a clock, the shop's port.
//!
//! Each function is one whole step of the platform. Plain JavaScript awaits a chain of promises in a tenth of the bytes
//! that the same chain takes in wasm; which step follows which is decided here, in `crate::submission`.

use js_sys::{Object, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The object that `start` receives.
    pub type Browser;

    /// ECDH on P-256 with a fresh key and the point whose coordinates are given in base64url: our own
    /// point, uncompressed, and the shared secret, as `{ point, secret }`.
    #[wasm_bindgen(method)]
    pub(crate) fn agree(this: &Browser, x: &str, y: &str) -> Promise;

    /// The AES-256 key that is the SHA-256 of `block`.
    #[wasm_bindgen(method, js_name = contentKey)]
    pub(crate) fn content_key(this: &Browser, block: &[u8]) -> Promise;

    /// AES-GCM: ciphertext and tag. `plaintext` is copied before this returns.
    #[wasm_bindgen(method)]
    pub(crate) fn encrypt(this: &Browser, key: &JsValue, iv: &[u8], aad: &[u8], plaintext: &[u8]) -> Promise;

    /// That many random bytes.
    #[wasm_bindgen(method)]
    pub(crate) fn random(this: &Browser, length: usize) -> Vec<u8>;

    /// The bytes of an `ArrayBuffer`.
    #[wasm_bindgen(method)]
    pub(crate) fn bytes(this: &Browser, buffer: &JsValue) -> Vec<u8>;

    /// A random UUID, 36 characters.
    #[wasm_bindgen(method)]
    pub(crate) fn uuid(this: &Browser) -> String;

    /// Milliseconds since the page was opened, by a clock that nobody sets.
    #[wasm_bindgen(method)]
    pub(crate) fn elapsed(this: &Browser) -> f64;

    /// Asks for a token: `{ ok, body }`, the body parsed. Fails with the text `offline` or `timeout`.
    #[wasm_bindgen(method)]
    pub(crate) fn post(this: &Browser, path: &str, body: &Object, idempotency_key: &str) -> Promise;

    /// Asks for boot data, and answers as `post` does.
    #[wasm_bindgen(method)]
    pub(crate) fn renew(this: &Browser, path: &str) -> Promise;

    /// Posts a message to the shop.
    #[wasm_bindgen(method)]
    pub(crate) fn tell(this: &Browser, message: &Object);
}
