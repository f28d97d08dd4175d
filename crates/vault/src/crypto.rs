//! The four things the vault does with keys: derive, seal, open, MAC. AES-256-GCM, HKDF and HMAC with SHA-256.

use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::{digest, hmac};
use zeroize::Zeroizing;

use crate::config::{Random, RandomError};

/// A key of 256 bits, wiped on drop.
pub(crate) type Key = Zeroizing<[u8; 32]>;

/// What a sealed value belongs to. It is the associated data of the value and goes into its key, so that a value that
/// was moved to another row, column, project or epoch does not open.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) kind: Kind,
    pub(crate) project: &'a str,
    /// Version of the project's data key.
    pub(crate) epoch: u32,
    /// Token id, operation id or another name of the row.
    pub(crate) row: &'a [u8],
}

/// Kinds of sealed values. The numbers are in stored data: never reuse one.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// A project's data key, under a wrapping key.
    DataKey = 1,
    /// What may be known about a token.
    Facts = 2,
    /// Number and expiry behind a token.
    Card = 3,
    /// Security code behind a token, under the token's key.
    Code = 4,
    /// The same once more, under the key of the hour.
    CodeOfHour = 5,
    /// The answer kept for a repeat.
    Answer = 6,
    /// Number and expiry of an operation.
    OperationCard = 7,
    /// Security code of an operation, under the operation's key.
    OperationCode = 8,
    /// The same once more, under the key of the hour.
    OperationCodeOfHour = 9,
    /// Proof that a key file belongs to a store.
    KeyCheck = 10,
    /// All lasting keys, in the key file, under the ring's key.
    Ring = 11,
    /// The ring's key, under the master key.
    RingKey = 12,
    /// A saved card.
    Lasting = 13,
    /// A secret of another room.
    Secret = 14,
    /// The MAC key of another room.
    Mac = 15,
}

impl Place<'_> {
    /// Unambiguous bytes: lengths stand before the parts.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 + self.project.len() + self.row.len());
        bytes.extend_from_slice(b"card-widget vault");
        bytes.push(VERSION);
        bytes.push(self.kind as u8);
        bytes.extend_from_slice(&self.epoch.to_be_bytes());
        for part in [self.project.as_bytes(), self.row] {
            bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
            bytes.extend_from_slice(part);
        }
        bytes
    }
}

/// A key that the keys of values come from: a project's data key, or the key of an hour. Made ready once, as thousands of
/// keys a second may come from one.
pub(crate) struct Base(hmac::Key);

impl Base {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    /// With a secret of the row, so that neither alone gives a key.
    pub(crate) fn with(&self, secret: &[u8]) -> Result<Prk, CryptoError> {
        let extracted = sign(&self.0, secret)?;
        Ok(Prk(hmac::Key::new(hmac::HMAC_SHA256, &*extracted)))
    }
}

/// What the keys of several places come from, a pseudorandom key in the words of the standard.
///
/// HKDF with SHA-256 (RFC 5869): the base is the salt, the secret is what is extracted from, and a place is the information
/// of one key. The library's own HKDF extracts anew for each key.
pub(crate) struct Prk(hmac::Key);

impl Prk {
    /// The key for the value of one place: the first block of the expansion, which is as long as a key.
    pub(crate) fn key(&self, place: &Place<'_>) -> Result<Key, CryptoError> {
        self.expand(&mut place.bytes())
    }

    /// Seals the value of one place under the key for it.
    pub(crate) fn seal(
        &self,
        place: &Place<'_>,
        plaintext: Plaintext,
        random: &dyn Random,
    ) -> Result<Vec<u8>, CryptoError> {
        let mut place = place.bytes();
        seal_for(&self.expand(&mut place)?, &place, plaintext, random)
    }

    /// Opens the value of one place.
    pub(crate) fn open(&self, place: &Place<'_>, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, CryptoError> {
        open(&self.key(place)?, place, sealed)
    }

    /// Leaves `info` as it was.
    fn expand(&self, info: &mut Vec<u8>) -> Result<Key, CryptoError> {
        info.push(1);
        let key = sign(&self.0, info);
        info.pop();
        key
    }
}

/// HMAC, wiped when it is no longer needed.
///
/// The library's own `sign` moves its context once it has seen a message, and the end of it stays behind on the stack: of a
/// card's, digits. What writes into a buffer wipes its context where it lies.
fn sign(key: &hmac::Key, bytes: &[u8]) -> Result<Key, CryptoError> {
    let mut signed = Key::default();
    hmac::sign_to_buffer(key, bytes, &mut *signed).map_err(|_| CryptoError::Library)?;
    Ok(signed)
}

