//! Drives the form by bytes, and holds it against a model of its own after each step: a list of digits with a caret in
//! it, and a list of what was shown before. Any bytes make some session. Panics where the form and the model differ.
//!
//! For two users: the fuzz target beside it, and `crates/card/tests/driven.rs`, which runs it in every test run.

#[path = "driver/input.rs"]
mod input;
#[path = "driver/model.rs"]
mod model;
#[path = "driver/ops.rs"]
pub(crate) mod ops;

use card_widget_card::digits::fold;
use card_widget_card::{Brand, Card, CardError, Edit, Field, Form, FormKind, State, UnixSeconds, difference};
use input::Input;
use model::{Model, count, digits, grouped, is_mark};
use ops::{Op, decode};

/// Runs a session.
pub(crate) fn run(bytes: &[u8]) {
    let mut screen = Screen::new();
    for op in decode(bytes) {
        screen.act(&op);
        screen.check(&op);
    }
}

const DELETES: [Edit<'static>; 7] = [
    Edit::DeleteBackward,
    Edit::DeleteForward,
    Edit::DeleteWordBackward,
    Edit::DeleteWordForward,
    Edit::DeleteToStart,
    Edit::DeleteToEnd,
    Edit::DeleteSelection,
];

const FIELDS: [Field; 3] = [Field::Number, Field::Expiry, Field::Code];

/// 2026-11-21T00:00:00Z
const NOW: UnixSeconds = UnixSeconds(1_795_219_200);

struct Screen {
    form: Form,
    inputs: [Input; 3],
    field: Field,
    refused: [bool; 3],
}

impl Screen {
    fn new() -> Self {
        let mut form = Form::new(FormKind::FullCard, NOW);
        form.focus(Field::Number);
        Self {
            form,
            inputs: [Input::new(), Input::new(), Input::new()],
            field: Field::Number,
            refused: [false; 3],
        }
    }

    fn text(&self) -> String {
        self.form.view(self.field).text.to_owned()
    }

    fn input(&mut self) -> &mut Input {
        &mut self.inputs[self.field as usize]
    }

    fn act(&mut self, op: &Op) {
        match op {
            Op::Focus(field) => {
                self.field = FIELDS[usize::from(*field) % 3];
                self.form.focus(self.field);
            }
            Op::Blur => self.form.blur(self.field),
            Op::Select(start, end) => {
                let len = self.text().len() + 2;
                let (start, end) = (usize::from(*start) % len, usize::from(*end) % len);
                self.input().selection = start.min(end)..start.max(end);
            }
            Op::Insert(put) => self.edit(Edit::Insert(put)),
            Op::Delete(kind) => self.edit(DELETES[usize::from(*kind) % 7]),
            Op::Value(value, caret) => self.take_value(value, usize::from(*caret)),
            Op::Travel(back, steps) => {
                // A browser may take several steps at once, and shows the text of the last.
                let input = self.input();
                let last = input.history.len() - 1;
                let steps = usize::from(*steps);
                let there = if *back {
                    input.current.saturating_sub(steps)
                } else {
                    (input.current + steps).min(last)
                };
                let text = input.history[there].text.clone();
                self.travel(*back, &text);
            }
            Op::Stray(back, text) => self.travel(*back, text),
            Op::Submit => self.submit(),
            Op::Clear => {
                self.form.clear();
                self.inputs = [Input::new(), Input::new(), Input::new()];
                self.refused = [false; 3];
            }
            Op::Choose(brand) => {
                let brand = Brand::ALL[usize::from(*brand) % Brand::ALL.len()];
                self.form.choose(brand);
                if self.form.choices().contains(brand) {
                    assert_eq!(self.form.brand(), Some(brand));
                }
            }
            Op::Restrict(bits) => {
                let taken = |brand: &Brand| bits >> (*brand as u8) & 1 == 1;
                self.form
                    .restrict(Some(Brand::ALL.into_iter().filter(taken).collect()));
            }
            Op::Unrestrict => self.form.restrict(None),
        }
    }

    fn edit(&mut self, edit: Edit<'_>) {
        let field = self.field;
        let before = self.text();
        let selection = self.input().selection.clone();
        self.form.edit(field, selection.clone(), edit);
        let view = self.form.view(field);
        let (text, caret, selected) = (view.text.to_owned(), view.caret.unwrap(), view.selected);
        let len = before.len();
        let selection = selection.start.min(len)..selection.end.min(len);
        let model = Model::of(&before, &selection, edit);
        let put = if let Edit::Insert(put) = edit { put } else { "" };
        let limit = if field == Field::Expiry { 12 } else { 32 };
        let meaning = put.chars().any(is_mark) && selection.is_empty();
        let is_ignored = matches!(edit, Edit::Insert(_)) && digits(put).is_empty() && !meaning;
        if model.digits().len() > limit && !is_ignored {
            assert_eq!(text, before, "refused as a whole");
            assert_eq!((caret, selected), (selection.start, selection.len()));
            self.refused[field as usize] = true;
        } else if is_ignored {
            assert_eq!(text, before, "a key that means nothing");
            assert_eq!((caret, selected), (selection.start, selection.len()));
        } else if text == before
            && model.head.len() + model.tail.len() == digits(&before).len()
            && put.is_empty()
        {
            // Nothing to delete, or no more than a gap that was selected: this was taken, so nothing is refused any more.
            assert!(caret == selection.start);
            self.refused[field as usize] &= selection.is_empty();
        } else {
            self.refused[field as usize] = false;
            assert_eq!(selected, 0);
            if field == Field::Expiry {
                model.check_date(&before, &text, put);
            } else {
                assert_eq!(digits(&text[..caret]), model.head, "digits before the caret");
                assert_eq!(digits(&text[caret..]), model.tail, "digits behind the caret");
            }
        }
        let (range, put_in) = difference(&before, &text);
        let mut changed = before.clone();
        changed.replace_range(range, put_in);
        assert_eq!(changed, text, "the difference makes one of the other");
        let input = self.input();
        input.selection = caret..caret + selected;
        if text != before {
            let current = input.current;
            input.history[current].left = selection;
            input.push(&text, caret);
        }
    }

