//! What a project's charges cost it.

use std::fmt;
use std::str::FromStr;

use wire::interface::Amount;

/// A merchant's commission in hundredths of a percent: 0 to 10,000, which is all of a charge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeeRate(u32);

impl FeeRate {
    /// No commission.
    pub const NONE: Self = Self(0);

    /// `None` above a hundred percent.
    pub fn from_hundredths(hundredths: u32) -> Option<Self> {
        (hundredths <= WHOLE).then_some(Self(hundredths))
    }

    /// In hundredths of a percent.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// The commission of a charge, rounded half up; `None` where there is none to be had at this rate.
    pub(crate) fn of(self, charged: Amount) -> Option<Amount> {
        let exact = u128::from(charged.minor()) * u128::from(self.0);
        let rounded = (exact + u128::from(WHOLE) / 2) / u128::from(WHOLE);
        let fee = u64::try_from(rounded).ok().and_then(Amount::from_minor);
        fee.filter(|_| self != Self::NONE)
    }
}

/// The text is no commission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a commission is 0 to 100 percent, with at most two decimals: 1.75")]
pub struct NoFeeRate;

impl FromStr for FeeRate {
    type Err = NoFeeRate;

    /// Percent, by its digits.
    fn from_str(text: &str) -> Result<Self, NoFeeRate> {
        let hundredths = text.parse::<Amount>().map_err(|_| NoFeeRate)?.minor();
        let hundredths = u32::try_from(hundredths).map_err(|_| NoFeeRate)?;
        Self::from_hundredths(hundredths).ok_or(NoFeeRate)
    }
}

impl fmt::Display for FeeRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// A hundred percent.
const WHOLE: u32 = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commission_is_rounded_half_up() {
        for (rate, charged, fee) in [
            ("0", 10_000, None),
            ("1.75", 10_000, Some(175)),
            ("1.75", 200, Some(4)),
            ("1.75", 199, Some(3)),
            ("0.01", 49, Some(0)),
            ("0.01", 5_000, Some(1)),
            ("0.01", 4_999, Some(0)),
            ("100", 1, Some(1)),
            ("100", 99_999_999_999_999, Some(99_999_999_999_999)),
        ] {
            let rate: FeeRate = rate.parse().unwrap();
            let told = rate.of(Amount::from_minor(charged).unwrap());
            assert_eq!(told.map(Amount::minor), fee, "{rate} of {charged}");
        }
    }

    #[test]
    fn a_rate_is_read_by_its_digits() {
        for text in ["100.01", "-1", "1.755", "1,75", "", "1e1", "4294967295"] {
            assert_eq!(text.parse::<FeeRate>(), Err(NoFeeRate), "{text}");
        }
        assert_eq!(
            "2.5".parse::<FeeRate>().map(|rate| rate.to_string()),
            Ok("2.50".to_owned())
        );
    }
}
