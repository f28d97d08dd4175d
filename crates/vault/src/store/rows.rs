//! Rows as the crate sees them, whatever the database. Bytes named `facts`, `card`, `code`, `answer`, `record` or
//! `wrapped` are sealed.

use crate::keys::hours::Hour;
use crate::token::TokenKind;

/// What a store says of itself.
#[derive(Clone)]
pub(crate) struct Identity {
    pub(crate) id: Vec<u8>,
    /// Id of the master key that sealed the check.
    pub(crate) master_key: u32,
    /// The store's id, sealed.
    pub(crate) key_check: Vec<u8>,
}

/// A security code and the hour under whose key it lies.
#[derive(Clone)]
pub(crate) struct SealedCode {
    pub(crate) sealed: Vec<u8>,
    pub(crate) hour: Hour,
}

/// A nonce as it is indexed: after the time at which its envelope says it was made. Nobody can change that time without
/// the envelope ceasing to open, so the same envelope has the same key; and new keys go to the end of the index, wherever
/// millions of old ones lie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NonceKey(pub(crate) [u8; 21]);

impl NonceKey {
    /// `issued_at`: seconds since 1970, authenticated.
    pub(crate) fn new(issued_at: u64, nonce: &[u8; 16]) -> Self {
        let mut key = [0; 21];
        let (time, random) = key.split_at_mut(5);
        // Five bytes last until the year 36812; a time beyond is refused long before.
        time.copy_from_slice(&issued_at.to_be_bytes()[3..]);
        random.copy_from_slice(nonce);
        Self(key)
    }

    /// The same for a store that spreads its keys: after one of sixteen numbers, which the nonce decides.
    pub(crate) fn spread(&self) -> [u8; 22] {
        let mut key = [0; 22];
        key[0] = self.0[20] & 15;
        key[1..].copy_from_slice(&self.0);
        key
    }
}

/// A token that is to be issued.
pub(crate) struct NewToken {
    pub(crate) id: [u8; 16],
    /// SHA-256 of the whole token.
    pub(crate) hash: [u8; 32],
    pub(crate) project: String,
    /// Version of the project's data key.
    pub(crate) epoch: u32,
    /// `None` for a request that cannot be repeated by somebody else.
    pub(crate) nonce: Option<NonceKey>,
    /// `None` for a request without an idempotency key.
    pub(crate) answer: Option<NewAnswer>,
    pub(crate) facts: Vec<u8>,
    pub(crate) card: Vec<u8>,
    pub(crate) code: Option<SealedCode>,
    pub(crate) issued_at: u64,
    pub(crate) expires_at: u64,
    /// When neither the token nor its nonce is of use any more.
    pub(crate) remove_at: u64,
}

/// The answer kept for a repeat.
pub(crate) struct NewAnswer {
    /// MAC of the caller's idempotency key.
    pub(crate) index: [u8; 32],
    pub(crate) sealed: Vec<u8>,
    /// First second in which it is not given any more.
    pub(crate) until: u64,
}

/// A token as it stands.
pub(crate) struct TokenRow {
    pub(crate) hash: Vec<u8>,
    pub(crate) epoch: u32,
    pub(crate) state: State,
    /// Which has reserved it or used it up.
    pub(crate) operation: Option<String>,
    pub(crate) facts: Vec<u8>,
    /// Gone once used up.
    pub(crate) card: Option<Vec<u8>>,
    /// Gone once an acquirer has answered.
    pub(crate) code: Option<SealedCode>,
}

/// Whether an operation has a token. The numbers are in stored data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum State {
    Ready = 0,
    Reserved = 1,
    UsedUp = 2,
}

impl State {
    /// `None` for a number that no version has written.
    pub(crate) fn of(number: i64) -> Option<Self> {
        [Self::Ready, Self::Reserved, Self::UsedUp]
            .into_iter()
            .find(|&state| state as i64 == number)
    }
}

/// An answer that was kept.
pub(crate) struct AnswerRow {
    pub(crate) epoch: u32,
    pub(crate) answer: Vec<u8>,
}

/// An operation that is to have a token.
pub(crate) struct NewOperation {
    pub(crate) project: String,
    pub(crate) id: String,
    /// Id part of the token.
    pub(crate) token: [u8; 16],
    /// What kind of token that is.
    pub(crate) source: TokenKind,
    pub(crate) epoch: u32,
    pub(crate) card: Vec<u8>,
    pub(crate) code: Option<SealedCode>,
    pub(crate) expires_at: u64,
    /// What is to be kept of the card, unless its holder has it already.
    pub(crate) save: Option<NewLasting>,
}

/// An open operation.
pub(crate) struct OperationRow {
    /// Id part of its token.
    pub(crate) token: [u8; 16],
    /// What kind of token that is.
    pub(crate) source: TokenKind,
    pub(crate) epoch: u32,
    pub(crate) card: Vec<u8>,
    pub(crate) code: Option<SealedCode>,
    /// The lasting record that it saved its card in, or found it in.
    pub(crate) saved: Option<[u8; 16]>,
}

/// A card that is to be kept, in the project and for the operation of the row around it.
pub(crate) struct NewLasting {
    /// Id part of the lasting token.
    pub(crate) id: [u8; 16],
    /// SHA-256 of the whole token.
    pub(crate) hash: [u8; 32],
    /// Version of the project's data key.
    pub(crate) epoch: u32,
    pub(crate) record: Vec<u8>,
    /// MAC of card and holder: one record for each.
    pub(crate) fingerprint: [u8; 32],
}

/// A card that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastingRow {
    /// Id part of the lasting token.
    pub(crate) id: [u8; 16],
    /// SHA-256 of the whole token.
    pub(crate) hash: Vec<u8>,
    /// Version of the project's data key.
    pub(crate) epoch: u32,
    pub(crate) record: Vec<u8>,
    /// `false` until an operation that saved it has ended with success.
    pub(crate) kept: bool,
}

/// A project's data key, wrapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataKeyRow {
    pub(crate) project: String,
    pub(crate) epoch: u32,
    /// Id of the master key that wraps it.
    pub(crate) master_key: u32,
    pub(crate) wrapped: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_are_ordered_by_time_and_differ_by_all_they_hold() {
        let key = NonceKey::new(1_790_000_000, &[7; 16]);
        assert!(key < NonceKey::new(1_790_000_001, &[0; 16]));
        assert!(NonceKey::new(255, &[0; 16]) < NonceKey::new(256, &[0; 16]));
        assert_ne!(key, NonceKey::new(1_790_000_000, &[8; 16]));
        assert_eq!(key, NonceKey::new(1_790_000_000, &[7; 16]));
    }

    #[test]
    fn states_come_back_as_their_numbers() {
        for state in [State::Ready, State::Reserved, State::UsedUp] {
            assert_eq!(State::of(state as i64), Some(state));
        }
        assert_eq!(State::of(3), None);
        assert_eq!(State::of(-1), None);
    }
}
