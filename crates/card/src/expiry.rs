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
        let mut days = seconds / DAY;
        // 400 Gregorian years are exactly 146,097 days; the rest is walked, which is small code and 400 steps at most.
        let mut year = 1970 + 400 * (days / 146_097);
        days %= 146_097;
        loop {
            let length = if is_leap(year) { 366 } else { 365 };
            if days < length {
                break;
            }
            days -= length;
            year += 1;
        }
        let mut month = 1;
        for length in [
            31,
            if is_leap(year) { 29 } else { 28 },
            31,
            30,
            31,
            30,
            31,
            31,
            30,
            31,
            30,
        ] {
            if days < length {
                break;
            }
            days -= length;
            month += 1;
        }
        Month {
            year: u16::try_from(year).unwrap_or(u16::MAX),
            month,
        }
    }
}

const DAY: u64 = 86_400;

/// The last place where a day ends is UTC−12; seconds.
const LAST_ZONE: i32 = -12 * 3_600;

/// The first place where a year begins is UTC+14; seconds.
const FIRST_ZONE: i32 = 14 * 3_600;

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

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
