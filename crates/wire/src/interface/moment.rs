//! Times as shops send them.

use alloc::borrow::Cow;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::read::{expected, text};

/// A time with its zone, as of RFC 3339, of the years 2000 to 2199. Kept and written in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(Timestamp);

impl Moment {
    /// `None` outside the years.
    pub fn new(time: Timestamp) -> Option<Self> {
        (FIRST..END).contains(&time.as_second()).then_some(Self(time))
    }

    /// The time.
    pub const fn time(self) -> Timestamp {
        self.0
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = text(deserializer, TIME)?;
        of(&text).ok_or_else(|| expected(TIME))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
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
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// An end: a [`Moment`], or a day alone, the last second of which is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LastMoment(Moment);

impl LastMoment {
    /// The time.
    pub const fn time(self) -> Timestamp {
        self.0.time()
    }
}

impl<'de> Deserialize<'de> for LastMoment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = text(deserializer, END_TIME)?;
        let last = || {
            let day: Date = text.parse().ok()?;
            let next = day.tomorrow().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
            Moment::new(next.saturating_sub(SignedDuration::from_secs(1)).ok()?)
        };
        // A date alone has ten characters; a time without its zone is neither.
        let read = if text.len() == 10 { last() } else { of(&text) };
        read.map(Self).ok_or_else(|| expected(END_TIME))
    }
}

impl Serialize for LastMoment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl JsonSchema for LastMoment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "LastMoment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string", "format": "date-time" },
            { "type": "string", "format": "date" },
        ] })
    }
}

fn of(text: &str) -> Option<Moment> {
    Moment::new(text.parse().ok()?)
}

const TIME: &str = "a time with its zone, as `2026-01-31T12:00:00Z`, of the years 2000 to 2199";

const END_TIME: &str = "a time with its zone or a day alone, as `2026-01-31T12:00:00Z` or `2026-01-31`, of the years 2000 to 2199";

/// 2000-01-01T00:00:00Z.
const FIRST: i64 = 946_684_800;

/// 2200-01-01T00:00:00Z.
const END: i64 = 7_258_118_400;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_have_a_zone_and_exist() {
        let read = |text: &str| serde_json::from_value::<Moment>(json!(text)).map(|moment| json!(moment));
        for (text, utc) in [
            ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
            ("2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00Z"),
            ("2028-02-29T00:00:00.5Z", "2028-02-29T00:00:00.5Z"),
        ] {
            assert_eq!(read(text).unwrap(), json!(utc));
        }
        for text in [
            "",
            "2026-01-31",
            "2026-01-31T12:00:00",
            "2026-02-29T12:00:00Z",
            "2026-13-01T12:00:00Z",
            "2026-01-31T25:00:00Z",
            "1999-12-31T23:59:59Z",
            "2200-01-01T00:00:00Z",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_end_may_be_a_day_which_is_within_it() {
        let read = |text: &str| serde_json::from_value::<LastMoment>(json!(text)).map(|moment| json!(moment));
        assert_eq!(read("2026-12-31").unwrap(), json!("2026-12-31T23:59:59Z"));
        assert_eq!(
            read("2026-12-31T08:00:00Z").unwrap(),
            json!("2026-12-31T08:00:00Z")
        );
        for text in ["2026-02-30", "2026-12-31T08:00:00", "31.12.2026", "2199-12-32"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
