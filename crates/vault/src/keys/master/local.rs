//! Master keys that this process holds itself: what files and environment variables give.

use std::env;

use base64ct::{Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

use super::{MasterKey, MasterKeyError, Wrapped};
use crate::config::Random;
use crate::crypto::{self, CryptoError, Key, Kind, Place};

/// One or several keys, the newest first.
pub(super) struct LocalKeys {
    keys: Vec<Key>,
    place: String,
}

impl LocalKeys {
    /// From text: keys as base64url without padding, with white space between.
    pub(super) fn parse(text: &str, place: &str) -> Result<Self, MasterKeyError> {
        let keys: Option<Vec<Key>> = text.split_whitespace().map(parse).collect();
        match keys {
            Some(keys) if !keys.is_empty() => Ok(Self {
                keys,
                place: place.to_owned(),
            }),
            _ => Err(MasterKeyError::Malformed(place.to_owned())),
        }
    }

    pub(super) fn wrap(
        &self,
        context: &[u8],
        key: &[u8; 32],
        random: &dyn Random,
    ) -> Result<Wrapped, MasterKeyError> {
        let newest = self
            .keys
            .first()
            .ok_or_else(|| MasterKeyError::Missing(self.place.clone()))?;
        let bytes = crypto::seal(newest, &place_of(context), key, random).map_err(|error| match error {
            CryptoError::Random(error) => MasterKeyError::Random(error),
            _ => self.unavailable("the cryptographic library failed"),
        })?;
        Ok(Wrapped {
            id: id(newest),
            bytes,
        })
    }

    pub(super) fn unwrap(&self, wrapped: &Wrapped, context: &[u8]) -> Result<Key, MasterKeyError> {
        let found = self.keys.iter().find(|key| id(key) == wrapped.id);
        let key = found.ok_or_else(|| MasterKeyError::Wrong {
            place: self.place.clone(),
            wanted: wrapped.id.clone(),
        })?;
        let opened = crypto::open(key, &place_of(context), &wrapped.bytes).ok();
        let opened = opened.and_then(|opened| opened.as_slice().try_into().ok().map(Key::new));
        opened.ok_or_else(|| self.unavailable("the key file is damaged, or of another installation"))
    }

    /// All of them, the newest first.
    pub(super) fn all(&self) -> &[Key] {
        &self.keys
    }

    fn unavailable(&self, reason: &str) -> MasterKeyError {
        MasterKeyError::Unavailable {
            place: self.place.clone(),
            reason: reason.to_owned(),
        }
    }
}

/// A master key in an environment variable, read when it is needed.
pub(super) struct EnvironmentKey {
    name: String,
}

impl EnvironmentKey {
    pub(super) fn new(name: String) -> Self {
        Self { name }
    }

    fn read(&self) -> Result<LocalKeys, MasterKeyError> {
        match env::var(&self.name) {
            Ok(text) => LocalKeys::parse(&Zeroizing::new(text), &self.place()),
            Err(env::VarError::NotPresent) => Err(MasterKeyError::Missing(self.place())),
            Err(env::VarError::NotUnicode(_)) => Err(MasterKeyError::Malformed(self.place())),
        }
    }
}

impl MasterKey for EnvironmentKey {
    fn make(&self, _: &dyn Random) -> Result<(), MasterKeyError> {
        self.read().map(drop)
    }

    fn wrap(&self, context: &[u8], key: &[u8; 32], random: &dyn Random) -> Result<Wrapped, MasterKeyError> {
        self.read()?.wrap(context, key, random)
    }

    fn unwrap(&self, wrapped: &Wrapped, context: &[u8]) -> Result<Key, MasterKeyError> {
        self.read()?.unwrap(wrapped, context)
    }

    /// Only whoever starts this program can put a new key there: it has been done when an older one stands behind it.
    fn renew(&self, _: &dyn Random) -> Result<(), MasterKeyError> {
        match self.read()?.keys.len() {
            1 => Err(MasterKeyError::NotMade(self.place())),
            _ => Ok(()),
        }
    }

    fn place(&self) -> String {
        format!("the environment variable {}", self.name)
    }
}

/// A key as text.
pub(super) fn format(key: &Key) -> Zeroizing<String> {
    Zeroizing::new(Base64UrlUnpadded::encode_string(&**key))
}

fn parse(text: &str) -> Option<Key> {
    let mut key = Key::default();
    let length = Base64UrlUnpadded::decode(text, &mut *key).ok()?.len();
    (length == key.len()).then_some(key)
}

/// Names a key and says nothing else of it: 72 bits of a MAC.
fn id(key: &Key) -> String {
    let hash = crypto::mac(key, &[b"card-widget master key id"]);
    Base64UrlUnpadded::encode_string(hash.first_chunk::<9>().unwrap_or(&[0; 9]))
}

fn place_of(context: &[u8]) -> Place<'_> {
    Place {
        kind: Kind::RingKey,
        project: "",
        epoch: 0,
        row: context,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;

    fn keys(text: &str) -> Result<LocalKeys, MasterKeyError> {
        LocalKeys::parse(text, "a test")
    }

    fn text() -> String {
        format(&crypto::make_key(&SystemRandom).unwrap()).to_string()
    }

    #[test]
    fn the_newest_wraps_and_each_unwraps() {
        let (old, new) = (text(), text());
        let before = keys(&old)
            .unwrap()
            .wrap(b"here", &[7; 32], &SystemRandom)
            .unwrap();
        let both = keys(&format!("{new}\n{old}\n")).unwrap();
        let after = both.wrap(b"here", &[8; 32], &SystemRandom).unwrap();
        assert_ne!(before.id, after.id);
        assert_eq!(*both.unwrap(&before, b"here").unwrap(), [7; 32]);
        assert_eq!(*keys(&new).unwrap().unwrap(&after, b"here").unwrap(), [8; 32]);
        assert!(matches!(
            keys(&new).unwrap().unwrap(&before, b"here"),
            Err(MasterKeyError::Wrong { wanted, .. }) if wanted == before.id
        ));
        assert!(
            both.unwrap(&before, b"elsewhere").is_err(),
            "another installation"
        );
        let mut altered = before.clone();
        altered.bytes[20] ^= 1;
        assert!(both.unwrap(&altered, b"here").is_err());
    }

    #[test]
    fn what_is_no_key_is_refused_without_an_echo() {
        let good = text();
        for wrong in [
            "",
            " \n",
            "short",
            &good[1..],
            &format!("{good}A"),
            &format!("{good}="),
            &format!("{good} x"),
        ] {
            let error = keys(wrong).err().unwrap();
            assert!(
                matches!(error, MasterKeyError::Malformed(_)),
                "{} letters",
                wrong.len()
            );
            assert!(!error.to_string().contains(&good[1..]));
        }
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let key = EnvironmentKey::new("CARD_WIDGET_TEST_NOT_SET".into());
        let error = key.make(&SystemRandom).unwrap_err();
        assert!(matches!(error, MasterKeyError::Missing(_)));
        assert!(error.to_string().contains("CARD_WIDGET_TEST_NOT_SET"), "{error}");
    }
}
