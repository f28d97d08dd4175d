//! What is sealed into a row: fixed layouts, so that neither brand nor length of a card number can be told from the length
//! of a sealed value.

use std::borrow::Cow;

use card::{Brand, Card, Code, CodeLength, Expiry, FormKind, Pan, UnixSeconds};

use crate::crypto::Plaintext;

pub(crate) mod lasting;

/// What the shop says about its customer: advice, kept with the token, believed by nobody.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Customer {
    /// Address as the shop saw it.
    pub ip: Option<String>,
    /// Id at the shop.
    pub id: Option<String>,
    /// E-mail.
    pub email: Option<String>,
}

/// A token and what its owner is told about it.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    /// The token: `ct_` and 77 letters.
    pub token: String,
    /// First second in which it is no longer good, since 1970 in UTC.
    pub expires_at: u64,
    /// First and last digits with `*` between, 13 to 19 characters.
    pub card_mask: String,
    /// Whether this is the answer to an earlier request, told again.
    pub repeated: bool,
}

/// What may be known about a token without its card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts<'a> {
    pub(crate) form: FormKind,
    pub(crate) issued_at: u64,
    pub(crate) expires_at: u64,
    pub(crate) widget_key: Cow<'a, str>,
    pub(crate) card_mask: Cow<'a, str>,
    pub(crate) brand: Option<Brand>,
    pub(crate) customer: Cow<'a, Customer>,
    pub(crate) address: Cow<'a, str>,
}

impl Facts<'_> {
    pub(crate) fn write(&self) -> Plaintext {
        let mut out = Writer::new();
        out.byte(form_number(self.form));
        out.number(self.issued_at);
        out.number(self.expires_at);
        out.text(&self.widget_key);
        out.padded::<LONGEST_MASK>(&self.card_mask);
        out.padded::<LONGEST_BRAND>(self.brand.map_or("", Brand::id));
        out.option(self.customer.ip.as_deref());
        out.option(self.customer.id.as_deref());
        out.option(self.customer.email.as_deref());
        out.text(&self.address);
        out.0
    }

    /// `None` when the bytes are of another version.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut input = Reader::new(bytes)?;
        let facts = Self {
            form: form_of(input.byte()?)?,
            issued_at: input.number()?,
            expires_at: input.number()?,
            widget_key: input.text()?.into(),
            card_mask: input.padded(LONGEST_MASK)?.to_owned().into(),
            brand: Brand::from_id(input.padded(LONGEST_BRAND)?),
            customer: Cow::Owned(Customer {
                ip: input.option()?,
                id: input.option()?,
                email: input.option()?,
            }),
            address: input.text()?.into(),
        };
        input.0.is_empty().then_some(facts)
    }
}

/// Number and expiry.
pub(crate) fn write_card(card: &Card, issued_at: u64) -> Plaintext {
    let mut out = Writer::new();
    out.number(issued_at);
    let (year, month) = card.expiry.map_or((0, 0), |expiry| (expiry.year, expiry.month));
    out.bytes(&year.to_be_bytes());
    out.byte(month);
    // Exposed to be sealed where it is written.
    out.padded::<{ card::number::LONGEST }>(card.number.expose());
    out.0
}

/// A card that was checked when it was sealed.
pub(crate) struct StoredCard {
    pub(crate) number: Pan,
    pub(crate) expiry: Option<Expiry>,
}

impl StoredCard {
    /// The form it was typed into: a full card has an expiry, a number alone has none.
    pub(crate) fn form(&self) -> FormKind {
        match self.expiry {
            Some(_) => FormKind::FullCard,
            None => FormKind::PanOnly,
        }
    }
}

pub(crate) fn read_card(bytes: &[u8]) -> Option<StoredCard> {
    let mut input = Reader::new(bytes)?;
    let issued_at = UnixSeconds(input.number()?);
    let year = u16::from_be_bytes(*input.take::<2>()?);
    let month = input.byte()?;
    let expiry = match year {
        0 => None,
        // Judged by the day it was issued: whether it has expired since is the acquirer's question.
        _ => Some(Expiry::new(year, month, issued_at).ok()?),
    };
    let number = Pan::new(input.padded(card::number::LONGEST)?)?;
    input.0.is_empty().then_some(StoredCard { number, expiry })
}

