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
        if !repeat.is_safe_after(error.failure()?) {
            return None;
        }
        if let Error::Refused(refused) = error
            && refused.status == 429
        {
            let wait = refused.retry_after.unwrap_or(self.first);
            return (wait <= self.longest_limit).then_some(wait.max(Duration::from_millis(1)));
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
            remedy: None,
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
    fn what_failed_decides_with_the_call() {
        let again = |repeat, error| Policy::default().pause(repeat, &error, 1, 3).is_some();
        assert!(again(Repeat::Never, Error::NotSent(String::new())));
        assert!(again(Repeat::Never, refused(429, Some(7))));
        assert!(
            !again(Repeat::Reads, refused(429, Some(61))),
            "too long to wait for"
        );
        for error in [
            lost,
            || unreadable(502),
            || unreadable(200),
            || refused(500, None),
        ] {
            assert!(again(Repeat::Numbered, error()), "{:?}", error());
            assert!(!again(Repeat::Never, error()), "{:?}", error());
        }
        for error in [
            unreadable(404),
            refused(400, None),
            Error::parameter("amount", "wrong"),
        ] {
            assert!(!again(Repeat::Reads, error.clone()), "{error:?}");
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
