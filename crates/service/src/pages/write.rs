//! Amounts, times and cards as people read them.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use wire::interface::saved::ItemCard;
use wire::interface::{Amount, Currency};

use super::texts::Texts;

/// An amount in the way of a language, as browsers write it; numbers stay with their currency.
pub(super) fn money(amount: Amount, currency: Currency, texts: &Texts) -> String {
    let (point, group, least_grouped) = match texts.lang {
        "uk" => (',', SPACE, 4),
        // Four digits stay together.
        "pl" => (',', SPACE, 5),
        _ => ('.', ',', 4),
    };
    let whole = (amount.minor() / 100).to_string();
    let mut number = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) && whole.len() >= least_grouped {
            number.push(group);
        }
        number.push(digit);
    }
    let hundredths = amount.minor() % 100;
    let code = currency.as_str();
    match (texts.lang, code) {
        ("uk", "UAH") => format!("{number}{point}{hundredths:02}{SPACE}грн"),
        ("pl", "PLN") => format!("{number}{point}{hundredths:02}{SPACE}zł"),
        ("uk" | "pl", _) => format!("{number}{point}{hundredths:02}{SPACE}{code}"),
        _ => format!("{code}{SPACE}{number}{point}{hundredths:02}"),
    }
}

/// A time for machines and people. The payer's own zone is known to their browser alone, which writes it anew.
pub(super) struct Time {
    pub(super) machine: String,
    pub(super) text: String,
}

impl Time {
    pub(super) fn new(time: Timestamp) -> Self {
        let zoned = time.to_zoned(TimeZone::UTC);
        Self {
            machine: zoned.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            text: zoned.strftime("%d.%m.%Y, %H:%M UTC").to_string(),
        }
    }
}

/// `VISA •• 4242`.
pub(super) fn card_name(payment_system: Option<&str>, mask: &str) -> String {
    let ending = mask.rsplit('*').next().unwrap_or_default();
    match payment_system {
        Some(system) => format!("{system} ••{SPACE}{ending}"),
        None => format!("••{SPACE}{ending}"),
    }
}

/// The bank and the end of a card's life, as far as they are known.
pub(super) fn card_detail(card: &ItemCard, texts: &Texts) -> String {
    let end = card.expires_at.map(|end| {
        let month = end.to_zoned(TimeZone::UTC).strftime("%m/%y").to_string();
        texts.good_until.replace("{date}", &month)
    });
    let parts = [card.bank_short_name.clone(), end];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// One that no line ends at.
const SPACE: char = '\u{a0}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        let currency = |code| Currency::new(code).unwrap();
        for (lang, minor, code, text) in [
            ("en", 0, "UAH", "UAH 0.00"),
            ("en", 5, "UAH", "UAH 0.05"),
            ("en", 157_500, "UAH", "UAH 1,575.00"),
            ("en", 99_999_999_999_999, "EUR", "EUR 999,999,999,999.99"),
            ("uk", 157_550, "UAH", "1 575,50 грн"),
            ("uk", 10_050, "EUR", "100,50 EUR"),
            ("pl", 157_550, "PLN", "1575,50 zł"),
            ("pl", 1_575_050, "UAH", "15 750,50 UAH"),
        ] {
            let texts = Texts::find(lang).unwrap();
            let written = money(Amount::from_minor(minor).unwrap(), currency(code), texts);
            assert_eq!(written.replace(SPACE, " "), text);
        }
    }

    #[test]
    fn times_and_cards() {
        let time = Time::new("2026-01-31T23:59:59.5Z".parse().unwrap());
        assert_eq!(time.machine, "2026-01-31T23:59:59Z");
        assert_eq!(time.text, "31.01.2026, 23:59 UTC");
        assert_eq!(card_name(Some("VISA"), "42424242****4242"), "VISA ••\u{a0}4242");
        assert_eq!(card_name(None, "555555*****4444"), "••\u{a0}4444");
        let mut card = ItemCard {
            mask: "42424242****4242".into(),
            payment_system: None,
            bank_short_name: Some("Bank".into()),
            expires_at: Some("2027-12-31T00:00:00Z".parse().unwrap()),
            card_art_url: None,
        };
        let english = Texts::find("en").unwrap();
        assert_eq!(card_detail(&card, english), "Bank, valid until 12/27");
        (card.bank_short_name, card.expires_at) = (None, None);
        assert_eq!(card_detail(&card, english), "");
    }
}
