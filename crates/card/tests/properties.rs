//! What must hold whatever is typed, in whatever order.

use card_widget_card::brand::candidates;
use card_widget_card::digits::fold;
use card_widget_card::expiry::parse;
use card_widget_card::{Card, Field, Form, FormKind, Pan, State, UnixSeconds};
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
    ]
}

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

    fn replace(&mut self, start: usize, end: usize, with: &str) {
        let text = self.text();
        if start == end && with.is_empty() {
            return;
        }
        let value = format!("{}{with}{}", &text[..start], &text[end..]);
        let caret = (start..start + with.encode_utf16().count()).len() + start;
        self.form.select(self.field, self.caret);
        self.form.input(self.field, &value, caret);
        let view = self.form.view(self.field);
        self.caret = view.caret.unwrap_or(usize::MAX);
        assert!(view.text.is_ascii());
        assert!(self.caret <= view.text.len(), "the caret stands outside the text");
    }

    fn act(&mut self, action: &Action) {
        let (at, len) = (self.caret, self.text().len());
        match action {
            Action::Type(character) => self.replace(at, at, &character.to_string()),
            Action::Paste(text) => self.replace(at, at, text),
            Action::Backspace => self.replace(at.saturating_sub(1), at, ""),
            Action::Delete => self.replace(at, (at + 1).min(len), ""),
            Action::Move(share) => self.caret = len * usize::from(*share) / 255,
            Action::Replace(share, digit) => {
                let end = at + (len - at) * usize::from(*share) / 255;
                self.replace(at, end, &digit.to_string());
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
                prop_assert!(after.len() < before.len() || screen.text() == "/" && screen.caret == 0);
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
                form.select(field, caret);
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
    fn dates_come_through(months in 0_u16..242, form_of_text in 0_usize..5) {
        let (year, month) = (2026 + (10 + months) / 12, (10 + months) % 12 + 1);
        let (short, two) = (year % 100, format!("{month:02}"));
        let text = match form_of_text {
            0 => format!("{two}{short}"),
            1 => format!("{two}/{short}"),
            2 => format!("{two} / {year}"),
            3 => format!("{two}{year}"),
            _ => format!("{month}/{short}"),
        };
        let pasted = parse(&text, NOW).unwrap();
        prop_assert_eq!((pasted.year, u16::from(pasted.month)), (year, month));
        let mut screen = Screen::new(Field::Expiry);
        for key in text.chars() {
            screen.act(&Action::Type(key));
        }
        prop_assert_eq!(screen.text(), format!("{two}/{short}"));
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
        prop_assert!(candidates(digits.as_bytes()).count() <= 1);
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
