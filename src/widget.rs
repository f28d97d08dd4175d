//! The widget: events go in, the reducer decides, the page shows.
//!
//! There is one form in a document, so there is one widget, and the functions below speak of it. Those that answer with
//! a promise want [`resume`] called with what it brings.

use std::cell::RefCell;

use card::{Brand, ErrorId, Field, Form, FormKind};
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::Document;

use crate::browser::Browser;
use crate::incoming::{Boot, Init};
use crate::json::Json;
use crate::outgoing::Message;
use crate::page::Page;
use crate::submission::{Next, Submission};
use crate::texts::Texts;

thread_local! {
    static WIDGET: RefCell<Option<Widget>> = const { RefCell::new(None) };
}

/// Attaches to the form in the page and takes in what was typed so far.
///
/// `data` is what the page holds for the form, `query` that of the frame's address, `focused` the id of the element
/// that has the focus. `composing` says that a composition is under way; `submitted` that the person has submitted
/// already. Fails when the page is not the one that the service serves.
#[wasm_bindgen]
pub fn start(
    browser: Browser,
    document: &Document,
    data: JsValue,
    query: String,
    focused: &str,
    composing: bool,
    submitted: bool,
) -> Result<Option<Promise>, JsValue> {
    let mut widget = Widget::attach(browser, document, Json::new(data), query, composing)
        .ok_or("this is not the frame's page")?;
    if let Some(field) = field_of(focused) {
        widget.form.focus(field);
    }
    widget.adopt();
    WIDGET.set(Some(widget));
    Ok(if submitted { on_submit() } else { None })
}

/// A message came from the shop.
#[wasm_bindgen]
pub fn on_message(message: JsValue) {
    if let Some(init) = Init::new(message) {
        with(|widget| widget.configure(init));
    }
}

/// An event of the type `kind` came from the input with that id.
#[wasm_bindgen]
pub fn on_field(kind: &str, id: &str) {
    if let Some(field) = field_of(id) {
        focus(with(|widget| widget.on_field(field, kind)).flatten());
    }
}

/// The person submitted.
#[wasm_bindgen]
pub fn on_submit() -> Option<Promise> {
    match with(Widget::submit)? {
        Ok(next) => with(|widget| widget.after(next)).flatten(),
        Err(wrong) => {
            focus(Some(wrong));
            None
        }
    }
}

/// The promise has brought `value`, or failed with `error`.
#[wasm_bindgen]
pub fn resume(value: JsValue, error: Option<JsValue>) -> Option<Promise> {
    with(|widget| {
        let next = widget
            .submission
            .resume(error.map_or(Ok(value), Err), &mut widget.form);
        widget.after(next)
    })
    .flatten()
}

fn field_of(id: &str) -> Option<Field> {
    FIELDS.into_iter().find(|field| field.id() == id)
}

fn with<T>(run: impl FnOnce(&mut Widget) -> T) -> Option<T> {
    WIDGET.with_borrow_mut(|widget| widget.as_mut().map(run))
}

/// Moves the keyboard to a field. Events fire while it moves, so nothing may hold the widget meanwhile.
fn focus(field: Option<Field>) {
    let input = field.and_then(|field| with(|widget| widget.page.element(field)).flatten());
    if let Some(input) = input {
        // Focusing an element of the own document cannot fail.
        let _ = input.focus();
    }
}

struct Widget {
    form: Form,
    texts: Texts,
    page: Page,
    submission: Submission,
    composing: bool,
}

impl Widget {
    fn attach(
        browser: Browser,
        document: &Document,
        data: Json,
        query: String,
        composing: bool,
    ) -> Option<Self> {
        let kind = FormKind::from_id(&data.text("form")?)?;
        let submission = Submission::new(browser, Boot::new(data.at("boot"))?, query);
        Some(Self {
            form: Form::new(kind, submission.now()),
            texts: Texts::new(data.at("texts"), data.text("lang")?),
            page: Page::find(document, kind.fields())?,
            submission,
            composing,
        })
    }

    /// Takes in values that came without an event, typed before this module ran or set by a password manager, and shows
    /// what became of them. What is being composed belongs to the keyboard: changing it breaks the composition.
    fn adopt(&mut self) {
        if !self.composing {
            for field in self.form.kind().fields() {
                self.read(*field);
            }
            self.show();
        }
    }

