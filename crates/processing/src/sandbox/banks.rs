//! The banks of the sandbox: what each offers, and what payers' phones do (wire notes §7). Values of our own.

use std::ops::RangeInclusive;

use wire::interface::StatusCode;

use crate::port::bank::Requisite::{self, Card, OptionalPhone, Phone};

/// A bank of the sandbox.
pub(super) struct Bank {
    pub(super) name: &'static str,
    pub(super) product: &'static str,
    pub(super) requisite: Requisite,
    /// Whether its payers agree on a page, unless it asks them in its app for having their phone.
    pub(super) has_page: bool,
    /// Whether products and an address to come back to are needed.
    pub(super) needs_products: bool,
    pub(super) periods: RangeInclusive<u32>,
    /// In whole hryvnias.
    pub(super) limits: RangeInclusive<u64>,
}

/// In the order of the list that shops get. The service's own product leads to a credit checkout.
pub(super) const BANKS: &[Bank] = &[
    bank(
        "bank_service",
        "Pay in instalments",
        Phone,
        (true, true),
        3..=10,
        300..=100_000,
    ),
    bank(
        "bank_a",
        "Instant instalments",
        Phone,
        (false, false),
        2..=24,
        500..=300_000,
    ),
    bank(
        "bank_b",
        "Part by part",
        Phone,
        (false, false),
        3..=12,
        300..=200_000,
    ),
    bank(
        "bank_c",
        "Buy now, pay in parts",
        Phone,
        (false, false),
        3..=15,
        100..=100_000,
    ),
    bank(
        "bank_d",
        "Split payment",
        Phone,
        (false, false),
        2..=6,
        500..=50_000,
    ),
    bank(
        "bank_e",
        "Instalments by card",
        Card,
        (true, false),
        2..=12,
        300..=150_000,
    ),
    bank(
        "bank_f",
        "Easy parts",
        Phone,
        (false, false),
        4..=24,
        1_000..=500_000,
    ),
    bank(
        "bank_g",
        "Card in parts",
        OptionalPhone,
        (true, false),
        3..=9,
        200..=100_000,
    ),
    bank("stub", "Stub bank", Phone, (false, false), 2..=24, 1..=1_000_000),
];

/// What becomes of an order by the payer's phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Script {
    /// Whether it ends by itself, within a second; else the payer is waited for.
    pub(super) by_itself: bool,
    /// Whether the stub bank shows a page.
    pub(super) on_page: bool,
    /// Whether the bank takes a payer who agrees.
    pub(super) takes: bool,
}

/// By the number's end: +3809300000NN.
const PHONES: &[(&str, Script)] = &[
    ("01", page(true)),
    ("02", page(true)),
    ("03", itself(true)),
    ("04", itself(true)),
    ("07", page(false)),
    ("08", page(false)),
    ("09", itself(false)),
    ("10", itself(false)),
];

/// What a phone does; payers with other ones are waited for, and taken.
pub(super) fn script(phone: Option<&str>) -> Script {
    let digits = phone.map(|phone| phone.trim_start_matches('+'));
    let end = digits.and_then(|digits| digits.strip_prefix(BEGINNING));
    let known = PHONES.iter().find(|(known, _)| end == Some(known));
    known.map_or(OTHER, |(_, script)| *script)
}

/// What a payer's answer comes to.
pub(super) fn result(agrees: bool, script: Script) -> StatusCode {
    match (agrees, script.takes) {
        (true, true) => StatusCode::ContractSigned,
        (true, false) => StatusCode::RejectedByBank,
        (false, _) => StatusCode::TransactionDeclined,
    }
}

const BEGINNING: &str = "3809300000";

const OTHER: Script = Script {
    by_itself: false,
    on_page: false,
    takes: true,
};

const fn page(takes: bool) -> Script {
    Script {
        by_itself: false,
        on_page: true,
        takes,
    }
}

const fn itself(takes: bool) -> Script {
    Script {
        by_itself: true,
        on_page: false,
        takes,
    }
}

const fn bank(
    name: &'static str,
    product: &'static str,
    requisite: Requisite,
    (has_page, needs_products): (bool, bool),
    periods: RangeInclusive<u32>,
    limits: RangeInclusive<u64>,
) -> Bank {
    Bank {
        name,
        product,
        requisite,
        has_page,
        needs_products,
        periods,
        limits,
    }
}
