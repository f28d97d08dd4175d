//! The embedded store: one file beside the program, one connection that writes, several that read.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;

use crate::error::{StoreError, VaultError};
use crate::store::rows::Identity;
use crate::store::{Database, Opened};

mod backup;
mod file;
mod read;
mod schema;
mod write;

use read::Readers;

/// Name of a store's copy within a backup.
const COPY_NAME: &str = "store.sqlite";

/// A store in a file.
pub(crate) struct SqliteDatabase {
    path: PathBuf,
}

impl SqliteDatabase {
    /// The store in the file at `path`.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }
}

impl Database for SqliteDatabase {
    /// A file without a byte is what an interrupted first start may leave behind.
    fn exists(&self) -> Result<bool, VaultError> {
        match fs::metadata(&self.path) {
            Ok(metadata) if metadata.is_dir() => Err(VaultError::NotAVault(self.path.display().to_string())),
            Ok(metadata) => Ok(metadata.len() > 0),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(VaultError::file(&self.path)(error)),
        }
    }

    fn identify(&self) -> Result<Option<Identity>, VaultError> {
        schema::identify(&file::open_for_identifying(&self.path)?, &self.path)
    }

    fn create(&self, identity: &Identity) -> Result<Identity, VaultError> {
        file::make(&self.path)?;
        let mut connection = file::open_for_writing(&self.path)?;
        schema::create(&mut connection, identity)?;
        let created = schema::identify(&connection, &self.path)?;
        created.ok_or_else(|| VaultError::NotAVault(self.path.display().to_string()))
    }

    fn restore(&self, from: &Path, keep_tokens: bool) -> Result<(), VaultError> {
        if !backup::is_whole(from)? {
            return Err(VaultError::NotABackup(from.to_owned()));
        }
        backup::put_back(from, &self.path, keep_tokens)
    }

    fn copy_name(&self) -> &'static str {
        COPY_NAME
    }

    fn identify_copy(&self, from: &Path) -> Result<Option<Identity>, VaultError> {
        schema::identify(&file::open_for_identifying(from)?, from)
    }

    fn end_tokens(&self) -> Result<(), VaultError> {
        backup::end_tokens(&file::open_for_writing(&self.path)?)
    }

    fn open(&self) -> Result<Opened, VaultError> {
        let mut connection = file::open_for_writing(&self.path)?;
        schema::bring_forward(&mut connection)?;
        // A killed process may have left rows that the disk does not have yet. Nothing is to be answered from them before it does.
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |_| Ok(()))?;
        let store = Arc::new(Readers::new(self.path.clone()));
        Ok((store, Box::new(write::SqliteWriter::new(connection))))
    }
}

/// Folds the journal into the file and empties it: it holds what rows were before they were deleted and overwritten.
///
/// Waits for the writer. A reader that does not end in time leaves it for the next call.
fn empty_journal(path: &Path) -> Result<(), VaultError> {
    let connection: Connection = file::open_for_writing(path)?;
    Ok(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))?)
}

/// A time or count as SQLite keeps it. Times beyond the year 292 billion count as that year.
fn to_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// SQLite's own words, which name tables and columns but no values.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error {
            rusqlite::Error::SqliteFailure(error, _) => match error.code {
                // The machine's trouble, not the change's: it may pass, and would meet the next change as well.
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::OutOfMemory
                | ErrorCode::ReadOnly
                | ErrorCode::CannotOpen => Self::Unavailable(error.to_string()),
                _ => Self::Refused(error.to_string()),
            },
            // Conversions of columns; the text of others may quote what they could not convert.
            _ => Self::Refused("a row is not as expected".to_owned()),
        }
    }
}

impl From<rusqlite::Error> for VaultError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_what_every_store_does() {
        let folder = tempfile::tempdir().unwrap();
        crate::store::suite::run(&SqliteDatabase::new(folder.path().join("s")));
    }

    #[test]
    fn does_what_the_model_does() {
        let folder = tempfile::tempdir().unwrap();
        crate::store::suite::property::run(&SqliteDatabase::new(folder.path().join("s")), 32, 1);
    }
}
