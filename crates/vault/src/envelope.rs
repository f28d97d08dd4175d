//! Opens envelopes.

use aws_lc_rs::agreement::{self, ECDH_P256, UnparsedPublicKey};
use seal::{Envelope, kdf};
use zeroize::Zeroizing;

use crate::crypto::{self, Key};
use crate::error::IssueError;
use crate::keys::Keys;

/// The content of an envelope, authenticated together with its header.
pub(crate) fn open(envelope: &Envelope, keys: &Keys, now: u64) -> Result<Zeroizing<Vec<u8>>, IssueError> {
    let header = envelope.header();
    let key = keys
        .sealing(&header.kid, now)
        .ok_or(IssueError::SealingKeyUnknown)?;
    // The library refuses points that are not on the curve.
    let public = UnparsedPublicKey::new(&ECDH_P256, header.epk.to_uncompressed());
    let content_key = agreement::agree(&key.private, public, IssueError::EnvelopeUnreadable, |agreed| {
        let agreed = agreed.try_into().map_err(|_| IssueError::EnvelopeUnreadable)?;
        Ok(Key::new(crypto::hash(&*kdf::content_key_input(agreed))))
    })?;
    // Sized at once, as it becomes the plaintext.
    let mut content = Vec::with_capacity(envelope.ciphertext().len() + envelope.tag().len());
    content.extend_from_slice(envelope.ciphertext());
    content.extend_from_slice(envelope.tag());
    crypto::open_with(&content_key, *envelope.iv(), envelope.aad(), content)
        .map_err(|_| IssueError::EnvelopeUnreadable)
}
