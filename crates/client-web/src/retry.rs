//! Whether a request is sent again, and when. The clock and the randomness are the caller's.

use wire::interface::call::Repeat;

/// Why an attempt came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Nothing reached the service.
    NotSent,
    /// It may have reached it; no answer came.
    Lost,
    /// An answer of that status, with the seconds after which the limit is free again.
    Status(u16, Option<u32>),
}

/// Milliseconds after which to try again; `None` when it must not be. `attempt` counts from 0, `random` lies in 0 to 1.
pub(crate) fn wait(repeat: Repeat, failure: Failure, attempt: u32, random: f64) -> Option<f64> {
    let jitter = |ceiling: f64| ceiling * random;
    let backoff = jitter((FIRST * f64::from(1_u32 << attempt.min(10))).min(LONGEST));
    match failure {
        Failure::NotSent => Some(backoff),
        // Refused before anything was done, so every call may come again.
        Failure::Status(429, Some(seconds)) => Some(f64::from(seconds) * 1000.0 + jitter(FIRST)),
        Failure::Status(429, None) => Some(backoff),
        // Half an answer, a fault of the service, a proxy that gave up: it may have been carried out.
        Failure::Lost | Failure::Status(200..=299 | 500.., _) if repeat != Repeat::Never => Some(backoff),
        _ => None,
    }
}

/// Milliseconds: the first wait is up to this long, each further one up to twice as long.
const FIRST: f64 = 250.0;

/// No wait is longer, but one that the service asks for.
const LONGEST: f64 = 8000.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_done_twice_is_tried_again() {
        for (failure, [reads, numbered, never]) in [
            (Failure::NotSent, [true; 3]),
            (Failure::Status(429, Some(7)), [true; 3]),
            (Failure::Status(429, None), [true; 3]),
            (Failure::Lost, [true, true, false]),
            (Failure::Status(200, None), [true, true, false]),
            (Failure::Status(500, None), [true, true, false]),
            (Failure::Status(502, None), [true, true, false]),
            (Failure::Status(301, None), [false; 3]),
            (Failure::Status(400, None), [false; 3]),
            (Failure::Status(404, None), [false; 3]),
        ] {
            for (repeat, expected) in [
                (Repeat::Reads, reads),
                (Repeat::Numbered, numbered),
                (Repeat::Never, never),
            ] {
                assert_eq!(
                    wait(repeat, failure, 0, 0.5).is_some(),
                    expected,
                    "{repeat:?} {failure:?}"
                );
            }
        }
    }

    #[test]
    fn pauses_grow_by_chance_up_to_a_bound() {
        let pause = |attempt, random| wait(Repeat::Reads, Failure::Lost, attempt, random);
        assert_eq!(
            [pause(0, 0.0), pause(0, 1.0), pause(1, 1.0)],
            [Some(0.0), Some(250.0), Some(500.0)]
        );
        assert_eq!(
            [pause(5, 1.0), pause(u32::MAX, 1.0)],
            [Some(8000.0), Some(8000.0)]
        );
        let limited = wait(Repeat::Never, Failure::Status(429, Some(9)), 0, 0.0);
        assert_eq!(limited, Some(9000.0));
    }
}
