//! From what a browser reports to what the field shows: text and caret.
//!
//! Browsers tell the new value and caret only. Which key was pressed is found by comparing with the text before. All
//! texts that come out are ASCII, so that bytes, characters and UTF-16 units are the same there.

use crate::brand::{self, Rules};
use crate::buffer::Buffer;
use crate::digits::fold;
use crate::expiry::{Came, Parts, UnixSeconds};

/// The gap between groups of a number.
const GAP: u8 = b' ';

/// Between month and year.
const SLASH: u8 = b'/';

/// A formatted text and the caret in it.
pub(crate) struct Formatted {
    pub(crate) text: Buffer,
    pub(crate) caret: usize,
    /// Something was put in by this edit, not only taken away.
    pub(crate) grew: bool,
    /// The slash at the end of a date was put there by us, not by the person.
    pub(crate) own_slash: bool,
}

/// What was there before an edit.
#[derive(Clone, Copy, Default)]
pub(crate) struct Before<'a> {
    pub(crate) text: &'a str,
    /// Where the caret stood, if somebody told: the only way to tell Delete from Backspace at a gap.
    pub(crate) caret: Option<usize>,
    pub(crate) own_slash: bool,
}

/// An edit as the browser reports it.
#[derive(Clone, Copy)]
pub(crate) struct Edit<'a> {
    pub(crate) value: &'a str,
    /// UTF-16 units.
    pub(crate) caret: usize,
}

/// Formats a number. `None`: more digits than can be kept, so the edit is refused as a whole.
pub(crate) fn number(before: Before<'_>, edit: Edit<'_>) -> Option<Formatted> {
    let mended = mend(before, edit);
    let edit = mended.edit(edit);
    let folded = fold(edit.value, edit.caret);
    if folded.overflows() {
        return None;
    }
    let grew = mended.caret.is_none() && !is_removal(before.text, edit);
    let left = folded.before_caret();
    // Before a gap and after it are the same place among the digits. The caret goes after it when the person was
    // there, or came there by typing.
    let after_gap = folded.gap_before_caret() || folded.digits().len() > count_digits(before.text);
    let digits = folded.into_digits();
    let rules = Rules::of(brand::candidates(digits.as_bytes()).best());
    let mut text = Buffer::new();
    let mut caret = 0;
    for (index, digit) in digits.as_bytes().iter().enumerate() {
        if rules.has_gap_after(index, digits.len()) {
            text.push(GAP);
        }
        if index == left && after_gap {
            caret = text.len();
        }
        text.push(*digit);
        if index + 1 == left {
            caret = text.len();
        }
    }
    Some(Formatted {
        text,
        caret,
        grew,
        own_slash: false,
    })
}

/// Formats a security code: the digits alone.
pub(crate) fn code(before: Before<'_>, edit: Edit<'_>) -> Option<Formatted> {
    let folded = fold(edit.value, edit.caret);
    (!folded.overflows()).then(|| Formatted {
        caret: folded.before_caret(),
        grew: !is_removal(before.text, edit),
        text: folded.into_digits(),
        own_slash: false,
    })
}

