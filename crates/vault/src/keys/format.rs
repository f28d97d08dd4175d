//! The key file's format: JSON. Version 2 seals all keys under one that the master key wraps; version 1 held them bare.

use std::sync::Arc;

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::config::Random;
use crate::crypto::{self, Key, Kind, Place};
use crate::error::VaultError;
use crate::keys::master::{MasterKey, Wrapped};
use crate::keys::ring::{Ring, WrappingKey};
use crate::keys::sealing::SealingKey;

/// What a key file says before it is opened.
pub(crate) enum KeyFile {
    /// Version 2.
    Sealed(SealedFile),
    /// Version 1, to be sealed at the next chance.
    Bare(Box<Ring>),
}

/// A key file of version 2.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SealedFile {
    version: u32,
    /// Names the installation; authenticated with the rest.
    store: String,
    /// Which version of the master key wrapped the ring's key.
    master_key: String,
    /// The ring's key, new with each change.
    wrapped: String,
    /// The ring, sealed.
    ring: String,
}

impl KeyFile {
    /// `None` when the bytes are not a key file of these versions.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let Version { version } = serde_json::from_slice(bytes).ok()?;
        match version {
            1 => {
                let file: BareFile = serde_json::from_slice(bytes).ok()?;
                let audit = {
                    // Version 1 had no such key: one that stays the same until the file is written anew.
                    let index = file.index_key.read()?;
                    Key::new(crypto::mac(&index, &[b"audit key of a file of version 1"]))
                };
                let fingerprint = fingerprint_of(&file.index_key.read()?);
                let store = file.store.clone();
                Some(Self::Bare(Box::new(Ring {
                    store: read_store(&store)?,
                    ticket: file.ticket_key.read()?,
                    index: file.index_key.read()?,
                    audit,
                    fingerprint,
                    wrapping: read_wrapping(&file.master_keys)?,
                    sealing: read_sealing(&file.sealing_keys)?,
                })))
            }
            2 => Some(Self::Sealed(serde_json::from_slice(bytes).ok()?)),
            _ => None,
        }
    }
}

impl SealedFile {
    /// Opens the ring. `None` when the content is not what this program writes.
    pub(crate) fn open(&self, master: &dyn MasterKey) -> Result<Option<Ring>, VaultError> {
        let (Some(store), Ok(wrapped), Ok(sealed)) = (
            read_store(&self.store),
            Base64UrlUnpadded::decode_vec(&self.wrapped),
            Base64UrlUnpadded::decode_vec(&self.ring),
        ) else {
            return Ok(None);
        };
        let wrapped = Wrapped {
            id: self.master_key.clone(),
            bytes: wrapped,
        };
        let key = master.unwrap(&wrapped, &store)?;
        let Ok(json) = crypto::open(&key, &place(&store), &sealed) else {
            return Ok(None);
        };
        let Ok(content) = serde_json::from_slice::<RingContent>(&json) else {
            return Ok(None);
        };
        Ok(content.read(store))
    }
}

/// The bytes of a key file, under a key that is used this once.
pub(crate) fn seal(ring: &Ring, master: &dyn MasterKey, random: &dyn Random) -> Result<Vec<u8>, VaultError> {
    let key = crypto::make_key(random)?;
    let wrapped = master.wrap(&ring.store, &key, random)?;
    // Sized at once: a growing vector would leave copies of the keys behind.
    let mut json = Zeroizing::new(Vec::with_capacity(64 * 1024));
    serde_json::to_writer(&mut *json, &RingContent::of(ring)?).map_err(|_| VaultError::Crypto)?;
    let file = SealedFile {
        version: 2,
        store: Base64UrlUnpadded::encode_string(&ring.store),
        master_key: wrapped.id,
        wrapped: Base64UrlUnpadded::encode_string(&wrapped.bytes),
        ring: Base64UrlUnpadded::encode_string(&crypto::seal(&key, &place(&ring.store), &json, random)?),
    };
    let mut bytes = serde_json::to_vec_pretty(&file).map_err(|_| VaultError::Crypto)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn place(store: &[u8; 16]) -> Place<'_> {
    Place {
        kind: Kind::Ring,
        project: "",
        epoch: 0,
        row: store,
    }
}

/// The ring in JSON; keys as base64url without padding.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RingContent {
    ticket_key: Secret,
    index_key: Secret,
    audit_key: Secret,
    /// Files from before cards were saved have none.
    fingerprint_key: Option<Secret>,
    wrapping_keys: Vec<WrappingEntry>,
    sealing_keys: Vec<SealingEntry>,
}

