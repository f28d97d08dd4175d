//! The widget: events go in, the reducer decides, the page shows.

mod submit;
mod telling;

use card::{Edit, Field, Form, FormKind};
use wasm_bindgen::JsValue;

use crate::browser::Browser;
use crate::incoming::{Boot, Failure, Init};
use crate::json::Json;
use crate::shown::{Shown, Summary};
use crate::submission::Submission;
use crate::texts::Texts;
use crate::{outgoing, page};

pub(crate) struct Widget {
    pub(crate) form: Form,
    texts: Texts,
    pub(crate) shown: Shown,
    pub(crate) submission: Submission,
    composing: bool,
    /// Why there was no token at the last submit, until something is edited.
    failure: Option<Failure>,
    /// Where the keyboard has to go once nothing holds the widget.
    pub(crate) wanted: Option<Field>,
}

impl Widget {
    pub(crate) fn attach(browser: Browser, data: Json, composing: bool) -> Option<Self> {
        let kind = FormKind::from_id(&data.text("form")?)?;
        let submission = Submission::new(browser, Boot::new(data.at("boot"))?);
        Some(Self {
            form: Form::new(kind, submission.now()),
            texts: Texts::new(data.at("texts"), data.text("lang")?),
            shown: Shown::default(),
            submission,
            composing,
            failure: None,
            wanted: None,
        })
    }

    pub(crate) fn browser(&self) -> &Browser {
        &self.submission.browser
    }

    /// Takes in values that came without an event, typed before this module ran or set by a password manager, and shows
    /// what became of them. What is being composed belongs to the keyboard: changing it breaks the composition.
    pub(crate) fn adopt(&mut self) {
        if !self.composing {
            for field in self.form.kind().fields() {
                self.read(*field);
            }
            self.show();
        }
    }

    /// Takes in what the shop asked for.
    pub(crate) fn configure(&mut self, init: Init, texts: Json) {
        let kind = self.form.kind();
        let speaks_anew = texts.is_there();
        if speaks_anew {
            self.texts = Texts::new(texts, init.lang());
            self.shown.said = None;
        }
        self.shown.forget_texts();
        self.submission.init = init;
        let (browser, init) = (self.browser(), &self.submission.init);
        browser.show("submit", &self.texts.button(browser, init, kind));
        for field in kind.fields() {
            browser.label(field.id(), &self.texts.label(init, *field));
        }
        if kind == FormKind::FullCard {
            let (month, year) = self.texts.month_and_year(init);
            browser.placeholder(&month, &year);
        }
        self.form.set_auto_advance(init.auto_advance());
        self.form.restrict(init.brands());
        self.adopt();
        if speaks_anew {
            self.report();
        } else {
            self.say_focused();
        }
    }

    /// Does what the person is about to do, in the browser's own history. Answers the field that the keyboard should
    /// move on to.
    pub(crate) fn edit(
        &mut self,
        field: Field,
        edit: usize,
        selection: core::ops::Range<usize>,
        text: &JsValue,
    ) -> Option<Field> {
        // A value that a script has put in would be taken for what stood here before.
        self.read(field);
        let text = page::text(self.browser(), text);
        let edit = match edit {
            0 => Edit::Insert(&text),
            1 => Edit::DeleteBackward,
            2 => Edit::DeleteForward,
            3 => Edit::DeleteWordBackward,
            4 => Edit::DeleteWordForward,
            5 => Edit::DeleteToStart,
            6 => Edit::DeleteToEnd,
            _ => Edit::DeleteSelection,
        };
        let code = self.form.view(Field::Code).error;
        let before = zeroize::Zeroizing::new(String::from(self.form.view(field).text));
        self.form.edit(field, selection, edit);
        let after = self.form.view(field).text;
        let (range, put_in) = card::difference(&before, after);
        if !range.is_empty() || !put_in.is_empty() {
            self.browser().edit(field.id(), range.start, range.end, put_in);
            self.touched();
        }
        self.select(field);
        self.show();
        self.say(field);
        // Another brand may want another code.
        if self.form.view(Field::Code).error != code && field == Field::Number {
            self.say(Field::Code);
        }
        self.form.advance()
    }