/// Formats a date as `MM/YY`.
///
/// A month is completed and the slash put in only while something is being added: what a person deletes stays
/// deleted.
pub(crate) fn expiry(before: Before<'_>, edit: Edit<'_>, now: UnixSeconds) -> Option<Formatted> {
    let mended = mend(before, edit);
    let edit = mended.edit(edit);
    let folded = fold(edit.value, edit.caret);
    let grew = mended.caret.is_none() && !is_removal(before.text, edit);
    let typed = !before.text.is_empty() && is_insertion(before.text, edit);
    let came = match (grew, typed) {
        (false, _) => Came::Deleted,
        (true, true) => Came::Typed,
        (true, false) => Came::Whole,
    };
    let mut parts = Parts::read(edit.value, now, came);
    if parts.overflow {
        return None;
    }
    if before.own_slash && typed {
        parts.reread(now);
    }
    let mut left = folded.before_caret();
    let at_end = left == folded.digits().len();
    let wrote_separator = parts.separated;
    // Right behind its first digit the person is still writing the month, even with a year there.
    let in_month = left == 1 && !folded.gap_before_caret();
    let has_year = !parts.year_digits().is_empty();
    let closed = matches!(parts.month_digits(), [2..=9]) || (wrote_separator || has_year) && !in_month;
    if grew && closed && parts.pad_month() && left > 0 {
        left += 1;
    }
    let month_len = parts.month_digits().len();
    let complete = grew && parts.month().is_some();
    let slash = has_year || month_len == 2 && (wrote_separator || complete);
    let mut text = Buffer::new();
    for digit in parts.month_digits() {
        text.push(b'0' + digit);
    }
    if slash {
        text.push(SLASH);
    }
    for digit in parts.year_digits() {
        text.push(b'0' + digit);
    }
    let mut caret = left;
    if slash
        && (left > month_len || left == month_len && (grew && month_len == 2 || folded.gap_before_caret()))
    {
        caret += 1;
    }
    if at_end && grew || parts.rewritten || caret > text.len() {
        caret = text.len();
    }
    Some(Formatted {
        text,
        caret,
        grew,
        own_slash: slash && !has_year && !wrote_separator,
    })
}

/// An edit set right: a gap or slash alone was deleted, and the person meant the digit beyond it.
struct Mended {
    value: Buffer,
    caret: Option<usize>,
}

impl Mended {
    fn edit<'a>(&'a self, original: Edit<'a>) -> Edit<'a> {
        match self.caret {
            Some(caret) => Edit {
                value: self.value.as_str(),
                caret,
            },
            None => original,
        }
    }
}

fn mend(before: Before<'_>, edit: Edit<'_>) -> Mended {
    let mut mended = Mended {
        value: Buffer::new(),
        caret: None,
    };
    let at = edit.caret;
    let one_less = edit.value.len() + 1 == before.text.len();
    let is_gap = before
        .text
        .as_bytes()
        .get(at)
        .is_some_and(|byte| !byte.is_ascii_digit());
    // A caret told to be elsewhere: a selection was replaced, and the outcome only looks like a deleted gap.
    let is_beside = before.caret.is_none_or(|caret| caret == at || caret == at + 1);
    if !one_less || !is_gap || !is_beside || !is_removal(before.text, edit) {
        return mended;
    }
    for byte in before.text.bytes() {
        mended.value.push(byte);
    }
    match before.caret {
        // Delete, from before the gap.
        Some(caret) if caret == at => {
            mended.value.remove(at + 1);
            mended.caret = Some(at);
        }
        // Backspace, from behind it. At the very start there is no digit to delete, and the slash stays.
        Some(_) | None if at == 0 => mended.caret = Some(0),
        Some(_) | None => {
            mended.value.remove(at - 1);
            mended.caret = Some(at - 1);
        }
    }
    mended
}

/// The edit only deleted: the new value is the old text without one range, and the caret stands where that was.
fn is_removal(before: &str, edit: Edit<'_>) -> bool {
    // The text before is ASCII, so any value that is a part of it is, and units are bytes.
    match (edit.value.get(..edit.caret), edit.value.get(edit.caret..)) {
        (Some(head), Some(tail)) => {
            edit.value.len() < before.len() && before.starts_with(head) && before.ends_with(tail)
        }
        _ => false,
    }
}

/// The edit only added, one digit: the old text stands around it unchanged. So keys do; a paste over everything does
/// not.
fn is_insertion(before: &str, edit: Edit<'_>) -> bool {
    let mut units = 0;
    let split = edit.value.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units > edit.caret
    });
    let tail = split.and_then(|(at, _)| edit.value.get(at..)).unwrap_or("");
    let Some(head) = before
        .len()
        .checked_sub(tail.len())
        .and_then(|len| before.get(..len))
    else {
        return false;
    };
    edit.value.starts_with(head)
        && before.ends_with(tail)
        && fold(edit.value, 0).digits().len() == count_digits(before) + 1
}

/// The digits of a formatted text.
pub(crate) fn digits(text: &str) -> Buffer {
    let mut digits = Buffer::new();
    for byte in text.bytes().filter(u8::is_ascii_digit) {
        digits.push(byte);
    }
    digits
}

fn count_digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}
