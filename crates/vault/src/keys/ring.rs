//! All lasting keys of an installation, as they are at one moment.

use std::sync::Arc;

use crate::config::Random;
use crate::crypto::{self, Key};
use crate::error::VaultError;
use crate::keys::sealing::{PublicSealingKey, SealingKey};

/// What lies sealed in the key file. It changes only by rotation, and then as a whole.
#[derive(Clone)]
pub(crate) struct Ring {
    /// Names the installation that the keys belong to.
    pub(crate) store: [u8; 16],
    /// MAC key of boot tickets.
    pub(crate) ticket: Key,
    /// MAC key under which idempotency keys are looked up.
    pub(crate) index: Key,
    /// MAC key of the audit log.
    pub(crate) audit: Key,
    /// MAC key under which equal saved cards are found. Never changed: fingerprints would find nothing any more.
    pub(crate) fingerprint: Key,
    /// Wrap data keys. The last one wraps new ones.
    pub(crate) wrapping: Vec<WrappingKey>,
    /// In the order in which they were made.
    pub(crate) sealing: Vec<Arc<SealingKey>>,
}

/// A key that wraps data keys.
#[derive(Clone)]
pub(crate) struct WrappingKey {
    /// Names the key in the rows that it wraps.
    pub(crate) id: u32,
    pub(crate) key: Key,
}

impl Ring {
    /// New keys for a new store, the sealing key in use from `now` on.
    pub(crate) fn make(now: u64, random: &dyn Random) -> Result<Self, VaultError> {
        let mut store = [0; 16];
        random.fill(&mut store)?;
        Ok(Self {
            store,
            ticket: crypto::make_key(random)?,
            index: crypto::make_key(random)?,
            audit: crypto::make_key(random)?,
            fingerprint: crypto::make_key(random)?,
            wrapping: vec![WrappingKey {
                id: 1,
                key: crypto::make_key(random)?,
            }],
            sealing: vec![Arc::new(SealingKey::make(now)?)],
        })
    }

    /// The sealing key of that id, if envelopes for it are opened at `now`.
    pub(crate) fn sealing(&self, kid: &str, now: u64) -> Option<&Arc<SealingKey>> {
        self.sealing.iter().find(|key| key.kid == kid && key.is_open(now))
    }

    /// The key that frames should seal for at `now`: the one that began last.
    pub(crate) fn newest_sealing(&self, now: u64) -> Option<PublicSealingKey> {
        let open = self.sealing.iter().filter(|key| key.is_open(now));
        Some(open.max_by_key(|key| key.from)?.public())
    }

    /// Adds a sealing key that begins now, ends the others after `overlap` seconds, and destroys those that ended long ago.
    /// Gives the new key's id.
    pub(crate) fn rotate_sealing(&mut self, now: u64, overlap: u64) -> Result<String, VaultError> {
        let end = now.saturating_add(overlap);
        for key in &mut self.sealing {
            if key.until.is_none_or(|until| until > end) {
                let ended = SealingKey::from_bytes(&*key.to_bytes()?, key.from, Some(end));
                *key = Arc::new(ended.ok_or(VaultError::Crypto)?);
            }
        }
        self.sealing
            .retain(|key| key.until.is_none_or(|until| now < until.saturating_add(KEPT)));
        // After all that are open, also when the clock was set back: else an older one would be offered.
        let last = self.sealing.iter().map(|key| key.from).max().unwrap_or(0);
        let key = SealingKey::make(now.max(last))?;
        let kid = key.kid.clone();
        self.sealing.push(Arc::new(key));
        Ok(kid)
    }

    /// Takes over the wrapping keys that another state of the same ring has, before the one that wraps.
    pub(crate) fn take_wrapping(&mut self, other: &Self) -> Result<(), VaultError> {
        for key in &other.wrapping {
            match self.wrapping.iter().find(|own| own.id == key.id) {
                None => self.wrapping.insert(0, key.clone()),
                Some(own) if own.key == key.key => {}
                // Two rotations from one state: rows of the two cannot be told apart.
                Some(_) => return Err(VaultError::WrongKeys),
            }
        }
        Ok(())
    }

