//! The test bench: the form in the document, and a browser that does as it is told and remembers what it was asked.

use js_sys::{Function, Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, HtmlInputElement};

#[wasm_bindgen(inline_js = r#"
export function make_browser() {
  const browser = {
    told: [], posts: [], renewals: [], answers: [], plaintexts: [],
    agree: async () => ({ point: new Uint8Array([4, ...new Array(64).fill(7)]).buffer, secret: new Uint8Array(32).buffer }),
    contentKey: async () => 'key',
    encrypt: async (key, iv, aad, plaintext) => {
      browser.plaintexts.push(new TextDecoder().decode(plaintext));
      return new Uint8Array(plaintext.length + 16).buffer;
    },
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    bytes: (buffer) => new Uint8Array(buffer),
    uuid: () => crypto.randomUUID(),
    elapsed: () => performance.now(),
    answer: async () => {
      const answer = browser.answers.shift();
      if (typeof answer === 'string') throw answer;
      return answer;
    },
    post: (path, body, key) => { browser.posts.push({ path, body, key }); return browser.answer(); },
    renew: (path) => { browser.renewals.push(path); return browser.answer(); },
    tell: (message) => browser.told.push(message),
  };
  return browser;
}
"#)]
extern "C" {
    fn make_browser() -> Object;
}

/// A form with its module attached. There is one module, so there is one form at a time.
pub(crate) struct Bench {
    browser: Object,
    document: Document,
}

impl Bench {
    /// A form of that type, with values that were typed before the module came.
    pub(crate) fn with_typed(form: &str, typed: &[(&str, &str)]) -> Self {
        let bench = Self::without_module(form);
        for (id, value) in typed {
            bench.input(id).set_value(value);
        }
        bench.attach(form, false, false);
        bench
    }

    /// A form in whose number something is being composed when the module comes.
    pub(crate) fn composing(form: &str, number: &str) -> Self {
        let bench = Self::without_module(form);
        bench.input("number").set_value(number);
        bench.attach(form, true, false);
        bench
    }

    /// An empty form of that type.
    pub(crate) fn new(form: &str) -> Self {
        Self::with_typed(form, &[])
    }

    fn without_module(form: &str) -> Self {
        console_error_panic_hook::set_once();
        let document = web_sys::window().unwrap().document().unwrap();
        // The page around belongs to the test runner.
        let place = document.get_element_by_id("bench").unwrap_or_else(|| {
            let place = document.create_element("div").unwrap();
            place.set_id("bench");
            document.document_element().unwrap().append_child(&place).unwrap();
            place
        });
        let fields: &[&str] = if form == "pan_only" {
            &["number"]
        } else {
            &["number", "expiry", "code"]
        };
        let fields: String = fields
            .iter()
            .map(|id| format!(r#"<label id="{id}-label"></label><input id="{id}"><p id="{id}-note"></p>"#))
            .collect();
        place.set_inner_html(&format!(
            r#"<form id="form">{fields}<i id="brand"></i><button id="submit"></button>
               <p id="status"></p><p id="spoken"></p></form>"#
        ));
        Self {
            browser: make_browser(),
            document,
        }
    }

    fn attach(&self, form: &str, composing: bool, submitted: bool) {
        let texts: serde_json::Value = serde_json::from_str(include_str!("../../www/texts/en.json")).unwrap();
        let data = serde_json::json!({
            "boot": boot("t1"),
            "texts": texts,
            "form": form,
            "lang": "en",
        });
        let browser = self.browser.clone().unchecked_into();
        card_widget::start(
            browser,
            &self.document,
            to_js(&data),
            "?key=k".into(),
            "",
            composing,
            submitted,
        )
        .unwrap();
    }

    /// The element with that id.
    pub(crate) fn element(&self, id: &str) -> Element {
        self.document.get_element_by_id(id).unwrap()
    }

    /// The input with that id.
    pub(crate) fn input(&self, id: &str) -> HtmlInputElement {
        self.element(id).unchecked_into()
    }

    /// The text of the element with that id.
    pub(crate) fn text(&self, id: &str) -> String {
        self.element(id).text_content().unwrap()
    }

    /// The field now holds `value` with the caret there, as after a key or a paste.
    pub(crate) fn edit(&self, id: &str, value: &str, caret: u32) {
        let input = self.input(id);
        input.set_value(value);
        input.set_selection_range(caret, caret).unwrap();
        card_widget::on_field("input", id);
    }

    /// Fills in a card that is good until 2030.
    pub(crate) fn fill(&self) {
        for (id, value) in [
            ("number", "4242424242424242"),
            ("expiry", "1230"),
            ("code", "123"),
        ] {
            self.edit(id, value, value.len() as u32);
        }
    }

    /// What the service will answer next: `{ ok, body }`, or a text for a request that fails.
    pub(crate) fn will_answer(&self, answer: serde_json::Value) {
        self.list("answers").push(&to_js(&answer));
    }

    /// Submits, and waits until nothing is left to do.
    pub(crate) async fn submit(&self) {
        let mut step = card_widget::on_submit();
        while let Some(promise) = step {
            step = match promise.await {
                Ok(value) => card_widget::resume(value, None),
                Err(error) => card_widget::resume(JsValue::UNDEFINED, Some(error)),
            };
        }
    }

    /// A message from the shop.
    pub(crate) fn shop_says(&self, message: serde_json::Value) {
        card_widget::on_message(to_js(&message));
    }

    /// What the browser was asked, by the names above.
    pub(crate) fn asked<T: DeserializeOwned>(&self, name: &str) -> Vec<T> {
        serde_wasm_bindgen::from_value(self.list(name).into()).unwrap()
    }

    /// Puts something in the place of one of the browser's functions.
    pub(crate) fn replace(&self, name: &str, function: &str) {
        let function = Function::new_no_args(function);
        Reflect::set(&self.browser, &name.into(), &function).unwrap();
    }

    fn list(&self, name: &str) -> js_sys::Array {
        Reflect::get(&self.browser, &name.into())
            .unwrap()
            .unchecked_into()
    }
}

/// Boot data with that ticket.
pub(crate) fn boot(ticket: &str) -> serde_json::Value {
    serde_json::json!({
        "key": "wk_sandbox", "origin": "https://shop.example", "ticket": ticket,
        "sealing_key": { "kid": "k1", "x": "AA", "y": "AA" },
        "now": 1_795_219_200, "live": false,
    })
}

/// As the browser's own JSON parser would make it: plain objects, no maps.
pub(crate) fn to_js(value: &impl Serialize) -> JsValue {
    value
        .serialize(&serde_wasm_bindgen::Serializer::json_compatible())
        .unwrap()
}
