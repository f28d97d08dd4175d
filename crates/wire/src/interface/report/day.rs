//! Days and times as reports write them.

use alloc::borrow::Cow;
use core::fmt;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::interface::read::{expected, text};

/// A day that there is, in UTC: `2026-02-28`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

impl Day {
    /// `None` when the text is not of the form, or the calendar has no such day.
    pub fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let [_, _, _, _, b'-', _, _, b'-', _, _] = bytes else {
            return None;
        };
        let number = |at: core::ops::Range<usize>| {
            let digits = text.get(at)?;
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse::<i16>().ok()).flatten()
        };
        let (month, day) = (number(5..7)?, number(8..10)?);
        let date = Date::new(number(0..4)?, month.try_into().ok()?, day.try_into().ok()?);
        date.ok().map(Self)
    }

    /// The day of a time.
    pub fn of(time: Timestamp) -> Self {
        Self(civil(time).date())
    }

    /// The day in the calendar.
    pub const fn date(self) -> Date {
        self.0
    }

    /// Its first moment, in milliseconds since 1970.
    pub fn begin(self) -> i64 {
        let begin = self.0.to_datetime(Time::midnight()).to_zoned(TimeZone::UTC);
        // There is one for each day that has four digits of a year.
        begin.map_or(i64::MAX, |begin| begin.timestamp().as_millisecond())
    }

    /// The first moment behind it, in milliseconds since 1970.
    pub fn end(self) -> i64 {
        self.begin().saturating_add(86_400_000)
    }

    /// Days from this one to a later one; below 0 to an earlier one.
    pub fn days_until(self, other: Self) -> i64 {
        (other.begin() - self.begin()).div_euclid(86_400_000)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.0;
        write!(f, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Days;

        impl Visitor<'_> for Days {
            type Value = Day;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a day that the calendar has, as `2026-02-28`")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Day, E> {
                Day::new(text).ok_or_else(|| E::invalid_length(text.len(), &self))
            }
        }

        deserializer.deserialize_str(Days)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Day {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}

/// A time in UTC, to the second and without a zone: `2026-02-28 13:37:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment(pub Timestamp);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = civil(self.0);
        write!(
            f,
            "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
            at.year(),
            at.month(),
            at.day(),
            at.hour(),
            at.minute(),
            at.second()
        )
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = text(deserializer, TIME)?;
        let (day, time) = text.split_once(' ').ok_or_else(|| expected(TIME))?;
        let day = Day::new(day).ok_or_else(|| expected(TIME))?;
        let time: Time = time.parse().map_err(|_| expected(TIME))?;
        let at = day.0.to_datetime(time).to_zoned(TimeZone::UTC);
        at.map(|at| Self(at.timestamp())).map_err(|_| expected(TIME))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$" })
    }
}

const TIME: &str = "a time in UTC, as `2026-02-28 13:37:00`";

fn civil(time: Timestamp) -> DateTime {
    TimeZone::UTC.to_datetime(time)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_read() {
        for text in [
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-06-31",
            "2026-6-01",
            "20260601",
            "2026-06-01T00:00:00Z",
            " 2026-06-01",
            "2026-06-1 ",
            "+026-06-01",
            "2026-06-0\u{661}",
            "",
        ] {
            assert_eq!(Day::new(text), None, "{text}");
        }
        for text in ["2024-02-29", "0001-01-01", "9999-12-31", "2026-11-22"] {
            assert_eq!(Day::new(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_day_has_its_milliseconds() {
        let day = Day::new("2026-11-22").unwrap();
        assert_eq!(day.begin(), 1_795_305_600_000);
        assert_eq!(day.end(), 1_795_392_000_000);
        let last: Timestamp = "2026-11-22T23:59:59.999Z".parse().unwrap();
        assert_eq!(Day::of(last), day);
        assert_eq!(Moment(last).to_string(), "2026-11-22 23:59:59");
        let read =
            |text: &str| serde_json::from_value::<Moment>(text.into()).map(|moment| moment.to_string());
        assert_eq!(read("2026-11-22 23:59:59").unwrap(), "2026-11-22 23:59:59");
        for text in [
            "2026-11-22T23:59:59Z",
            "2026-11-22",
            "2026-02-30 00:00:00",
            "2026-11-22 25:00:00",
            "",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(
            Day::new("2024-02-28")
                .unwrap()
                .days_until(Day::new("2024-03-01").unwrap()),
            2
        );
        assert!(Day::new("9999-12-31").unwrap().begin() > 0);
    }
}
