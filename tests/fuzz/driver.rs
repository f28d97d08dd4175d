//! Drives the form by bytes, and holds it against a model of its own after each step: a list of digits with a caret in
//! it, and a list of what was shown before. Any bytes make some session. Panics where the form and the model differ.
//!
//! One file for two users: the fuzz target beside it, and `crates/card/tests/driven.rs`, which runs it in every test run.

use std::collections::VecDeque;
use std::ops::Range;

use card_widget_card::digits::fold;
use card_widget_card::{
    Brand, Brands, Card, CardError, Edit, Field, Form, FormKind, State, UnixSeconds, difference,
};

/// One thing that happens to the form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    /// The focus moves to this field.
    Focus(u8),
    /// The focus leaves the form.
    Blur,
    /// A selection, in any order and perhaps beyond the end.
    Select(u8, u8),
    /// A key, a paste, a drop.
    Insert(String),
    /// One of the ways to delete, by its place in `DELETES`.
    Delete(u8),
    /// A value from a script or a password manager, and the caret in it.
    Value(String, u8),
    /// The browser goes so many of its own steps back, or forth.
    Travel(bool, u8),
    /// It does, and shows what never was there.
    Stray(bool, String),
    Submit,
    Clear,
    Choose(u8),
    Restrict(u16),
    Unrestrict,
}

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

/// What one byte below 64 types: digits often, marks and oddities now and then.
const KEYS: [char; 32] = [
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    ' ',
    '-',
    '/',
    '.',
    'x',
    'Z',
    '\n',
    '\u{a0}',
    '\u{200e}',
    '\u{2013}',
    '\u{ff0f}',
    '\u{663}',
    '\u{6f5}',
    '\u{96b}',
    '\u{ff15}',
    '\u{1d7db}',
    '\u{1f600}',
    '\u{301}',
    '0',
    '1',
    '2',
    '4',
];

const SELECT: u8 = 64;
const DELETE: u8 = 72;
const PASTE: u8 = 80;
const VALUE: u8 = 81;
const TRAVEL: u8 = 82;
const STRAY: u8 = 84;
const FOCUS: u8 = 88;
const BLUR: u8 = 91;
const SUBMIT: u8 = 92;
const CLEAR: u8 = 93;
const CHOOSE: u8 = 94;
const RESTRICT: u8 = 95;
const UNRESTRICT: u8 = 96;

/// Reads a session from bytes: each begins an operation, whatever it is.
pub(crate) fn decode(bytes: &[u8]) -> Vec<Op> {
    let mut bytes = bytes.iter().copied();
    let mut ops = Vec::new();
    while let Some(byte) = bytes.next() {
        let mut next = || bytes.next().unwrap_or(0);
        let text = |next: &mut dyn FnMut() -> u8| {
            let count = usize::from(next() % 48);
            (0..count).map(|_| key(next())).collect::<String>()
        };
        ops.push(match byte {
            SELECT..DELETE => Op::Select(next(), next()),
            DELETE..PASTE => Op::Delete((byte - DELETE) % 7),
            PASTE => Op::Insert(text(&mut next)),
            VALUE => Op::Value(text(&mut next), next()),
            TRAVEL | 83 => Op::Travel(byte == TRAVEL, next() % 80),
            STRAY | 85 => Op::Stray(byte == STRAY, text(&mut next)),
            FOCUS..BLUR => Op::Focus(byte - FOCUS),
            BLUR => Op::Blur,
            SUBMIT => Op::Submit,
            CLEAR => Op::Clear,
            CHOOSE => Op::Choose(next()),
            RESTRICT => Op::Restrict(u16::from_le_bytes([next(), next()])),
            UNRESTRICT => Op::Unrestrict,
            _ => Op::Insert(key(byte).to_string()),
        });
    }
    ops
}

fn key(byte: u8) -> char {
    KEYS[usize::from(byte) % KEYS.len()]
}

/// The other way round, as far as the keys above reach: other characters become `x`.
pub(crate) fn encode(ops: &[Op]) -> Vec<u8> {
    let code = |character: char| KEYS.iter().position(|key| *key == character).unwrap_or(14) as u8;
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.push(text.chars().count().min(47) as u8);
        bytes.extend(text.chars().take(47).map(code));
    };
    let mut bytes = Vec::new();
    for op in ops {
        match op {
            Op::Focus(field) => bytes.push(FOCUS + field % 3),
            Op::Blur => bytes.push(BLUR),
            Op::Select(start, end) => bytes.extend([SELECT, *start, *end]),
            Op::Insert(put) if put.chars().count() == 1 => bytes.extend(put.chars().map(code)),
            Op::Insert(put) => {
                bytes.push(PASTE);
                text(&mut bytes, put);
            }
            Op::Delete(kind) => bytes.push(DELETE + kind % 7),
            Op::Value(value, caret) => {
                bytes.push(VALUE);
                text(&mut bytes, value);
                bytes.push(*caret);
            }
            Op::Travel(back, steps) => bytes.extend([TRAVEL + u8::from(!back), *steps]),
            Op::Stray(back, value) => {
                bytes.push(STRAY + u8::from(!back));
                text(&mut bytes, value);
            }
            Op::Submit => bytes.push(SUBMIT),
            Op::Clear => bytes.push(CLEAR),
            Op::Choose(brand) => bytes.extend([CHOOSE, *brand]),
            Op::Restrict(brands) => {
                bytes.push(RESTRICT);
                bytes.extend(brands.to_le_bytes());
            }
            Op::Unrestrict => bytes.push(UNRESTRICT),
        }
    }
    bytes
}

