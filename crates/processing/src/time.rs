//! Times as the tables have them: milliseconds since 1970.

use jiff::{SignedDuration, Timestamp};
use vault::Clock;

use crate::refusal::Refusal;

/// What a clock shows.
pub(crate) fn of(clock: &dyn Clock) -> Timestamp {
    let millis = i64::try_from(clock.millis()).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}

/// The time `by` later; the same where there is none.
pub(crate) fn after(time: Timestamp, by: SignedDuration) -> Timestamp {
    time.saturating_add(by).unwrap_or(time)
}

pub(crate) fn to_sql(time: Timestamp) -> i64 {
    time.as_millisecond()
}

pub(crate) fn from_sql(millis: i64) -> Result<Timestamp, Refusal> {
    Timestamp::from_millisecond(millis).map_err(|_| Refusal::internal("a stored time is out of range"))
}

/// Whole milliseconds.
pub(crate) fn millis(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
