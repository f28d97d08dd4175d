//! A date while it is being written: which digits are the month's, which the year's.

use crate::digits::Folded;
use crate::edit::Came;
use crate::error::{ErrorId, State, Verdict};

use super::{Expiry, FIRST_ZONE, HORIZON, LAST_ZONE, UnixSeconds};

/// Most digits kept of a date; the longest written form has 6.
const DIGIT_LIMIT: usize = 12;

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
    /// The year was written first and its month is not complete: the digits are as written, none is the month's.
    pub(crate) year_first: bool,
    /// More digits were written than are kept.
    pub(crate) overflow: bool,
    /// The digits were taken in another order than written, or the century was dropped.
    pub(crate) rewritten: bool,
}

impl Parts {
    /// Splits a text that is shown, or that came at one go.
    pub(crate) fn read(text: &str, now: UnixSeconds) -> Self {
        let mut folded = Folded::new();
        folded.add(text, false);
        Self::new(&folded, now, Came::Whole)
    }

    /// Splits the digits of a text into month and year.
    pub(crate) fn new(folded: &Folded, now: UnixSeconds, came: Came) -> Self {
        let mut parts = Self {
            digits: [0; DIGIT_LIMIT],
            month_len: 0,
            len: 0,
            separated: folded.split().is_some(),
            year_first: false,
            overflow: folded.overflows() || folded.digits().len() > DIGIT_LIMIT,
            rewritten: false,
        };
        for (slot, digit) in parts.digits.iter_mut().zip(folded.digits().bytes()) {
            *slot = digit - b'0';
            parts.len += 1;
        }
        parts.split(folded.split(), now, came);
        parts
    }

    /// Decides which digits are the month's.
    fn split(&mut self, written: Option<usize>, now: UnixSeconds, came: Came) {
        let len = usize::from(self.len);
        self.month_len = match written {
            // At most 12, as `len` is.
            Some(month_len @ 0..=2) => month_len as u8,
            _ if len > 1 && self.number(0, 2) == 20 => return self.read_year_first(came),
            _ => self.month_of(now, came),
        };
        let year_at = usize::from(self.month_len);
        if came != Came::Deleted && len == year_at + 4 && self.number(year_at, year_at + 2) == 20 {
            // A four-digit year keeps its last two digits.
            self.digits.copy_within(year_at + 2..len, year_at);
            self.len -= 2;
            self.rewritten = true;
        }
    }

    /// How many digits are the month's where no separator says it.
    fn month_of(&self, now: UnixSeconds, came: Came) -> u8 {
        match self.len {
            0..=2 => self.len,
            // 129, unless it reads as month and half a year.
            3 if came == Came::Whole && self.digits[0] > 0 => {
                let year = 2000 + self.number(1, 3);
                let fits = Expiry::new(year, self.digits[0], now).is_ok();
                let month_opens = (1..=12).contains(&self.number(0, 2));
                if fits || !month_opens { 1 } else { 2 }
            }
            // 12029
            5 if came == Came::Whole && self.digits[0] > 0 && self.number(1, 3) == 20 => 1,
            _ => 2,
        }
    }

    /// There is no month 20, so that it begins a year: 2029-01, 2029-1, 202901, and what is typed on the way there.
    fn read_year_first(&mut self, came: Came) {
        self.year_first = match (came, self.len) {
            (Came::Deleted, _) | (_, 0..=4 | 7..) => true,
            // 1 may yet be 10 to 12, 0 is no month.
            (Came::Typed, 5) => self.digits[4] < 2,
            _ => false,
        };
        if !self.year_first {
            let [_, _, tens, ones, month @ ..] = self.digits;
            let month_len = usize::from(self.len) - 4;
            self.digits[..2].copy_from_slice(&month[..2]);
            self.digits[month_len..month_len + 2].copy_from_slice(&[tens, ones]);
            self.month_len = month_len as u8;
            self.len -= 2;
            self.rewritten = true;
        }
    }

    /// The slash stands there by our doing, perhaps the 0 of the month too, and a digit was typed on that makes no year
    /// of it. Taken for what was meant instead, where that makes sense: `1 2 9` and `1 2 0 2 9` are January 2029, and
    /// `2 0` begins a year.
    pub(crate) fn reread(&mut self, now: UnixSeconds, own_zero: bool) {
        if own_zero && self.len == 3 && self.number(0, 2) == 2 && self.digits[2] == 0 {
            self.digits[..2].copy_from_slice(&[2, 0]);
            self.len = 2;
            self.month_len = 0;
            self.year_first = true;
            self.rewritten = true;
        } else if self.digits[0] > 0
            && self.month_len == 2
            && self.len == 3
            && self.judge(now).state == State::Invalid
        {
            self.month_len = 1;
            self.rewritten = self.judge(now).state != State::Invalid;
            if !self.rewritten {
                self.month_len = 2;
            }
        }
    }

    /// Year first and unfinished, in the order of writing.
    pub(crate) fn year_first_digits(&self) -> (&[u8], &[u8]) {
        let digits = self.digits.get(..usize::from(self.len)).unwrap_or(&[]);
        digits.split_at(digits.len().min(4))
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
        (self.month_len <= 2 && (1..=12).contains(&month)).then_some(month as u8)
    }

    /// Four digits, once two are there.
    pub(crate) fn year(&self) -> Option<u16> {
        let (start, end) = (usize::from(self.month_len), usize::from(self.len));
        match end - start {
            2 => Some(2000 + self.number(start, end)),
            4 => Some(self.number(start, end)),
            _ => None,
        }
    }

    pub(crate) fn judge(&self, now: UnixSeconds) -> Verdict {
        if self.len == 0 {
            return Verdict::incomplete(ErrorId::ExpiryEmpty);
        }
        if self.overflow || self.year_first && self.len > 6 {
            return Verdict::invalid(ErrorId::ExpiryTooLong);
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
                    None => Verdict::invalid(ErrorId::ExpiryTooLong),
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

    /// Value of the digits from `start` to `end`, at most four of them.
    fn number(&self, start: usize, end: usize) -> u16 {
        let end = end.min(usize::from(self.len));
        let digits = self.digits.get(start..end).unwrap_or(&[]);
        let mut value = 0;
        for digit in digits.iter().take(4) {
            value = value * 10 + u16::from(*digit);
        }
        value
    }
}

impl Drop for Parts {
    #[inline(never)]
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.digits);
    }
}
