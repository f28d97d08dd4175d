//! Times as the interface writes them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// UTC without zone and fraction, `2026-01-31T23:59:59` (contract, "Card widget token").
///
/// `None` beyond the year 9999.
pub fn without_zone(unix_seconds: u64) -> Option<String> {
    let timestamp = Timestamp::from_second(i64::try_from(unix_seconds).ok()?).ok()?;
    Some(
        timestamp
            .to_zoned(TimeZone::UTC)
            .strftime("%Y-%m-%dT%H:%M:%S")
            .to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_no_zone_and_no_fraction() {
        assert_eq!(without_zone(0).as_deref(), Some("1970-01-01T00:00:00"));
        assert_eq!(
            without_zone(1_769_903_999).as_deref(),
            Some("2026-01-31T23:59:59")
        );
        assert_eq!(without_zone(u64::MAX), None);
    }
}
