//! How many tokens, and how many forms, may be asked for in a minute.

mod bucket;
mod projects;

use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderValue, header};
use serde::{Deserialize, Deserializer, de};

use crate::address::network;
use bucket::Bucket;

pub use projects::{CALLS, CallLimits, ProjectBuckets};

/// One limit as it is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// None at all.
    Off,
    /// This many, for live and test keys alike.
    At(NonZeroU32),
}

impl Limit {
    /// What holds for live keys and for test keys where `configured` may be missing: `default` for the first, nothing
    /// for the second (design: limits are off in the sandbox until asked for).
    pub(crate) fn resolve(
        configured: Option<Self>,
        default: Option<NonZeroU32>,
    ) -> (Option<NonZeroU32>, Option<NonZeroU32>) {
        match configured {
            None => (default, None),
            Some(Self::Off) => (None, None),
            Some(Self::At(limit)) => (Some(limit), Some(limit)),
        }
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        match text {
            "off" => Ok(Self::Off),
            _ => text.parse().map(Self::At).map_err(|_| LimitError),
        }
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Limit;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&LimitError, f)
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Limit, E> {
                let number = u32::try_from(number).ok().and_then(NonZeroU32::new);
                number.map(Limit::At).ok_or_else(|| E::custom(LimitError))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Limit, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Neither a number nor `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a whole number from 1 to 4294967295, or \"off\"")]
pub struct LimitError;

/// The rate limits as they are configured, in requests per minute.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// Of one widget key and one address. Live keys have [`KEY_AND_ADDRESS`] where nothing is said.
    pub key_and_address: Option<Limit>,
    /// Of one address, with whatever keys. Live keys have [`ADDRESS`] where nothing is said.
    pub address: Option<Limit>,
    /// Of one widget key, from wherever. Off where nothing is said: it lets strangers use up what a shop needs.
    pub key: Option<Limit>,
}

/// Requests per minute of a live key and one address.
pub const KEY_AND_ADDRESS: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// Requests per minute of one address with all live keys together.
pub const ADDRESS: NonZeroU32 = NonZeroU32::new(240).unwrap();

/// Forms and boot data per minute of a live key and one address. One of a person's visits takes one or two.
pub const FRAMES_KEY_AND_ADDRESS: NonZeroU32 = NonZeroU32::new(240).unwrap();

/// Forms and boot data per minute of one address with all live keys together.
pub const FRAMES_ADDRESS: NonZeroU32 = NonZeroU32::new(960).unwrap();

/// Counts requests.
pub struct Limits {
    live: Scopes,
    tests: Scopes,
}

impl Limits {
    /// Of tokens. Each scope with buckets of its own for live and for test keys.
    pub fn new(rates: Rates) -> Self {
        Self::or(rates, KEY_AND_ADDRESS, ADDRESS)
    }

    /// Of forms and boot data.
    pub fn of_frames(rates: Rates) -> Self {
        Self::or(rates, FRAMES_KEY_AND_ADDRESS, FRAMES_ADDRESS)
    }

    /// With these where nothing is said.
    fn or(rates: Rates, key_and_address: NonZeroU32, address: NonZeroU32) -> Self {
        let pair = Limit::resolve(rates.key_and_address, Some(key_and_address));
        let address = Limit::resolve(rates.address, Some(address));
        let key = Limit::resolve(rates.key, None);
        Self {
            live: Scopes::new(pair.0, address.0, key.0),
            tests: Scopes::new(pair.1, address.1, key.1),
        }
    }

    /// Counts one request.
    pub fn count(&self, widget_key: &str, live: bool, address: IpAddr) -> Counted {
        let scopes = if live { &self.live } else { &self.tests };
        scopes.count(widget_key, network(address))
    }

    /// Forgets buckets that are full again. Called now and then by a running job.
    pub fn forget_idle(&self) {
        self.live.forget_idle();
        self.tests.forget_idle();
    }
}

struct Scopes {
    pair: Option<Bucket<(String, IpAddr)>>,
    address: Option<Bucket<IpAddr>>,
    key: Option<Bucket<String>>,
}

impl Scopes {
    fn new(pair: Option<NonZeroU32>, address: Option<NonZeroU32>, key: Option<NonZeroU32>) -> Self {
        Self {
            pair: pair.map(Bucket::new),
            address: address.map(Bucket::new),
            key: key.map(Bucket::new),
        }
    }

    /// From the narrowest to the widest: what a narrow limit refuses uses up nothing of a wide one, which is for others
    /// too.
    fn count(&self, widget_key: &str, address: IpAddr) -> Counted {
        let pair = || {
            self.pair
                .as_ref()
                .map(|bucket| bucket.count((widget_key.to_owned(), address)))
        };
        let of_address = || self.address.as_ref().map(|bucket| bucket.count(address));
        let of_key = || {
            self.key
                .as_ref()
                .map(|bucket| bucket.count(widget_key.to_owned()))
        };
        let scopes: [(&'static str, &dyn Fn() -> Option<Allowance>); 3] = [
            ("key_and_address", &pair),
            ("address", &of_address),
            ("key", &of_key),
        ];
        let mut tightest: Option<Allowance> = None;
        for (scope, count) in scopes {
            let Some(allowance) = count() else {
                continue;
            };
            if allowance.retry_after.is_some() {
                return Counted {
                    allowance: Some(allowance),
                    refused_by: Some(scope),
                };
            }
            if tightest.is_none_or(|tightest| allowance.remaining < tightest.remaining) {
                tightest = Some(allowance);
            }
        }
        Counted {
            allowance: tightest,
            refused_by: None,
        }
    }

    fn forget_idle(&self) {
        self.pair.as_ref().map(Bucket::forget_idle);
        self.address.as_ref().map(Bucket::forget_idle);
        self.key.as_ref().map(Bucket::forget_idle);
    }
}

/// What came of counting a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Of the limit that is nearest; `None` where there is no limit.
    pub allowance: Option<Allowance>,
    /// The limit that this request is one too many for.
    pub refused_by: Option<&'static str>,
}

/// What is left after counting a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Requests per minute, or different cards per hour.
    pub limit: u32,
    /// How many are left right now.
    pub remaining: u32,
    /// Seconds until the whole limit is free again.
    pub reset: u64,
    /// Seconds to wait, when this request is one too many.
    pub retry_after: Option<u64>,
}

impl Allowance {
    /// Writes the three headers of the interface (wire notes §1), and `Retry-After` on a refusal, unless a refusal has
    /// written its own.
    pub fn write(&self, headers: &mut HeaderMap) {
        if headers.contains_key(header::RETRY_AFTER) {
            return;
        }
        headers.insert("x-ratelimit-limit", HeaderValue::from(self.limit));
        headers.insert("x-ratelimit-remaining", HeaderValue::from(self.remaining));
        headers.insert("x-ratelimit-reset", HeaderValue::from(self.reset));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "192.0.2.1";

    fn at(limit: u32) -> Option<Limit> {
        NonZeroU32::new(limit).map(Limit::At)
    }

    fn limits(pair: Option<Limit>, address: Option<Limit>, key: Option<Limit>) -> Limits {
        Limits::new(Rates {
            key_and_address: pair,
            address,
            key,
        })
    }

    fn refused_by(limits: &Limits, key: &str, address: &str) -> Option<&'static str> {
        limits.count(key, true, address.parse().unwrap()).refused_by
    }

    #[test]
    fn counts_down_and_then_refuses() {
        let limits = limits(at(3), None, None);
        let count = || limits.count("wk", true, HERE.parse().unwrap()).allowance.unwrap();
        for remaining in [2, 1, 0] {
            let allowance = count();
            assert_eq!((allowance.limit, allowance.remaining), (3, remaining));
            assert_eq!(allowance.retry_after, None);
        }
        let refused = count();
        assert!((1..=20).contains(&refused.retry_after.unwrap()), "{refused:?}");
    }

    #[test]
    fn each_scope_counts_for_itself() {
        let pair = Some("key_and_address");
        let pairs = limits(at(1), None, None);
        assert_eq!(refused_by(&pairs, "wk", HERE), None);
        assert_eq!(refused_by(&pairs, "wk_2", HERE), None);
        assert_eq!(refused_by(&pairs, "wk", "192.0.2.2"), None);
        assert_eq!(refused_by(&pairs, "wk", HERE), pair);

        let addresses = limits(Some(Limit::Off), at(1), None);
        assert_eq!(refused_by(&addresses, "wk", HERE), None);
        assert_eq!(refused_by(&addresses, "wk_2", HERE), Some("address"));
        assert_eq!(refused_by(&addresses, "wk_2", "192.0.2.2"), None);

        let keys = limits(at(1), None, at(2));
        assert_eq!(refused_by(&keys, "wk", HERE), None);
        for _ in 0..5 {
            // Uses up nothing of what the key has left.
            assert_eq!(refused_by(&keys, "wk", HERE), pair);
        }
        assert_eq!(refused_by(&keys, "wk", "192.0.2.2"), None);
        assert_eq!(refused_by(&keys, "wk", "192.0.2.3"), Some("key"));
        assert_eq!(refused_by(&keys, "wk_2", "192.0.2.3"), None);
    }

    #[test]
    fn the_nearest_limit_is_told() {
        let limits = limits(at(9), at(3), at(5));
        let told = limits.count("wk", true, HERE.parse().unwrap()).allowance.unwrap();
        assert_eq!((told.limit, told.remaining), (3, 2));
    }

    #[test]
    fn an_ipv6_network_is_one_address_and_a_mapped_one_is_itself() {
        let limits = limits(at(1), None, None);
        let refused = |address| refused_by(&limits, "wk", address).is_some();
        assert!(!refused("2001:db8::1"));
        assert!(refused("2001:db8::2"));
        assert!(!refused("2001:db8:0:1::1"));
        assert!(!refused("192.0.2.9"));
        assert!(refused("::ffff:192.0.2.9"));
    }

    #[test]
    fn test_keys_are_free_unless_asked() {
        let count = |limits: &Limits, live| limits.count("wk", live, HERE.parse().unwrap()).allowance;
        let default = limits(None, None, None);
        assert_eq!(count(&default, false), None);
        assert_eq!(count(&default, true).unwrap().limit, KEY_AND_ADDRESS.get());
        assert!(count(&limits(at(5), None, None), false).is_some());
        let off = limits(Some(Limit::Off), Some(Limit::Off), None);
        assert_eq!(count(&off, true), None);
    }

    #[test]
    fn a_limit_is_a_number_or_off() {
        for (text, expected) in [
            ("off", Some(Limit::Off)),
            ("7", at(7)),
            ("0", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
