//! The same request again gets the same answer, for ten minutes.

use crate::config::Random;
use crate::crypto::{CryptoError, Kind, Place};
use crate::error::VaultError;
use crate::record::{self, Issued};
use crate::registry::DataKey;
use crate::store::{AnswerRow, IdOrder};
use crate::vault::{Shared, Vault};

/// What is known about an idempotency key.
#[derive(Debug)]
pub enum Replay {
    /// Nothing: go on.
    None,
    /// The same request was answered.
    Answer(Issued),
    /// Another request was answered.
    Conflict,
}

impl Vault {
    /// Looks for the answer to a request of `project` that had this idempotency key, and compares the bodies by their
    /// SHA-256. To be asked before ticket and nonce are checked.
    pub fn replay(
        &self,
        project: &str,
        idempotency_key: &str,
        body_hash: &[u8; 32],
    ) -> Result<Replay, VaultError> {
        self.shared.replay(project, idempotency_key, body_hash)
    }
}

impl Shared {
    pub(crate) fn replay(
        &self,
        project: &str,
        idempotency_key: &str,
        body_hash: &[u8; 32],
    ) -> Result<Replay, VaultError> {
        let index = self.index(project, idempotency_key);
        let Some(AnswerRow {
            epoch,
            answer: sealed,
        }) = self.store.answer(&index, self.now())?
        else {
            return Ok(Replay::None);
        };
        let data_key = self.data_key_of(project, epoch)?;
        let place = Place {
            kind: Kind::Answer,
            project,
            epoch,
            row: &index,
        };
        let prk = data_key.key.with(idempotency_key.as_bytes())?;
        let answer = prk.open(&place, &sealed)?;
        let (hash, issued) = record::read_answer(&answer).ok_or(VaultError::Damaged)?;
        // Both are hashes of what this caller may send, so there is nothing to learn from the time this takes.
        Ok(if hash == *body_hash {
            Replay::Answer(issued)
        } else {
            Replay::Conflict
        })
    }
}

impl Shared {
    /// Under what an idempotency key is found. A MAC, as callers choose their keys and may choose poorly.
    ///
    /// A key that says when it was made is found behind that time, in the order that the store asks for: what comes in at
    /// one moment then goes to one place of the index, however large it is. Still it is told by the key alone.
    pub(crate) fn index(&self, project: &str, idempotency_key: &str) -> [u8; 32] {
        let mut index =
            self.keys
                .index
                .mac(&[b"idempotency", project.as_bytes(), idempotency_key.as_bytes()]);
        if let Some(time) = time_of(idempotency_key) {
            let at = match self.store.id_order() {
                IdOrder::Time => 0,
                IdOrder::Spread => {
                    index[0] &= 15;
                    1
                }
            };
            index[at..][..time.len()].copy_from_slice(&time);
        }
        index
    }
}

/// The milliseconds in a key that begins as a UUID of version 7 does (RFC 9562), which ours do; whatever follows.
fn time_of(key: &str) -> Option<[u8; 6]> {
    let (time, rest) = key.as_bytes().split_first_chunk::<13>()?;
    if time[8] != b'-' || !rest.starts_with(b"-7") {
        return None;
    }
    let digits = time.iter().enumerate().filter(|&(at, _)| at != 8);
    let mut milliseconds = digits.map(|(_, &digit)| char::from(digit).to_digit(16));
    let milliseconds = milliseconds.try_fold(0, |sum, digit| Some(sum << 4 | u64::from(digit?)))?;
    let [_, _, time @ ..] = milliseconds.to_be_bytes();
    Some(time)
}

/// Seals an answer under the caller's idempotency key (and the data key), so that only the same caller opens it.
pub(crate) fn seal_answer(
    random: &dyn Random,
    data_key: &DataKey,
    project: &str,
    idempotency_key: &str,
    index: &[u8; 32],
    issued: &Issued,
    body_hash: &[u8; 32],
) -> Result<Vec<u8>, CryptoError> {
    let place = Place {
        kind: Kind::Answer,
        project,
        epoch: data_key.epoch,
        row: index,
    };
    let prk = data_key.key.with(idempotency_key.as_bytes())?;
    prk.seal(&place, record::write_answer(issued, body_hash), random)
}

/// How long an answer is kept, in seconds (service design §2.3).
pub(crate) const ANSWER_LIFE: u64 = 600;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_tell_their_time_are_in_its_order() {
        let time = |key: &str| time_of(key);
        assert_eq!(
            time("01990c0d-2f31-7b4e-8a55-0242ac120002"),
            Some([0x01, 0x99, 0x0c, 0x0d, 0x2f, 0x31])
        );
        assert!(time("01990c0d-2f31-7") < time("01990c0d-2F32-7and whatever follows"));
        for key in [
            "",
            "01990c0d-2f31-",
            "01990c0d-2f31-4b4e-8a55-0242ac120002",
            "01990c0d-2f31_7b4e",
            "01990c0d02f31-7b4e",
            "0199 c0d-2f31-7b4e",
            "+1990c0d-2f31-7b4e",
            "01990c0d-2fжж-7b4e",
        ] {
            assert_eq!(time(key), None, "{key}");
        }
    }
}