impl RingContent {
    fn of(ring: &Ring) -> Result<Self, VaultError> {
        let sealing = ring.sealing.iter().map(|key| {
            Ok(SealingEntry {
                kid: key.kid.clone(),
                private: Secret::of(&key.to_bytes()?),
                from: key.from,
                until: key.until,
            })
        });
        let wrapping = ring.wrapping.iter().map(|wrapping| WrappingEntry {
            id: wrapping.id,
            key: Secret::of(&wrapping.key),
        });
        Ok(Self {
            ticket_key: Secret::of(&ring.ticket),
            index_key: Secret::of(&ring.index),
            audit_key: Secret::of(&ring.audit),
            fingerprint_key: Some(Secret::of(&ring.fingerprint)),
            wrapping_keys: wrapping.collect(),
            sealing_keys: sealing.collect::<Result<_, VaultError>>()?,
        })
    }

    fn read(&self, store: [u8; 16]) -> Option<Ring> {
        Some(Ring {
            store,
            ticket: self.ticket_key.read()?,
            index: self.index_key.read()?,
            audit: self.audit_key.read()?,
            fingerprint: match &self.fingerprint_key {
                Some(key) => key.read()?,
                None => fingerprint_of(&self.index_key.read()?),
            },
            wrapping: read_wrapping(&self.wrapping_keys)?,
            sealing: read_sealing(&self.sealing_keys)?,
        })
    }
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

/// A key file of version 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BareFile {
    #[serde(rename = "version")]
    _version: u32,
    store: String,
    ticket_key: Secret,
    index_key: Secret,
    master_keys: Vec<WrappingEntry>,
    sealing_keys: Vec<SealingEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrappingEntry {
    id: u32,
    key: Secret,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealingEntry {
    kid: String,
    private: Secret,
    from: u64,
    until: Option<u64>,
}

/// 32 secret bytes as text, wiped on drop.
#[derive(Serialize, Deserialize, Zeroize, ZeroizeOnDrop)]
#[serde(transparent)]
struct Secret(String);

impl Secret {
    fn of(key: &Key) -> Self {
        Self(Base64UrlUnpadded::encode_string(&**key))
    }

    fn read(&self) -> Option<Key> {
        let mut key = Key::default();
        let length = Base64UrlUnpadded::decode(&self.0, &mut *key).ok()?.len();
        (length == key.len()).then_some(key)
    }
}

/// The fingerprint key of a file that has none: the same however often it is read, and by however many instances at once.
/// It is written with the file's next change.
fn fingerprint_of(index: &Key) -> Key {
    Key::new(crypto::mac(index, &[b"fingerprint key of a file without one"]))
}

fn read_store(text: &str) -> Option<[u8; 16]> {
    let mut store = [0; 16];
    let length = Base64UrlUnpadded::decode(text, &mut store).ok()?.len();
    (length == store.len()).then_some(store)
}

fn read_wrapping(entries: &[WrappingEntry]) -> Option<Vec<WrappingKey>> {
    let keys = entries.iter().map(|entry| {
        Some(WrappingKey {
            id: entry.id,
            key: entry.key.read()?,
        })
    });
    let keys: Vec<_> = keys.collect::<Option<_>>()?;
    (!keys.is_empty()).then_some(keys)
}

fn read_sealing(entries: &[SealingEntry]) -> Option<Vec<Arc<SealingKey>>> {
    let keys = entries.iter().map(|entry| {
        let key = SealingKey::from_bytes(&*entry.private.read()?, entry.from, entry.until)?;
        // The id follows from the key: another one means that the file was mixed up.
        (key.kid == entry.kid).then(|| Arc::new(key))
    });
    keys.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;
    use crate::keys::master::MasterKeySource;

    /// A master key in a folder of its own.
    fn master() -> (tempfile::TempDir, Arc<dyn MasterKey>) {
        let folder = tempfile::tempdir().unwrap();
        let master = MasterKeySource::File(folder.path().join("master")).open();
        master.make(&SystemRandom).unwrap();
        (folder, master)
    }

    fn open(bytes: &[u8], master: &dyn MasterKey) -> Option<Ring> {
        match KeyFile::parse(bytes)? {
            KeyFile::Sealed(file) => file.open(master).ok()?,
            KeyFile::Bare(ring) => Some(*ring),
        }
    }

    #[test]
    fn what_is_sealed_is_opened() {
        let (_folder, master) = master();
        let mut ring = Ring::make(7, &SystemRandom).unwrap();
        ring.rotate_sealing(9, 100).unwrap();
        ring.add_wrapping(&SystemRandom).unwrap();
        let bytes = seal(&ring, &*master, &SystemRandom).unwrap();
        let again = open(&bytes, &*master).unwrap();
        assert_eq!(
            (
                again.store,
                &again.ticket,
                &again.index,
                &again.audit,
                &again.fingerprint
            ),
            (
                ring.store,
                &ring.ticket,
                &ring.index,
                &ring.audit,
                &ring.fingerprint
            )
        );
        for (one, other) in again.wrapping.iter().zip(&ring.wrapping) {
            assert_eq!((one.id, &one.key), (other.id, &other.key));
        }
        assert_eq!((again.wrapping.len(), again.sealing.len()), (2, 2));
        for (one, other) in again.sealing.iter().zip(&ring.sealing) {
            assert_eq!(
                (&one.kid, one.from, one.until),
                (&other.kid, other.from, other.until)
            );
            assert_eq!(one.to_bytes().unwrap(), other.to_bytes().unwrap());
        }
        let text = String::from_utf8(bytes).unwrap();
        for key in [
            &ring.ticket,
            &ring.index,
            &ring.audit,
            &ring.fingerprint,
            &ring.wrapping[1].key,
        ] {
            assert!(!text.contains(&Secret::of(key).0), "no key in clear");
        }
    }

    /// As files were before cards were saved.
    #[test]
    fn a_file_without_a_fingerprint_key_has_one_for_ever() {
        let (_folder, master) = master();
        let ring = Ring::make(7, &SystemRandom).unwrap();
        let mut content = RingContent::of(&ring).unwrap();
        content.fingerprint_key = None;
        let json = serde_json::to_string(&content).unwrap();
        let read = |json: &str| {
            let content: RingContent = serde_json::from_str(json).unwrap();
            content.read(ring.store).unwrap()
        };
        let without = json.replace(",\"fingerprint_key\":null", "");
        assert_ne!(without, json);
        let first = read(&without);
        assert_eq!(first.fingerprint, read(&json).fingerprint);
        assert_ne!(first.fingerprint, first.index);
        let written = open(&seal(&first, &*master, &SystemRandom).unwrap(), &*master).unwrap();
        assert_eq!(
            written.fingerprint, first.fingerprint,
            "also once the file was written anew"
        );
    }

    #[test]
    fn every_altered_letter_is_noticed() {
        let (_folder, master) = master();
        let bytes = seal(&Ring::make(7, &SystemRandom).unwrap(), &*master, &SystemRandom).unwrap();
        let letters = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_alphanumeric());
        for at in letters.step_by(7) {
            let mut altered = bytes.clone();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            assert!(open(&altered, &*master).is_none(), "letter {at}");
        }
        let (_other, stranger) = self::master();
        assert!(open(&bytes, &*stranger).is_none());
        let text = String::from_utf8(bytes).unwrap();
        for (content, why) in [
            (String::new(), "empty"),
            (text[..text.len() / 2].to_owned(), "cut"),
            (text.replace("\"version\": 2", "\"version\": 3"), "later version"),
            (text.replace("\"store\"", "\"shop\""), "unknown member"),
        ] {
            assert!(KeyFile::parse(content.as_bytes()).is_none(), "{why}");
        }
    }

    #[test]
    fn version_1_is_read() {
        let (_folder, master) = master();
        let secret = |byte| Secret::of(&Key::new([byte; 32])).0.clone();
        let sealing = SealingKey::from_bytes(&[9; 32], 7, None).unwrap();
        let text = format!(
            r#"{{"version":1,"store":"AQEBAQEBAQEBAQEBAQEBAQ","ticket_key":"{}","index_key":"{}",
                "master_keys":[{{"id":1,"key":"{}"}}],
                "sealing_keys":[{{"kid":"{}","private":"{}","from":7,"until":null}}]}}"#,
            secret(2),
            secret(3),
            secret(4),
            sealing.kid,
            secret(9)
        );
        let ring = open(text.as_bytes(), &*master).unwrap();
        assert_eq!(
            (ring.store, *ring.ticket, *ring.index),
            ([1; 16], [2; 32], [3; 32])
        );
        assert_eq!((ring.wrapping[0].id, *ring.wrapping[0].key), (1, [4; 32]));
        assert_eq!(ring.sealing[0].kid, sealing.kid);
        let again = open(text.as_bytes(), &*master).unwrap();
        assert_eq!(ring.audit, again.audit, "one audit key however often it is read");
        assert!(open(text.replace(&sealing.kid, "nobodysKid00").as_bytes(), &*master).is_none());
    }
}
