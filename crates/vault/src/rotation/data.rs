//! Data keys: a new epoch begins at once; an old one ends by itself, when nothing is sealed under it any more.
//!
//! What a widget token opens is sealed under its own secret too, so nobody can seal it anew: it expires within two hours, and
//! so does an operation. Saved cards are sealed anew meanwhile. The running job then destroys the old epoch's key, and with
//! it what backups hold of its rows.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::error::VaultError;
use crate::registry;
use crate::store::{DataKeyRow, KeyChange, SealedUnder, WriterHandle};
use crate::vault::{Shared, Vault};

/// A project's data key, as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DataKeyInfo {
    /// The project.
    pub project: String,
    /// Version of the project's data key.
    pub epoch: u32,
    /// The wrapping key under which it lies.
    pub wrapping_key: u32,
    /// `None` for the epoch in use; how many rows are still sealed under an old one.
    pub left: Option<u64>,
    /// How many of these are saved cards, which are sealed anew one after the other.
    pub cards_left: u64,
}

impl Vault {
    /// Begins a new epoch for a project. Gives its number. Instances seal under it within two seconds.
    ///
    /// Waits for the disk.
    pub fn rotate_data_key(&self, project: &str) -> Result<u32, VaultError> {
        for _ in 0..ATTEMPTS {
            let rows = self.shared.store.data_keys(Some(project))?;
            let last = rows.iter().map(|row| row.epoch).max();
            let epoch = last.ok_or(VaultError::UnknownProject)?.saturating_add(1);
            let (keys, random) = (&self.shared.keys, &*self.shared.random);
            let row = registry::make_data_key(keys, project, epoch, random)?;
            if self.writer()?.call(KeyChange::AddDataKey(row))? {
                return Ok(epoch);
            }
            // Somebody else began this epoch a moment ago; the one behind it is ours.
        }
        Err(VaultError::Busy)
    }

    /// The data keys of all projects, by project and epoch.
    pub fn data_keys(&self) -> Result<Vec<DataKeyInfo>, VaultError> {
        let rows = self.shared.store.data_keys(None)?;
        let newest = newest(&rows);
        rows.iter()
            .map(|row| {
                let old = newest.get(row.project.as_str()) != Some(&row.epoch);
                let left = old.then(|| self.shared.store.sealed_under(&row.project, row.epoch));
                let left = left.transpose()?;
                Ok(DataKeyInfo {
                    project: row.project.clone(),
                    epoch: row.epoch,
                    wrapping_key: row.master_key,
                    left: left.map(|left| left.passing + left.lasting),
                    cards_left: left.map_or(0, |left| left.lasting),
                })
            })
            .collect()
    }
}

/// Since when this process knows that an epoch is an old one.
#[derive(Default)]
pub(crate) struct Retiring(Mutex<HashMap<(String, u32), u64>>);

/// Destroys the keys of epochs that ended long enough ago, if nothing is sealed under them. Gives how many.
pub(crate) fn retire(shared: &Shared, writer: &WriterHandle, now: u64) -> Result<usize, VaultError> {
    let rows = shared.store.data_keys(None)?;
    let mut retired = 0;
    for (row, _) in ended(&rows) {
        let since = {
            // A map of times is whole at any moment, also after a panic elsewhere.
            let mut known = shared.retiring.0.lock().unwrap_or_else(PoisonError::into_inner);
            *known.entry((row.project.clone(), row.epoch)).or_insert(now)
        };
        // Counting is a search through all tokens: not before it can have an end.
        if now.saturating_sub(since) < GRACE
            || shared.store.sealed_under(&row.project, row.epoch)? != SealedUnder::default()
        {
            continue;
        }
        let (project, epoch) = (row.project.clone(), row.epoch);
        if writer.call(KeyChange::RemoveDataKey { project, epoch })? {
            tracing::info!(
                project = row.project,
                epoch = row.epoch,
                "a data key was destroyed"
            );
            retired += 1;
        }
    }
    Ok(retired)
}

/// The epochs that have ended, each with the one in use of its project.
pub(super) fn ended(rows: &[DataKeyRow]) -> impl Iterator<Item = (&DataKeyRow, u32)> {
    let newest = newest(rows);
    rows.iter().filter_map(move |row| {
        let in_use = *newest.get(row.project.as_str())?;
        (in_use != row.epoch).then_some((row, in_use))
    })
}

/// The epoch in use of each project.
fn newest(rows: &[DataKeyRow]) -> HashMap<&str, u32> {
    let mut newest = HashMap::new();
    for row in rows {
        let epoch = newest.entry(row.project.as_str()).or_insert(row.epoch);
        *epoch = row.epoch.max(*epoch);
    }
    newest
}

/// How long after its end an epoch's key stays, in seconds: longer than any row that was sealed under it.
const GRACE: u64 = 2 * 3600 + 600;

/// How often to try when others begin epochs of the same project at the same moment.
const ATTEMPTS: usize = 16;
