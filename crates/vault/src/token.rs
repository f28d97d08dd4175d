//! The texts of tokens: widget tokens, and the lasting ones of saved cards.

use std::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::config::{Random, RandomError};
use crate::crypto;
use crate::store::IdOrder;

/// Which of the two kinds a token is. The numbers are in stored data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TokenKind {
    /// Made by a frame or an app, and used up by its first success.
    Widget = 0,
    /// A saved card's.
    Lasting = 1,
}

impl TokenKind {
    /// `None` for a number that no version has written.
    pub(crate) fn of(number: i64) -> Option<Self> {
        [Self::Widget, Self::Lasting]
            .into_iter()
            .find(|&kind| kind as i64 == number)
    }
}

/// A token: an id that finds its row, and a secret. Without a widget token's secret its row does not open; a lasting one's
/// only proves that it was given.
///
/// As text `ct_` or, of a saved card, `cl_`, and 77 letters: URL-safe, below the interface's 128 characters, and without a
/// digit, so that it never looks like a card number.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Token {
    bytes: [u8; LENGTH],
}

impl Token {
    /// A new token, its id in the order that the store asks for. `now` is in milliseconds: thousands of tokens that are
    /// made within one second go to the end of a table too, and not all over the pages of that second.
    pub(crate) fn make(now: u64, order: IdOrder, random: &dyn Random) -> Result<Self, RandomError> {
        let mut token = Self { bytes: [0; LENGTH] };
        random.fill(&mut token.bytes)?;
        let [_, _, time @ ..] = now.to_be_bytes();
        let at = match order {
            IdOrder::Time => 0,
            IdOrder::Spread => {
                token.bytes[0] &= 15;
                1
            }
        };
        token.bytes[at..][..time.len()].copy_from_slice(&time);
        Ok(token)
    }

    /// The token of a saved card, whose record holds its secret.
    pub(crate) fn lasting(id: &[u8; ID], secret: &[u8; SECRET]) -> Self {
        let mut token = Self { bytes: [0; LENGTH] };
        let (head, tail) = token.bytes.split_at_mut(ID);
        head.copy_from_slice(id);
        tail.copy_from_slice(secret);
        token
    }

    /// Reads a token of either kind; `None` unless it is written exactly as [`Token::text`] writes.
    pub(crate) fn parse(text: &str) -> Option<(TokenKind, Self)> {
        let kinds = [TokenKind::Widget, TokenKind::Lasting];
        kinds.into_iter().find_map(|kind| {
            let letters = text.strip_prefix(prefix(kind))?;
            Some((kind, Self::read(letters.as_bytes())?))
        })
    }

    fn read(letters: &[u8]) -> Option<Self> {
        if letters.len() != LETTERS {
            return None;
        }
        let mut token = Self { bytes: [0; LENGTH] };
        let mut bytes = token.bytes.iter_mut();
        let (mut buffer, mut bits) = (0u32, 0);
        for letter in letters {
            let value = match letter {
                b'a'..=b'z' => letter - b'a',
                b'A'..=b'F' => letter - b'A' + 26,
                _ => return None,
            };
            buffer = buffer << 5 | u32::from(value);
            bits += 5;
            if bits >= 8 {
                bits -= 8;
                *bytes.next()? = (buffer >> bits) as u8;
                buffer &= (1 << bits) - 1;
            }
        }
        // One bit is left over; with any other value than 0 the same token would have two texts.
        (buffer == 0 && bytes.next().is_none()).then_some(token)
    }

    /// The token as its owner sees it.
    pub(crate) fn text(&self, kind: TokenKind) -> Zeroizing<String> {
        let prefix = prefix(kind);
        let mut text = Zeroizing::new(String::with_capacity(prefix.len() + LETTERS));
        text.push_str(prefix);
        for bytes in self.bytes.chunks(5) {
            let bits = bytes.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            let count = (bytes.len() * 8).div_ceil(5);
            // Eight letters of five bytes; of the last three, one bit is filled up.
            let bits = bits << (5 * count - 8 * bytes.len());
            for at in (0..count).rev() {
                let value = (bits >> (5 * at) & 31) as u8;
                text.push(char::from(if value < 26 {
                    b'a' + value
                } else {
                    b'A' + value - 26
                }));
            }
        }
        text
    }

