//! What only a browser can do, as `www/frame/lend.js` lends it: the page, WebCrypto, requests, a clock, the shop's port.
//!
//! Each function is one whole step of the platform. Plain JavaScript sets an attribute, or awaits a chain of promises, in
//! a tenth of the bytes that the same takes in wasm; what is shown, and which step follows which, is decided here.
//! Elements go by their ids in `www/frame/frame.html`; texts that come from JavaScript and go back there are never
//! copied.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The object that `start` receives.
    #[derive(Clone)]
    pub type Browser;

    /// Writes a text from a place on into `buffer` as UTF-16, as far as it fits, and answers with its whole length. (A
    /// text as a parameter or as what is returned would cost two more calls into the module.)
    #[wasm_bindgen(method)]
    pub(crate) fn copy(this: &Browser, text: &JsValue, at: usize, buffer: &mut [u16]) -> usize;

    /// What stands in an input, in the same way.
    #[wasm_bindgen(method)]
    pub(crate) fn value(this: &Browser, id: &str, at: usize, buffer: &mut [u16]) -> usize;

    /// The caret in an input, in UTF-16 units: where a selection begins.
    #[wasm_bindgen(method)]
    pub(crate) fn caret(this: &Browser, id: &str) -> usize;

    /// Puts `text` in the place of `start..end` in the focused input, as one step of the browser's own undo history.
    /// Positions count UTF-16 units.
    #[wasm_bindgen(method)]
    pub(crate) fn edit(this: &Browser, id: &str, start: usize, end: usize, text: &str);

    /// Writes an input's value. The browser's undo history of the input is worth nothing afterwards.
    #[wasm_bindgen(method)]
    pub(crate) fn write(this: &Browser, id: &str, text: &str);

    /// Selects a range of an input; an empty one is the caret.
    #[wasm_bindgen(method)]
    pub(crate) fn select(this: &Browser, id: &str, start: usize, end: usize);

    /// Moves the keyboard to an input. Events fire meanwhile.
    #[wasm_bindgen(method)]
    pub(crate) fn focus(this: &Browser, id: &str);

    /// Puts an empty copy in the place of an input, for no engine forgets what was typed in any other way. The focus
    /// stays where it was.
    #[wasm_bindgen(method)]
    pub(crate) fn renew(this: &Browser, id: &str);

    /// Sets the text of an element, unless it stands there: a screen reader would be told the same twice.
    #[wasm_bindgen(method)]
    pub(crate) fn show(this: &Browser, id: &str, text: &JsValue);

    /// Shows an error or a hint below an input.
    #[wasm_bindgen(method)]
    pub(crate) fn note(this: &Browser, id: &str, text: &JsValue, is_error: bool);

    /// Sets the label of an input.
    #[wasm_bindgen(method)]
    pub(crate) fn label(this: &Browser, id: &str, text: &JsValue);

    /// Sets what the empty expiry field shows: the letters for month and year.
    #[wasm_bindgen(method)]
    pub(crate) fn placeholder(this: &Browser, month: &JsValue, year: &JsValue);

    /// Shows the mark of a brand, by its id, or none; the name is its text for those who do not see it.
    #[wasm_bindgen(method)]
    pub(crate) fn mark(this: &Browser, brand: &str, name: &str);

    /// Fills one of the two options of a co-badged card with id and name of a brand; the choice shows while the second
    /// one has a name.
    #[wasm_bindgen(method)]
    pub(crate) fn network(this: &Browser, index: usize, brand: &str, name: &str);

    /// The choice between the two in words, for a screen reader.
    #[wasm_bindgen(method)]
    pub(crate) fn offer(this: &Browser) -> JsValue;

    /// Marks the chosen one of the two.
    #[wasm_bindgen(method)]
    pub(crate) fn choose(this: &Browser, index: usize);

    /// Shows what became of a submit, below the button.
    #[wasm_bindgen(method)]
    pub(crate) fn status(this: &Browser, text: &JsValue, is_error: bool);

    /// Holds the form while the service is asked.
    #[wasm_bindgen(method)]
    pub(crate) fn busy(this: &Browser, busy: bool);

    /// The plural form of a text that belongs to a count, by the categories of the Unicode CLDR; a text without forms as
    /// it is.
    #[wasm_bindgen(method)]
    pub(crate) fn counted(this: &Browser, forms: &JsValue, lang: &str, count: usize) -> JsValue;

    /// Puts an amount into a text where it has `{amount}`, else behind it; `undefined` takes the place away.
    #[wasm_bindgen(method, js_name = withAmount)]
    pub(crate) fn with_amount(
        this: &Browser,
        text: &JsValue,
        lang: &str,
        amount: &JsValue,
        currency: &JsValue,
    ) -> JsValue;

    /// ECDH on P-256 with a fresh key and the point of an object with its coordinates `x` and `y` in base64url: our own
    /// point, uncompressed, and the shared secret, as `{ point, secret }`.
    #[wasm_bindgen(method)]
    pub(crate) fn agree(this: &Browser, key: &JsValue) -> JsValue;

    /// The AES-256 key that is the SHA-256 of `block`.
    #[wasm_bindgen(method, js_name = contentKey)]
    pub(crate) fn content_key(this: &Browser, block: &[u8]) -> JsValue;

    /// AES-GCM: ciphertext and tag. `plaintext` is copied before this returns.
    #[wasm_bindgen(method)]
    pub(crate) fn encrypt(this: &Browser, key: &JsValue, iv: &[u8], aad: &[u8], plaintext: &[u8]) -> JsValue;

    /// Fills it with random bytes.
    #[wasm_bindgen(method)]
    pub(crate) fn random(this: &Browser, bytes: &mut [u8]);

    /// Copies the bytes of an `ArrayBuffer`, and answers with how many there are; none where there is no room.
    #[wasm_bindgen(method)]
    pub(crate) fn bytes(this: &Browser, buffer: &JsValue, into: &mut [u8]) -> usize;

    /// A random UUID, 36 characters.
    #[wasm_bindgen(method)]
    pub(crate) fn uuid(this: &Browser) -> JsValue;

    /// The service's time, in seconds since 1970.
    #[wasm_bindgen(method)]
    pub(crate) fn now(this: &Browser) -> f64;

    /// Asks for a token, by a `wire::token::TokenRequest` of the envelope and what `init` says of the customer:
    /// `{ ok, body }`, the body parsed, with the seconds to wait as its member `wait`. Fails with a code.
    #[wasm_bindgen(method)]
    pub(crate) fn post(
        this: &Browser,
        path: &str,
        envelope: &str,
        init: &JsValue,
        idempotency_key: &JsValue,
    ) -> JsValue;

    /// Asks for boot data by the query of the frame's own address, and answers as `post` does.
    #[wasm_bindgen(method, js_name = renewBoot)]
    pub(crate) fn renew_boot(this: &Browser, path: &str) -> JsValue;

    /// A `wire::ErrorBody` for what the service cannot say, by its code; for anything else, `sealing_failed`.
    #[wasm_bindgen(method)]
    pub(crate) fn failure(this: &Browser, reason: &JsValue) -> JsValue;

    /// Tells the shop of a token: a `wire::token::TokenResponse`.
    #[wasm_bindgen(method)]
    pub(crate) fn issued(this: &Browser, token: &JsValue);

    /// Tells the shop why there is none: a `wire::ErrorBody`.
    #[wasm_bindgen(method)]
    pub(crate) fn failed(this: &Browser, failure: &JsValue);

    /// Tells the shop how the form is now: the JSON of the message `change` or `validated`.
    #[wasm_bindgen(method)]
    pub(crate) fn changed(this: &Browser, json: &str);
}
