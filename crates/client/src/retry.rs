//! When to ask again: data, with chance as an argument.

use std::time::Duration;

use wire::interface::call::Repeat;

use crate::error::Error;

/// How often to ask again, and how long to wait before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How often, at most.
    pub retries: u32,
    /// The longest first pause; each further one may be twice as long.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// The longest time to wait for a limit of requests.
    pub longest_limit: Duration,
}

impl Default for Policy {
    /// Twice, after at most 250 ms and 500 ms; a minute for a limit.
    fn default() -> Self {
        Self {
            retries: 2,
            first: Duration::from_millis(250),
            longest: Duration::from_secs(10),
            longest_limit: Duration::from_secs(60),
        }
    }
}

impl Policy {
    /// Asks once.
    pub const NEVER: Self = Self {
        retries: 0,
        first: Duration::ZERO,
        longest: Duration::ZERO,
        longest_limit: Duration::ZERO,
    };

    /// How long to wait before asking again; `None` where it is not to be asked again.
    ///
    /// `tried` counts the attempts so far, from 1. `chance` is any number: it spreads those who failed at the same moment.
    pub fn pause(&self, repeat: Repeat, error: &Error, tried: u32, chance: u64) -> Option<Duration> {
        if tried > self.retries {
            return None;
        }
        let may_be_done_twice = repeat == Repeat::Never;
        match error {
            Error::NotSent(_) => {}
            Error::Refused(refused) if refused.status == 429 => {
                let wait = refused
                    .retry_after
                    .unwrap_or(self.first)
                    .max(Duration::from_millis(1));
                return (wait <= self.longest_limit).then_some(wait);
            }
            _ if may_be_done_twice => return None,
            Error::Lost { .. } => {}
            Error::Unreadable { status, .. } if *status < 300 || *status >= 500 => {}
            Error::Refused(refused) if refused.status >= 500 => {}
            _ => return None,
        }
        let most = self
            .first
            .saturating_mul(1_u32.checked_shl(tried - 1).unwrap_or(u32::MAX));
        let most = u64::try_from(most.min(self.longest).as_millis()).unwrap_or(u64::MAX);
        Some(Duration::from_millis(chance % most.saturating_add(1)))
    }
}

#[cfg(test)]
mod tests {
    use wire::interface::StatusCode;

    use super::*;
    use crate::error::{Family, Refused};

    fn refused(status: u16, retry_after: Option<u64>) -> Error {
        Error::Refused(Box::new(Refused {
            status,
            family: Family::Other(String::new()),
            code: StatusCode::InternalError,
            message: String::new(),
            param: String::new(),
            payment_id: String::new(),
            error_id: String::new(),
            retry_after: retry_after.map(Duration::from_secs),
        }))
    }

    fn lost() -> Error {
        Error::Lost {
            message: String::new(),
            remedy: None,
        }
    }

    fn unreadable(status: u16) -> Error {
        Error::Unreadable {
            status,
            message: String::new(),
            remedy: None,
        }
    }

    #[test]
    fn only_what_cannot_be_done_twice_is_asked_again() {
        let policy = Policy::default();
        for (error, [reads, numbered, never]) in [
            (Error::NotSent(String::new()), [true; 3]),
            (refused(429, Some(7)), [true; 3]),
            (refused(429, Some(61)), [false; 3]),
            (lost(), [true, true, false]),
            (unreadable(502), [true, true, false]),
            (unreadable(200), [true, true, false]),
            (unreadable(404), [false; 3]),
            (refused(500, None), [true, true, false]),
            (refused(400, None), [false; 3]),
            (Error::parameter("amount", "wrong"), [false; 3]),
        ] {
            for (repeat, expected) in [
                (Repeat::Reads, reads),
                (Repeat::Numbered, numbered),
                (Repeat::Never, never),
            ] {
                let again = policy.pause(repeat, &error, 1, 3).is_some();
                assert_eq!(again, expected, "{repeat:?} {error:?}");
            }
        }
    }

    #[test]
    fn pauses_grow_by_chance_up_to_a_bound_and_end() {
        let policy = Policy {
            retries: 40,
            ..Policy::default()
        };
        let pause = |tried, chance| policy.pause(Repeat::Reads, &lost(), tried, chance);
        assert_eq!(pause(1, 250), Some(Duration::from_millis(250)));
        assert_eq!(pause(1, 251), Some(Duration::ZERO));
        assert_eq!(pause(2, 500), Some(Duration::from_millis(500)));
        assert_eq!(pause(40, 10_000), Some(Duration::from_secs(10)));
        assert_eq!(pause(40, 10_001), Some(Duration::ZERO));
        assert_eq!(pause(41, 0), None);
        let limited = policy.pause(Repeat::Never, &refused(429, Some(9)), 1, 0);
        assert_eq!(limited, Some(Duration::from_secs(9)));
        assert_eq!(Policy::NEVER.pause(Repeat::Reads, &lost(), 1, 0), None);
    }
}
