//! A date while it is being written: which digits are the month's, which the year's.

use crate::digits::{Class, class};
use crate::error::{ErrorId, State, Verdict};

use super::{Expiry, FIRST_ZONE, HORIZON, LAST_ZONE, UnixSeconds};

/// Most digits kept of a date; the longest written form has 6.
const DIGIT_LIMIT: usize = 12;

/// How a text came about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Came {
    /// At one go: it is one of the written forms.
    Whole,
    /// It grew by a key press: two digits are a month, and `129` is not split anew after each key.
    Typed,
    /// Something was deleted: the rest stays as it is.
    Deleted,
}

/// A date as typed: the digits of the month and those of the year.
///
/// Nothing here is card data that could be charged, but it is wiped with the rest of the form.
pub(crate) struct Parts {
    digits: [u8; DIGIT_LIMIT],
    /// How many of the digits are the month's.
    month_len: u8,
    len: u8,
    /// A separator was written, so that the month is complete however many digits it has.
    pub(crate) separated: bool,
    /// More digits were written than are kept.
    pub(crate) overflow: bool,
    /// The digits were taken in another order than written, or the century was dropped.
    pub(crate) rewritten: bool,
}

impl Parts {
    /// Splits a text into month and year.
    pub(crate) fn read(text: &str, now: UnixSeconds, came: Came) -> Self {
        let mut parts = Self {
            digits: [0; DIGIT_LIMIT],
            month_len: 0,
            len: 0,
            separated: false,
            overflow: false,
            rewritten: false,
        };
        for character in text.chars() {
            match class(character) {
                Class::Digit(digit) => match parts.digits.get_mut(usize::from(parts.len)) {
                    Some(slot) => {
                        *slot = digit;
                        parts.len += 1;
                    }
                    None => parts.overflow = true,
                },
                // A slash before any digit stands for a month that was deleted; other marks there mean nothing.
                Class::Separator if !parts.separated && (parts.len > 0 || character == '/') => {
                    parts.separated = true;
                    parts.month_len = parts.len;
                }
                Class::Separator | Class::Other => {}
            }
        }
        parts.split(now, came);
        parts
    }

    /// Decides which digits are the month's.
    fn split(&mut self, now: UnixSeconds, came: Came) {
        let len = usize::from(self.len);
        let first_two = self.number(0, 2);
        if self.separated && self.month_len == 4 && len > 4 && len <= 6 && first_two == 20 {
            // 2029-01, 2029-1
            self.turn(4);
            return;
        }
        if !self.separated || usize::from(self.month_len) > 2 {
            let month_opens = (1..=12).contains(&first_two);
            self.month_len = match len {
                0..=2 => self.len,
                // 129, unless it reads as month and half a year.
                3 if came == Came::Whole && self.digits[0] > 0 => {
                    let year = 2000 + u16::from(self.number(1, 3));
                    let fits = Expiry::new(year, self.digits[0], now).is_ok();
                    if fits || !month_opens { 1 } else { 2 }
                }
                // 12029
                5 if came == Came::Whole && self.digits[0] > 0 && self.number(1, 3) == 20 => 1,
                6 if came == Came::Whole && !month_opens && first_two == 20 => {
                    // 202901
                    self.turn(4);
                    return;
                }
                _ => 2,
            };
        }
        let year_at = usize::from(self.month_len);
        if came != Came::Deleted && len == year_at + 4 && self.number(year_at, year_at + 2) == 20 {
            // A four-digit year keeps its last two digits.
            self.digits.copy_within(year_at + 2..len, year_at);
            self.len -= 2;
            self.rewritten = true;
        }
    }

    /// Year first, as in ISO 8601: takes its last two digits to the end.
    fn turn(&mut self, year_len: usize) {
        let len = usize::from(self.len);
        let year = [self.digits[year_len - 2], self.digits[year_len - 1]];
        self.digits.copy_within(year_len..len, 0);
        let month_len = len - year_len;
        self.digits[month_len..month_len + 2].copy_from_slice(&year);
        self.len = (month_len + 2) as u8;
        self.month_len = month_len as u8;
        self.rewritten = true;
    }

