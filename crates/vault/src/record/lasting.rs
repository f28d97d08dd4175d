//! What is sealed of a saved card.

use zeroize::Zeroizing;

use super::{Reader, StoredCard, Writer, read_card};
use crate::crypto::Plaintext;
use crate::token::SECRET;

/// A saved card, with what its token is made of: whoever saves the same card again gets the same token.
pub(crate) struct LastingRecord {
    /// Secret part of the token.
    pub(crate) secret: Zeroizing<[u8; SECRET]>,
    /// When it was saved, in seconds since 1970.
    pub(crate) saved_at: u64,
    /// The fingerprint that leads here.
    pub(crate) fingerprint: [u8; 32],
    /// The card, as its widget token had it.
    card: Zeroizing<Vec<u8>>,
}

impl LastingRecord {
    /// `card` is what [`super::write_card`] wrote.
    pub(crate) fn new(
        secret: Zeroizing<[u8; SECRET]>,
        saved_at: u64,
        fingerprint: [u8; 32],
        card: Zeroizing<Vec<u8>>,
    ) -> Self {
        Self {
            secret,
            saved_at,
            fingerprint,
            card,
        }
    }

    pub(crate) fn write(&self) -> Plaintext {
        let mut out = Writer::new();
        out.bytes(&*self.secret);
        out.number(self.saved_at);
        out.bytes(&self.fingerprint);
        out.bytes(&self.card);
        out.0
    }

    /// `None` when the bytes are of another version.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut input = Reader::new(bytes)?;
        Some(Self {
            secret: Zeroizing::new(*input.take()?),
            saved_at: input.number()?,
            fingerprint: *input.take()?,
            card: Zeroizing::new(input.0.to_vec()),
        })
        .filter(|record| record.card().is_some())
    }

    /// The card in clear. Never `None` of a record that was read.
    pub(crate) fn card(&self) -> Option<StoredCard> {
        read_card(&self.card)
    }

    /// The card as it is sealed elsewhere.
    pub(crate) fn card_bytes(&self) -> &Zeroizing<Vec<u8>> {
        &self.card
    }
}

#[cfg(test)]
mod tests {
    use card::{Card, FormKind, UnixSeconds};

    use super::super::write_card;
    use super::*;

    const NOW: u64 = 1_790_000_000;

    fn record(number: &str, full: bool) -> LastingRecord {
        let form = if full {
            FormKind::FullCard
        } else {
            FormKind::PanOnly
        };
        let (expiry, code) = if full {
            (Some((12, 2030)), Some("123"))
        } else {
            (None, None)
        };
        let card = Card::parse(number, expiry, code, form, UnixSeconds(NOW)).unwrap();
        LastingRecord::new(
            Zeroizing::new([7; SECRET]),
            NOW,
            [8; 32],
            Zeroizing::new(write_card(&card, NOW).to_vec()),
        )
    }

    #[test]
    fn records_come_back_and_all_have_one_length() {
        let records = [
            record("4242424242424242", true),
            record("5555555555554444", false),
            record("378282246310005", false),
        ];
        for one in &records {
            let bytes = one.write();
            assert_eq!(bytes.len(), records[0].write().len());
            let again = LastingRecord::read(&bytes).unwrap();
            assert_eq!((&again.secret, again.saved_at), (&one.secret, one.saved_at));
            assert_eq!(
                (again.fingerprint, again.card_bytes()),
                (one.fingerprint, one.card_bytes())
            );
            let (card, expected) = (again.card().unwrap(), one.card().unwrap());
            assert_eq!(card.number.expose(), expected.number.expose());
            assert_eq!((card.expiry, card.form()), (expected.expiry, expected.form()));
            for length in 0..bytes.len() {
                assert!(LastingRecord::read(&bytes[..length]).is_none(), "cut at {length}");
            }
        }
    }
}