    /// Adds a wrapping key, which wraps from now on. Gives its id.
    pub(crate) fn add_wrapping(&mut self, random: &dyn Random) -> Result<u32, VaultError> {
        let last = self.wrapping.iter().map(|key| key.id).max().unwrap_or(0);
        let id = last.checked_add(1).ok_or(VaultError::Crypto)?;
        self.wrapping.push(WrappingKey {
            id,
            key: crypto::make_key(random)?,
        });
        Ok(id)
    }
}

/// How long a sealing key that has ended is listed before it is destroyed, in seconds. It opens nothing any more.
const KEPT: u64 = 24 * 3600;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SystemRandom;

    const NOW: u64 = 1_790_000_000;

    #[test]
    fn several_keys_live_at_once_and_the_newest_is_offered() {
        let key = |byte, from, until| Arc::new(SealingKey::from_bytes(&[byte; 32], from, until).unwrap());
        let mut ring = Ring::make(NOW, &SystemRandom).unwrap();
        ring.sealing = vec![
            key(1, 100, Some(NOW + 10)),
            key(2, 200, None),
            key(3, NOW + 3601, None),
        ];
        let kid = |index: usize| ring.sealing[index].kid.as_str();
        assert_eq!(ring.newest_sealing(NOW).unwrap().kid, kid(1));
        assert_eq!(ring.newest_sealing(NOW + 1).unwrap().kid, kid(2));
        assert!(ring.newest_sealing(50).is_some(), "a clock set back a little");
        for (index, now, open) in [
            (0, NOW, true),
            (0, NOW + 9, true),
            (0, NOW + 10, false),
            (1, NOW + 10, true),
            (2, NOW, false),
            (2, NOW + 1, true),
        ] {
            assert_eq!(
                ring.sealing(kid(index), now).is_some(),
                open,
                "key {index} at {now}"
            );
        }
        assert!(ring.sealing("nobodys", NOW).is_none());
    }

    #[test]
    fn rotation_overlaps_and_ends() {
        let mut ring = Ring::make(NOW, &SystemRandom).unwrap();
        let first = ring.sealing[0].kid.clone();
        let second = ring.rotate_sealing(NOW + 10, 7200).unwrap();
        assert_eq!(
            ring.newest_sealing(NOW + 10).unwrap().kid,
            second,
            "offered at once"
        );
        assert!(ring.sealing(&first, NOW + 10 + 7199).is_some());
        assert!(ring.sealing(&first, NOW + 10 + 7200).is_none());

        // Again within the overlap: an end that was set is never put off.
        let third = ring.rotate_sealing(NOW + 20, 7200).unwrap();
        assert!(ring.sealing(&first, NOW + 10 + 7200).is_none());
        assert!(ring.sealing(&second, NOW + 20 + 7199).is_some());
        // Stolen: no overlap.
        let fourth = ring.rotate_sealing(NOW + 30, 0).unwrap();
        for kid in [&first, &second, &third] {
            assert!(ring.sealing(kid, NOW + 30).is_none());
        }
        assert!(ring.sealing(&fourth, NOW + 30).is_some());
        assert_eq!(ring.sealing.len(), 4, "still listed");
        ring.rotate_sealing(NOW + 30 + KEPT, 7200).unwrap();
        assert_eq!(ring.sealing.len(), 2, "destroyed");

        // Two in one second, and with a clock that was set back.
        let last = ring.rotate_sealing(NOW, 7200).unwrap();
        assert_eq!(ring.newest_sealing(NOW + 30 + KEPT).unwrap().kid, last);
    }

    #[test]
    fn wrapping_keys_have_ids_of_their_own() {
        let mut ring = Ring::make(NOW, &SystemRandom).unwrap();
        assert_eq!(ring.add_wrapping(&SystemRandom).unwrap(), 2);
        ring.wrapping.remove(0);
        assert_eq!(ring.add_wrapping(&SystemRandom).unwrap(), 3);
        assert_ne!(ring.wrapping[0].key, ring.wrapping[1].key);
    }
}
