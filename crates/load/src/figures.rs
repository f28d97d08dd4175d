//! What was measured.

use std::time::Duration;

/// Figures of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// How long the run took; of several, all together.
    pub elapsed: Duration,
    /// Answers per second.
    pub per_second: f64,
    /// Half of the answers took at most this long.
    pub p50: Duration,
    /// 99 of 100 did.
    pub p99: Duration,
    /// Processor time of the server per answer; where the system tells it.
    pub processor: Option<Duration>,
    /// Flushes to the disk per answer; where the server tells them.
    pub flushes: Option<f64>,
}

impl Figures {
    /// Of the times that single answers took, and how long all of them took together.
    pub fn of(mut times: Vec<Duration>, elapsed: Duration) -> Self {
        times.sort_unstable();
        Self {
            elapsed,
            per_second: times.len() as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE),
            p50: percentile(&times, 50),
            p99: percentile(&times, 99),
            processor: None,
            flushes: None,
        }
    }

    /// Each figure's median over several runs. One run alone may have shared the machine with something else.
    pub fn median(runs: &[Self]) -> Option<Self> {
        Some(Self {
            elapsed: runs.iter().map(|run| run.elapsed).sum(),
            per_second: middle(runs.iter().map(|run| run.per_second))?,
            p50: Duration::from_secs_f64(middle(runs.iter().map(|run| run.p50.as_secs_f64()))?),
            p99: Duration::from_secs_f64(middle(runs.iter().map(|run| run.p99.as_secs_f64()))?),
            processor: middle(runs.iter().filter_map(|run| Some(run.processor?.as_secs_f64())))
                .map(Duration::from_secs_f64),
            flushes: middle(runs.iter().filter_map(|run| run.flushes)),
        })
    }
}

/// The smallest time that `percent` of all do not exceed (nearest rank).
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

/// The median.
pub(crate) fn middle(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some((values.get(low)? + values.get(high)?) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn percentiles_are_times_that_occurred() {
        let figures = Figures::of((1..=200).rev().map(ms).collect(), ms(2000));
        assert_eq!((figures.p50, figures.p99), (ms(100), ms(198)));
        assert_eq!(figures.per_second, 100.0);
        assert_eq!(Figures::of(vec![ms(7)], ms(7)).p99, ms(7));
        assert_eq!(Figures::of(vec![], ms(7)).p99, ms(0), "nothing was answered");
    }

    #[test]
    fn medians_are_taken_of_each_figure() {
        let run = |per_second, p99| Figures {
            elapsed: ms(1),
            per_second,
            p50: ms(1),
            p99: ms(p99),
            processor: None,
            flushes: Some(per_second),
        };
        let median = Figures::median(&[run(1.0, 30), run(9.0, 20), run(4.0, 10)]).unwrap();
        assert_eq!((median.per_second, median.p99), (4.0, ms(20)));
        assert_eq!((median.processor, median.flushes), (None, Some(4.0)));
        assert_eq!(
            Figures::median(&[run(1.0, 1), run(2.0, 1)]).unwrap().per_second,
            1.5
        );
        assert_eq!(Figures::median(&[]), None);
    }
}
