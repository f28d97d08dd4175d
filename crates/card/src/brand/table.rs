//! The data: rules per brand, and the ranges of issuer numbers with where each is known from.
//!
//! Networks give their ranges to members and acquirers; what reaches the public are notices, merchant guides and the
//! manuals of acquirers. Each row names who gives the range out. Most rows were compared with a second public table
//! (Braintree's `credit-card-type`, 2026): where that one is finer, by issuer, the network's whole range stands here.
//! It does not have 3095, 3841, RuPay, Troy, UATP and Prostir. A number in no row is one of no known brand, and is
//! accepted by its length and check digit: an unknown range must not cost a shop its customer.

use super::Brand;
use super::candidates::Row;
use super::rules::{Grouping, Rules};

/// In the order of [`Brand`].
pub(super) const RULES: [Rules; 16] = [
    // Visa: 16 digits, the standard since ISO 7812; 13 on old cards, 18 and 19 on some debit cards.
    Rules::new(13, 19, Grouping::Fours, true, 3)
        .without(14)
        .without(15)
        .without(17),
    // Mastercard: always 16 (Mastercard notice to acquirers on the 2-series, 2016).
    Rules::new(16, 16, Grouping::Fours, true, 3),
    // Maestro: 12 to 19 (Mastercard rules: issuers choose).
    Rules::new(12, 19, Grouping::Fours, true, 3),
    // American Express: 15 in groups of 4, 6 and 5; the code has 4 digits and is on the front.
    Rules::new(15, 15, Grouping::FourSixFive, true, 4),
    // Diners Club: 14 in groups of 4, 6 and 4; up to 19 since its numbers are routed by Discover's network.
    Rules::new(14, 19, Grouping::FourSixFour, true, 3),
    // Discover: 16, and up to 19 in its ranges for international issuers.
    Rules::new(16, 19, Grouping::Fours, true, 3),
    // JCB: 16, up to 19 reserved. The 15-digit cards on 1800 and 2131 are no longer issued.
    Rules::new(16, 19, Grouping::Fours, true, 3),
    // UnionPay: 16 to 19. Members' older debit cards carry no Luhn digit, so it cannot be asked for.
    Rules::new(16, 19, Grouping::Fours, false, 3),
    // Mir: 16, up to 19.
    Rules::new(16, 19, Grouping::Fours, true, 3),
    // Elo: 16.
    Rules::new(16, 16, Grouping::Fours, true, 3),
    // Hipercard: 16; its first range had 19.
    Rules::new(16, 19, Grouping::Fours, true, 3)
        .without(17)
        .without(18),
    // RuPay: 16.
    Rules::new(16, 16, Grouping::Fours, true, 3),
    // Troy: 16.
    Rules::new(16, 16, Grouping::Fours, true, 3),
    // Verve: 16, 18 or 19.
    Rules::new(16, 19, Grouping::Fours, true, 3).without(17),
    // UATP: 15 in groups of 4, 5 and 6; the code has 4 digits where there is one.
    Rules::new(15, 15, Grouping::FourFiveSix, true, 4),
    // Prostir: cards have 16. The scheme's rules are for members; 17 to 19, which ISO/IEC 7812-1 allows, pass as well,
    // and the check digit is the standard's.
    Rules::new(16, 19, Grouping::Fours, true, 3),
];

const fn row(brand: Brand, low: u32, high: u32) -> Row {
    Row::new(brand, low, high)
}

const fn one(brand: Brand, prefix: u32) -> Row {
    row(brand, prefix, prefix)
}

