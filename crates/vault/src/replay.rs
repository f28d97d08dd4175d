//! The same request again gets the same answer, for ten minutes.

use crate::crypto::{self, CryptoError, Kind, Place};
use crate::error::VaultError;
use crate::keys::Keys;
use crate::record::{self, Issued};
use crate::registry::DataKey;
use crate::store::AnswerRow;
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
        let index = index(&self.keys, project, idempotency_key);
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
        let key = crypto::derive_key(&data_key.key, idempotency_key.as_bytes(), &place)?;
        let answer = crypto::open(&key, &place, &sealed)?;
        let (hash, issued) = record::read_answer(&answer).ok_or(VaultError::Damaged)?;
        // Both are hashes of what this caller may send, so there is nothing to learn from the time this takes.
        Ok(if hash == *body_hash {
            Replay::Answer(issued)
        } else {
            Replay::Conflict
        })
    }
}

/// Under what an idempotency key is found. A MAC, as callers choose their keys and may choose poorly.
pub(crate) fn index(keys: &Keys, project: &str, idempotency_key: &str) -> [u8; 32] {
    crypto::mac(
        &keys.index,
        &[b"idempotency", project.as_bytes(), idempotency_key.as_bytes()],
    )
}

/// Seals an answer under the caller's idempotency key (and the data key), so that only the same caller opens it.
pub(crate) fn seal_answer(
    shared: &Shared,
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
    let key = crypto::derive_key(&data_key.key, idempotency_key.as_bytes(), &place)?;
    crypto::seal(
        &key,
        &place,
        &record::write_answer(issued, body_hash),
        &*shared.random,
    )
}

/// How long an answer is kept, in seconds (service design §2.3).
pub(crate) const ANSWER_LIFE: u64 = 600;
