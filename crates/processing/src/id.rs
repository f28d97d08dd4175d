//! Ids of payments and operations.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use database::{FromValue, Value};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// An id of 18 decimal digits: milliseconds since 2020, then six random digits. Rows of one time lie together, and two
/// instances need not ask each other.
///
/// Two ids may be equal: whoever stores one does so under a key, and takes another when that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Id(u64);

impl Id {
    /// One for something that begins now, by the clock of the machine: a project's own clock may be set back.
    pub(crate) fn new(now: Timestamp) -> Result<Self, Refusal> {
        let millis = now.as_millisecond().saturating_sub(EPOCH).clamp(FIRST, LAST);
        let random = getrandom::u64().map_err(|_| Refusal::internal("no randomness"))?;
        let digits = u64::try_from(millis).unwrap_or_default() * RANDOM + random % RANDOM;
        Ok(Self(digits))
    }
}

/// Gives ids, each greater than all before it: what one instance begins within one millisecond stays in its order.
#[derive(Debug, Default)]
pub(crate) struct Ids(AtomicU64);

impl Ids {
    /// The next one.
    pub(crate) fn next(&self, now: Timestamp) -> Result<Id, Refusal> {
        let Id(fresh) = Id::new(now)?;
        let behind = |last: u64| {
            if fresh > last {
                fresh
            } else {
                last + 1 + fresh % STEP
            }
        };
        let last = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(behind(last)));
        Ok(Id(behind(last.unwrap_or_else(|last| last))))
    }
}

impl Id {
    /// As it stands in addresses of pages.
    pub(crate) const fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// One of those behind it, for what belongs to the same thing and needs an order of its own.
    pub(crate) const fn beside(self, number: u64) -> Self {
        Self(self.0 + number)
    }

    /// Not checked: it may be the id of nothing.
    pub(crate) const fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_be_bytes(bytes))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:018}", self.0)
    }
}

/// The text is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id has 18 digits")]
pub struct NoId;

impl FromStr for Id {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        let is_one = text.len() == 18 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_one.then(|| text.parse().ok()).flatten().map(Self).ok_or(NoId)
    }
}

impl TryFrom<String> for Id {
    type Error = NoId;

    fn try_from(text: String) -> Result<Self, NoId> {
        text.parse()
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.to_string()
    }
}

impl From<Id> for Value {
    fn from(id: Id) -> Self {
        id.0.into()
    }
}

impl FromValue for Id {
    fn from_value(value: &Value) -> Option<Self> {
        u64::from_value(value).map(Self)
    }
}

/// 2020-01-01T00:00:00Z in milliseconds since 1970.
const EPOCH: i64 = 1_577_836_800_000;

/// Six digits.
const RANDOM: u64 = 1_000_000;

/// How far one id may lie behind the last one of its millisecond: instances that count up side by side do not meet.
const STEP: u64 = 1000;

/// So that there are 18 digits in all: from March 2023 to August 2051.
const FIRST: i64 = 100_000_000_000;
const LAST: i64 = 999_999_999_999;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_eighteen_digits_and_reads_back() {
        for time in [
            "2020-01-01T00:00:00Z",
            "2026-11-22T08:00:00Z",
            "2090-01-01T00:00:00Z",
        ] {
            let id = Id::new(time.parse().unwrap()).unwrap();
            assert_eq!(id.to_string().len(), 18);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn later_ids_are_greater() {
        let ids = ["2026-11-22T08:00:00.001Z", "2026-11-22T08:00:00.002Z"]
            .map(|time| Id::new(time.parse().unwrap()).unwrap());
        assert!(ids[0] < ids[1]);
    }

    #[test]
    fn ids_of_one_millisecond_stay_in_their_order() {
        let ids = Ids::default();
        let made: Vec<_> = (0..2000)
            .map(|_| ids.next("2026-11-22T08:00:00Z".parse().unwrap()).unwrap())
            .collect();
        assert!(made.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn other_texts_are_no_ids() {
        for text in [
            "",
            "1",
            "12345678901234567a",
            "+12345678901234567",
            "1234567890123456789",
        ] {
            assert_eq!(text.parse::<Id>(), Err(NoId), "{text}");
        }
    }
}
