//! The vault's own keys: made once, kept in a file beside the store, never in it.

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use aws_lc_rs::encoding::{AsBigEndian, EcPrivateKeyBin};
use base64ct::{Base64UrlUnpadded, Encoding};
use seal::Point;
use zeroize::Zeroizing;

use crate::config::Random;
use crate::crypto::{self, CryptoError, Key};
use crate::error::VaultError;

pub(crate) mod file;
pub(crate) mod hours;

/// All lasting keys of a store.
pub(crate) struct Keys {
    /// Names the store that the keys belong to.
    pub(crate) store: [u8; 16],
    /// MAC key of boot tickets.
    pub(crate) ticket: Key,
    /// MAC key under which idempotency keys are looked up.
    pub(crate) index: Key,
    /// Wraps data keys. One now; the format holds several.
    masters: Vec<MasterKey>,
    sealing: Vec<SealingKey>,
}

/// A key that wraps data keys.
pub(crate) struct MasterKey {
    /// Names the key in the rows that it wraps.
    pub(crate) id: u32,
    pub(crate) key: Key,
}

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

impl Keys {
    /// New keys for a new store, the sealing key in use from `now` on.
    pub(crate) fn make(now: u64, random: &dyn Random) -> Result<Self, VaultError> {
        let mut store = [0; 16];
        random.fill(&mut store)?;
        Ok(Self {
            store,
            ticket: crypto::make_key(random)?,
            index: crypto::make_key(random)?,
            masters: vec![MasterKey {
                id: 1,
                key: crypto::make_key(random)?,
            }],
            sealing: vec![SealingKey::make(now)?],
        })
    }

    /// The master key that wraps new data keys: the last one.
    pub(crate) fn master(&self) -> Result<&MasterKey, VaultError> {
        self.masters.last().ok_or(VaultError::WrongKeys)
    }

    /// The master key of that id.
    pub(crate) fn master_of(&self, id: u32) -> Result<&MasterKey, VaultError> {
        let found = self.masters.iter().find(|master| master.id == id);
        found.ok_or(VaultError::WrongKeys)
    }

    /// The sealing key of that id, if envelopes for it are opened at `now`.
    pub(crate) fn sealing(&self, kid: &str, now: u64) -> Option<&SealingKey> {
        self.sealing.iter().find(|key| key.kid == kid && key.is_open(now))
    }

    /// The key that frames should seal for at `now`: the one that began last.
    pub(crate) fn newest_sealing(&self, now: u64) -> Option<PublicSealingKey> {
        let open = self.sealing.iter().filter(|key| key.is_open(now));
        let key = open.max_by_key(|key| key.from)?;
        Some(PublicSealingKey {
            kid: key.kid.clone(),
            x: key.public.x,
            y: key.public.y,
        })
    }
}

impl SealingKey {
    fn make(from: u64) -> Result<Self, VaultError> {
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

    fn is_open(&self, now: u64) -> bool {
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
    fn several_keys_live_at_once_and_the_newest_is_offered() {
        const NOW: u64 = 1_790_000_000;
        let key = |byte, from, until| SealingKey::from_bytes(&[byte; 32], from, until).unwrap();
        let mut keys = Keys::make(NOW, &crate::config::SystemRandom).unwrap();
        keys.sealing = vec![
            key(1, 100, Some(NOW + 10)),
            key(2, 200, None),
            key(3, NOW + START_SKEW + 1, None),
        ];
        let kid = |index: usize| keys.sealing[index].kid.as_str();
        assert_eq!(keys.newest_sealing(NOW).unwrap().kid, kid(1));
        assert_eq!(keys.newest_sealing(NOW + 1).unwrap().kid, kid(2));
        assert!(keys.newest_sealing(50).is_some(), "a clock set back a little");
        for (index, now, open) in [
            (0, NOW, true),
            (0, NOW + 9, true),
            (0, NOW + 10, false),
            (1, NOW + 10, true),
            (2, NOW, false),
            (2, NOW + 1, true),
        ] {
            assert_eq!(
                keys.sealing(kid(index), now).is_some(),
                open,
                "key {index} at {now}"
            );
        }
        assert!(keys.sealing("nobodys", NOW).is_none());
    }
}
