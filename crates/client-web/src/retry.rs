//! Whether a request is sent again, and when. The clock and the randomness are the caller's.

use wire::interface::call::{Failure, Repeat};

/// Milliseconds after which to try again; `None` when it must not be. `reset` are the seconds after which a limit is free again, `attempt`
/// counts from 0, `random` lies in 0 to 1.
pub(crate) fn wait(
    repeat: Repeat,
    failure: Failure,
    reset: Option<u32>,
    attempt: u32,
    random: f64,
) -> Option<f64> {
    let jitter = |ceiling: f64| ceiling * random;
    let pause = match (failure, reset) {
        (Failure::Status(429), Some(seconds)) => f64::from(seconds) * 1000.0 + jitter(FIRST),
        _ => jitter((FIRST * f64::from(1_u32 << attempt.min(10))).min(LONGEST)),
    };
    repeat.is_safe_after(failure).then_some(pause)
}

/// Milliseconds: the first wait is up to this long, each further one up to twice as long.
const FIRST: f64 = 250.0;

/// No wait is longer, but one that the service asks for.
const LONGEST: f64 = 8000.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_by_chance_up_to_a_bound() {
        let pause = |attempt, random| wait(Repeat::Reads, Failure::Lost, None, attempt, random);
        assert_eq!(
            [pause(0, 0.0), pause(0, 1.0), pause(1, 1.0)],
            [Some(0.0), Some(250.0), Some(500.0)]
        );
        assert_eq!(
            [pause(5, 1.0), pause(u32::MAX, 1.0)],
            [Some(8000.0), Some(8000.0)]
        );
        let limited = |reset| wait(Repeat::Never, Failure::Status(429), reset, 0, 1.0);
        assert_eq!([limited(Some(9)), limited(None)], [Some(9250.0), Some(250.0)]);
        assert_eq!(wait(Repeat::Never, Failure::Lost, None, 0, 1.0), None);
    }
}
