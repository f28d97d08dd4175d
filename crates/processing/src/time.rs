//! Times as the tables have them: milliseconds since 1970.

use jiff::Timestamp;
use vault::Clock;

use crate::refusal::Refusal;

/// What a clock shows.
pub(crate) fn of(clock: &dyn Clock) -> Timestamp {
    let millis = i64::try_from(clock.millis()).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}

pub(crate) fn to_sql(time: Timestamp) -> i64 {
    time.as_millisecond()
}

pub(crate) fn from_sql(millis: i64) -> Result<Timestamp, Refusal> {
    Timestamp::from_millisecond(millis).map_err(|_| Refusal::internal("a stored time is out of range"))
}
