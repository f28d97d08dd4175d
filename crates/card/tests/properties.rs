//! What must hold whatever is typed, in whatever order.

use card_widget_card::brand::candidates;
use card_widget_card::digits::fold;
use card_widget_card::expiry::parse;
use std::ops::Range;

use card_widget_card::{Card, Edit, Field, Form, FormKind, Pan, State, UnixSeconds};
use proptest::prelude::*;

/// 2026-11-21T00:00:00Z
const NOW: UnixSeconds = UnixSeconds(1_795_219_200);

const FIELDS: [Field; 3] = [Field::Number, Field::Expiry, Field::Code];

/// One thing that a person does in a text field.
#[derive(Clone, Debug)]
enum Action {
    Type(char),
    Paste(String),
    Backspace,
    Delete,
    /// To the place at this share of the text, in 256ths.
    Move(u8),
    /// A selection of this share of what follows the caret is replaced.
    Replace(u8, char),
    /// The same is deleted in one of the ways to delete, or cut.
    Remove(u8, usize),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        6 => prop::char::range('0', '9').prop_map(Action::Type),
        1 => prop::sample::select(vec![' ', '-', '/', 'x', '٣', '𝟛', '😀', '\u{200e}']).prop_map(Action::Type),
        1 => "[0-9 /-]{0,8}".prop_map(Action::Paste),
        4 => Just(Action::Backspace),
        2 => Just(Action::Delete),
        3 => any::<u8>().prop_map(Action::Move),
        1 => (any::<u8>(), prop::char::range('0', '9')).prop_map(|(share, digit)| Action::Replace(share, digit)),
        1 => (any::<u8>(), 0..REMOVALS.len()).prop_map(|(share, way)| Action::Remove(share, way)),
    ]
}

/// Not printable with what is inserted: it may be card data. So the actions name these by their place.
const REMOVALS: [Edit<'static>; 7] = [
    Edit::DeleteBackward,
    Edit::DeleteForward,
    Edit::DeleteWordBackward,
    Edit::DeleteWordForward,
    Edit::DeleteToStart,
    Edit::DeleteToEnd,
    Edit::DeleteSelection,
];

/// A browser's text field around the form: it edits the text shown and reports the outcome.
struct Screen {
    form: Form,
    field: Field,
    caret: usize,
}

impl Screen {
    fn new(field: Field) -> Self {
        let mut form = Form::new(FormKind::FullCard, NOW);
        form.focus(field);
        Self {
            form,
            field,
            caret: 0,
        }
    }

    fn text(&self) -> String {
        self.form.view(self.field).text.to_owned()
    }

    /// Digits before the caret and after it.
    fn digits(&self) -> (String, String) {
        let text = self.text();
        let only = |part: &str| part.chars().filter(char::is_ascii_digit).collect();
        (only(&text[..self.caret]), only(&text[self.caret..]))
    }

    fn edit(&mut self, selection: Range<usize>, edit: Edit<'_>) {
        self.form.edit(self.field, selection, edit);
        let view = self.form.view(self.field);
        self.caret = view.caret.unwrap_or(usize::MAX);
        assert!(view.text.is_ascii());
        assert!(
            self.caret + view.selected <= view.text.len(),
            "the caret stands outside the text"
        );
    }

    fn act(&mut self, action: &Action) {
        let (at, len) = (self.caret, self.text().len());
        match action {
            Action::Type(character) => self.edit(at..at, Edit::Insert(&character.to_string())),
            Action::Paste(text) => self.edit(at..at, Edit::Insert(text)),
            Action::Backspace => self.edit(at..at, Edit::DeleteBackward),
            Action::Delete => self.edit(at..at, Edit::DeleteForward),
            Action::Move(share) => self.caret = len * usize::from(*share) / 255,
            Action::Replace(share, digit) => {
                let end = at + (len - at) * usize::from(*share) / 255;
                self.edit(at..end, Edit::Insert(&digit.to_string()));
            }
            Action::Remove(share, way) => {
                // Not all of the text: one digit is left to tell the selection from none.
                let end = (at + 1 + (len - at) * usize::from(*share) / 255).min(len);
                self.edit(at..end, REMOVALS[*way]);
            }
        }
    }
}

fn ascii_digits(text: &str) -> String {
    fold(text, 0).digits().to_owned()
}

