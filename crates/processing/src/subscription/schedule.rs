//! When a subscription's periods begin: arithmetic of the calendar, in UTC, and nothing else.
//!
//! Every period is counted from the first day and never from the one before: what begins on 31 January goes on on 28 February and on
//! 31 March.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use wire::interface::plan::FrequencyType;

/// The periods of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// When the first one begins.
    pub(crate) start: Timestamp,
    pub(crate) unit: FrequencyType,
    /// How many units a period has.
    pub(crate) frequency: u32,
    /// How many units all of them have together. The last period is shorter where this is no multiple of a period.
    pub(crate) duration: u32,
}

impl Schedule {
    /// When a period begins, counted from 0; `None` behind the last one.
    pub(crate) fn begins(&self, period: u32) -> Option<Timestamp> {
        let units = u64::from(period) * u64::from(self.frequency);
        (units < u64::from(self.duration)).then(|| self.after(units))
    }

    /// When a period is over: the next one begins, or all of it is over.
    pub(crate) fn ends(&self, period: u32) -> Timestamp {
        let next = u64::from(period).saturating_add(1) * u64::from(self.frequency);
        self.after(next.min(self.duration.into()))
    }

    /// So many units behind the start; the end of all times where there is no such time.
    fn after(&self, units: u64) -> Timestamp {
        let Ok(units) = i64::try_from(units) else {
            return Timestamp::MAX;
        };
        let span = match self.unit {
            FrequencyType::Daily => Span::new().try_days(units),
            FrequencyType::Weekly => Span::new().try_weeks(units),
            FrequencyType::Yearly => Span::new().try_years(units),
            _ => Span::new().try_months(units),
        };
        let start = self.start.to_zoned(TimeZone::UTC);
        let end = span.and_then(|span| start.checked_add(span));
        end.map_or(Timestamp::MAX, |end| end.timestamp())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use jiff::civil::Date;
    use proptest::prelude::*;

    use super::*;

    fn schedule(start: &str, unit: FrequencyType, frequency: u32, duration: u32) -> Schedule {
        Schedule {
            start: start.parse().unwrap(),
            unit,
            frequency,
            duration,
        }
    }

    fn days(schedule: &Schedule) -> Vec<String> {
        let days = (0..).map_while(|period| schedule.begins(period));
        days.map(|day| day.to_string()[..10].to_owned()).collect()
    }

    #[test]
    fn periods_begin_on_the_days_of_the_calendar() {
        use FrequencyType::{Daily, Monthly, Weekly, Yearly};
        for (start, unit, frequency, duration, expected) in [
            (
                "2026-12-30",
                Daily,
                1,
                3,
                vec!["2026-12-30", "2026-12-31", "2027-01-01"],
            ),
            (
                "2028-02-28",
                Daily,
                1,
                3,
                vec!["2028-02-28", "2028-02-29", "2028-03-01"],
            ),
            (
                "2026-01-01",
                Daily,
                2,
                6,
                vec!["2026-01-01", "2026-01-03", "2026-01-05"],
            ),
            (
                "2026-03-22",
                Weekly,
                1,
                3,
                vec!["2026-03-22", "2026-03-29", "2026-04-05"],
            ),
            (
                "2026-01-31",
                Monthly,
                1,
                5,
                vec![
                    "2026-01-31",
                    "2026-02-28",
                    "2026-03-31",
                    "2026-04-30",
                    "2026-05-31",
                ],
            ),
            (
                "2028-01-30",
                Monthly,
                1,
                3,
                vec!["2028-01-30", "2028-02-29", "2028-03-30"],
            ),
            (
                "2026-08-31",
                Monthly,
                6,
                18,
                vec!["2026-08-31", "2027-02-28", "2027-08-31"],
            ),
            // The last period is cut short.
            ("2026-08-31", Monthly, 6, 7, vec!["2026-08-31", "2027-02-28"]),
            // Of a leap year's day: in the other years the last of February, and back again.
            (
                "2028-02-29",
                Yearly,
                1,
                5,
                vec![
                    "2028-02-29",
                    "2029-02-28",
                    "2030-02-28",
                    "2031-02-28",
                    "2032-02-29",
                ],
            ),
            ("2026-05-05", Yearly, 2, 2, vec!["2026-05-05"]),
            // A period that is longer than all of it.
            ("2026-05-05", Monthly, 12, 1, vec!["2026-05-05"]),
        ] {
            let schedule = schedule(&format!("{start}T09:30:00Z"), unit, frequency, duration);
            assert_eq!(days(&schedule), expected, "{start} {unit}");
        }
    }

    #[test]
    fn the_last_period_ends_with_all_of_it() {
        let half = schedule("2026-08-31T00:00:00Z", FrequencyType::Monthly, 6, 8);
        assert_eq!(half.ends(0), "2027-02-28T00:00:00Z".parse().unwrap());
        assert_eq!(half.ends(1), "2027-04-30T00:00:00Z".parse().unwrap());
        assert_eq!(half.begins(2), None);
    }

    #[test]
    fn what_the_calendar_does_not_have_is_never() {
        let long = schedule("2199-12-31T23:59:59Z", FrequencyType::Yearly, 36_500, 36_500);
        assert_eq!(long.ends(0), Timestamp::MAX);
        let endless = schedule("2026-01-01T00:00:00Z", FrequencyType::Daily, u32::MAX, u32::MAX);
        assert_eq!(endless.ends(u32::MAX), Timestamp::MAX);
        assert_eq!(endless.begins(u32::MAX), None);
    }

    /// Days of a month, without the calendar's help.
    fn length(year: i16, month: i8) -> i8 {
        match month {
            2 if year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// The same by counting by hand, day after day or month after month.
    pub(in crate::subscription) fn by_hand(start: Date, unit: FrequencyType, units: u32) -> Date {
        let mut parts = (start.year(), start.month(), start.day());
        let days = match unit {
            FrequencyType::Daily => units,
            FrequencyType::Weekly => units * 7,
            _ => 0,
        };
        for _ in 0..days {
            parts = match parts {
                (year, 12, 31) => (year + 1, 1, 1),
                (year, month, day) if day == length(year, month) => (year, month + 1, 1),
                (year, month, day) => (year, month, day + 1),
            };
        }
        let months = match unit {
            FrequencyType::Monthly => units,
            FrequencyType::Yearly => units * 12,
            _ => 0,
        };
        for _ in 0..months {
            parts = match parts {
                (year, 12, day) => (year + 1, 1, day),
                (year, month, day) => (year, month + 1, day),
            };
        }
        let (year, month, day) = parts;
        Date::new(year, month, day.min(length(year, month))).unwrap()
    }

    proptest! {
        #[test]
        fn periods_are_those_that_are_counted_by_hand(
            second in 1_704_067_200..4_102_444_800_i64,
            unit in prop::sample::select(FrequencyType::ALL),
            frequency in 1..14_u32,
            duration in 1..200_u32,
        ) {
            let start = Timestamp::from_second(second).unwrap();
            let schedule = Schedule { start, unit, frequency, duration };
            let first = start.to_zoned(TimeZone::UTC).datetime();
            let mut before = None;
            for period in 0..duration.div_ceil(frequency) {
                let begins = schedule.begins(period).unwrap();
                let shown = begins.to_zoned(TimeZone::UTC).datetime();
                prop_assert_eq!(shown.date(), by_hand(first.date(), unit, period * frequency));
                prop_assert_eq!(shown.time(), first.time());
                prop_assert!(before.is_none_or(|before| before == begins), "one ends where the next begins");
                prop_assert!(schedule.ends(period) > begins);
                before = Some(schedule.ends(period));
            }
            let all = by_hand(first.date(), unit, duration);
            prop_assert_eq!(before.map(|end| end.to_zoned(TimeZone::UTC).date()), Some(all));
            prop_assert_eq!(schedule.begins(duration.div_ceil(frequency)), None);
        }
    }
}
