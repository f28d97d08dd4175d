//! What follows from a brand: lengths, groups, check digit, code.

use super::Brand;

/// Rules of one brand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Bit n is set when numbers of n digits exist, 12 to 19.
    lengths: u32,
    grouping: Grouping,
    luhn: bool,
    code_length: u8,
}

impl Rules {
    /// Rules for a number of no known brand: 12 to 19 digits in fours with a check digit; `code_length` 0 stands for
    /// three or four.
    pub const UNKNOWN: Self = Self::new(12, 19, Grouping::Fours, true, 0);

    pub(super) const fn new(
        shortest: u32,
        longest: u32,
        grouping: Grouping,
        luhn: bool,
        code_length: u8,
    ) -> Self {
        Self {
            lengths: (1 << (longest + 1)) - (1 << shortest),
            grouping,
            luhn,
            code_length,
        }
    }

    pub(super) const fn without(mut self, length: u32) -> Self {
        self.lengths &= !(1 << length);
        self
    }

    /// With only the lengths that the others have as well.
    pub(super) fn shared_with(mut self, others: Self) -> Self {
        self.lengths &= others.lengths;
        self
    }

    /// Rules for a number whose brand may be unknown.
    pub fn of(brand: Option<Brand>) -> Self {
        brand.map_or(Self::UNKNOWN, Brand::rules)
    }

    /// Numbers of this many digits exist.
    pub fn has_length(self, digits: usize) -> bool {
        digits < 32 && self.lengths >> digits & 1 == 1
    }

    /// Most digits of a number.
    pub fn longest(self) -> usize {
        31 - self.lengths.leading_zeros() as usize
    }

    /// The last digit is a check digit by the Luhn formula (ISO/IEC 7812-1, annex B).
    pub fn has_luhn(self) -> bool {
        self.luhn
    }

    /// Digits of the security code, 3 or 4; 0 where it is not known which.
    pub fn code_length(self) -> u8 {
        self.code_length
    }

    /// A gap follows the digit with this count (1 for the first) in a number of `digits` digits.
    pub fn has_gap_after(self, count: usize, digits: usize) -> bool {
        match self.grouping {
            Grouping::FourSixFive => count == 4 || count == 10,
            Grouping::FourFiveSix => count == 4 || count == 9,
            Grouping::FourSixFour if digits <= 14 => count == 4 || count == 10,
            Grouping::Fours | Grouping::FourSixFour => count.is_multiple_of(4) && count > 0,
        }
    }
}

/// How a number is written on the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    Fours,
    FourSixFive,
    FourFiveSix,
    /// With more than 14 digits: in fours.
    FourSixFour,
}
