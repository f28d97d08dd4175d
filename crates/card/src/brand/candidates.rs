//! Which brands a number may belong to, by the digits typed so far.

use super::shared::SHARED;
use super::table::ROWS;
use super::{Brand, Rules};

/// The brands that a number may yet belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brands {
    bits: u16,
    best: Option<Brand>,
    /// The second network of a co-badged card.
    second: Option<Brand>,
}

impl Brands {
    /// No number, no brands.
    pub const NONE: Self = Self {
        bits: 0,
        best: None,
        second: None,
    };

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

    /// The two networks of a co-badged card, once no digit to come can change them. The national one, which is on the
    /// front of the card, comes first.
    pub fn pair(self) -> Self {
        match (self.best, self.second) {
            (Some(best), Some(second)) if best.bit() | second.bit() == self.bits => Self {
                bits: self.bits,
                // The international networks are the first in the table.
                best: Some(if best.bit() > second.bit() { best } else { second }),
                second: None,
            },
            _ => Self::NONE,
        }
    }

    /// Those that are in the other set too.
    pub(crate) fn within(self, other: Option<Self>) -> Self {
        let bits = other.map_or(self.bits, |other| self.bits & other.bits);
        Self {
            bits,
            best: self.best.filter(|best| best.bit() & bits != 0),
            second: None,
        }
    }

    /// The rules of a number that belongs to these: those of the longest prefix. A co-badged number has a length that
    /// both networks have.
    pub fn rules(self) -> Rules {
        let rules = Rules::of(self.best);
        match self.second {
            Some(second) => rules.shared_with(second.rules()),
            None => rules,
        }
    }

    /// The possible brands: the best one, then the others in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Brand> {
        let Self {
            mut bits, mut best, ..
        } = self;
        core::iter::from_fn(move || {
            let first = Brand::ALL.get(bits.trailing_zeros() as usize).copied();
            let next = best.take().or(first)?;
            bits &= !next.bit();
            Some(next)
        })
    }
}

impl FromIterator<Brand> for Brands {
    fn from_iter<T: IntoIterator<Item = Brand>>(brands: T) -> Self {
        let mut found = Self::NONE;
        for brand in brands {
            found.bits |= brand.bit();
        }
        found
    }
}

/// One range of prefixes of at most eight digits, both ends included and of the same count of digits. None begins with
/// 0.
pub(super) struct Row {
    low: u32,
    /// How many prefixes follow the first. In the table this takes fewer bytes than the last one would.
    more: u16,
    pub(super) brand: Brand,
}

/// The numbers between two, by their first eight digits, both ends included.
#[derive(Clone, Copy)]
struct Span {
    low: u32,
    high: u32,
}

impl Row {
    /// From the first prefix to the last.
    pub(super) const fn new(brand: Brand, low: u32, high: u32) -> Self {
        // Evaluated when the table is compiled.
        assert!(low <= high && high - low <= u16::MAX as u32);
        Self {
            low,
            more: (high - low) as u16,
            brand,
        }
    }

    /// Not in the table either, where it would take more bytes.
    fn span(&self) -> Span {
        let (mut low, mut end) = (self.low, self.low + u32::from(self.more) + 1);
        while low < 10_000_000 {
            low *= 10;
            end *= 10;
        }
        Span { low, high: end - 1 }
    }
}

impl Span {
    /// All numbers that may come of these digits.
    fn of(digits: &[u8]) -> Self {
        let mut span = Self { low: 0, high: 0 };
        for at in 0..8 {
            let digit = digits.get(at).map(|digit| u32::from(digit - b'0'));
            span.low = span.low * 10 + digit.unwrap_or(0);
            span.high = span.high * 10 + digit.unwrap_or(9);
        }
        span
    }

    /// Some numbers are in both.
    fn meets(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// All numbers of the other are in it.
    fn holds(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    fn width(self) -> u32 {
        self.high - self.low
    }
}

/// Tells the brands from the digits typed so far (ASCII; anything else gives none).
///
/// A longer prefix wins over a shorter one, and prefixes that could still become a longer match keep their brand in
/// the set: `4` may be Visa or Elo, `42` is Visa. Eight digits decide everything.
pub fn candidates(digits: &[u8]) -> Brands {
    let mut found = Brands::NONE;
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return found;
    }
    let typed = Span::of(digits);
    // A row of a longer prefix is narrower and lies within those of shorter ones.
    let mut narrowest = u32::MAX;
    for row in &ROWS {
        let span = row.span();
        if span.holds(typed) {
            if span.width() < narrowest {
                narrowest = span.width();
                found.best = Some(row.brand);
            }
        } else if span.meets(typed) {
            found.bits |= row.brand.bit();
        }
    }
    // After the rows: a network is not second to itself.
    for row in &SHARED {
        let span = row.span();
        if span.meets(typed) {
            found.bits |= row.brand.bit();
            if span.holds(typed) && found.best != Some(row.brand) {
                found.second = Some(row.brand);
            }
        }
    }
    if let Some(best) = found.best {
        found.bits |= best.bit();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sound() {
        for (index, row) in ROWS.iter().enumerate() {
            let high = row.low + u32::from(row.more);
            assert!(row.low > 0 && high < 100_000_000, "{}", row.low);
            assert_eq!(row.low.ilog10(), high.ilog10(), "{}", row.low);
            let span = row.span();
            for other in ROWS.iter().skip(index + 1).map(Row::span) {
                let nested = span.holds(other) || other.holds(span);
                assert!(
                    !span.meets(other) || nested && span.width() != other.width(),
                    "{}",
                    row.low
                );
            }
        }
    }

    #[test]
    fn shared_rows_are_sound() {
        for row in &SHARED {
            let mut shared = 0;
            for prefix in row.low..=row.low + u32::from(row.more) {
                let digits = alloc::format!("{prefix}0000");
                let found = candidates(digits.as_bytes());
                let best = found.best().unwrap();
                // A gap between the rows of the first network.
                if best == row.brand {
                    continue;
                }
                shared += 1;
                assert_eq!(found.pair().count(), 2, "{prefix}");
                assert!(
                    found.pair().contains(best) && found.pair().contains(row.brand),
                    "{prefix}"
                );
                let typed = Span::of(digits.as_bytes());
                let seconds = SHARED
                    .iter()
                    .filter(|other| other.brand != best && other.span().holds(typed));
                assert_eq!(seconds.count(), 1, "{prefix}");
                // Nothing changes with the choice but the name.
                let (first, second) = (best.rules(), row.brand.rules());
                assert_eq!(first.has_luhn(), second.has_luhn(), "{prefix}");
                assert_eq!(first.code_length(), second.code_length(), "{prefix}");
                assert!(
                    (0..20).all(|count| first.has_gap_after(count, 16) == second.has_gap_after(count, 16))
                );
                assert_eq!(found.rules().longest(), 16, "{prefix}");
            }
            assert!(shared > 0, "{}", row.low);
        }
    }

    #[test]
    fn what_is_no_digit_gives_no_brand() {
        for text in ["", "x", "4x", "4 2", "\u{664}"] {
            assert_eq!(candidates(text.as_bytes()), Brands::NONE, "{text}");
        }
    }
}
