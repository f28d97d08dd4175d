//! Which network a number belongs to, and the rules that follow from it.

mod rules;
mod table;

pub use rules::Rules;
use table::{ROWS, RULES};

/// A card network.
///
/// The order is that of the rules table; `id` is what travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Brand {
    /// Visa, Electron and V Pay included.
    Visa = 0,
    /// Mastercard, both series.
    Mastercard = 1,
    /// Maestro.
    Maestro = 2,
    /// American Express.
    Amex = 3,
    /// Diners Club.
    Diners = 4,
    /// Discover.
    Discover = 5,
    /// JCB.
    Jcb = 6,
    /// UnionPay.
    UnionPay = 7,
    /// Mir.
    Mir = 8,
    /// Elo.
    Elo = 9,
    /// Hipercard.
    Hipercard = 10,
    /// RuPay.
    RuPay = 11,
    /// Troy.
    Troy = 12,
    /// Verve.
    Verve = 13,
    /// UATP, the airlines' network.
    Uatp = 14,
    /// Prostir, the national system of Ukraine.
    Prostir = 15,
}

impl Brand {
    /// All brands, in the order of the rules table.
    pub const ALL: [Self; 16] = [
        Self::Visa,
        Self::Mastercard,
        Self::Maestro,
        Self::Amex,
        Self::Diners,
        Self::Discover,
        Self::Jcb,
        Self::UnionPay,
        Self::Mir,
        Self::Elo,
        Self::Hipercard,
        Self::RuPay,
        Self::Troy,
        Self::Verve,
        Self::Uatp,
        Self::Prostir,
    ];

    /// Stable lower-case name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Self::Visa => "visa",
            Self::Mastercard => "mastercard",
            Self::Maestro => "maestro",
            Self::Amex => "amex",
            Self::Diners => "diners",
            Self::Discover => "discover",
            Self::Jcb => "jcb",
            Self::UnionPay => "unionpay",
            Self::Mir => "mir",
            Self::Elo => "elo",
            Self::Hipercard => "hipercard",
            Self::RuPay => "rupay",
            Self::Troy => "troy",
            Self::Verve => "verve",
            Self::Uatp => "uatp",
            Self::Prostir => "prostir",
        }
    }

    /// The brand of an `id`.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|brand| brand.id() == id)
    }

    /// Name as people read it; a proper name, the same in every language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Visa => "Visa",
            Self::Mastercard => "Mastercard",
            Self::Maestro => "Maestro",
            Self::Amex => "American Express",
            Self::Diners => "Diners Club",
            Self::Discover => "Discover",
            Self::Jcb => "JCB",
            Self::UnionPay => "UnionPay",
            Self::Mir => "Mir",
            Self::Elo => "Elo",
            Self::Hipercard => "Hipercard",
            Self::RuPay => "RuPay",
            Self::Troy => "Troy",
            Self::Verve => "Verve",
            Self::Uatp => "UATP",
            Self::Prostir => "Prostir",
        }
    }

    /// The rules of this brand's numbers and codes.
    pub fn rules(self) -> Rules {
        // `RULES` has one row for each of the 16 values, which a test holds true.
        RULES.get(self as usize).copied().unwrap_or(Rules::UNKNOWN)
    }

    const fn bit(self) -> u16 {
        1 << self as u8
    }
}

/// The brands that a number may yet belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brands {
    bits: u16,
    best: Option<Brand>,
}

impl Brands {
    /// No number, no brands.
    pub const NONE: Self = Self { bits: 0, best: None };

    /// The brand, once no digit to come can change it. `None` also for numbers of no known brand.
    pub fn decided(self) -> Option<Brand> {
        self.best.filter(|brand| brand.bit() == self.bits)
    }

    /// The brand of the longest prefix that matches so far. Formatting and lengths go by it.
    pub fn best(self) -> Option<Brand> {
        self.best
    }

    /// This brand is possible.
    pub fn contains(self, brand: Brand) -> bool {
        self.bits & brand.bit() != 0
    }

    /// How many brands are possible.
    pub fn count(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// The possible brands, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Brand> {
        Brand::ALL.into_iter().filter(move |brand| self.contains(*brand))
    }
}

/// One range of prefixes, both ends included and of the same count of digits.
struct Row {
    low: u32,
    high: u32,
    brand: Brand,
}

/// Tells the brands from the digits typed so far (ASCII; anything else gives none).
///
/// A longer prefix wins over a shorter one, and prefixes that could still become a longer match keep their brand in
/// the set: `4` may be Visa or Elo, `42` is Visa. Eight digits decide everything.
pub fn candidates(digits: &[u8]) -> Brands {
    let mut found = Brands::NONE;
    let (mut best_size, mut best_width) = (0, u32::MAX);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return found;
    }
    for row in &ROWS {
        let size = count_digits(row.low);
        let mut low = row.low;
        let mut high = row.high;
        let mut typed = 0;
        for digit in digits.iter().take(size) {
            typed = typed * 10 + u32::from(digit - b'0');
        }
        for _ in digits.len()..size {
            low /= 10;
            high /= 10;
        }
        if typed < low || typed > high {
            continue;
        }
        if digits.len() < size {
            found.bits |= row.brand.bit();
        } else if size > best_size || (size == best_size && high - low < best_width) {
            best_size = size;
            best_width = high - low;
            found.best = Some(row.brand);
        }
    }
    if let Some(best) = found.best {
        found.bits |= best.bit();
    }
    found
}

/// No prefix starts with 0, so the count of digits is in the number itself.
fn count_digits(mut value: u32) -> usize {
    let mut count = 0;
    while value > 0 {
        value /= 10;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sound() {
        for (index, row) in ROWS.iter().enumerate() {
            assert!(row.low <= row.high, "{}", row.low);
            assert_eq!(count_digits(row.low), count_digits(row.high), "{}", row.low);
            assert!(count_digits(row.low) <= 8, "{}", row.low);
            for other in ROWS
                .iter()
                .skip(index + 1)
                .filter(|other| count_digits(other.low) == count_digits(row.low))
            {
                assert!(
                    row.high < other.low || other.high < row.low,
                    "{} and {}",
                    row.low,
                    other.low
                );
            }
        }
    }

    #[test]
    fn every_brand_has_its_rules_and_a_row() {
        for (index, brand) in Brand::ALL.into_iter().enumerate() {
            assert_eq!(brand as usize, index);
            assert_eq!(brand.rules(), RULES[index]);
            assert_eq!(Brand::from_id(brand.id()), Some(brand));
            assert!(ROWS.iter().any(|row| row.brand == brand), "{}", brand.name());
        }
        assert_eq!(Brand::from_id("nobody"), None);
    }

    #[test]
    fn lengths() {
        let lengths = |brand| {
            (0..40)
                .filter(|count| Rules::of(brand).has_length(*count))
                .collect::<alloc::vec::Vec<_>>()
        };
        assert_eq!(lengths(Some(Brand::Visa)), [13, 16, 18, 19]);
        assert_eq!(lengths(Some(Brand::Amex)), [15]);
        assert_eq!(lengths(Some(Brand::Verve)), [16, 18, 19]);
        assert_eq!(lengths(None), [12, 13, 14, 15, 16, 17, 18, 19]);
        assert_eq!(Rules::of(None).longest(), 19);
        assert_eq!(Brand::Mastercard.rules().longest(), 16);
    }

    #[test]
    fn what_is_no_digit_gives_no_brand() {
        for text in ["", "x", "4x", "4 2", "\u{664}"] {
            assert_eq!(candidates(text.as_bytes()), Brands::NONE, "{text}");
        }
    }
}
