//! Saved cards go under a new data key by themselves, some at a time, while everything runs.
//!
//! Nothing is remembered but what the rows say: whoever comes next, after a stop or on another instance, goes on with what is
//! still under an old epoch. Of two that seal the same row anew one wins, and the other's work is thrown away.

use std::sync::atomic::{AtomicU64, Ordering};

use super::data::ended;
use crate::error::VaultError;
use crate::registry::DataKey;
use crate::store::{LastingRow, Reseal, Resealed, WriterHandle};
use crate::vault::Shared;

/// How it goes on, for figures.
#[derive(Default)]
pub(crate) struct Resealing {
    done: AtomicU64,
    left: AtomicU64,
}

impl Resealing {
    /// Cards sealed anew by this process since it began.
    pub(crate) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Cards under old epochs, as counted within the last half minute.
    pub(crate) fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    fn count(&self, sealed: u64) {
        self.done.fetch_add(sealed, Ordering::Relaxed);
        let less = |left: u64| Some(left.saturating_sub(sealed));
        // An update that always gives a value does not fail.
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Counts what is under old epochs.
pub(crate) fn look(shared: &Shared) -> Result<(), VaultError> {
    let rows = shared.store.data_keys(None)?;
    let mut left = 0;
    for (row, _) in ended(&rows) {
        left += shared.store.lasting_count(&row.project, row.epoch)?;
    }
    shared.resealing.left.store(left, Ordering::Relaxed);
    Ok(())
}

/// Seals at most [`STEP`] cards of each old epoch anew. Gives how many; 0 when there is nothing to do, or others do it.
pub(crate) fn step(shared: &Shared, writer: &WriterHandle) -> Result<usize, VaultError> {
    let rows = shared.store.data_keys(None)?;
    let mut sum = 0;
    for (row, to) in ended(&rows) {
        let (project, from) = (row.project.as_str(), row.epoch);
        let due = due(shared, project, from)?;
        if due.is_empty() {
            continue;
        }
        let data_key = shared.data_key_of(project, to)?;
        let records: Vec<_> = due
            .iter()
            .filter_map(|row| match anew(shared, project, row, &data_key) {
                Ok(record) => Some(Resealed { id: row.id, record }),
                // It stays under its key, which therefore stays too; the others must not wait for it.
                Err(error) => {
                    tracing::error!(%error, project, epoch = from, "a saved card cannot be sealed anew");
                    None
                }
            })
            .collect();
        let project = project.to_owned();
        let count = writer.call(Reseal {
            project,
            from,
            to,
            records,
        })?;
        shared.resealing.count(count as u64);
        sum += count;
    }
    Ok(sum)
}

/// Some cards of an epoch. Several instances begin at different places where ids are spread.
fn due(shared: &Shared, project: &str, epoch: u32) -> Result<Vec<LastingRow>, VaultError> {
    let mut from = [0; 16];
    shared.random.fill(&mut from[..1])?;
    from[0] &= 15;
    let due = shared.store.lasting_under(project, epoch, &from, STEP)?;
    if due.is_empty() {
        return Ok(shared.store.lasting_under(project, epoch, &[0; 16], STEP)?);
    }
    Ok(due)
}

fn anew(shared: &Shared, project: &str, row: &LastingRow, data_key: &DataKey) -> Result<Vec<u8>, VaultError> {
    let record = shared.unseal_lasting(project, row)?;
    shared.seal_lasting(project, &row.id, data_key, record[..].into())
}

/// Most cards sealed anew in one transaction.
const STEP: usize = 200;