/// Randomness that was drawn at once, as many small draws cost more. No byte is given twice; what is asked for beyond it is
/// drawn then.
pub(crate) struct Drawn<'a> {
    random: &'a dyn Random,
    bytes: Zeroizing<[u8; DRAWN]>,
    given: AtomicUsize,
}

impl<'a> Drawn<'a> {
    pub(crate) fn from(random: &'a dyn Random) -> Result<Self, RandomError> {
        let mut bytes = Zeroizing::new([0; DRAWN]);
        random.fill(&mut *bytes)?;
        Ok(Self {
            random,
            bytes,
            given: AtomicUsize::new(0),
        })
    }
}

impl Random for Drawn<'_> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        let from = self.given.fetch_add(bytes.len(), Ordering::Relaxed);
        match self.bytes.get(from..from.saturating_add(bytes.len())) {
            Some(drawn) => {
                bytes.copy_from_slice(drawn);
                Ok(())
            }
            None => self.random.fill(bytes),
        }
    }
}

/// What is to be sealed, in the buffer where it will be: there is no copy of it to wipe. Wiped on drop.
pub(crate) struct Plaintext(Zeroizing<Vec<u8>>);

impl Plaintext {
    /// Empty, with room for so many bytes.
    pub(crate) fn with_room(length: usize) -> Self {
        let mut bytes = Vec::with_capacity(length.saturating_add(OVERHEAD));
        bytes.resize(HEAD, 0);
        Self(Zeroizing::new(bytes))
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) {
        let length = self.0.len().saturating_add(bytes.len());
        if length.saturating_add(TAG) > self.0.capacity() {
            // A vector that grows leaves what it held behind; this one is wiped.
            let mut larger = Self::with_room(length.saturating_mul(2));
            larger.0.extend_from_slice(self);
            *self = larger;
        }
        self.0.extend_from_slice(bytes);
    }
}

impl From<&[u8]> for Plaintext {
    fn from(bytes: &[u8]) -> Self {
        let mut plaintext = Self::with_room(bytes.len());
        plaintext.append(bytes);
        plaintext
    }
}

impl Deref for Plaintext {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.get(HEAD..).unwrap_or_default()
    }
}

/// Version, random initialization vector, ciphertext, tag.
pub(crate) fn seal(
    key: &Key,
    place: &Place<'_>,
    plaintext: &[u8],
    random: &dyn Random,
) -> Result<Vec<u8>, CryptoError> {
    seal_for(key, &place.bytes(), plaintext.into(), random)
}

fn seal_for(
    key: &Key,
    place: &[u8],
    mut plaintext: Plaintext,
    random: &dyn Random,
) -> Result<Vec<u8>, CryptoError> {
    let mut iv = [0; NONCE_LEN];
    random.fill(&mut iv).map_err(CryptoError::Random)?;
    let ([version, head @ ..], content) = plaintext
        .0
        .split_first_chunk_mut::<HEAD>()
        .ok_or(CryptoError::Library)?;
    *version = VERSION;
    head.copy_from_slice(&iv);
    let tag = cipher(key)?
        .seal_in_place_separate_tag(Nonce::assume_unique_for_key(iv), Aad::from(place), content)
        .map_err(|_| CryptoError::Library)?;
    let mut sealed = std::mem::take(&mut *plaintext.0);
    sealed.extend_from_slice(tag.as_ref());
    Ok(sealed)
}

/// The plaintext, if the value was sealed with this key for this place.
pub(crate) fn open(key: &Key, place: &Place<'_>, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, CryptoError> {
    let (&VERSION, rest) = sealed.split_first().ok_or(CryptoError::NotAuthentic)? else {
        return Err(CryptoError::NotAuthentic);
    };
    let (iv, content) = rest
        .split_first_chunk::<NONCE_LEN>()
        .ok_or(CryptoError::NotAuthentic)?;
    open_with(key, *iv, &place.bytes(), content.to_vec())
}

