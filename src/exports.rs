//! What `www/frame/` may call.
//!
//! There is one form in a document, so there is one widget, and the functions below speak of it. Those that answer with
//! a promise want [`resume`] called with what it brings. No event may come while one of them runs: what the module does
//! to the page makes events of its own, and `www/frame/input.js` keeps those away.

use std::cell::Cell;

use card::Field;
use wasm_bindgen::prelude::*;

use crate::browser::Browser;
use crate::incoming::{Failure, Init};
use crate::json::Json;
use crate::submission::Next;
use crate::widget::Widget;

thread_local! {
    /// Taken out while something is done with it, so that an event in between finds nobody.
    static WIDGET: Cell<Option<Box<Widget>>> = const { Cell::new(None) };
}

/// Attaches to the form in the page and takes in what was typed so far. `false` when the page is not the one that the
/// service serves.
///
/// `data` is what the page holds for the form, `focused` the index of the field that has the focus; `composing` says that
/// a composition is under way.
#[wasm_bindgen]
pub fn start(browser: Browser, data: JsValue, focused: usize, composing: bool) -> bool {
    let Some(mut widget) = Widget::attach(browser, Json::new(data), composing) else {
        return false;
    };
    if let Some(&field) = FIELDS.get(focused) {
        widget.form.focus(field);
    }
    widget.adopt();
    put_back(Box::new(widget));
    true
}

/// What the shop asks for, the messages `init` and `update`; `texts` are those of its language, where that is another one
/// than before.
#[wasm_bindgen]
pub fn on_message(message: JsValue, texts: JsValue) {
    with(|widget| widget.configure(Init::new(message), Json::new(texts)));
}

/// Somebody is about to edit the field of that index, in the range `start..end` of its value. It is done here, and
/// formatted. What is done is one of `EDITS` in `www/frame/input.js`; `text` is what goes in.
#[wasm_bindgen]
pub fn on_edit(field: usize, edit: usize, start: usize, end: usize, text: &JsValue) {
    if let Some(&field) = FIELDS.get(field) {
        focus(with(|widget| widget.edit(field, edit, start..end, text)).flatten());
    }
}

/// Something happened to the field of that index: one of `HAPPENINGS` in `www/frame/input.js`.
#[wasm_bindgen]
pub fn on_field(field: usize, happening: usize) {
    if let Some(&field) = FIELDS.get(field) {
        focus(with(|widget| widget.on_field(field, happening)).flatten());
    }
}

/// The person chose the first or the second of the networks that were offered.
#[wasm_bindgen]
pub fn on_choice(index: usize) {
    with(|widget| {
        if let Some(Some(brand)) = widget.shown.offered().get(index) {
            widget.form.choose(*brand);
            widget.show();
        }
    });
}

/// The shop asks for one of `ASKS` in `www/frame/talk.js`, of the field of that index or of none.
#[wasm_bindgen]
pub fn on_ask(what: usize, field: usize) {
    focus(with(|widget| widget.ask(what, FIELDS.get(field).copied())).flatten());
}

/// The person submitted, or the shop did.
#[wasm_bindgen]
pub fn on_submit(by_shop: bool) -> Option<JsValue> {
    go_on(|widget| widget.submit(by_shop))
}

/// The promise has brought `value`, or failed with `error`.
#[wasm_bindgen]
pub fn resume(value: JsValue, error: Option<JsValue>) -> Option<JsValue> {
    go_on(|widget| {
        let result = error.map_or(Ok(value), Err);
        widget.submission.resume(result, &mut widget.form)
    })
}

/// The submit under way has failed, and nothing of it is left but a code for `failure` of `www/frame/lend.js`.
#[wasm_bindgen]
pub fn fail(code: &JsValue) {
    go_on(|widget| Next::Failed(Failure::here(widget.browser(), code)));
}

fn go_on(step: impl FnOnce(&mut Widget) -> Next) -> Option<JsValue> {
    let promise = with(|widget| {
        let next = step(widget);
        widget.after(next)
    });
    focus(with(|widget| widget.wanted.take()).flatten());
    promise.flatten()
}

fn with<T>(run: impl FnOnce(&mut Widget) -> T) -> Option<T> {
    let mut widget = WIDGET.take()?;
    let result = run(&mut widget);
    put_back(widget);
    Some(result)
}

fn put_back(widget: Box<Widget>) {
    // Nobody is in its place: a document starts its module once. Code that drops one would never run.
    core::mem::forget(WIDGET.replace(Some(widget)));
}

/// Moves the keyboard to a field. Events fire while it moves, so nothing may hold the widget meanwhile.
fn focus(field: Option<Field>) {
    if let Some((field, browser)) = field.and_then(|field| with(|widget| (field, widget.browser().clone()))) {
        browser.focus(field.id());
    }
}

/// In the order of `FIELDS` in `www/frame/lend.js`.
const FIELDS: [Field; 3] = [Field::Number, Field::Expiry, Field::Code];
