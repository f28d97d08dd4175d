//! What person and shop are shown and told.

use card::{Brand, Brands, Field};
use wasm_bindgen::JsValue;

use super::Widget;
use super::submit::field_of;
use crate::outgoing;
use crate::shown::{Note, Said, Summary};

impl Widget {
    /// Shows and says where a submit stands, or else what the field with the keyboard has to say: after each step of a
    /// submit, and in the words of another language.
    pub(super) fn report(&mut self) {
        let browser = self.browser();
        if let Some(failure) = &self.failure {
            let text = self.texts.failure(browser, failure);
            if field_of(failure).is_some() {
                self.status(&JsValue::NULL, false);
                self.say_text(&text);
            } else {
                self.status(&text, true);
            }
        } else if self.submission.is_issued() {
            self.status(&self.texts.get("done"), false);
        } else {
            self.status(&JsValue::NULL, false);
            if self.submission.is_busy() {
                self.say_text(&self.texts.get("busy"));
            } else {
                self.say_focused();
            }
        }
    }

    pub(super) fn say_focused(&mut self) {
        for field in self.form.kind().fields() {
            if self.form.view(*field).focused {
                self.say(*field);
            }
        }
    }

    /// Shows what became of a submit, below the button, and says it.
    pub(super) fn status(&mut self, text: &JsValue, is_error: bool) {
        self.shown.status = !text.is_null();
        self.browser().status(text, is_error);
        self.say_text(text);
    }

    /// Shows what the form holds, and tells the shop; only what differs from what was shown and told is written.
    pub(crate) fn show(&mut self) {
        let digits = self.form.code_length().shortest();
        for &field in self.form.kind().fields() {
            let error = self.form.view(field).error;
            let refusal = self
                .failure
                .as_ref()
                .filter(|failure| field_of(failure) == Some(field));
            let note = Note {
                error,
                digits,
                refused: refusal.is_some(),
            };
            if self.shown.note(field, note) {
                let (browser, init) = (self.browser(), &self.submission.init);
                let text = match (refusal, error) {
                    (Some(failure), _) => self.texts.failure(browser, failure),
                    (None, Some(error)) => self.texts.error(browser, init, field, error, digits),
                    (None, None) if field == Field::Code => self.texts.code_hint(init, digits),
                    (None, None) => JsValue::NULL,
                };
                browser.note(field.id(), &text, note.refused || error.is_some());
            }
        }
        let summary = Summary::of(&self.form);
        if self.shown.brand(summary.brand) {
            let (id, name) = names(summary.brand);
            self.browser().mark(id, name);
        }
        let choices = pair(summary.choices);
        if self.shown.choices(choices) {
            for (index, brand) in choices.into_iter().enumerate() {
                let (id, name) = names(brand);
                self.browser().network(index, id, name);
            }
        }
        if self.shown.told(summary) {
            if let Some(index) = choices.iter().position(|choice| *choice == summary.brand) {
                self.browser().choose(index);
            }
            self.browser()
                .changed(&outgoing::change("change", self.form.kind(), &summary));
        }
    }

    /// Says what changed in a field: its error, or the networks of a number, once. A field that has nothing to say takes back
    /// what was said of itself, and no more: somebody may still be listening to another one's error.
    pub(super) fn say(&mut self, field: Field) {
        let error = self.form.view(field).error;
        let said = match error {
            Some(error) => Some(Said::Error(field, error)),
            None if field == Field::Number && self.names_anew() => Some(Said::Networks(self.shown.named)),
            None if matches!(self.shown.said, Some(Said::Error(last, _)) if last == field) => None,
            None => return,
        };
        if core::mem::replace(&mut self.shown.said, said) == said {
            return;
        }
        let digits = self.form.code_length().shortest();
        let browser = self.browser();
        let text = match said {
            Some(Said::Error(field, error)) => {
                self.texts
                    .error(browser, &self.submission.init, field, error, digits)
            }
            Some(Said::Networks([Some(brand), None])) => brand.name().into(),
            Some(Said::Networks([Some(_), _])) => browser.offer(),
            _ => JsValue::NULL,
        };
        browser.show("spoken", &text);
    }

    /// Takes note of the number's networks; `true` when they are others than were named last.
    fn names_anew(&mut self) -> bool {
        let mut networks = self.shown.offered();
        if let [None, _] = networks {
            networks = [self.form.brand(), None];
        }
        core::mem::replace(&mut self.shown.named, networks) != networks
    }

    /// Says a text that is no field's.
    pub(super) fn say_text(&mut self, text: &JsValue) {
        self.shown.said = None;
        self.browser().show("spoken", text);
    }
}

/// Id and name of a network; empty where there is none.
fn names(brand: Option<Brand>) -> (&'static str, &'static str) {
    brand.map_or(("", ""), |brand| (brand.id(), brand.name()))
}

/// The networks of a co-badged card; nothing to choose unless there are two.
fn pair(choices: Brands) -> [Option<Brand>; 2] {
    let mut choices = choices.iter();
    [choices.next(), choices.next()]
}
