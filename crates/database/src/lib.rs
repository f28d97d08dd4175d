#![doc = include_str!("../README.md")]

mod error;
mod postgres;
mod schema;
mod sqlite;
mod transaction;
mod value;
mod work;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

pub use error::DatabaseError;
pub use postgres::link;
pub use postgres::text;
pub use postgres::url::{PostgresUrl, PostgresUrlError};
pub use schema::Schema;
pub use transaction::Transaction;
pub use value::{FromValue, Row, Value};

use work::Work;

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Location {
    /// A file, which is made where there is none.
    Sqlite(PathBuf),
    /// A server, which several instances may share.
    Postgres(PostgresUrl),
}

/// A database with the tables of a [`Schema`]. Clones are the same one; the last that is dropped finishes what was handed in.
#[derive(Clone)]
pub struct Database {
    engine: Arc<dyn Engine>,
}

/// One kind of database.
trait Engine: Send + Sync {
    /// Copies it to a new file.
    fn copy(&self, to: &Path) -> Result<(), DatabaseError>;

    /// Does the work in a transaction that is on the disk before the work is finished.
    fn write(&self, work: Box<dyn Work>);

    /// Does the work in a transaction that sees one moment and writes nothing.
    fn read(&self, work: Box<dyn Work>);

    /// Rows that statements went through without an index; `None` where nobody counts them.
    fn scanned(&self) -> Option<u64>;
}

impl Database {
    /// Opens it, and makes its tables or brings them forward. Tables of a later version, or of another program, are refused untouched.
    pub fn open(location: &Location, schema: Schema) -> Result<Self, DatabaseError> {
        let engine: Arc<dyn Engine> = match location {
            Location::Sqlite(path) => Arc::new(sqlite::Sqlite::open(path, schema)?),
            Location::Postgres(url) => Arc::new(postgres::Postgres::open(url, schema)?),
        };
        Ok(Self { engine })
    }

    /// Does `work` in one transaction. When this returns `Ok`, all that it wrote is on the disk; otherwise nothing is.
    ///
    /// `work` may run more than once, when another transaction was faster or a connection was lost. It must neither wait nor have an
    /// effect but on the transaction. Waits for the disk: not for threads of an async runtime, see [`Database::submit`].
    pub fn write<T, E>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DatabaseError> + Send + 'static,
    {
        wait(|done| self.submit(work, done))
    }

    /// The same without waiting: `done` hears how it went, on a thread that others wait for.
    pub fn submit<T, E>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E> + Send + 'static,
        done: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: From<DatabaseError> + Send + 'static,
    {
        self.engine.write(work::of(work, done));
    }

    /// Reads in one transaction, which sees what was committed before it began; so nothing of a transaction that it is called within,
    /// for which it costs a connection of its own.
    pub fn read<T, E>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DatabaseError> + Send + 'static,
    {
        wait(|done| self.engine.read(work::of(work, done)))
    }

    /// Writes what was committed before to a new file: all tables as they were at one moment, while others read and write.
    pub fn copy(&self, to: &Path) -> Result<(), DatabaseError> {
        self.engine.copy(to)
    }

    /// Says whether a copy can be put back there, as [`Database::put_back`] would; touches nothing.
    pub fn check(location: &Location, schema: Schema, from: &Path) -> Result<(), DatabaseError> {
        match location {
            Location::Sqlite(_) => sqlite::copy::check(from, &schema),
            Location::Postgres(url) => postgres::copy::check(url, &schema, from),
        }
    }

    /// Puts a copy in the place of what is there, which may be open: others see the old state or the new one. Damaged copies, and those of
    /// other or later tables, are refused untouched; with PostgreSQL also those of an earlier version than the tables that are there.
    pub fn put_back(location: &Location, schema: Schema, from: &Path) -> Result<(), DatabaseError> {
        match location {
            Location::Sqlite(path) => sqlite::copy::put_back(from, path, &schema),
            Location::Postgres(url) => postgres::copy::put_back(url, &schema, from),
        }
    }

    /// Rows that statements went through without an index since it was opened. SQLite counts them, PostgreSQL does not say.
    pub fn scanned(&self) -> Option<u64> {
        self.engine.scanned()
    }
}

/// Waits for what is told to the function that `submit` is given.
fn wait<T, E>(submit: impl FnOnce(Box<dyn FnOnce(Result<T, E>) + Send>)) -> Result<T, E>
where
    T: Send + 'static,
    E: From<DatabaseError> + Send + 'static,
{
    let (sender, receiver) = sync_channel(1);
    submit(Box::new(move |result| {
        // The other side waits below; it cannot have gone away.
        let _ = sender.send(result);
    }));
    receiver
        .recv()
        .unwrap_or_else(|_| Err(DatabaseError::Closing.into()))
}

#[cfg(test)]
mod suite;
