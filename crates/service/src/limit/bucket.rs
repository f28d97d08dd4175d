//! Buckets that hold a minute's worth and fill evenly, one for each of many callers.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::InMemoryState;
use governor::state::NotKeyed;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{NotUntil, Quota, RateLimiter};

use super::Allowance;

/// One bucket per `K`, and one that strangers share while there are too many of them.
pub(super) struct Bucket<K: Clone + Eq + Hash> {
    per_minute: NonZeroU32,
    each: RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>,
    overflow: RateLimiter<NotKeyed, InMemoryState, DefaultClock, StateInformationMiddleware>,
    most: usize,
}

impl<K: Clone + Eq + Hash> Bucket<K> {
    pub(super) fn new(per_minute: NonZeroU32) -> Self {
        Self::bounded(per_minute, MOST)
    }

    fn bounded(per_minute: NonZeroU32, most: usize) -> Self {
        let quota = Quota::per_minute(per_minute);
        Self {
            per_minute,
            each: RateLimiter::keyed(quota).with_middleware(),
            overflow: RateLimiter::direct(quota).with_middleware(),
            most,
        }
    }

    pub(super) fn count(&self, caller: K) -> Allowance {
        // Memory is bounded: from a network of a million addresses, those that are new share one bucket for a while.
        let counted = if self.each.len() < self.most {
            self.each.check_key(&caller)
        } else {
            self.overflow.check()
        };
        let limit = self.per_minute.get();
        match counted {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                Allowance {
                    limit,
                    remaining,
                    reset: seconds_to_refill(limit.saturating_sub(remaining), limit),
                    retry_after: None,
                }
            }
            Err(refused) => Allowance {
                limit,
                remaining: 0,
                reset: 60,
                retry_after: Some(self.wait(&refused)),
            },
        }
    }

    pub(super) fn forget_idle(&self) {
        self.each.retain_recent();
        self.each.shrink_to_fit();
    }

    fn wait(&self, refused: &NotUntil<<DefaultClock as Clock>::Instant>) -> u64 {
        whole_seconds(refused.wait_time_from(self.each.clock().now()))
    }
}

fn seconds_to_refill(used: u32, limit: u32) -> u64 {
    (u64::from(used) * 60).div_ceil(u64::from(limit).max(1))
}

/// Rounded up, at least one: a client that waits that long must not come too early.
fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

/// Most callers with a bucket of their own; one takes about 100 bytes.
const MOST: usize = 200_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_share_one_bucket_when_there_are_too_many() {
        let bucket = Bucket::bounded(NonZeroU32::new(2).unwrap(), 100);
        for caller in 0..100 {
            assert_eq!(bucket.count(caller).retry_after, None, "{caller}");
        }
        let refused = (100..10_100).filter(|caller| bucket.count(*caller).retry_after.is_some());
        assert!(refused.count() >= 9_990);
        assert_eq!(bucket.each.len(), 100);
    }
}
