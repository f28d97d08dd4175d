//! The data: ranges whose cards bear the marks of two networks, and where each is known from.
//!
//! The first network of a number is that of the longest matching prefix in `table.rs`; here stands the second. Only
//! ranges that a public source names are here, since a choice that is not on the card puzzles its holder. So these are
//! not: Mir with UnionPay, JCB or Maestro, Prostir with UnionPay and Verve with Discover, whose ranges are known to
//! members only; UnionPay with Visa or Mastercard, on single issuers' numbers and not issued since 2017; UnionPay's
//! 622126 to 622925, which Discover takes without being on the card.

use super::Brand;
use super::candidates::Row;

const fn row(brand: Brand, low: u32, high: u32) -> Row {
    Row::new(brand, low, high)
}

/// No two rows give a number two second networks. Tests hold it true.
pub(super) const SHARED: [Row; 10] = [
    // Elo's numbers in Discover's range. Discover, "International card identification features" (2019): Elo's numbers
    // of 16 digits that begin with 65 bear Discover's mark on the back.
    row(Brand::Discover, 650031, 651679),
    row(Brand::Discover, 655000, 655058),
    // RuPay's numbers in Discover's range. NPCI (2017): 25 million cards of both marks, issued in India.
    row(Brand::Discover, 652150, 653149),
    // RuPay with JCB. NPCI and JCB (2019) issue them; the prefixes are those of Wikipedia's "Payment card number" until
    // September 2021. (Since then it says 353 and 356, which are full of JCB's own cards.)
    row(Brand::RuPay, 3538, 3538),
    row(Brand::RuPay, 3561, 3561),
    // Troy's numbers in Discover's range, by issuer, as far as two public lists of Turkish ranges agree. The same page
    // of Discover's: Troy's numbers of 16 digits that begin with 65 bear Discover's mark on the back.
    row(Brand::Troy, 650052, 650052),
    row(Brand::Troy, 650170, 650170),
    row(Brand::Troy, 654997, 654997),
    row(Brand::Troy, 657366, 657366),
    row(Brand::Troy, 657998, 657998),
];
