//! The SQLite store: one writer, several readers. It knows rows and transactions, and nothing of what is sealed in them.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::{StoreError, VaultError};
use crate::keys::file;

mod schema;
mod writer;

pub(crate) use schema::{Identity, create, identify};
pub(crate) use writer::{Writer, WriterHandle};

/// Whether there is a store at `path`. A file without a byte is what an interrupted first start may leave behind.
pub(crate) fn exists(path: &Path) -> Result<bool, VaultError> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len() > 0),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(VaultError::file(path)(error)),
    }
}

/// Makes an empty file that only its owner may read. SQLite gives its journals the same mode.
pub(crate) fn make_file(path: &Path) -> Result<(), VaultError> {
    if let Some(folder) = path.parent() {
        file::create_folder(folder)?;
    }
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(VaultError::file(path))?;
    file::sync_folder(path)
}

/// Opens the one connection that writes.
pub(crate) fn open_for_writing(path: &Path) -> Result<Connection, VaultError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | COMMON)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // An answered token survives power loss: each commit waits for the disk.
    connection.pragma_update(None, "synchronous", "full")?;
    // What is deleted is overwritten in the file.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Opens a connection that cannot write.
pub(crate) fn open_for_reading(path: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | COMMON)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Connections for reading, made when needed and kept.
pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            idle: Mutex::default(),
        }
    }

    /// Lends a connection. It sees everything that was committed before.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => open_for_reading(&self.path)?,
        };
        let result = work(&connection)?;
        let mut idle = self.idle();
        if idle.len() < MOST_IDLE {
            idle.push(connection);
        }
        Ok(result)
    }

    /// Closes what is idle, so that the writer is the last to close and can tidy up.
    pub(crate) fn close(&self) {
        self.idle().clear();
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        // A list of connections is whole at any moment, also after a panic elsewhere.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A time as SQLite keeps it. Times beyond the year 292 billion count as that year.
pub(crate) fn to_sql(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// No lock inside SQLite: a connection is used by one thread at a time.
const COMMON: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX;

/// How long to wait for another process, an operator's command, say.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// More idle readers than this are closed.
const MOST_IDLE: usize = 16;
