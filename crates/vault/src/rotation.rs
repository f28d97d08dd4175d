//! New keys for old ones, while the service runs. Every instance takes them up by itself, within a second or when it
//! first meets what was made with them.

use crate::error::VaultError;
use crate::store::KeyChange;
use crate::vault::Vault;

pub(crate) mod data;
pub(crate) mod lasting;
pub(crate) mod master;

/// A sealing key, as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SealingKeyInfo {
    /// Id that envelopes repeat.
    pub kid: String,
    /// First second in which envelopes for it are opened, since 1970 in UTC.
    pub from: u64,
    /// First second in which they are no longer opened; `None` while no end is set.
    pub until: Option<u64>,
    /// Whether envelopes for it are opened now.
    pub open: bool,
    /// Whether frames seal for it.
    pub newest: bool,
}

impl Vault {
    /// Begins a new sealing key at once and lets the others end after `overlap` seconds. Gives the new key's id.
    ///
    /// Forms that are open when an old key ends renew their boot data by themselves and seal again; no overlap is needed
    /// for them but to spare them that. Waits for the disk.
    pub fn rotate_sealing_key(&self, overlap: u64) -> Result<String, VaultError> {
        let (now, random) = (self.shared.now(), &*self.shared.random);
        let keys = &self.shared.keys;
        let kid = keys.change(random, |ring| ring.rotate_sealing(now, overlap))?;
        self.note("sealing key begun", kid.clone())?;
        Ok(kid)
    }

    /// Puts into the audit log what was done elsewhere.
    pub(crate) fn note(&self, did: &'static str, of: String) -> Result<(), VaultError> {
        self.write_note(did, None, of)
    }

    /// The same of what an operator is about to do to a project outside the vault: before it is done, so that nothing is done without a
    /// record. No secret, and nothing of a customer.
    pub fn note_project(&self, did: &'static str, project: &str, of: String) -> Result<(), VaultError> {
        self.write_note(did, Some(project.to_owned()), of)
    }

    fn write_note(&self, did: &'static str, project: Option<String>, of: String) -> Result<(), VaultError> {
        self.writer()?.call(KeyChange::Note { did, project, of })?;
        Ok(())
    }

    /// The sealing keys, the oldest first; those that have ended are listed for a day.
    pub fn sealing_keys(&self) -> Vec<SealingKeyInfo> {
        let ring = self.shared.keys.ring();
        let now = self.shared.now();
        let newest = ring.newest_sealing(now).map(|key| key.kid);
        let keys = ring.sealing.iter().map(|key| SealingKeyInfo {
            kid: key.kid.clone(),
            from: key.from,
            until: key.until,
            open: key.is_open(now),
            newest: newest.as_ref() == Some(&key.kid),
        });
        keys.collect()
    }
}
