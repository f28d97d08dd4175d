//! From a change to what the field shows: text and caret.
//!
//! All texts that come out are ASCII, so that bytes, characters and UTF-16 units are the same there.

use crate::brand::{self, Brands};
use crate::buffer::Buffer;
use crate::edit::{Came, Change, count};
use crate::expiry::{Parts, UnixSeconds};

/// The gap between groups of a number.
const GAP: u8 = b' ';

/// Between month and year.
const SLASH: u8 = b'/';

/// A formatted text and the caret in it.
pub(crate) struct Formatted {
    pub(crate) text: Buffer,
    pub(crate) caret: usize,
    pub(crate) own: Own,
    /// What a number may be.
    pub(crate) brands: Brands,
}

/// What stands at the end of a date by our doing, not by the person's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Own(pub(crate) u8);

impl Own {
    pub(crate) const NOTHING: Self = Self(0);
    pub(crate) const SLASH: Self = Self(1);
    /// The 0 before the month too.
    pub(crate) const ZERO_AND_SLASH: Self = Self(2);
}

/// Formats a number, or a code, which has no gaps. `None`: more digits than can be kept, so the change is refused as a
/// whole.
pub(crate) fn number(before: &str, change: &Change<'_>, gaps: bool) -> Option<Formatted> {
    let folded = change.fold();
    if folded.overflows() {
        return None;
    }
    let left = folded.before_caret();
    // Before a gap and after it are the same place among the digits. The caret goes after it when the person was
    // there, or came there by typing.
    let after_gap = folded.gap_before_caret() || folded.digits().len() > count(before);
    let digits = folded.into_digits();
    let brands = if gaps {
        brand::candidates(digits.as_bytes())
    } else {
        Brands::NONE
    };
    let rules = brands.rules();
    let mut text = Buffer::new();
    let mut caret = 0;
    for (index, digit) in digits.as_bytes().iter().enumerate() {
        if gaps && rules.has_gap_after(index, digits.len()) {
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
        own: Own::NOTHING,
        brands,
    })
}

/// Formats a date as `MM/YY`.
///
/// A month is completed and the slash put in only while something is being added: what a person deletes stays
/// deleted.
pub(crate) fn expiry(own: Own, change: &Change<'_>, now: UnixSeconds) -> Option<Formatted> {
    let folded = change.fold();
    let grew = change.came != Came::Deleted;
    let mut parts = Parts::new(&folded, now, change.came);
    if parts.overflow {
        return None;
    }
    if own != Own::NOTHING && change.came == Came::Typed {
        parts.reread(now, own == Own::ZERO_AND_SLASH);
    }
    let mut left = folded.before_caret();
    let at_end = left == folded.digits().len();
    let wrote_separator = parts.separated;
    let mut text = Buffer::new();
    let mut own = Own::NOTHING;
    let (first, second) = if parts.year_first {
        parts.year_first_digits()
    } else {
        let has_year = !parts.year_digits().is_empty();
        // Right behind its first digit the person is still writing the month, even with a year there.
        let in_month = left == 1 && !folded.gap_before_caret();
        let closed = matches!(parts.month_digits(), [2..=9]) || (wrote_separator || has_year) && !in_month;
        let padded = grew && closed && parts.pad_month();
        if padded && left > 0 {
            left += 1;
        }
        if !wrote_separator && !has_year {
            own = if padded { Own::ZERO_AND_SLASH } else { Own::SLASH };
        }
        (parts.month_digits(), parts.year_digits())
    };
    let is_whole = first.len() == if parts.year_first { 4 } else { 2 };
    let complete = grew && (parts.year_first || parts.month().is_some());
    let slash = !second.is_empty() || is_whole && (wrote_separator || complete);
    if !slash {
        own = Own::NOTHING;
    }
    for digit in first {
        text.push(b'0' + digit);
    }
    if slash {
        text.push(SLASH);
    }
    for digit in second {
        text.push(b'0' + digit);
    }
    let mut caret = left;
    if slash && (left > first.len() || left == first.len() && (grew && is_whole || folded.gap_before_caret()))
    {
        caret += 1;
    }
    if at_end && grew || parts.rewritten || caret > text.len() {
        caret = text.len();
    }
    Some(Formatted {
        text,
        caret,
        own,
        brands: Brands::NONE,
    })
}

/// The digits of a formatted text.
pub(crate) fn digits(text: &str) -> Buffer {
    let mut digits = Buffer::new();
    for byte in text.bytes().filter(u8::is_ascii_digit) {
        digits.push(byte);
    }
    digits
}
