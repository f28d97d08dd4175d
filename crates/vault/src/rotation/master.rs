//! The master key, and with it the wrapping key that stands between it and the data keys.
//!
//! Every step leaves keys and store as they can be opened, so that a crash in between harms nothing: the same command again
//! finishes the work.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::error::VaultError;
use crate::keys::master::MasterKeySource;
use crate::registry;
use crate::store::KeyChange;
use crate::vault::{Vault, identity_of};

/// How a rotation of the master key goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewrapped {
    /// Data keys that were wrapped anew.
    pub done: usize,
    /// All that there are.
    pub of: usize,
}

impl Vault {
    /// Seals the key file under a new master key, and all data keys under a new wrapping key in it. Gives the wrapping key's
    /// number; `progress` hears of each data key.
    ///
    /// The new master key is the next version of the present one, or that of `to`. Running instances take it up by themselves
    /// where they can open it: where `to` is another place than theirs, they go on with the keys they hold until they are
    /// started with the new place. The wrapping key before this one stays in the key file until the next rotation, for
    /// instances and backups that are a little behind. Waits for the disk, and a second besides.
    pub fn rotate_master_key(
        &self,
        to: Option<&MasterKeySource>,
        mut progress: impl FnMut(Rewrapped),
    ) -> Result<u32, VaultError> {
        let (keys, random) = (&self.shared.keys, &*self.shared.random);
        let master = match to {
            Some(source) => {
                let master = source.open();
                master.make(random)?;
                master
            }
            None => {
                let master = keys.master_key();
                master.renew(random)?;
                master
            }
        };
        let id = keys.change_master(Arc::clone(&master), random, |ring| ring.add_wrapping(random))?;
        self.note("master key renewed", master.place())?;
        // By then nobody makes data keys under the old wrapping key: everybody has looked at the key file.
        thread::sleep(SETTLED);

        let rows = self.shared.store.data_keys(None)?;
        let of = rows.len();
        for (index, row) in rows.iter().enumerate() {
            if row.master_key != id {
                let anew = registry::wrap_anew(keys, row, random)?;
                let from = row.master_key;
                self.writer()?
                    .call(KeyChange::RewrapDataKey { row: anew, from })?;
            }
            progress(Rewrapped { done: index + 1, of });
        }
        let identity = identity_of(keys, random)?;
        for from in keys
            .ring()
            .wrapping
            .iter()
            .map(|key| key.id)
            .filter(|&key| key != id)
        {
            let identity = identity.clone();
            self.writer()?.call(KeyChange::Identify { identity, from })?;
        }
        let in_use: Vec<_> = self.shared.store.data_keys(None)?;
        keys.change(random, |ring| {
            ring.wrapping.retain(|key| {
                let used = in_use.iter().any(|row| row.master_key == key.id);
                used || key.id.saturating_add(1) >= id
            });
            Ok(())
        })?;
        master.forget_old(random)?;
        Ok(id)
    }
}

/// Longer than any instance takes to notice that the key file was changed.
const SETTLED: Duration = Duration::from_secs(1);
