//! Keys that frames seal for.

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use aws_lc_rs::encoding::{AsBigEndian, EcPrivateKeyBin};
use base64ct::{Base64UrlUnpadded, Encoding};
use seal::Point;
use zeroize::Zeroizing;

use crate::crypto::{self, CryptoError, Key};
use crate::error::VaultError;

/// A key pair that frames seal for, and when.
pub(crate) struct SealingKey {
    pub(crate) kid: String,
    pub(crate) private: PrivateKey,
    public: Point,
    /// First second in which envelopes for it are opened.
    pub(crate) from: u64,
    /// First second in which they are no longer opened; `None` while no end is set.
    pub(crate) until: Option<u64>,
}

/// The public half of a sealing key, for boot data. Coordinates of a point of P-256, big-endian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicSealingKey {
    /// Id that the envelope's header repeats.
    pub kid: String,
    /// The x coordinate.
    pub x: [u8; 32],
    /// The y coordinate.
    pub y: [u8; 32],
}

impl SealingKey {
    pub(crate) fn make(from: u64) -> Result<Self, VaultError> {
        let private = PrivateKey::generate(&ECDH_P256).map_err(|_| VaultError::Crypto)?;
        Self::new(private, from, None).ok_or(VaultError::Crypto)
    }

    fn new(private: PrivateKey, from: u64, until: Option<u64>) -> Option<Self> {
        let public = private.compute_public_key().ok()?;
        let public = Point::from_uncompressed(public.as_ref())?;
        // The id says nothing but which: the first 72 bits of the public key's hash.
        let hash = crypto::hash(&public.to_uncompressed());
        let kid = Base64UrlUnpadded::encode_string(hash.first_chunk::<9>()?);
        Some(Self {
            kid,
            private,
            public,
            from,
            until,
        })
    }

    /// From the private key's number, big-endian.
    pub(crate) fn from_bytes(bytes: &[u8; 32], from: u64, until: Option<u64>) -> Option<Self> {
        let private = PrivateKey::from_private_key(&ECDH_P256, bytes).ok()?;
        Self::new(private, from, until)
    }

    /// The private key's number, for the key file.
    pub(crate) fn to_bytes(&self) -> Result<Key, CryptoError> {
        let bytes: EcPrivateKeyBin<'_> = self.private.as_be_bytes().map_err(|_| CryptoError::Library)?;
        let bytes = bytes.as_ref().try_into().map_err(|_| CryptoError::Library)?;
        Ok(Zeroizing::new(bytes))
    }

    pub(crate) fn public(&self) -> PublicSealingKey {
        PublicSealingKey {
            kid: self.kid.clone(),
            x: self.public.x,
            y: self.public.y,
        }
    }

    pub(crate) fn is_open(&self, now: u64) -> bool {
        // A clock that was set back by minutes must not lock everybody out, so a start a little ahead is no hindrance.
        self.from <= now.saturating_add(START_SKEW) && self.until.is_none_or(|until| now < until)
    }
}

/// How far ahead of the clock a key may begin and yet be in use, in seconds.
const START_SKEW: u64 = 3600;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_from_its_start_to_its_end() {
        const NOW: u64 = 1_790_000_000;
        for (from, until, now, open) in [
            (100, Some(NOW + 10), NOW + 9, true),
            (100, Some(NOW + 10), NOW + 10, false),
            (200, None, NOW, true),
            (NOW + START_SKEW, None, NOW, true),
            (NOW + START_SKEW + 1, None, NOW, false),
        ] {
            let key = SealingKey::from_bytes(&[1; 32], from, until).unwrap();
            assert_eq!(key.is_open(now), open, "{from} {until:?} at {now}");
        }
    }
}