    /// Takes in what the shop asked for, and says that the form works.
    fn configure(&mut self, init: Init) {
        self.page.button(&self.texts.button(&init, self.form.kind()));
        for field in self.form.kind().fields() {
            self.page.label(*field, &self.texts.label(&init, *field));
        }
        self.page
            .placeholder(Field::Expiry, &self.texts.expiry_placeholder(&init));
        self.submission.init = init;
        self.adopt();
        self.tell(Message::Ready);
    }

    fn tell(&self, message: Message<'_>) {
        message.send(&self.submission.browser);
    }

    /// Reduces one event of a field. Answers the field that the keyboard should move on to.
    fn on_field(&mut self, field: Field, kind: &str) -> Option<Field> {
        match kind {
            "beforeinput" => {
                self.form.select(field, self.page.caret(field));
                return None;
            }
            "compositionstart" => self.composing = true,
            "compositionend" => self.composing = false,
            "focusin" => self.form.focus(field),
            _ => {}
        }
        if self.composing {
            return None;
        }
        // All fields: a password manager may set several before the first event.
        self.adopt();
        let next = self.form.advance();
        if kind == "focusout" {
            self.form.blur(field);
            self.show();
        }
        if kind != "focusin" {
            self.say(field);
        }
        next
    }

    /// Hands a field's value to the form if it is another than the one shown, and shows what the form makes of it.
    fn read(&mut self, field: Field) {
        let value = self.page.value(field);
        if *value != *self.form.view(field).text {
            self.form.input(field, &value, self.page.caret(field));
            self.submission.forget();
            self.page.status("", false);
            let view = self.form.view(field);
            self.page.write(field, view.text);
            if let (true, Some(caret)) = (view.focused, view.caret) {
                self.page.place(field, caret);
            }
        }
    }

    /// Shows what the form holds; only what differs from the page is written.
    fn show(&self) {
        for &field in self.form.kind().fields() {
            let view = self.form.view(field);
            self.page.write(field, view.text);
            let error = view.error.map(|error| self.error(field, error));
            let hint = match field {
                Field::Code => self
                    .texts
                    .code_hint(&self.submission.init, self.form.code_length().shortest()),
                _ => String::new(),
            };
            self.page.note(field, error.as_deref(), &hint);
        }
        self.page.brand(self.brand());
    }

    /// Says what changed in a field: its error, or the brand of a number. The same words are not said twice in a row.
    fn say(&self, field: Field) {
        match self.form.view(field).error {
            Some(error) => self.page.say(&self.error(field, error)),
            None if field == Field::Number => self.page.say(self.brand()),
            None => self.page.say(""),
        }
    }

    fn error(&self, field: Field, error: ErrorId) -> String {
        self.texts.error(&self.submission.init, field, error)
    }

    fn brand(&self) -> &'static str {
        self.form.brand().map_or("", Brand::name)
    }

    /// Asks for a token, once: a second submit while the first is under way, or right after its token, does nothing.
    /// Fails with the first wrong field.
    fn submit(&mut self) -> Result<Next, Field> {
        self.adopt();
        if self.submission.is_busy() {
            return Ok(Next::Rest);
        }
        let checked = self.form.submit(self.submission.now());
        self.show();
        if let Err(wrong) = checked {
            self.say(wrong);
            return Err(wrong);
        }
        self.page.status("", false);
        self.page.busy(true);
        self.page.say(&self.texts.get("busy"));
        Ok(self.submission.begin())
    }

    /// Shows where a submit stands, and answers with what it waits for.
    fn after(&mut self, next: Next) -> Option<Promise> {
        let text = match &next {
            Next::Rest => return None,
            Next::Wait(promise) => return Some(promise.clone()),
            Next::Issued(_) => {
                self.form.clear();
                self.show();
                self.texts.get("done")
            }
            Next::Failed(failure) => self.texts.failure(failure),
        };
        self.page.busy(false);
        self.page.status(&text, matches!(next, Next::Failed(_)));
        self.page.say(&text);
        match &next {
            Next::Issued(token) => self.tell(Message::Token(token)),
            Next::Failed(failure) => self.tell(Message::Error(failure)),
            Next::Rest | Next::Wait(_) => {}
        }
        None
    }
}

const FIELDS: [Field; 3] = [Field::Number, Field::Expiry, Field::Code];