    /// Reduces what happened to a field. Answers the field that the keyboard should move on to.
    pub(crate) fn on_field(&mut self, field: Field, happening: usize) -> Option<Field> {
        match happening {
            UNDONE | REDONE => {
                self.travel(field, happening == UNDONE);
                return None;
            }
            ENTERED => self.form.focus(field),
            COMPOSING => self.composing = true,
            COMPOSED => self.composing = false,
            _ => {}
        }
        if self.composing {
            return None;
        }
        // All fields: a password manager may set several before the first event.
        self.adopt();
        let next = match happening {
            ENTERED => return None,
            LEFT => {
                let before = self.form.view(field).error;
                self.form.blur(field);
                self.show();
                // What was wrong before has been said; the keyboard may be on its way to another field's error.
                if self.form.view(field).error == before {
                    return None;
                }
                None
            }
            _ => self.form.advance(),
        };
        self.say(field);
        next
    }

    /// The browser went through its history: puts the caret where it was then. A value that was never shown, from
    /// between two steps, is replaced.
    fn travel(&mut self, field: Field, back: bool) {
        let value = page::value(self.browser(), field);
        if back {
            self.form.undo(field, &value);
        } else {
            self.form.redo(field, &value);
        }
        let view = self.form.view(field);
        if *value != *view.text {
            self.browser().write(field.id(), view.text);
        }
        self.select(field);
        self.touched();
        self.show();
        self.say(field);
    }

    /// Hands a field's value to the form if it is another than the one shown, and shows what the form makes of it.
    fn read(&mut self, field: Field) {
        let value = page::value(self.browser(), field);
        if *value == *self.form.view(field).text {
            return;
        }
        self.form.input(field, &value, self.browser().caret(field.id()));
        let view = self.form.view(field);
        if *value != *view.text {
            self.browser().write(field.id(), view.text);
        }
        if view.focused {
            self.select(field);
        }
        self.touched();
    }

    /// Puts caret or selection of a field where they belong. (One engine moves the focus along with them.)
    fn select(&self, field: Field) {
        let view = self.form.view(field);
        if let Some(caret) = view.caret {
            self.browser().select(field.id(), caret, caret + view.selected);
        }
    }

    /// Does what the shop asks for at once; the first of `ASKS` in `www/frame/talk.js` is for a field. Answers the field
    /// that the keyboard should move to.
    pub(crate) fn ask(&mut self, what: usize, field: Option<Field>) -> Option<Field> {
        match what {
            FOCUS => {
                self.adopt();
                let there = field.filter(|field| self.form.kind().fields().contains(field));
                return there.or(self.form.first_wrong()).or(Some(Field::Number));
            }
            CLEAR => self.clear(),
            _ => self.validate(),
        }
        None
    }

    /// Empties the form, its history and what is said of it.
    fn clear(&mut self) {
        if !self.submission.is_busy() {
            self.touched();
            self.empty();
            self.say_text(&JsValue::NULL);
        }
    }

    /// Shows all errors, says the first, and tells the shop.
    fn validate(&mut self) {
        self.adopt();
        self.form.judge();
        self.show();
        if let Some(wrong) = self.form.first_wrong() {
            self.say(wrong);
        }
        let summary = Summary::of(&self.form);
        self.browser()
            .changed(&outgoing::change("validated", self.form.kind(), &summary));
    }

    /// The card is another one: what became of the one before is of no interest any more.
    fn touched(&mut self) {
        self.submission.forget();
        self.failure = None;
        if self.shown.status {
            self.status(&JsValue::NULL, false);
        }
    }
}

// Places in `HAPPENINGS` of `www/frame/input.js`; its first is any other change of the value.
const UNDONE: usize = 1;
const REDONE: usize = 2;
const ENTERED: usize = 3;
const LEFT: usize = 4;
const COMPOSING: usize = 5;
const COMPOSED: usize = 6;

// Places in `ASKS` of `www/frame/talk.js`; the one after them is to validate.
const FOCUS: usize = 0;
const CLEAR: usize = 1;
