//! What lasts: rows and transactions, and nothing of what is sealed in them. The rest of the crate does not know which
//! database is behind it.
//!
//! Reading goes through [`Store`], from any thread. Writing goes through the [`Writer`]: one thread, which hands what
//! waits at the same moment to a [`Commit`] as one batch, one transaction and one flush to the disk.

use std::path::Path;
use std::sync::Arc;

use crate::config::Location;
use crate::error::{StoreError, VaultError};

mod change;
mod postgres;
mod rows;
mod sqlite;
#[cfg(test)]
mod suite;
mod writer;

#[cfg(test)]
use change::Change;
#[cfg(test)]
pub(crate) use change::Unaudited;
pub(crate) use change::{
    Act, AuditRow, Auditor, CleanStep, Forget, Job, KeyChange, NewRecord, Reseal, Resealed, ReserveVerdict,
    SettleVerdict, Settlement, WriteVerdict,
};
pub(crate) use rows::{
    AnswerRow, DataKeyRow, Identity, LastingRow, NewAnswer, NewLasting, NewOperation, NewToken, NonceKey,
    OperationRow, SealedCode, State, TokenRow,
};
pub use writer::Figures;
pub(crate) use writer::{Writer, WriterHandle};

/// The database at `location`. Nothing is touched yet.
pub(crate) fn database(location: &Location) -> Box<dyn Database> {
    match location {
        Location::Sqlite(path) => Box::new(sqlite::SqliteDatabase::new(path.clone())),
        Location::Postgres(url) => Box::new(postgres::PostgresDatabase::new(url)),
    }
}

/// A database in which a store is, or will be.
pub(crate) trait Database {
    /// Whether something is there, a store or not. Touches nothing.
    fn exists(&self) -> Result<bool, VaultError>;

    /// What the store says of itself; `None` where there is none yet, not even another program's tables. Touches nothing.
    ///
    /// A database of another program and a store of a later version are errors.
    fn identify(&self) -> Result<Option<Identity>, VaultError>;

    /// Makes the tables of a new store, and whatever lies around them. Gives what the store then says of itself: another
    /// process may have been faster, and nothing is done.
    fn create(&self, identity: &Identity) -> Result<Identity, VaultError>;

    /// Opens the store for reading and for writing. One of an earlier version is brought forward first.
    fn open(&self) -> Result<Opened, VaultError>;

    /// Name of the file, within a backup, that holds a copy of such a store.
    fn copy_name(&self) -> &'static str;

    /// What the store says of itself whose copy, which [`Store::copy_to`] made, is at `from`. Touches nothing.
    fn identify_copy(&self, from: &Path) -> Result<Option<Identity>, VaultError>;

    /// Puts the copy at `from` in the place of the store, which may be open, in one transaction.
    fn restore(&self, from: &Path, keep_tokens: bool) -> Result<(), VaultError>;

    /// Ends all tokens, for a store that was put back by other means.
    fn end_tokens(&self) -> Result<(), VaultError>;
}

/// What the ids of a store's tokens begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdOrder {
    /// With the time: rows of one hour lie together, and new ones at the end.
    Time,
    /// With one of sixteen numbers, then with the time: there are sixteen ends, which may lie on different machines.
    Spread,
}

/// A store's two faces.
pub(crate) type Opened = (Arc<dyn Store>, Box<dyn Commit>);

/// Reads a store. Every call sees what was committed before it began.
pub(crate) trait Store: Send + Sync {
    /// Whether the store answers: reads its one row that is always there.
    fn reach(&self) -> Result<(), StoreError>;

    /// The token of that id, if it belongs to the project.
    fn token(&self, project: &str, id: &[u8; 16]) -> Result<Option<TokenRow>, StoreError>;

    /// The answer kept under an idempotency key's MAC, if its time is not over at `now`.
    fn answer(&self, index: &[u8; 32], now: u64) -> Result<Option<AnswerRow>, StoreError>;

    /// An operation that was begun, not settled, and has not expired at `now`.
    fn operation(&self, project: &str, id: &str, now: u64) -> Result<Option<OperationRow>, StoreError>;

    /// The saved card of that id, if it belongs to the project.
    fn lasting(&self, project: &str, id: &[u8; 16]) -> Result<Option<LastingRow>, StoreError>;

    /// Saved cards of a project that are sealed under a data key, from the id `from` on, in order, at most `limit`.
    fn lasting_under(
        &self,
        project: &str,
        epoch: u32,
        from: &[u8; 16],
        limit: usize,
    ) -> Result<Vec<LastingRow>, StoreError>;

    /// The widget key of that id.
    fn widget_key(&self, id: &str) -> Result<Option<crate::registry::WidgetKey>, StoreError>;

    /// All widget keys, by project and id.
    fn widget_keys(&self) -> Result<Vec<crate::registry::WidgetKey>, StoreError>;

    /// The data keys of a project; of all projects for `None`. By project and epoch.
    fn data_keys(&self, project: Option<&str>) -> Result<Vec<DataKeyRow>, StoreError>;

    /// How many tokens and operations are sealed under a data key, and how many saved cards.
    fn sealed_under(&self, project: &str, epoch: u32) -> Result<SealedUnder, StoreError>;

    /// The second of these counts alone, which an index knows.
    fn lasting_count(&self, project: &str, epoch: u32) -> Result<u64, StoreError>;

    /// Records of the audit log's chain from `number` on, in order, at most `limit`.
    fn audit(&self, chain: &[u8; 16], number: u64, limit: usize) -> Result<Vec<AuditRow>, StoreError>;

    /// All chains of the audit log, each with the number of its last record.
    fn audit_chains(&self) -> Result<Vec<([u8; 16], u64)>, StoreError>;

    /// Name of the file, within a backup, that holds a copy of such a store.
    fn copy_name(&self) -> &'static str;

    /// Writes what was committed before to a new file at `to`.
    fn copy_to(&self, to: &Path) -> Result<(), VaultError>;

    /// How token ids should begin.
    fn id_order(&self) -> IdOrder;

    /// Removes from journals what has been deleted from tables, where that is in the program's hands.
    fn tidy(&self) -> Result<(), VaultError>;

    /// Gives up connections that wait to be used.
    fn close(&self);
}

/// How many rows need a data key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SealedUnder {
    /// Tokens and operations, which expire.
    pub(crate) passing: u64,
    /// Saved cards, which are sealed anew.
    pub(crate) lasting: u64,
}

/// Writes batches. Owned by the writer's thread.
pub(crate) trait Commit: Send {
    /// Writes a batch in one transaction, with the audit record of what it does, and gives every job its verdict.
    ///
    /// When this returns `Ok`, all of it is on the disk; with an error, nothing is, as far as can be known. Jobs of one
    /// batch came from callers who waited at the same time, so their order does not matter.
    fn commit(&mut self, batch: &mut [Job], audit: &mut dyn Auditor) -> Result<(), StoreError>;
}