/// The security code.
pub(crate) fn write_code(code: &Code) -> Plaintext {
    let mut out = Writer::new();
    // Exposed to be sealed where it is written.
    out.padded::<LONGEST_CODE>(code.expose());
    out.0
}

pub(crate) fn read_code(bytes: &[u8]) -> Option<Code> {
    let mut input = Reader::new(bytes)?;
    // Its length was checked against the brand when it was sealed.
    let code = Code::new(input.padded(LONGEST_CODE)?, CodeLength::ThreeOrFour)?;
    input.0.is_empty().then_some(code)
}

/// The answer to a request, with the digest of its body.
pub(crate) fn write_answer(issued: &Issued, body_hash: &[u8; 32]) -> Plaintext {
    let mut out = Writer::new();
    out.bytes(body_hash);
    out.number(issued.expires_at);
    out.text(&issued.token);
    out.padded::<LONGEST_MASK>(&issued.card_mask);
    out.0
}

pub(crate) fn read_answer(bytes: &[u8]) -> Option<([u8; 32], Issued)> {
    let mut input = Reader::new(bytes)?;
    let body_hash = *input.take::<32>()?;
    let issued = Issued {
        expires_at: input.number()?,
        token: input.text()?,
        card_mask: input.padded(LONGEST_MASK)?.to_owned(),
        repeated: true,
    };
    input.0.is_empty().then_some((body_hash, issued))
}

/// Writes where it will be sealed.
struct Writer(Plaintext);

impl Writer {
    fn new() -> Self {
        let mut bytes = Plaintext::with_room(256);
        bytes.append(&[VERSION]);
        Self(bytes)
    }

    fn byte(&mut self, byte: u8) {
        self.bytes(&[byte]);
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_be_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.append(bytes);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    fn option(&mut self, text: Option<&str>) {
        self.byte(text.is_some().into());
        self.text(text.unwrap_or(""));
    }

    /// A text of at most `N` bytes after its own length, filled up.
    fn padded<const N: usize>(&mut self, text: &str) {
        self.byte(text.len() as u8);
        self.bytes(text.as_bytes());
        self.bytes([0; N].get(text.len()..).unwrap_or_default());
    }
}

/// Takes from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = Self(bytes);
        (reader.byte()? == VERSION).then_some(reader)
    }

    fn take<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (head, tail) = self.0.split_first_chunk()?;
        self.0 = tail;
        Some(head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|&[byte]| byte)
    }

    fn number(&mut self) -> Option<u64> {
        self.take().map(|bytes| u64::from_be_bytes(*bytes))
    }

    fn slice(&mut self, length: usize) -> Option<&'a str> {
        let (head, tail) = self.0.split_at_checked(length)?;
        self.0 = tail;
        std::str::from_utf8(head).ok()
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        self.slice(length).map(str::to_owned)
    }

    fn option(&mut self) -> Option<Option<String>> {
        let there = self.byte()? == 1;
        let text = self.text()?;
        Some(there.then_some(text))
    }

    fn padded(&mut self, length: usize) -> Option<&'a str> {
        let count = usize::from(self.byte()?);
        self.slice(length)?.get(..count)
    }
}

fn form_number(form: FormKind) -> u8 {
    match form {
        FormKind::FullCard => 1,
        FormKind::PanOnly => 2,
    }
}

fn form_of(number: u8) -> Option<FormKind> {
    match number {
        1 => Some(FormKind::FullCard),
        2 => Some(FormKind::PanOnly),
        _ => None,
    }
}

/// First byte of every layout.
const VERSION: u8 = 1;

/// Characters of the longest mask (`Pan::mask`).
const LONGEST_MASK: usize = 19;

