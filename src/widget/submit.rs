//! From the press of the button to a token, as far as the page shows it.

use card::Field;
use wasm_bindgen::JsValue;

use super::Widget;
use crate::incoming::{Failure, Token};
use crate::submission::Next;

impl Widget {
    /// Asks for a token, once: a second submit while the first is under way does nothing, and a late press right after
    /// its token neither.
    pub(crate) fn submit(&mut self, by_shop: bool) -> Next {
        self.adopt();
        if self.submission.is_busy() || self.submission.is_issued() && !by_shop {
            return Next::Rest;
        }
        self.failure = None;
        if self.submission.is_issued() {
            self.touched();
        }
        let checked = self.form.submit(self.submission.now());
        self.show();
        if let Err(wrong) = checked {
            if by_shop {
                self.tell_wrong();
            }
            self.refuse(wrong);
            return Next::Rest;
        }
        self.browser().busy(true);
        let next = self.submission.begin();
        self.report();
        next
    }

    /// Shows where a submit stands, and answers with what it waits for.
    pub(crate) fn after(&mut self, next: Next) -> Option<JsValue> {
        match next {
            Next::Rest => {}
            Next::Wait(promise) => return Some(promise),
            Next::Issued(Token(token)) => {
                self.browser().busy(false);
                self.empty();
                self.report();
                self.browser().issued(token.value());
            }
            Next::Failed(failure) => {
                self.browser().busy(false);
                self.wanted = field_of(&failure);
                self.browser().failed(failure.value());
                self.failure = Some(failure);
                self.show();
                self.report();
            }
            Next::Wrong(field) => {
                self.browser().busy(false);
                self.show();
                self.tell_wrong();
                self.refuse(field);
            }
        }
        None
    }

    /// Empties the form, and the browser's own memory of it.
    pub(super) fn empty(&mut self) {
        self.form.clear();
        // Its input goes: nobody will tell of its end.
        self.composing = false;
        self.shown.named = [None; 2];
        for field in self.form.kind().fields() {
            self.browser().renew(field.id());
        }
        self.show();
    }

    /// Says what is wrong with a field, and wants the keyboard there.
    fn refuse(&mut self, wrong: Field) {
        // It may have been said before; who asks again wants to hear it again.
        self.say_text(&JsValue::NULL);
        self.say(wrong);
        self.wanted = Some(wrong);
    }

    /// Tells the shop that there is no token because of a field.
    fn tell_wrong(&self) {
        let browser = self.browser();
        browser.failed(Failure::here(browser, &"card_invalid".into()).value());
    }
}

/// The field that a refusal of the service is about.
pub(super) fn field_of(failure: &Failure) -> Option<Field> {
    match failure.code().as_str() {
        "wrong_card_number" => Some(Field::Number),
        "wrong_expiry" | "card_expired" => Some(Field::Expiry),
        "wrong_cvv" => Some(Field::Code),
        _ => None,
    }
}