    /// Finds the row; no secret.
    pub(crate) fn id(&self) -> [u8; ID] {
        let mut id = [0; ID];
        id.copy_from_slice(&self.bytes[..ID]);
        id
    }

    /// Opens the row of a widget token, together with the data key.
    pub(crate) fn secret(&self) -> &[u8] {
        &self.bytes[ID..]
    }

    /// What the store keeps instead of the token. 256 random bits need no salt and no slow hash.
    pub(crate) fn hash(&self) -> [u8; 32] {
        crypto::hash(&self.bytes)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Bytes of the id: six of the time in milliseconds, the others random; in a spread order the first is below 16.
pub(crate) const ID: usize = 16;
/// Secret bytes.
pub(crate) const SECRET: usize = 32;
/// Bytes of a token.
const LENGTH: usize = ID + SECRET;
/// Letters that write them, five bits each.
const LETTERS: usize = (LENGTH * 8).div_ceil(5);

/// What the text of a token begins with.
const fn prefix(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Widget => "ct_",
        TokenKind::Lasting => "cl_",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;

    #[test]
    fn text_comes_back_as_the_same_token() {
        for now in 0..200 {
            let token = Token::make(1_790_000_000_000 + now, IdOrder::Time, &SystemRandom).unwrap();
            for (kind, prefix) in [(TokenKind::Widget, "ct_"), (TokenKind::Lasting, "cl_")] {
                let text = token.text(kind);
                assert_eq!(text.len(), 80);
                assert!(text.starts_with(prefix));
                assert!(text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_'));
                let (read, again) = Token::parse(&text).unwrap();
                assert_eq!((read, again.bytes), (kind, token.bytes));
                assert_eq!((again.id(), again.hash()), (token.id(), token.hash()));
                let secret = token.secret().try_into().unwrap();
                assert_eq!(Token::lasting(&token.id(), secret).bytes, token.bytes);
            }
        }
    }

    #[test]
    fn a_token_has_one_text() {
        let text = Token::make(1, IdOrder::Time, &SystemRandom)
            .unwrap()
            .text(TokenKind::Widget);
        let last = text.as_bytes()[79];
        let other = if last < b'z' { last + 1 } else { b'A' };
        for (wrong, why) in [
            (String::new(), "empty"),
            (text[3..].to_owned(), "no prefix"),
            (format!("cx_{}", &text[3..]), "another prefix"),
            (text.to_uppercase(), "upper case"),
            (text[..79].to_owned(), "short"),
            (format!("{}a", *text), "long"),
            (format!("{} ", &text[..79]), "space"),
            (format!("{}é", &text[..78]), "not ASCII"),
            (format!("{}{}", &text[..79], char::from(other)), "left-over bit"),
            (format!("{}7", &text[..79]), "digit"),
        ] {
            assert!(Token::parse(&wrong).is_none(), "{why}");
        }
    }

    #[test]
    fn ids_follow_time() {
        let early = Token::make(1_790_000_000_000, IdOrder::Time, &SystemRandom).unwrap();
        let late = Token::make(1_790_000_000_001, IdOrder::Time, &SystemRandom).unwrap();
        assert!(early.id() < late.id());
        assert_eq!(format!("{early:?}"), "Token(..)");
    }

    #[test]
    fn spread_ids_begin_with_sixteen_numbers_then_with_time() {
        let mut first = std::collections::BTreeSet::new();
        for _ in 0..400 {
            let id = Token::make(1_790_000_000_000, IdOrder::Spread, &SystemRandom)
                .unwrap()
                .id();
            assert_eq!(id[1..7], 1_790_000_000_000_u64.to_be_bytes()[2..]);
            first.insert(id[0]);
        }
        assert_eq!(first, (0..16).collect());
    }
}
