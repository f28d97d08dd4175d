//! The expiry date: a month, its reading from what people write, and whether it is over.

mod parts;

use crate::error::ErrorId;

pub(crate) use parts::Parts;

/// How many years from now a card may say it is good for. No issuer goes near it; beyond it somebody mistyped.
pub const HORIZON: u16 = 20;

/// Seconds since 1970-01-01T00:00:00Z. Time is always an argument here: nothing in this crate asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnixSeconds(pub u64);

impl UnixSeconds {
    /// Year and month in a zone so many seconds ahead of UTC.
    fn month(self, ahead: i32) -> Month {
        let seconds = if ahead < 0 {
            self.0.saturating_sub(u64::from(ahead.unsigned_abs()))
        } else {
            self.0.saturating_add(u64::from(ahead.unsigned_abs()))
        };
        // Counted from 1 March of the year 0, so that a leap day is the last one of its year: 400 years are 146,097 days, 100 of
        // them 36,524, 4 of them 1,460 and a day that the last of them has.
        let days = seconds / DAY + 719_468;
        let (turns, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        // Five months from March or August on are 153 days.
        let month = (5 * day + 2) / 153;
        let (year, month) = match month {
            0..10 => (year, month + 3),
            _ => (year + 1, month - 9),
        };
        Month {
            year: u16::try_from(400 * turns + year).unwrap_or(u16::MAX),
            month: month as u8,
        }
    }
}

const DAY: u64 = 86_400;

/// The last place where a day ends is UTC−12; seconds.
const LAST_ZONE: i32 = -12 * 3_600;

/// The first place where a year begins is UTC+14; seconds.
const FIRST_ZONE: i32 = 14 * 3_600;

/// A month of a year, in the order of time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Month {
    year: u16,
    month: u8,
}

/// The last month in which a card is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expiry {
    /// Four digits, 2000 to 2099 where it was typed.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
}

impl Expiry {
    /// Checks month and year against a time; the error is `ExpiryMonth`, `ExpiryPast` or `ExpiryFar`.
    pub fn new(year: u16, month: u8, now: UnixSeconds) -> Result<Self, ErrorId> {
        if !(1..=12).contains(&month) {
            Err(ErrorId::ExpiryMonth)
        } else if (Month { year, month }) < now.month(LAST_ZONE) {
            Err(ErrorId::ExpiryPast)
        } else if year > now.month(FIRST_ZONE).year.saturating_add(HORIZON) {
            Err(ErrorId::ExpiryFar)
        } else {
            Ok(Self { year, month })
        }
    }
}

/// Reads a date in any of its written forms: `1/29`, `129`, `0129`, `01/29` with any separator, `012029`, `01/2029`,
/// `2029-01` and the like, in digits of any script. The error is the id that a form would show.
pub fn parse(text: &str, now: UnixSeconds) -> Result<Expiry, ErrorId> {
    let parts = Parts::read(text, now);
    let verdict = parts.judge(now);
    match (verdict.error, parts.month(), parts.year()) {
        (None, Some(month), Some(year)) => Expiry::new(year, month, now),
        (error, ..) => Err(error.unwrap_or(ErrorId::ExpiryIncomplete)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_those_of_the_calendar() {
        let mut day = 0;
        for year in 1970..=2401 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let lengths = [
                31,
                28 + u64::from(is_leap),
                31,
                30,
                31,
                30,
                31,
                31,
                30,
                31,
                30,
                31,
            ];
            for (month, length) in (1..).zip(lengths) {
                let first = UnixSeconds(day * DAY);
                let last = UnixSeconds((day + length) * DAY - 1);
                assert!(first.month(0) == Month { year, month }, "{year}-{month}: begins");
                assert!(last.month(0) == Month { year, month }, "{year}-{month}: ends");
                day += length;
            }
        }
        assert!(
            UnixSeconds(0).month(LAST_ZONE).year == 1970,
            "before 1970 it is 1970"
        );
        assert!(
            UnixSeconds(u64::MAX).month(FIRST_ZONE).year == u16::MAX,
            "no year that there is"
        );
    }
}
