//! The digits that should stand in a field, and how they should be grouped.

use std::ops::Range;

use card_widget_card::digits::fold;
use card_widget_card::{Brand, Brands, Edit};

/// The digits that an edit should leave, before the caret and behind it.
pub(crate) struct Model {
    pub(crate) head: String,
    pub(crate) tail: String,
}

impl Model {
    pub(crate) fn of(text: &str, selection: &Range<usize>, edit: Edit<'_>) -> Self {
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

    pub(crate) fn digits(&self) -> String {
        self.head.clone() + &self.tail
    }

    /// A date is written in another order now and then, loses its century and gains a 0. Nothing else may come or go.
    pub(crate) fn check_date(&self, before: &str, text: &str, put: &str) {
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

pub(crate) fn digits(text: &str) -> String {
    let folded = fold(text, 0);
    // More than are kept: count them, so that nothing that fits comes out.
    if folded.overflows() {
        "0".repeat(100)
    } else {
        folded.digits().to_owned()
    }
}

pub(crate) fn count(text: &str) -> usize {
    digits(text).len()
}

/// A character that stands between groups.
pub(crate) fn is_mark(character: char) -> bool {
    matches!(
        character,
        ' ' | '-' | '/' | '.' | '\n' | '\u{a0}' | '\u{2013}' | '\u{ff0f}'
    )
}

/// Groups by brand, once more.
pub(crate) fn grouped(digits: &str, brands: Brands) -> String {
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
