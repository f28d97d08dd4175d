//! Card testing: somebody tries many card numbers on one widget key.
//!
//! Whoever tests stolen numbers sends many *different* ones; a person who mistypes sends a few. The vault tells of each
//! card it has opened a fingerprint, under a key that lives in its memory alone. Here only marks in a field of bits are
//! kept of it, for an hour: enough to tell that a card is new and how many were, and not to tell which.

mod sketch;

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vault::{Seen, TooManyCards, Watch};

use crate::address::network;
use crate::limit::Limit;
use crate::metrics::Metrics;
use sketch::Sketch;

/// The limits as they are configured, in different cards per hour.
#[derive(Clone, Copy, Debug, Default)]
pub struct CardRates {
    /// Of one widget key and one address. Live keys have [`KEY_AND_ADDRESS`] where nothing is said.
    pub key_and_address: Option<Limit>,
    /// Of one widget key, from wherever. Off where nothing is said: only whoever knows the shop knows its number.
    pub key: Option<Limit>,
}

/// Different cards per hour of a live key and one address, behind which there may be many people of one provider.
pub const KEY_AND_ADDRESS: NonZeroU32 = NonZeroU32::new(100).unwrap();

/// Counts different cards.
pub struct Cards {
    metrics: Arc<Metrics>,
    pairs: Scope<(String, IpAddr)>,
    keys: Scope<String>,
}

impl Cards {
    /// With nothing seen yet.
    pub fn new(rates: CardRates, metrics: Arc<Metrics>) -> Self {
        Self {
            metrics,
            pairs: Scope::new(
                "key_and_address",
                Limit::resolve(rates.key_and_address, Some(KEY_AND_ADDRESS)),
                MOST_PAIRS,
            ),
            keys: Scope::new("key", Limit::resolve(rates.key, None), MOST_KEYS),
        }
    }

    /// The most different cards that an address, and a key, has had in its hour.
    pub fn most(&self, now: u64) -> (u32, u32) {
        (self.pairs.most(now), self.keys.most(now))
    }

    /// Forgets hours that are over. Called now and then by a running job.
    pub fn forget_idle(&self, now: u64) {
        self.pairs.forget_idle(now);
        self.keys.forget_idle(now);
    }
}

impl Watch for Cards {
    /// Counts a card, unless it is one too many. A card that was seen within the hour is none.
    fn see(&self, seen: &Seen<'_>) -> Result<(), TooManyCards> {
        // From the narrow to the wide: what one address is refused uses up nothing of the shop's.
        let pair = (seen.widget_key.to_owned(), network(seen.address));
        let counted = self
            .pairs
            .see(pair, seen)
            .map_err(|refused| (self.pairs.name, refused));
        let counted = counted.and_then(|()| {
            let key = seen.widget_key.to_owned();
            self.keys
                .see(key, seen)
                .map_err(|refused| (self.keys.name, refused))
        });
        counted.map_err(|(scope, refused)| {
            self.metrics.card_refused(scope);
            refused
        })
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cards").finish_non_exhaustive()
    }
}

struct Scope<K> {
    name: &'static str,
    live: Option<NonZeroU32>,
    tests: Option<NonZeroU32>,
    /// Bound of memory: past it, who is new is not counted here. The limits of requests remain.
    most: usize,
    hours: Mutex<HashMap<K, Hour>>,
}

struct Hour {
    began: u64,
    sketch: Sketch,
    told: bool,
}

impl<K: Eq + Hash> Scope<K> {
    fn new(name: &'static str, (live, tests): (Option<NonZeroU32>, Option<NonZeroU32>), most: usize) -> Self {
        Self {
            name,
            live,
            tests,
            most,
            hours: Mutex::default(),
        }
    }

    fn see(&self, of: K, seen: &Seen<'_>) -> Result<(), TooManyCards> {
        let limit = if seen.live { self.live } else { self.tests };
        let now = seen.now;
        let mut hours = self.hours();
        if hours.len() >= self.most && !hours.contains_key(&of) {
            return Ok(());
        }
        let hour = hours.entry(of).or_insert_with(|| Hour::begin(now, limit));
        // A clock that was set back begins a new one too.
        if !hour.holds(now) {
            *hour = Hour::begin(now, limit);
        }
        let limit = match limit {
            Some(limit) if hour.sketch.count() >= limit.get() => limit.get(),
            _ => {
                hour.sketch.mark(seen.fingerprint);
                return Ok(());
            }
        };
        if hour.sketch.has(seen.fingerprint) {
            return Ok(());
        }
        let first = !std::mem::replace(&mut hour.told, true);
        let wait = hour.began.saturating_add(HOUR).saturating_sub(now).max(1);
        drop(hours);
        if first {
            // The key is in the source of the shop's page; the address is not told.
            tracing::warn!(
                widget_key = seen.widget_key,
                limit = self.name,
                "too many different cards"
            );
        }
        Err(TooManyCards { limit, wait })
    }

