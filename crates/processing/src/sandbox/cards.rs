//! What becomes of a payment in the sandbox: by its card (wire notes §7), or by its amount.

use wire::interface::{Amount, StatusCode};

/// A card of the sandbox: public test values.
pub(crate) struct TestCard {
    pub(crate) number: &'static str,
    /// Whether its payer is asked to prove who they are.
    pub(crate) asks_3ds: bool,
    /// `None`: payments succeed.
    pub(crate) decline: Option<StatusCode>,
    /// What a mobile wallet's token calls it.
    pub(crate) name: &'static str,
}

pub(crate) const TEST_CARDS: &[TestCard] = &[
    card("4242424242424242", true, None, "success-3ds"),
    card("5454545454545454", true, None, "success-3ds-2"),
    card("4111111111111111", false, None, "success"),
    card("5555555555554444", false, None, "success-2"),
    card("4200000000000000", true, REJECTED, "rejected-3ds"),
    card("5105105105105100", true, REJECTED, "rejected-3ds-2"),
    card("4444333322221111", false, REJECTED, "rejected"),
    card("5100000020002000", false, REJECTED, "rejected-2"),
    card(
        "4000000000000044",
        false,
        Some(StatusCode::InsufficientFunds),
        "insufficient-funds",
    ),
];

/// Any other number succeeds without questions.
pub(crate) fn find(number: &str) -> Option<&'static TestCard> {
    TEST_CARDS.iter().find(|card| card.number == number)
}

/// Amounts that decide whatever the card: 666600.01 and on, so that no price of a shop is one by chance.
pub(crate) fn decline_by_amount(amount: Amount) -> Option<StatusCode> {
    let at = amount.minor().checked_sub(FIRST_AMOUNT)?;
    AMOUNTS.get(usize::try_from(at).ok()?).cloned()
}

/// 666600.01.
const FIRST_AMOUNT: u64 = 66_660_001;

const AMOUNTS: &[StatusCode] = &[
    StatusCode::TransactionDeclined,
    StatusCode::TransactionRejected,
    StatusCode::InsufficientFunds,
    StatusCode::CardExpired,
    StatusCode::WrongCvv,
    StatusCode::WrongCardNumber,
    StatusCode::CardNotSupported,
    StatusCode::CardIsLostOrStolen,
    StatusCode::ThreeDsRequired,
    StatusCode::AntiFraudCheck,
];

const REJECTED: Option<StatusCode> = Some(StatusCode::TransactionRejected);

const fn card(
    number: &'static str,
    asks_3ds: bool,
    decline: Option<StatusCode>,
    name: &'static str,
) -> TestCard {
    TestCard {
        number,
        asks_3ds,
        decline,
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_published_test_number() {
        for card in TEST_CARDS {
            let number = card::Pan::new(card.number).expect(card.name);
            assert!(number.is_test(), "{}", card.name);
        }
    }

    /// Line by line, and nothing besides.
    #[test]
    fn the_page_for_shops_says_the_same() {
        let page = include_str!("../../../../docs/sandbox.md");
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
        for card in TEST_CARDS {
            let outcome = match &card.decline {
                None => "success".to_owned(),
                Some(code) => format!("`{code}`"),
            };
            let asks = if card.asks_3ds { "yes" } else { "no" };
            let row = format!("| {} | {asks} | {outcome} | `{}` |", card.number, card.name);
            assert!(rows.contains(&&*row), "{row}");
        }
        let cards = rows
            .iter()
            .filter(|row| row.as_bytes()[2].is_ascii_digit() && !row.contains("666600"));
        assert_eq!(cards.count(), TEST_CARDS.len());
        for (at, code) in (1..).zip(AMOUNTS) {
            let row = format!("| 666600.{at:02} | `{code}` |");
            assert!(rows.contains(&&*row), "{row}");
        }
    }

    #[test]
    fn amounts_decide_from_their_first_to_their_last() {
        let of = |text: &str| decline_by_amount(text.parse().unwrap());
        assert_eq!(of("666600.00"), None);
        assert_eq!(of("666600.01"), Some(StatusCode::TransactionDeclined));
        assert_eq!(of("666600.03"), Some(StatusCode::InsufficientFunds));
        assert_eq!(of("666600.10"), Some(StatusCode::AntiFraudCheck));
        assert_eq!(of("666600.11"), None);
        assert_eq!(of("0"), None);
    }
}
