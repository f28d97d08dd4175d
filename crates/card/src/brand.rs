//! Which network a number belongs to, and the rules that follow from it.

mod candidates;
mod rules;
mod shared;
mod table;

pub use candidates::{Brands, candidates};
pub use rules::Rules;
use table::RULES;

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

#[cfg(test)]
mod tests {
    use super::table::ROWS;
    use super::*;

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
}