/// AES-256-GCM of the envelope: `content` is the ciphertext with its tag behind it.
pub(crate) fn open_with(
    key: &[u8; 32],
    iv: [u8; NONCE_LEN],
    aad: &[u8],
    content: Vec<u8>,
) -> Result<Zeroizing<Vec<u8>>, CryptoError> {
    let mut buffer = Zeroizing::new(content);
    let length = cipher(key)?
        .open_in_place(Nonce::assume_unique_for_key(iv), Aad::from(aad), &mut buffer)
        .map_err(|_| CryptoError::NotAuthentic)?
        .len();
    buffer.truncate(length);
    Ok(buffer)
}

/// A key for many MACs.
pub(crate) struct MacKey(hmac::Key);

impl MacKey {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    /// HMAC over parts, each after its length.
    pub(crate) fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let length = parts.iter().map(|part| 8 + part.len()).sum();
        let mut message = Zeroizing::new(Vec::with_capacity(length));
        for part in parts {
            message.extend_from_slice(&(part.len() as u64).to_be_bytes());
            message.extend_from_slice(part);
        }
        self.of(&message)
    }

    /// HMAC over bytes as they are.
    fn of(&self, message: &[u8]) -> [u8; 32] {
        match sign(&self.0, message) {
            Ok(tag) => *tag,
            // A library that cannot do either has no answer at all, and ends the thread.
            Err(_) => thirty_two(hmac::sign(&self.0, message).as_ref()),
        }
    }
}

/// The same under a key that is used once.
pub(crate) fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    MacKey::new(key).mac(parts)
}

/// Whether `tag` is the HMAC of `message`, compared in constant time.
pub(crate) fn is_tag(key: &[u8], message: &[u8], tag: &[u8; 32]) -> bool {
    let key = MacKey(hmac::Key::new(hmac::HMAC_SHA256, key));
    verify_slices_are_equal(&key.of(message), tag).is_ok()
}

/// SHA-256.
pub(crate) fn hash(bytes: &[u8]) -> [u8; 32] {
    thirty_two(digest::digest(&digest::SHA256, bytes).as_ref())
}

/// A new random key.
pub(crate) fn make_key(random: &dyn Random) -> Result<Key, CryptoError> {
    let mut key = Key::default();
    random.fill(&mut *key).map_err(CryptoError::Random)?;
    Ok(key)
}

fn cipher(key: &[u8; 32]) -> Result<LessSafeKey, CryptoError> {
    let key = UnboundKey::new(&AES_256_GCM, key).map_err(|_| CryptoError::Library)?;
    Ok(LessSafeKey::new(key))
}

/// SHA-256 and HMAC with it give exactly 32 bytes, so the lengths agree.
fn thirty_two(bytes: &[u8]) -> [u8; 32] {
    let mut array = [0; 32];
    array.copy_from_slice(bytes);
    array
}

/// Why a cryptographic step failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CryptoError {
    /// Another key, another place, or altered bytes: they cannot be told apart.
    NotAuthentic,
    /// The library failed on good input.
    Library,
    /// No randomness.
    Random(RandomError),
}

/// First byte of every sealed value.
const VERSION: u8 = 1;

/// A token and the initialization vectors of its five values.
const DRAWN: usize = 48 + 5 * NONCE_LEN;

/// Bytes of a sealed value before its ciphertext: version and initialization vector.
const HEAD: usize = 1 + NONCE_LEN;

/// Bytes behind it.
const TAG: usize = 16;