/// Room for the longest brand's id, in bytes.
const LONGEST_BRAND: usize = 16;

/// Digits of the longest security code.
const LONGEST_CODE: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_790_000_000; // September 2026

    fn card(number: &str, expiry: Option<(u8, u16)>, code: Option<&str>) -> Card {
        let form = if code.is_some() {
            FormKind::FullCard
        } else {
            FormKind::PanOnly
        };
        Card::parse(number, expiry, code, form, UnixSeconds(NOW)).unwrap()
    }

    #[test]
    fn cards_come_back_and_all_have_one_length() {
        let cards = [
            card("4242424242424242", Some((12, 2030)), Some("123")),
            card("378282246310005", Some((9, 2026)), Some("1234")),
            card("5555555555554444", None, None),
        ];
        for card in &cards {
            let bytes = write_card(card, NOW);
            assert_eq!(bytes.len(), write_card(&cards[0], NOW).len());
            let stored = read_card(&bytes).unwrap();
            assert_eq!(stored.number.expose(), card.number.expose());
            assert_eq!(stored.expiry, card.expiry);
            assert!(read_card(&bytes[..bytes.len() - 1]).is_none());
        }
        let codes: Vec<_> = cards[..2]
            .iter()
            .map(|card| write_code(card.code.as_ref().unwrap()))
            .collect();
        assert_eq!(codes[0].len(), codes[1].len());
        assert_eq!(read_code(&codes[0]).unwrap().expose(), "123");
        assert_eq!(read_code(&codes[1]).unwrap().expose(), "1234");
    }

    #[test]
    fn facts_and_answers_come_back() {
        let facts = Facts {
            form: FormKind::PanOnly,
            issued_at: NOW,
            expires_at: NOW + 3600,
            widget_key: "wk_sandbox".into(),
            card_mask: "42424242****4242".into(),
            brand: Some(Brand::Visa),
            customer: Cow::Owned(Customer {
                ip: Some(String::new()),
                id: None,
                email: Some("ж@example.com".into()),
            }),
            address: "::1".into(),
        };
        let bytes = facts.write();
        assert_eq!(Facts::read(&bytes), Some(facts.clone()));
        assert_eq!(
            Facts::read(
                &Facts {
                    brand: None,
                    ..facts.clone()
                }
                .write()
            )
            .unwrap()
            .brand,
            None
        );
        for length in 0..bytes.len() {
            assert!(Facts::read(&bytes[..length]).is_none(), "cut at {length}");
        }
        let issued = answer("42424242****4242");
        assert_eq!(
            read_answer(&write_answer(&issued, &[3; 32])),
            Some(([3; 32], issued))
        );
    }

    fn answer(card_mask: &str) -> Issued {
        Issued {
            token: "ct_x".into(),
            expires_at: 1,
            card_mask: card_mask.into(),
            repeated: true,
        }
    }

    #[test]
    fn no_length_tells_a_brand() {
        let facts = |card_mask: &'static str, brand| Facts {
            form: FormKind::FullCard,
            issued_at: NOW,
            expires_at: NOW + 3600,
            widget_key: "wk".into(),
            card_mask: card_mask.into(),
            brand,
            customer: Cow::Owned(Customer::default()),
            address: "::1".into(),
        };
        let masks = ["501800***0009", "378282*****0005", "67629999*******0009"];
        let brands = Brand::ALL.into_iter().map(Some).chain([None]);
        for (brand, mask) in brands.flat_map(|brand| masks.map(|mask| (brand, mask))) {
            let written = facts(mask, brand);
            let bytes = written.write();
            assert_eq!(bytes.len(), facts(masks[0], None).write().len(), "{brand:?}");
            assert_eq!(Facts::read(&bytes), Some(written), "{brand:?}");
            let bytes = write_answer(&answer(mask), &[0; 32]);
            assert_eq!(bytes.len(), write_answer(&answer(masks[0]), &[0; 32]).len());
            assert_eq!(read_answer(&bytes), Some(([0; 32], answer(mask))));
        }
    }
}