    /// `129` typed key by key looks like December until the `9`, which begins no year that a card can have. Read as
    /// January 2029 where that is one. Only for a slash that the person did not write.
    pub(crate) fn reread(&mut self, now: UnixSeconds) {
        if self.month_len == 2 && self.len == 3 && self.judge(now).state == State::Invalid {
            let year = 2000 + u16::from(self.number(1, 3));
            if Expiry::new(year, self.digits[0], now).is_ok() {
                self.month_len = 1;
                self.rewritten = true;
            }
        }
    }

    pub(crate) fn month_digits(&self) -> &[u8] {
        self.digits.get(..usize::from(self.month_len)).unwrap_or(&[])
    }

    pub(crate) fn year_digits(&self) -> &[u8] {
        self.digits
            .get(usize::from(self.month_len)..usize::from(self.len))
            .unwrap_or(&[])
    }

    /// Puts a `0` before a month of one digit, other than 0. `true` when it did.
    pub(crate) fn pad_month(&mut self) -> bool {
        if self.month_len != 1 || self.digits[0] == 0 || usize::from(self.len) == DIGIT_LIMIT {
            return false;
        }
        self.digits.copy_within(0..usize::from(self.len), 1);
        self.digits[0] = 0;
        self.len += 1;
        self.month_len = 2;
        true
    }

    /// 1 to 12, or `None` while there is no such month.
    pub(crate) fn month(&self) -> Option<u8> {
        let month = self.number(0, usize::from(self.month_len));
        (self.month_len <= 2 && (1..=12).contains(&month)).then_some(month)
    }

    /// Four digits, once two are there.
    pub(crate) fn year(&self) -> Option<u16> {
        match *self.year_digits() {
            [tens, ones] => Some(2000 + u16::from(tens) * 10 + u16::from(ones)),
            [a, b, c, d] => Some(u16::from(a) * 1000 + u16::from(b) * 100 + u16::from(c) * 10 + u16::from(d)),
            _ => None,
        }
    }

    pub(crate) fn judge(&self, now: UnixSeconds) -> Verdict {
        if self.len == 0 {
            return Verdict::incomplete(ErrorId::ExpiryEmpty);
        }
        if self.overflow {
            return Verdict::invalid(ErrorId::ExpiryIncomplete);
        }
        // One digit, or none, can still become a month.
        let month = match (self.month(), self.month_len) {
            (Some(month), _) => month,
            (None, 0 | 1) => return Verdict::incomplete(ErrorId::ExpiryIncomplete),
            (None, _) => return Verdict::invalid(ErrorId::ExpiryMonth),
        };
        let decade = match *self.year_digits() {
            [] => return Verdict::incomplete(ErrorId::ExpiryIncomplete),
            [tens] | [2, 0, tens] => 2000 + u16::from(tens) * 10,
            // The first half of a four-digit year, or the year 2020.
            [2, 0] => {
                return match Expiry::new(2020, month, now) {
                    Ok(_) => Verdict::VALID,
                    Err(error) => Verdict::incomplete(error),
                };
            }
            _ => {
                return match self.year().map(|year| Expiry::new(year, month, now)) {
                    Some(Ok(_)) => Verdict::VALID,
                    Some(Err(error)) => Verdict::invalid(error),
                    None => Verdict::invalid(ErrorId::ExpiryIncomplete),
                };
            }
        };
        // A year of which one digit is missing: wrong already when the whole decade is. `2` also begins `20..`.
        if decade + 9 < now.month(LAST_ZONE).year && decade != 2020 {
            Verdict::invalid(ErrorId::ExpiryPast)
        } else if decade > now.month(FIRST_ZONE).year.saturating_add(HORIZON) {
            Verdict::invalid(ErrorId::ExpiryFar)
        } else {
            Verdict::incomplete(ErrorId::ExpiryIncomplete)
        }
    }

    /// Value of the digits from `start` to `end`, at most two of them.
    fn number(&self, start: usize, end: usize) -> u8 {
        let end = end.min(usize::from(self.len));
        self.digits
            .get(start..end)
            .unwrap_or(&[])
            .iter()
            .take(2)
            .fold(0, |value, digit| value * 10 + digit)
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.digits);
    }
}