    fn take_value(&mut self, value: &str, caret: usize) {
        let field = self.field;
        let before = self.text();
        self.form.input(field, value, caret);
        let view = self.form.view(field);
        let (text, caret) = (view.text.to_owned(), view.caret.unwrap());
        let limit = if field == Field::Expiry { 12 } else { 32 };
        if value != before {
            let is_refused = fold(value, 0).overflows() || count(value) > limit;
            if is_refused {
                assert_eq!(text, before);
            } else if field != Field::Expiry && count(value) != count(&before) {
                // (With the same count a gap was deleted, perhaps.)
                assert_eq!(digits(&text), digits(value));
            }
            if is_refused || text != before {
                self.refused[field as usize] = is_refused;
            }
        }
        self.refused[field as usize] &= view_is_refused(&self.form, field);
        let input = self.input();
        input.selection = caret..caret;
        if text != before {
            input.restart(&text, caret);
        }
    }

    fn travel(&mut self, back: bool, text: &str) {
        let field = self.field;
        if back {
            self.form.undo(field, text);
        } else {
            self.form.redo(field, text);
        }
        let input = &mut self.inputs[field as usize];
        let last = input.history.len() - 1;
        let nearest = if back {
            (0..input.current)
                .rev()
                .find(|at| input.history[*at].text == text)
        } else {
            (input.current + 1..=last).find(|at| input.history[*at].text == text)
        };
        let neighbour = if back {
            input.current.saturating_sub(1)
        } else {
            (input.current + 1).min(last)
        };
        input.current = nearest.unwrap_or(neighbour);
        let shown = &input.history[input.current];
        let view = self.form.view(field);
        assert_eq!(view.text, shown.text);
        let selection = if back {
            shown.left.clone()
        } else {
            shown.caret..shown.caret
        };
        assert_eq!(view.caret, Some(selection.start));
        assert_eq!(view.selected, selection.len());
        assert_eq!(self.form.advance(), None);
        input.selection = selection;
        self.refused[field as usize] = false;
    }

    fn submit(&mut self) {
        let valid = FIELDS.map(|field| self.form.view(field).state == State::Valid);
        match self.form.submit(NOW) {
            Ok(card) => {
                assert_eq!(valid, [true; 3]);
                let expiry = card.expiry.map(|date| (date.month, date.year));
                let code = card.code.as_ref().map(|code| code.expose());
                let again = Card::parse(card.number.expose(), expiry, code, FormKind::FullCard, NOW);
                assert!(again.is_ok(), "the vault takes what the form gives: {again:?}");
                // The code is not kept beyond what is shown.
                let text = self.form.view(Field::Code).text.to_owned();
                self.inputs[2].restart(&text, text.len());
            }
            Err(field) => {
                assert!(!valid[field as usize]);
                let view = self.form.view(field);
                assert!(view.error.is_some(), "a refused submit says why");
            }
        }
    }

    fn check(&self, op: &Op) {
        for field in FIELDS {
            let view = self.form.view(field);
            assert!(view.text.is_ascii() && view.text.len() <= 40);
            assert_eq!(view.empty, view.text.is_empty());
            if let Some(caret) = view.caret {
                assert!(caret + view.selected <= view.text.len(), "{op:?}");
            }
            assert_eq!(
                view.state == State::Valid,
                view.state == State::Valid && view.error.is_none()
            );
            assert!(
                view.state != State::Invalid || view.error.is_some(),
                "an error without its text"
            );
            if self.refused[field as usize] {
                assert_eq!(view.state, State::Invalid, "what was refused says so");
            }
        }
        let number = self.form.view(Field::Number).text;
        assert_eq!(
            number,
            grouped(&digits(number), self.form.candidates()),
            "grouped by brand"
        );
        let choices = self.form.choices();
        assert!(choices.count() == 0 || choices.count() == 2);
        if let Some(brand) = self.form.brand() {
            assert!(choices.count() == 0 || choices.contains(brand));
            assert!(self.form.candidates().contains(brand));
        }
        let date = self.form.view(Field::Expiry).text;
        assert!(
            date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/'),
            "{date}"
        );
        assert!(date.matches('/').count() <= 1);
        assert!(
            self.form
                .view(Field::Code)
                .text
                .bytes()
                .all(|byte| byte.is_ascii_digit())
        );
        if let Some(next) = self.form.advance() {
            assert_eq!(self.form.view(self.field).state, State::Valid);
            assert!(self.form.view(next).empty);
        }
        if let Err(error) = Card::parse(&digits(number), None, None, FormKind::PanOnly, NOW) {
            let view = self.form.view(Field::Number);
            assert!(
                view.state != State::Valid,
                "the form takes what the vault does not"
            );
            assert!(!matches!(error, CardError::NumberCharacters));
        }
    }
}

fn view_is_refused(form: &Form, field: Field) -> bool {
    form.view(field).state == State::Invalid
}