/// Two rows are apart, or one lies within the other. Tests hold it true.
pub(super) const ROWS: [Row; 57] = [
    // ISO/IEC 7812-1 register: the whole major industry 4 is Visa's.
    one(Brand::Visa, 4),
    // Mastercard's first series, 510000 to 559999.
    row(Brand::Mastercard, 51, 55),
    // Mastercard's second series, 222100 to 272099 (notice to acquirers, in force since October 2016).
    row(Brand::Mastercard, 2221, 2720),
    // Maestro: 500000 to 509999 (Mastercard's account range table).
    one(Brand::Maestro, 50),
    // Maestro: 560000 to 589999 (the same).
    row(Brand::Maestro, 56, 58),
    // Maestro: 600000 to 699999 wherever no other network holds a longer prefix (the same).
    one(Brand::Maestro, 6),
    // American Express merchant guide: numbers begin with 34 or 37.
    one(Brand::Amex, 34),
    one(Brand::Amex, 37),
    // Discover network IIN bulletin: 300 to 305, 3095, 36, 38 and 39 are Diners Club International.
    row(Brand::Diners, 300, 305),
    one(Brand::Diners, 3095),
    one(Brand::Diners, 36),
    row(Brand::Diners, 38, 39),
    // The same bulletin: Discover itself. 65 also carries cards of Troy and RuPay that run on its network.
    one(Brand::Discover, 6011),
    row(Brand::Discover, 644, 649),
    one(Brand::Discover, 65),
    // JCB's notice to acquirers: 3528 to 3589.
    row(Brand::Jcb, 3528, 3589),
    // UnionPay's IIN notice: 62. 622126 to 622925 are also accepted by Discover, and are UnionPay's all the same.
    one(Brand::UnionPay, 62),
    // UnionPay's notice of 2014: 8100 to 8171, from ISO's reserve for it.
    row(Brand::UnionPay, 8100, 8171),
    // NSPK's rules: 2200 to 2204.
    row(Brand::Mir, 2200, 2204),
    // Elo's list for acquirers, all rows down to 655058; several lie inside Visa's, Maestro's and Discover's ranges.
    row(Brand::Elo, 401178, 401179),
    one(Brand::Elo, 431274),
    one(Brand::Elo, 438935),
    one(Brand::Elo, 451416),
    one(Brand::Elo, 457393),
    row(Brand::Elo, 457631, 457632),
    one(Brand::Elo, 504175),
    row(Brand::Elo, 506699, 506778),
    row(Brand::Elo, 509000, 509999),
    one(Brand::Elo, 627780),
    one(Brand::Elo, 636297),
    one(Brand::Elo, 636368),
    row(Brand::Elo, 650031, 650033),
    row(Brand::Elo, 650035, 650051),
    row(Brand::Elo, 650405, 650439),
    row(Brand::Elo, 650485, 650538),
    row(Brand::Elo, 650541, 650598),
    row(Brand::Elo, 650700, 650718),
    row(Brand::Elo, 650720, 650727),
    row(Brand::Elo, 650901, 650978),
    row(Brand::Elo, 651652, 651679),
    row(Brand::Elo, 655000, 655019),
    row(Brand::Elo, 655021, 655058),
    // Hipercard, in acquirers' manuals for Brazil: 606282; the old 19-digit ranges of 3841.
    one(Brand::Hipercard, 606282),
    one(Brand::Hipercard, 384100),
    one(Brand::Hipercard, 384140),
    one(Brand::Hipercard, 384160),
    // NPCI's list of RuPay ranges: five.
    row(Brand::RuPay, 508500, 508999),
    row(Brand::RuPay, 606985, 607984),
    row(Brand::RuPay, 608001, 608500),
    row(Brand::RuPay, 652150, 653149),
    row(Brand::RuPay, 817200, 820199),
    // BKM: Troy's own range 9792 (9, then Turkey's country code 792).
    one(Brand::Troy, 9792),
    // Interswitch's list of Verve ranges: 506099 to 506198, 507865 to 507964, 650002 to 650027.
    row(Brand::Verve, 506099, 506198),
    row(Brand::Verve, 507865, 507964),
    row(Brand::Verve, 650002, 650027),
    // ISO/IEC 7812-1: major industry 1, airlines; UATP's numbers begin with it.
    one(Brand::Uatp, 1),
    // National Bank of Ukraine: 9, then Ukraine's country code 804 (ISO 3166-1), as ISO/IEC 7812-1 gives to nations.
    one(Brand::Prostir, 9804),
];
