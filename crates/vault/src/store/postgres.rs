//! A store in PostgreSQL, which several instances may share. Each has one connection that writes whole batches; nothing of
//! a batch is kept in an instance, so that a constraint or a row's lock decides between two of them.
//!
//! It keeps to what databases that speak PostgreSQL's language have in common: no sequence, no extension, no advisory
//! lock, no large object. See `docs/operations/postgresql.md`.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use crate::config::PostgresUrl;
use crate::error::{StoreError, VaultError};
use crate::store::rows::Identity;
use crate::store::{Commit, Database, Opened, Store};

mod copy;
mod lasting;
mod read;
mod row;
mod schema;
mod write;

use database::link::{Link, Trouble};

/// Name of a store's copy within a backup.
const COPY_NAME: &str = "store.postgres";

/// A store in a PostgreSQL database, in the schema `card_widget_vault`.
pub(crate) struct PostgresDatabase {
    url: PostgresUrl,
}

impl PostgresDatabase {
    /// The store in the database at `url`.
    pub(crate) fn new(url: &PostgresUrl) -> Self {
        Self { url: url.clone() }
    }
}

impl Database for PostgresDatabase {
    fn exists(&self) -> Result<bool, VaultError> {
        apart(|| {
            let link = Link::connect(&self.url)?;
            Ok(link.wait(schema::exists(link.session()))?)
        })
    }

    fn identify(&self) -> Result<Option<Identity>, VaultError> {
        apart(|| schema::identify(&Link::connect(&self.url)?))
    }

    fn create(&self, identity: &Identity) -> Result<Identity, VaultError> {
        apart(|| {
            let link = Link::connect(&self.url)?;
            schema::create(&link, identity)?;
            schema::identify(&link)?.ok_or_else(|| VaultError::NotAVault(schema::NAME.to_owned()))
        })
    }

    fn copy_name(&self) -> &'static str {
        COPY_NAME
    }

    fn identify_copy(&self, from: &Path) -> Result<Option<Identity>, VaultError> {
        copy::identify(from)
    }

    fn restore(&self, from: &Path, keep_tokens: bool) -> Result<(), VaultError> {
        apart(|| copy::put_back(&self.url, from, keep_tokens))
    }

    fn end_tokens(&self) -> Result<(), VaultError> {
        apart(|| {
            let link = Link::connect(&self.url)?;
            Ok(link.drive(copy::end_tokens(link.session()))??)
        })
    }

    fn open(&self) -> Result<Opened, VaultError> {
        apart(|| {
            let link = Link::connect(&self.url)?;
            schema::bring_forward(&link, schema::STEPS)?;
            let store = Arc::new(read::PostgresReader::new(self.url.clone())?);
            let commit = write::PostgresWriter::new(self.url.clone(), link);
            Ok((store as Arc<dyn Store>, Box::new(commit) as Box<dyn Commit>))
        })
    }
}

/// Does `work` on a thread of its own: where the caller's belongs to an async runtime, it may not wait for another one.
fn apart<T: Send>(work: impl FnOnce() -> Result<T, VaultError> + Send) -> Result<T, VaultError> {
    // An error of joining is a panic there.
    thread::scope(|scope| scope.spawn(work).join()).unwrap_or(Err(StoreError::Closing.into()))
}

/// A time or count as PostgreSQL keeps it. Times beyond the year 292 billion count as that year.
fn to_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The same back. No version writes negative ones.
fn from_sql(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Conflict(told) | Trouble::Lost(told) => Self::Unavailable(told),
            Trouble::Refused(told) => Self::Refused(told),
        }
    }
}

impl From<Trouble> for VaultError {
    fn from(trouble: Trouble) -> Self {
        Self::Store(trouble.into())
    }
}

#[cfg(test)]
mod tests;
