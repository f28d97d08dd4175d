//! The test bench: the form in the document, and a browser that does as it is told and remembers what it was asked.

use js_sys::{Function, Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, HtmlInputElement};

#[wasm_bindgen(inline_js = r#"
export function make_browser() {
  const at = (id) => document.getElementById(id);
  const browser = {
    time: 1795219200, told: [], posts: [], renewals: [], answers: [], plaintexts: [],
    copy: (text, from, buffer) => {
      for (let unit = 0; unit < buffer.length; unit++) buffer[unit] = text.charCodeAt(from + unit);
      return text.length;
    },
    value: (id, from, buffer) => browser.copy(at(id).value, from, buffer),
    caret: (id) => at(id).selectionStart,
    edit: (id, start, end, text) => {
      browser.history(id).done.push(at(id).value);
      browser.history(id).undone.length = 0;
      at(id).setRangeText(text, start, end);
    },
    histories: {},
    history: (id) => (browser.histories[id] ??= { done: [], undone: [] }),
    travel: (id, from, to) => {
      const step = browser.history(id)[from].pop();
      if (step === undefined) return false;
      browser.history(id)[to].push(at(id).value);
      at(id).value = step;
      return true;
    },
    write: (id, text) => { at(id).value = text; },
    select: (id, start, end) => at(id).setSelectionRange(start, end),
    focus: (id) => { at(id).focus(); browser.focused = id; },
    renew: (id) => { at(id).value = ''; },
    show: (id, text) => { at(id).textContent = text; },
    note: (id, text, isError) => {
      browser.show(id + '-note', text);
      if (isError) at(id).setAttribute('aria-invalid', 'true');
      else at(id).removeAttribute('aria-invalid');
    },
    label: (id, text) => browser.show(id + '-label', text),
    placeholder: (month, year) => { at('expiry').placeholder = month + '/' + year; },
    mark: (brand) => browser.show('brand', brand),
    network: (index, brand) => { at('network-' + index).dataset.brand = brand; },
    offer: () => 'offer',
    choose: (index) => { browser.chosen = index; },
    status: (text) => browser.show('status', text),
    busy: (busy) => { at('form').dataset.busy = busy; },
    counted: (forms, lang, count) => (typeof forms === 'object' ? forms.other.replace('{n}', count) : forms),
    withAmount: (text, lang, amount, currency) => [text, lang, amount, currency].join('|'),
    agree: async () => ({ point: new Uint8Array([4, ...new Array(64).fill(7)]).buffer, secret: new Uint8Array(32).buffer }),
    contentKey: async () => 'key',
    encrypt: async (key, iv, aad, plaintext) => {
      browser.plaintexts.push(new TextDecoder().decode(plaintext));
      return new Uint8Array(plaintext.length + 16).buffer;
    },
    random: (bytes) => { crypto.getRandomValues(bytes); },
    bytes: (buffer, into) => { into.set(new Uint8Array(buffer)); return buffer.byteLength; },
    uuid: () => crypto.randomUUID(),
    now: () => browser.time,
    answer: async () => {
      const answer = browser.answers.shift();
      if (typeof answer === 'string') throw answer;
      return answer;
    },
    post: (path, envelope, init, key) => {
      browser.posts.push({ path, envelope, customer_id: init?.customer_id ?? null, key });
      return browser.answer();
    },
    renewBoot: (path) => { browser.renewals.push(path); return browser.answer(); },
    failure: (reason) => {
      const code = typeof reason === 'string' ? reason : 'sealing_failed';
      return { code, actor: 'network', message: 'm', retryable: true, error_id: '' };
    },
    issued: (token) => browser.told.push({ ...token, type: 'token' }),
    failed: (failure) => browser.told.push({ ...failure, retryable: !!failure.retryable, type: 'error' }),
    changed: (json) => browser.told.push(JSON.parse(json)),
  };
  return browser;
}
"#)]
extern "C" {
    fn make_browser() -> TestBrowser;

    /// What the module is lent.
    #[wasm_bindgen(extends = Object)]
    #[derive(Clone)]
    type TestBrowser;

    #[wasm_bindgen(method)]
    fn travel(this: &TestBrowser, id: &str, from: &str, to: &str) -> bool;
}

/// A form with its module attached. There is one module, so there is one form at a time.
pub(crate) struct Bench {
    browser: TestBrowser,
    document: Document,
}

impl Bench {
    /// A form of that type, with values that were typed before the module came.
    pub(crate) fn with_typed(form: &str, typed: &[(&str, &str)]) -> Self {
        let bench = Self::without_module(form);
        for (id, value) in typed {
            bench.input(id).set_value(value);
        }
        bench.attach(&data(form), false);
        bench
    }

    /// A form in whose number something is being composed when the module comes.
    pub(crate) fn composing(form: &str, number: &str) -> Self {
        let bench = Self::without_module(form);
        bench.input("number").set_value(number);
        bench.attach(&data(form), true);
        bench
    }

    /// An empty form of that type.
    pub(crate) fn new(form: &str) -> Self {
        Self::with_typed(form, &[])
    }