    fn most(&self, now: u64) -> u32 {
        let hours = self.hours();
        let counts = hours
            .values()
            .filter(|hour| hour.holds(now))
            .map(|hour| hour.sketch.count());
        counts.max().unwrap_or(0)
    }

    fn forget_idle(&self, now: u64) {
        let mut hours = self.hours();
        hours.retain(|_, hour| hour.holds(now));
        hours.shrink_to_fit();
    }

    /// Each entry is whole at any moment, also after a panic elsewhere.
    fn hours(&self) -> MutexGuard<'_, HashMap<K, Hour>> {
        self.hours.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hour {
    fn begin(now: u64, limit: Option<NonZeroU32>) -> Self {
        Self {
            began: now,
            sketch: Sketch::new(limit.unwrap_or(UNLIMITED)),
            told: false,
        }
    }

    fn holds(&self, now: u64) -> bool {
        (self.began..self.began.saturating_add(HOUR)).contains(&now)
    }
}

/// Seconds that different cards are counted for, from the first of them.
const HOUR: u64 = 3600;

/// For how many cards there is room where there is no limit; past it, the figure stands still.
const UNLIMITED: NonZeroU32 = NonZeroU32::new(10_000).unwrap();

/// Most pairs of key and address; one takes about 400 bytes.
const MOST_PAIRS: usize = 100_000;

/// Most keys; one takes 20 KB where there is no limit.
const MOST_KEYS: usize = 5_000;

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_790_000_000;

    fn at(limit: u32) -> Option<Limit> {
        NonZeroU32::new(limit).map(Limit::At)
    }

    fn cards(key_and_address: Option<Limit>, key: Option<Limit>) -> Cards {
        Cards::new(CardRates { key_and_address, key }, Arc::default())
    }

    /// Sees cards of these fingerprints; answers how many were too many.
    fn refused(cards: &Cards, key: &str, address: &str, now: u64, numbers: std::ops::Range<u64>) -> usize {
        let seen = numbers.map(|number| Seen {
            widget_key: key,
            live: true,
            address: address.parse().unwrap(),
            // Any spreading will do for what a MAC gives.
            fingerprint: number
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
                .wrapping_mul(0xbf58_476d_1ce4_e5b9),
            now,
        });
        seen.filter(|seen| cards.see(seen).is_err()).count()
    }

    #[test]
    fn many_cards_of_one_address_are_refused_and_others_go_on() {
        let cards = cards(at(20), None);
        assert_eq!(refused(&cards, "wk", "192.0.2.1", NOW, 0..20), 0);
        assert!(refused(&cards, "wk", "192.0.2.1", NOW, 20..220) > 190);
        assert_eq!(
            refused(&cards, "wk", "192.0.2.1", NOW, 0..20),
            0,
            "cards that were seen"
        );
        assert_eq!(
            refused(&cards, "wk", "192.0.2.2", NOW, 0..20),
            0,
            "another address"
        );
        assert_eq!(refused(&cards, "wk_2", "192.0.2.1", NOW, 0..20), 0, "another key");
        assert_eq!(
            refused(&cards, "wk", "192.0.2.1", NOW + HOUR, 300..320),
            0,
            "an hour later"
        );
        let most = cards.most(NOW).0;
        assert_eq!(most, 20);
    }

    #[test]
    fn a_key_has_a_limit_of_its_own_when_asked() {
        let cards = cards(Some(Limit::Off), at(50));
        let refused: usize = (0..100)
            .map(|number| {
                refused(
                    &cards,
                    "wk",
                    &format!("192.0.2.{number}"),
                    NOW,
                    number..number + 1,
                )
            })
            .sum();
        assert!((45..=52).contains(&refused), "{refused}");
        assert!((48..=50).contains(&cards.most(NOW).1));
    }

    #[test]
    fn one_person_with_one_card_is_never_refused() {
        let cards = cards(at(1), at(1));
        for _ in 0..100 {
            assert_eq!(refused(&cards, "wk", "192.0.2.1", NOW, 7..8), 0);
        }
        let too_many = cards
            .see(&Seen {
                widget_key: "wk",
                live: true,
                address: "192.0.2.1".parse().unwrap(),
                fingerprint: 3 << 40,
                now: NOW + 600,
            })
            .unwrap_err();
        assert_eq!((too_many.limit, too_many.wait), (1, 3000));
    }

    #[test]
    fn what_is_over_is_forgotten() {
        let cards = cards(None, None);
        refused(&cards, "wk", "192.0.2.1", NOW, 0..10);
        cards.forget_idle(NOW + HOUR - 1);
        assert_eq!(cards.most(NOW + HOUR - 1), (10, 10));
        cards.forget_idle(NOW + HOUR);
        assert!(cards.pairs.hours().is_empty() && cards.keys.hours().is_empty());
    }
}
