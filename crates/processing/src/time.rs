//! Times as the tables have them: milliseconds since 1970.

use jiff::Timestamp;

use crate::refusal::Refusal;

pub(crate) fn to_sql(time: Timestamp) -> i64 {
    time.as_millisecond()
}

pub(crate) fn from_sql(millis: i64) -> Result<Timestamp, Refusal> {
    Timestamp::from_millisecond(millis).map_err(|_| Refusal::internal("a stored time is out of range"))
}