/// Bytes of a sealed value beyond its plaintext.
const OVERHEAD: usize = HEAD + TAG;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;

    const PLACE: Place<'_> = Place {
        kind: Kind::Card,
        project: "p",
        epoch: 1,
        row: b"row",
    };

    fn derived(base: &[u8; 32], secret: &[u8], place: &Place<'_>) -> Key {
        Base::new(base).with(secret).unwrap().key(place).unwrap()
    }

    #[test]
    fn opens_only_in_its_place() {
        let key = make_key(&SystemRandom).unwrap();
        let sealed = seal(&key, &PLACE, b"content", &SystemRandom).unwrap();
        assert_eq!(**open(&key, &PLACE, &sealed).unwrap(), *b"content");
        for (place, why) in [
            (
                Place {
                    kind: Kind::Code,
                    ..PLACE
                },
                "another column",
            ),
            (
                Place {
                    project: "q",
                    ..PLACE
                },
                "another project",
            ),
            (Place { epoch: 2, ..PLACE }, "another epoch"),
            (Place { row: b"wor", ..PLACE }, "another row"),
            (
                Place {
                    project: "pr",
                    row: b"ow",
                    ..PLACE
                },
                "the same letters, cut elsewhere",
            ),
        ] {
            assert_eq!(
                open(&key, &place, &sealed).unwrap_err(),
                CryptoError::NotAuthentic,
                "{why}"
            );
            assert_ne!(derived(&key, b"s", &PLACE), derived(&key, b"s", &place), "{why}");
        }
        assert!(
            open(&make_key(&SystemRandom).unwrap(), &PLACE, &sealed).is_err(),
            "another key"
        );
    }

    #[test]
    fn what_outgrows_its_room_is_sealed_whole() {
        let key = make_key(&SystemRandom).unwrap();
        let mut plaintext = Plaintext::with_room(4);
        let mut whole = Vec::new();
        for length in 0..40 {
            plaintext.append(&vec![length; length.into()]);
            whole.extend(vec![length; length.into()]);
            assert_eq!(*plaintext, *whole, "{length}");
        }
        let sealed = seal_for(&key, &PLACE.bytes(), plaintext, &SystemRandom).unwrap();
        assert_eq!(**open(&key, &PLACE, &sealed).unwrap(), whole);
    }

    #[test]
    fn every_altered_or_missing_byte_is_noticed() {
        let key = make_key(&SystemRandom).unwrap();
        let sealed = seal(&key, &PLACE, b"content", &SystemRandom).unwrap();
        assert_eq!(sealed.len(), OVERHEAD + 7);
        for index in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[index] ^= 1;
            assert!(open(&key, &PLACE, &altered).is_err(), "byte {index}");
            assert!(open(&key, &PLACE, &sealed[..index]).is_err(), "cut at {index}");
        }
    }

    #[test]
    fn a_key_needs_both_its_sources() {
        let (a, b) = ([1; 32], [2; 32]);
        let key = derived(&a, b"secret", &PLACE);
        assert_eq!(key, derived(&a, b"secret", &PLACE));
        assert_ne!(key, derived(&b, b"secret", &PLACE));
        assert_ne!(key, derived(&a, b"Secret", &PLACE));
    }

    #[test]
    fn keys_are_those_of_rfc_5869() {
        use aws_lc_rs::hkdf;
        let theirs = hkdf::Salt::new(hkdf::HKDF_SHA256, &[1; 32]).extract(b"secret");
        let mut key = [0; 32];
        let info = PLACE.bytes();
        let info: [&[u8]; 1] = [&info];
        let okm = theirs.expand(&info, hkdf::HKDF_SHA256).unwrap();
        okm.fill(&mut key).unwrap();
        assert_eq!(*derived(&[1; 32], b"secret", &PLACE), key);
    }

    #[test]
    fn one_secret_gives_each_place_its_own_key() {
        let prk = Base::new(&[1; 32]).with(b"secret").unwrap();
        let code = Place {
            kind: Kind::Code,
            ..PLACE
        };
        assert_ne!(prk.key(&PLACE).unwrap(), prk.key(&code).unwrap());
        for place in [&PLACE, &code] {
            let sealed = prk.seal(place, b"content"[..].into(), &SystemRandom).unwrap();
            let key = prk.key(place).unwrap();
            assert_eq!(**open(&key, place, &sealed).unwrap(), *b"content");
            assert_eq!(**prk.open(place, &sealed).unwrap(), *b"content");
        }
    }

    #[test]
    fn nothing_that_was_drawn_is_given_twice() {
        /// Counts up, a byte at a time.
        struct Counter(AtomicUsize);
        impl Random for Counter {
            fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
                bytes.fill_with(|| self.0.fetch_add(1, Ordering::Relaxed) as u8);
                Ok(())
            }
        }
        let counter = Counter(AtomicUsize::new(0));
        let drawn = Drawn::from(&counter).unwrap();
        let mut seen = std::collections::HashSet::new();
        for length in [48, 12, 12, 12, 12, 7, 12, 12, 12] {
            let mut bytes = vec![0; length];
            drawn.fill(&mut bytes).unwrap();
            assert!(bytes.iter().all(|&byte| seen.insert(byte)), "{length}");
        }
    }

    #[test]
    fn a_mac_tells_where_parts_are_cut() {
        assert_eq!(mac(&[1; 32], &[b"ab", b"c"]), mac(&[1; 32], &[b"ab", b"c"]));
        assert_ne!(mac(&[1; 32], &[b"ab", b"c"]), mac(&[1; 32], &[b"a", b"bc"]));
    }
}
