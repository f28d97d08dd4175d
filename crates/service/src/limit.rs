//! How many tokens one address may ask for with one widget key.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

/// Requests per minute of a live key and one address, where nothing else is configured.
pub const DEFAULT_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// Counts requests. A bucket holds one minute's worth and fills evenly.
pub struct Limits {
    live: Bucket,
    sandbox: Option<Bucket>,
}

impl Limits {
    /// With `per_minute`, live and sandbox keys alike are limited to it; without, live keys to
    /// [`DEFAULT_PER_MINUTE`] and sandbox keys not at all (design: they are off there until asked for).
    pub fn new(per_minute: Option<NonZeroU32>) -> Self {
        Self {
            live: Bucket::new(per_minute.unwrap_or(DEFAULT_PER_MINUTE)),
            sandbox: per_minute.map(Bucket::new),
        }
    }

    /// Counts one request. `None` where there is no limit.
    pub fn count(&self, widget_key: &str, live: bool, address: IpAddr) -> Option<Allowance> {
        let bucket = if live {
            Some(&self.live)
        } else {
            self.sandbox.as_ref()
        };
        Some(bucket?.count(widget_key, address))
    }

    /// Forgets buckets that are full again. Called now and then by a running job.
    pub fn forget_idle(&self) {
        for bucket in [Some(&self.live), self.sandbox.as_ref()].into_iter().flatten() {
            bucket.limiter.retain_recent();
            bucket.limiter.shrink_to_fit();
        }
    }
}

/// What is left after counting a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Requests per minute.
    pub limit: u32,
    /// Requests left right now.
    pub remaining: u32,
    /// Seconds until the whole limit is free again.
    pub reset: u64,
    /// Seconds to wait, when this request is one too many.
    pub retry_after: Option<u64>,
}

impl Allowance {
    /// Writes the three headers of the interface (wire notes §1), and `Retry-After` on a refusal.
    pub fn write(&self, headers: &mut HeaderMap) {
        headers.insert("x-ratelimit-limit", HeaderValue::from(self.limit));
        headers.insert("x-ratelimit-remaining", HeaderValue::from(self.remaining));
        headers.insert("x-ratelimit-reset", HeaderValue::from(self.reset));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
    }
}

type Key = (String, IpAddr);

struct Bucket {
    per_minute: NonZeroU32,
    limiter: RateLimiter<Key, DefaultKeyedStateStore<Key>, DefaultClock, StateInformationMiddleware>,
}

impl Bucket {
    fn new(per_minute: NonZeroU32) -> Self {
        Self {
            per_minute,
            limiter: RateLimiter::keyed(Quota::per_minute(per_minute))
                .with_middleware::<StateInformationMiddleware>(),
        }
    }

    fn count(&self, widget_key: &str, address: IpAddr) -> Allowance {
        let limit = self.per_minute.get();
        match self.limiter.check_key(&(widget_key.to_owned(), network(address))) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                Allowance {
                    limit,
                    remaining,
                    reset: seconds_to_refill(limit.saturating_sub(remaining), limit),
                    retry_after: None,
                }
            }
            Err(refused) => {
                let wait = refused.wait_time_from(self.limiter.clock().now());
                Allowance {
                    limit,
                    remaining: 0,
                    reset: 60,
                    retry_after: Some(whole_seconds(wait)),
                }
            }
        }
    }
}

/// One household: an IPv4 address, or the /64 of an IPv6 one, in which a device picks addresses at will.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let prefix = u128::from(address) & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from(prefix))
        }
    }
}

fn seconds_to_refill(used: u32, limit: u32) -> u64 {
    (u64::from(used) * 60).div_ceil(u64::from(limit).max(1))
}

/// Rounded up, at least one: a client that waits that long must not come too early.
fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    #[test]
    fn counts_down_and_then_refuses() {
        let limits = Limits::new(NonZeroU32::new(3));
        for remaining in [2, 1, 0] {
            let allowance = limits.count("wk", true, HERE).unwrap();
            assert_eq!((allowance.limit, allowance.remaining), (3, remaining));
            assert_eq!(allowance.retry_after, None);
        }
        let refused = limits.count("wk", true, HERE).unwrap();
        assert!((1..=20).contains(&refused.retry_after.unwrap()), "{refused:?}");
    }

    #[test]
    fn keys_and_addresses_have_buckets_of_their_own() {
        let limits = Limits::new(NonZeroU32::new(1));
        let other = "192.0.2.2".parse().unwrap();
        assert_eq!(limits.count("wk", true, HERE).unwrap().retry_after, None);
        assert_eq!(limits.count("wk_2", true, HERE).unwrap().retry_after, None);
        assert_eq!(limits.count("wk", true, other).unwrap().retry_after, None);
        assert!(limits.count("wk", true, HERE).unwrap().retry_after.is_some());
    }

    #[test]
    fn an_ipv6_network_is_one_address_and_a_mapped_one_is_itself() {
        let limits = Limits::new(NonZeroU32::new(1));
        let count = |text: &str| {
            limits
                .count("wk", true, text.parse().unwrap())
                .unwrap()
                .retry_after
        };
        assert_eq!(count("2001:db8::1"), None);
        assert!(count("2001:db8::2").is_some());
        assert_eq!(count("2001:db8:0:1::1"), None);
        assert_eq!(count("192.0.2.9"), None);
        assert!(count("::ffff:192.0.2.9").is_some());
    }

    #[test]
    fn the_sandbox_is_free_unless_asked() {
        assert_eq!(Limits::new(None).count("wk", false, HERE), None);
        assert_eq!(
            Limits::new(None).count("wk", true, HERE).unwrap().limit,
            DEFAULT_PER_MINUTE.get()
        );
        assert!(Limits::new(NonZeroU32::new(5)).count("wk", false, HERE).is_some());
    }
}