    /// The same at another time, in seconds since 1970.
    pub(crate) fn at_time(form: &str, now: u64) -> Self {
        let bench = Self::without_module(form);
        Reflect::set(&bench.browser, &"time".into(), &JsValue::from_f64(now as f64)).unwrap();
        bench.attach(&data(form), false);
        bench
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
            r#"<form id="form">{fields}<i id="brand"></i><b id="network-0"></b><b id="network-1"></b>
               <button id="submit"></button><p id="status"></p><p id="spoken"></p></form>"#
        ));
        Self {
            browser: make_browser(),
            document,
        }
    }

    fn attach(&self, data: &serde_json::Value, composing: bool) {
        let browser: JsValue = self.browser.clone().into();
        assert!(card_widget::start(
            browser.unchecked_into(),
            to_js(data),
            usize::MAX,
            composing
        ));
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
        self.happens(id, CHANGED);
    }

    /// Puts in a text that is JavaScript's, and stays there.
    pub(crate) fn put(&self, id: &str, value: &JsValue) {
        Reflect::set(&self.input(id), &"value".into(), value).unwrap();
    }

    /// Something happens to a field.
    pub(crate) fn happens(&self, id: &str, happening: usize) {
        card_widget::on_field(index(id), happening);
    }

    /// The field that the module has moved the focus to since this was asked last.
    pub(crate) fn take_focused(&self) -> Option<String> {
        let focused = Reflect::get(&self.browser, &"focused".into())
            .unwrap()
            .as_string();
        Reflect::set(&self.browser, &"focused".into(), &JsValue::NULL).unwrap();
        focused
    }

    /// Id of the network that is offered in that place.
    pub(crate) fn network(&self, place: usize) -> String {
        self.element(&format!("network-{place}"))
            .get_attribute("data-brand")
            .unwrap_or_default()
    }

    /// The form is held while the service is asked.
    pub(crate) fn is_busy(&self) -> bool {
        self.element("form").get_attribute("data-busy").as_deref() == Some("true")
    }

    /// The browser undoes or redoes a step of the field's history; the module hears it where there is one.
    pub(crate) fn travels(&self, id: &str, back: bool) {
        let (from, to) = if back {
            ("done", "undone")
        } else {
            ("undone", "done")
        };
        if self.browser.travel(id, from, to) {
            self.happens(id, if back { UNDONE } else { REDONE });
        }
    }

    /// The last thing that the shop was told of how the form is.
    pub(crate) fn change(&self) -> serde_json::Value {
        let told: Vec<serde_json::Value> = self.asked("told");
        let mut changes = told.into_iter().filter(|message| message["type"] == "change");
        changes.next_back().unwrap()
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
        self.finish(card_widget::on_submit(false)).await;
    }

    /// The shop submits; waits in the same way.
    pub(crate) async fn shop_submits(&self) {
        self.finish(card_widget::on_submit(true)).await;
    }

    /// Waits until nothing is left to do of a submit.
    pub(crate) async fn finish(&self, mut step: Option<JsValue>) {
        while let Some(promise) = step {
            step = match promise.unchecked_into::<js_sys::Promise>().await {
                Ok(value) => card_widget::resume(value, None),
                Err(error) => card_widget::resume(JsValue::UNDEFINED, Some(error)),
            };
        }
    }

    /// A message from the shop.
    pub(crate) fn shop_says(&self, message: serde_json::Value) {
        card_widget::on_message(to_js(&message), JsValue::UNDEFINED);
    }

    /// The shop asks for something at once, by its place in `ASKS` of `www/frame/talk.js`.
    pub(crate) fn shop_asks(&self, what: usize, field: Option<&str>) {
        card_widget::on_ask(what, field.map_or(usize::MAX, index));
    }

    /// What the browser was asked, by the names above.
    pub(crate) fn asked<T: DeserializeOwned>(&self, name: &str) -> Vec<T> {
        serde_wasm_bindgen::from_value(self.list(name).into()).unwrap()
    }

    /// What the shop was told, beside how the form is.
    pub(crate) fn told(&self) -> Vec<serde_json::Value> {
        let mut told: Vec<serde_json::Value> = self.asked("told");
        told.retain(|message| message["type"] != "change");
        told
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

/// Happenings of a field, by their places in `www/frame/input.js`.
pub(crate) const CHANGED: usize = 0;
pub(crate) const UNDONE: usize = 1;
pub(crate) const REDONE: usize = 2;
pub(crate) const ENTERED: usize = 3;
pub(crate) const LEFT: usize = 4;
pub(crate) const COMPOSED: usize = 6;

/// What the shop asks for at once.
pub(crate) const FOCUS: usize = 0;
pub(crate) const CLEAR: usize = 1;
pub(crate) const VALIDATE: usize = 2;

/// The index of a field in the module.
pub(crate) fn index(id: &str) -> usize {
    ["number", "expiry", "code"]
        .iter()
        .position(|field| *field == id)
        .unwrap()
}

/// What the page holds for a form of that type.
fn data(form: &str) -> serde_json::Value {
    let texts: serde_json::Value = serde_json::from_str(include_str!("../../www/texts/en.json")).unwrap();
    serde_json::json!({ "boot": boot("t1"), "texts": texts, "form": form, "lang": "en" })
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