/// What was shown at one time, as the form should remember it.
#[derive(Clone)]
struct Shown {
    text: String,
    caret: usize,
    /// What was selected when the person went on from here.
    left: Range<usize>,
}

/// One text field of a browser, and what it should be able to go back to.
struct Input {
    selection: Range<usize>,
    history: VecDeque<Shown>,
    current: usize,
}

impl Input {
    fn new() -> Self {
        let mut input = Self {
            selection: 0..0,
            history: VecDeque::new(),
            current: 0,
        };
        input.restart("", 0);
        input
    }

    fn restart(&mut self, text: &str, caret: usize) {
        self.history.clear();
        self.current = 0;
        self.push(text, caret);
    }

    fn push(&mut self, text: &str, caret: usize) {
        self.history.truncate(self.current + 1);
        self.history.push_back(Shown {
            text: text.to_owned(),
            caret,
            left: caret..caret,
        });
        // The form keeps 64 states of a field.
        if self.history.len() > 64 {
            self.history.pop_front();
        }
        self.current = self.history.len() - 1;
    }
}

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

/// The digits that an edit should leave, before the caret and behind it.
struct Model {
    head: String,
    tail: String,
}

impl Model {
    fn of(text: &str, selection: &Range<usize>, edit: Edit<'_>) -> Self {
        let (mut head, mut tail) = (digits(&text[..selection.start]), digits(&text[selection.end..]));
        // Digits from the caret to the next mark, or to the end.
        let group = |mut text: std::iter::Peekable<std::vec::IntoIter<char>>| {
            while text.next_if(|character| !character.is_ascii_digit()).is_some() {}
            text.take_while(char::is_ascii_digit).count()
        };
        match edit {
            Edit::Insert(put) => head += &digits(put),
            _ if !selection.is_empty() => {}
            Edit::DeleteBackward => drop(head.pop()),
            Edit::DeleteForward => tail = tail.get(1..).unwrap_or("").to_owned(),
            Edit::DeleteWordBackward => {
                let before: Vec<char> = text[..selection.start].chars().rev().collect();
                head.truncate(head.len() - group(before.into_iter().peekable()));
            }
            Edit::DeleteWordForward => {
                let behind: Vec<char> = text[selection.end..].chars().collect();
                tail.drain(..group(behind.into_iter().peekable()));
            }
            Edit::DeleteToStart => head.clear(),
            Edit::DeleteToEnd => tail.clear(),
            Edit::DeleteSelection => {}
        }
        Self { head, tail }
    }

    fn digits(&self) -> String {
        self.head.clone() + &self.tail
    }

    /// A date is written in another order now and then, loses its century and gains a 0. Nothing else may come or go.
    fn check_date(&self, before: &str, text: &str, put: &str) {
        if put.is_empty() {
            assert_eq!(digits(text), self.digits(), "deleting leaves the rest as it is");
            return;
        }
        let count = |digits: &str| {
            let mut counts = [0_i32; 10];
            for byte in digits.bytes() {
                counts[usize::from(byte - b'0')] += 1;
            }
            counts
        };
        let (wanted, got) = (count(&self.digits()), count(&digits(text)));
        for digit in 0..10 {
            let change = got[digit] - wanted[digit];
            let allowed = match digit {
                0 => -2..=1,
                2 => -1..=0,
                _ => 0..=0,
            };
            assert!(allowed.contains(&change), "{before:?} and {put:?} make {text:?}");
        }
    }
}

fn digits(text: &str) -> String {
    let folded = fold(text, 0);
    // More than are kept: count them, so that nothing that fits comes out.
    if folded.overflows() {
        "0".repeat(100)
    } else {
        folded.digits().to_owned()
    }
}

fn count(text: &str) -> usize {
    digits(text).len()
}

/// A character that stands between groups.
fn is_mark(character: char) -> bool {
    matches!(
        character,
        ' ' | '-' | '/' | '.' | '\n' | '\u{a0}' | '\u{2013}' | '\u{ff0f}'
    )
}

/// Groups by brand, once more.
fn grouped(digits: &str, brands: Brands) -> String {
    let groups: &[usize] = match brands.best() {
        Some(Brand::Amex) => &[4, 6, 40],
        Some(Brand::Uatp) => &[4, 5, 40],
        Some(Brand::Diners) if digits.len() <= 14 => &[4, 6, 40],
        _ => &[4; 8],
    };
    let mut parts = Vec::new();
    let mut rest = digits;
    for size in groups {
        let (group, more) = rest.split_at(rest.len().min(*size));
        parts.push(group);
        rest = more;
        if rest.is_empty() {
            break;
        }
    }
    parts.join(" ")
}
