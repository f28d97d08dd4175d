//! How many callbacks go to one receiver at a time, so that one that is slow or dead holds up nobody but itself.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Receivers, by host and port, that are being called or were silent when they were called last.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<HashMap<String, Receiver>>);

#[derive(Debug)]
struct Receiver {
    /// Calls under way.
    running: u32,
    /// Whether the last one brought no answer.
    is_silent: bool,
    /// How long it took.
    took: Duration,
    /// When whoever was sent away last is expected back.
    last: Instant,
}

/// Whether a receiver may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Now; [`Pace::end`] follows.
    Now,
    /// After a while.
    Later(Duration),
}

impl Pace {
    /// Begins a call where the receiver has few enough. Those who are sent away come back one after the other, about as fast as it
    /// answers.
    pub(super) fn begin(&self, receiver: &str, now: Instant) -> Turn {
        let mut all = self.lock();
        let receiver = all.entry(receiver.to_owned()).or_insert(Receiver {
            running: 0,
            is_silent: false,
            took: Duration::ZERO,
            last: now,
        });
        // One that says nothing is asked whether it does again, and no more.
        let most = if receiver.is_silent { 1 } else { MOST };
        if receiver.running < most {
            receiver.running += 1;
            return Turn::Now;
        }
        let next = receiver.last.max(now) + (receiver.took / most).max(SHORTEST);
        receiver.last = next.min(now + LONGEST);
        Turn::Later(receiver.last - now)
    }

    /// A call has ended, with an answer of whatever kind or without.
    pub(super) fn end(&self, receiver: &str, took: Duration, answered: bool, now: Instant) {
        let mut all = self.lock();
        let Some(known) = all.get_mut(receiver) else {
            return;
        };
        known.running -= 1;
        (known.took, known.is_silent) = (took, !answered);
        if known.running == 0 && answered && known.last <= now {
            all.remove(receiver);
        }
    }

    /// Forgets those that nobody has called for a while.
    pub(super) fn forget_idle(&self, now: Instant) {
        self.lock()
            .retain(|_, receiver| receiver.running > 0 || receiver.last + LONGEST > now);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Receiver>> {
        // Entries are whole at any moment, also after a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Most calls of one receiver at a time.
pub(super) const MOST: u32 = 8;

/// Who is sent away comes back after so long at least, and at most.
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(300);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_has_a_few_calls_at_a_time() {
        let (pace, now) = (Pace::default(), Instant::now());
        for _ in 0..MOST {
            assert_eq!(pace.begin("one:443", now), Turn::Now);
        }
        assert_eq!(pace.begin("one:443", now), Turn::Later(SHORTEST));
        assert_eq!(pace.begin("one:443", now), Turn::Later(SHORTEST * 2));
        assert_eq!(
            pace.begin("another:443", now),
            Turn::Now,
            "that is its own affair"
        );
        pace.end("one:443", Duration::from_secs(4), true, now);
        assert_eq!(pace.begin("one:443", now), Turn::Now);
        // Half a second for each, behind those that wait already.
        let expected = SHORTEST * 2 + Duration::from_millis(500);
        assert_eq!(pace.begin("one:443", now), Turn::Later(expected));
    }

    #[test]
    fn a_silent_one_is_asked_by_one() {
        let (pace, now) = (Pace::default(), Instant::now());
        assert_eq!(pace.begin("one:443", now), Turn::Now);
        pace.end("one:443", Duration::from_secs(10), false, now);
        assert_eq!(pace.begin("one:443", now), Turn::Now);
        for turn in 1..=40_u32 {
            let expected = Duration::from_secs(10) * turn;
            assert_eq!(pace.begin("one:443", now), Turn::Later(expected.min(LONGEST)));
        }
        pace.end("one:443", Duration::from_millis(1), true, now);
        for _ in 0..MOST {
            assert_eq!(pace.begin("one:443", now), Turn::Now, "it is back");
        }
    }

    #[test]
    fn nobody_is_remembered_for_ever() {
        let (pace, now) = (Pace::default(), Instant::now());
        pace.begin("answers", now);
        pace.end("answers", Duration::ZERO, true, now);
        assert!(pace.lock().is_empty());
        pace.begin("silent", now);
        pace.begin("running", now);
        pace.end("silent", Duration::ZERO, false, now);
        pace.forget_idle(now + LONGEST);
        assert_eq!(pace.lock().len(), 1);
    }
}