/// The Luhn formula once more, from its definition.
fn luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(index, byte)| {
            let digit = u32::from(byte - b'0');
            if index % 2 == 0 {
                digit
            } else {
                digit * 2 / 10 + digit * 2 % 10
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

proptest! {
    /// A number field behaves like a list of digits with a caret in it: the gaps are never in the way.
    #[test]
    fn a_number_is_edited_like_its_digits(actions in prop::collection::vec(action(), 1..60)) {
        let mut screen = Screen::new(Field::Number);
        for action in &actions {
            let (before, after) = screen.digits();
            let text = screen.text();
            let caret = screen.caret;
            screen.act(action);
            let (mut head, mut tail) = (before.clone(), after.clone());
            match action {
                Action::Type(character) => head += &ascii_digits(&character.to_string()),
                Action::Paste(pasted) => head += &ascii_digits(pasted),
                Action::Backspace => { head.pop(); }
                Action::Delete => tail = tail.get(1..).unwrap_or("").to_owned(),
                Action::Move(_) => continue,
                Action::Replace(share, digit) => {
                    let end = caret + (text.len() - caret) * usize::from(*share) / 255;
                    tail = text[end..].chars().filter(char::is_ascii_digit).collect();
                    head.push(*digit);
                }
                Action::Remove(share, way) => {
                    let end = (caret + 1 + (text.len() - caret) * usize::from(*share) / 255).min(text.len());
                    if end > caret {
                        tail = text[end..].chars().filter(char::is_ascii_digit).collect();
                    } else {
                        // Nothing behind the caret: only what deletes before it does anything.
                        match REMOVALS[*way] {
                            Edit::DeleteBackward => drop(head.pop()),
                            Edit::DeleteWordBackward => {
                                let group = text.bytes().rev().take_while(u8::is_ascii_digit).count();
                                head.truncate(head.len() - group);
                            }
                            Edit::DeleteToStart => head.clear(),
                            _ => {}
                        }
                    }
                }
            }
            if head.len() + tail.len() > 32 {
                (head, tail) = (before, after);
                prop_assert_eq!(screen.form.view(Field::Number).state, State::Invalid);
                prop_assert_eq!(screen.digits().0 + &screen.digits().1, head + &tail, "refused as a whole");
                continue;
            }
            prop_assert_eq!(screen.digits(), (head, tail), "after {:?} on {:?} at {}", action, text, caret);
        }
    }

    /// Nothing panics, and what the form shows is stable: reported back unchanged, it stays unchanged.
    #[test]
    fn what_is_shown_is_stable(actions in prop::collection::vec(action(), 0..30)) {
        for field in FIELDS {
            let mut screen = Screen::new(field);
            for action in &actions {
                screen.act(action);
            }
            let (text, caret) = (screen.text(), screen.caret);
            let state = screen.form.view(field).state;
            if screen.form.view(field).error.is_some() {
                continue;
            }
            screen.form.input(field, &text, caret);
            prop_assert_eq!(screen.form.view(field).text, text.as_str());
            prop_assert_eq!(screen.form.view(field).caret, Some(caret));
            prop_assert_eq!(screen.form.view(field).state, state);
        }
    }

    /// Backspace at the end always gets a field empty, one digit a press.
    #[test]
    fn backspace_is_never_fought(actions in prop::collection::vec(action(), 0..30)) {
        for field in FIELDS {
            let mut screen = Screen::new(field);
            for action in &actions {
                screen.act(action);
            }
            screen.caret = screen.text().len();
            while screen.caret > 0 {
                let before = ascii_digits(&screen.text());
                screen.act(&Action::Backspace);
                let after = ascii_digits(&screen.text());
                prop_assert!(after.len() < before.len());
                prop_assert!(before.starts_with(&after));
            }
        }
    }

    /// Any text at any caret, in any field: no panic, the digits of a number are kept or refused as a whole.
    #[test]
    fn any_text(value in ".{0,60}", caret in 0_usize..80, more in "\\PC{0,20}") {
        for field in FIELDS {
            let mut form = Form::new(FormKind::FullCard, NOW);
            for text in [&value, &more, &value] {
                form.input(field, text, caret);
                let view = form.view(field);
                prop_assert!(view.text.is_ascii());
                prop_assert!(view.caret.unwrap() <= view.text.len());
                if field == Field::Number && !fold(text, 0).overflows() {
                    prop_assert_eq!(ascii_digits(view.text), ascii_digits(text));
                }
            }
            form.blur(field);
            form.submit(NOW).unwrap_err();
            form.clear();
            prop_assert!(form.view(field).empty);
        }
        let _ = parse(&value, NOW);
        prop_assert!(Card::parse(&value, None, None, FormKind::PanOnly, NOW).is_err() || value.len() >= 12);
    }

    /// Any date of the next twenty years, in any written form, typed key by key or pasted, is that date.
    #[test]
    fn dates_come_through(months in 0_u16..242, form_of_text in 0_usize..10) {
        let (year, month) = (2026 + (10 + months) / 12, (10 + months) % 12 + 1);
        let (short, two) = (year % 100, format!("{month:02}"));
        let text = match form_of_text {
            0 => format!("{two}{short}"),
            1 => format!("{two}/{short}"),
            2 => format!("{two} / {year}"),
            3 => format!("{two}{year}"),
            4 => format!("{month}{year}"),
            5 => format!("{year}-{two}"),
            6 => format!("{year}{two}"),
            7 => format!("{year} / {two}"),
            8 => format!("{year}.{month} "),
            _ => format!("{month}/{short}"),
        };
        let pasted = parse(&text, NOW).unwrap();
        prop_assert_eq!((pasted.year, u16::from(pasted.month)), (year, month), "{}", &text);
        let mut screen = Screen::new(Field::Expiry);
        for key in text.chars() {
            screen.act(&Action::Type(key));
        }
        prop_assert_eq!(screen.text(), format!("{two}/{short}"), "{}", &text);
        prop_assert_eq!(screen.form.view(Field::Expiry).state, State::Valid);
    }

    /// Our formula, its definition and the crate agree.
    #[test]
    fn check_digits(tail in "[0-9]{14}") {
        let digits = format!("55{tail}");
        let repeated = digits.bytes().all(|byte| byte == b'5');
        prop_assert_eq!(Pan::new(&digits).is_some(), luhn(&digits) && !repeated);
        prop_assert_eq!(luhn::valid(&digits), luhn(&digits));
    }

    /// The brand found in the end was possible all along, and a decision is never taken back.
    #[test]
    fn brands_only_narrow(first in "[1-9]", second in "[0-9]{0,5}", rest in "[0-9]{8}") {
        let digits = format!("{first}{second}{rest}");
        let last = candidates(digits.as_bytes()).best();
        for count in 1..=digits.len() {
            let found = candidates(&digits.as_bytes()[..count]);
            if let Some(last) = last {
                prop_assert!(found.contains(last), "{}", &digits[..count]);
            }
            if let Some(decided) = found.decided() {
                prop_assert_eq!(Some(decided), last);
            }
        }
        prop_assert!(candidates(digits.as_bytes()).count() <= 2);
    }

    /// A mask shows head and tail and hides all between.
    #[test]
    fn masks(tail in "[0-9]{11,18}") {
        let digits = format!("4{tail}");
        if let Some(pan) = Pan::new(&digits) {
            let mask = pan.mask();
            let head = if digits.len() < 16 { 6 } else { 8 };
            prop_assert!((13..=19).contains(&mask.len()));
            prop_assert_eq!(&mask[..head], &digits[..head]);
            prop_assert_eq!(&mask[mask.len() - 4..], &digits[digits.len() - 4..]);
            prop_assert!(mask[head..mask.len() - 4].bytes().all(|byte| byte == b'*'));
            prop_assert!(mask.len() - head - 4 >= 3);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Undo all, redo all: everything is as it was, with the selection of before each edit and the caret of after it.
    #[test]
    fn undo_and_redo_are_the_identity(actions in prop::collection::vec(action(), 0..100)) {
        for field in FIELDS {
            let mut screen = Screen::new(field);
            // What was shown, the caret after it came, and what was selected before it went.
            let mut shown = vec![(String::new(), 0)];
            let mut left = Vec::new();
            for action in &actions {
                let (text, caret) = (screen.text(), screen.caret);
                screen.act(action);
                if screen.text() != text {
                    shown.push((screen.text(), screen.caret));
                    left.push(caret);
                }
            }
            // 64 states are kept.
            let kept = shown.len().saturating_sub(64);
            for step in (kept..left.len()).rev() {
                screen.form.undo(field, &shown[step].0);
                let view = screen.form.view(field);
                prop_assert_eq!(view.text, &shown[step].0);
                prop_assert_eq!(view.caret, Some(left[step]));
            }
            screen.form.undo(field, "nothing to undo");
            prop_assert_eq!(screen.form.view(field).text, &shown[kept].0);
            for (text, caret) in &shown[kept + 1..] {
                screen.form.redo(field, text);
                let view = screen.form.view(field);
                prop_assert_eq!(view.text, text);
                prop_assert_eq!((view.caret, view.selected), (Some(*caret), 0));
            }
            screen.form.redo(field, "nothing to redo");
            prop_assert_eq!(screen.form.view(field).text, &shown.last().unwrap().0);
        }
    }

    /// A number is the grouped form of its digits, however they came there: the same digits pasted at once look alike.
    #[test]
    fn a_number_is_the_grouped_form_of_its_digits(actions in prop::collection::vec(action(), 0..60)) {
        let mut screen = Screen::new(Field::Number);
        for action in &actions {
            screen.act(action);
            let mut other = Screen::new(Field::Number);
            let digits = ascii_digits(&screen.text());
            other.edit(0..0, Edit::Insert(&digits));
            prop_assert_eq!(other.text(), screen.text());
        }
    }

    /// What does not fit changes nothing and says so; what fits is there.
    #[test]
    fn no_digit_is_lost_silently(pastes in prop::collection::vec("[0-9]{1,20}", 1..5), place in any::<u8>()) {
        for field in FIELDS {
            let mut screen = Screen::new(field);
            for paste in &pastes {
                screen.act(&Action::Move(place));
                let before = screen.text();
                let wanted = ascii_digits(&before).len() + paste.len();
                screen.act(&Action::Paste(paste.clone()));
                let view = screen.form.view(field);
                if view.text == before {
                    prop_assert_eq!(view.state, State::Invalid);
                    prop_assert!(view.error.is_some());
                    let limit = if field == Field::Expiry { 12 } else { 32 };
                    prop_assert!(wanted > limit);
                } else if field != Field::Expiry {
                    prop_assert_eq!(ascii_digits(view.text).len(), wanted);
                }
            }
        }
    }
}
