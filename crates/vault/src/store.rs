//! The SQLite store: one writer, several readers. It knows rows and transactions, and nothing of what is sealed in them.

use std::fs::OpenOptions;
use std::os::unix::ffi::OsStrExt;
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
    // Where the mode is impossible, SQLite keeps another one and calls it a success.
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::Refused("there can be no write-ahead journal here".into()).into());
    }
    // An answered token survives power loss: each commit waits for the disk.
    connection.pragma_update(None, "synchronous", "full")?;
    // What is deleted is overwritten in the file.
    connection.pragma_update(None, "secure_delete", true)?;
    // What SQLite sets aside while it works stays out of shared folders.
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Folds the journal into the file and empties it: it holds what rows were before they were deleted and overwritten.
///
/// Waits for the writer. A reader that does not end in time leaves it for the next call.
pub(crate) fn empty_journal(path: &Path) -> Result<(), VaultError> {
    Ok(open_for_writing(path)?.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))?)
}

/// Opens a connection that cannot write.
pub(crate) fn open_for_reading(path: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | COMMON)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Opens a store that is only to be looked at. Where no journal lies beside it, SQLite is told that nobody writes: else it
/// would make one, and a store whose keys are wrong must stay as it is.
pub(crate) fn open_for_identifying(path: &Path) -> Result<Connection, VaultError> {
    let mut journal = path.to_owned().into_os_string();
    journal.push("-wal");
    if Path::new(&journal).exists() {
        return Ok(open_for_reading(path)?);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | COMMON;
    Ok(Connection::open_with_flags(immutable_uri(path), flags)?)
}

/// `file:` address of a path (RFC 3986), every byte that could mean something escaped.
fn immutable_uri(path: &Path) -> String {
    // An empty host before an absolute path, so that one that begins with two slashes is not taken for a host.
    let mut uri = if path.is_absolute() { "file://" } else { "file:" }.to_owned();
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri.push_str("?immutable=1");
    uri
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

    /// Where the store lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_paths_are_found() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["plain", "a b?c#d%20", "жук", "100%"] {
            let path = folder.path().join(name);
            drop(open_for_writing_new(&path));
            let connection = open_for_identifying(&path).unwrap();
            let n: i64 = connection
                .query_row("SELECT n FROM t", (), |row| row.get(0))
                .unwrap();
            assert_eq!(n, 7, "{name}");
            assert!(connection.execute("DELETE FROM t", ()).is_err(), "{name}");
        }
        assert_eq!(
            immutable_uri(Path::new("data/x y")),
            "file:data/x%20y?immutable=1"
        );
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            4,
            "no journal is made"
        );
    }

    fn open_for_writing_new(path: &Path) -> Connection {
        make_file(path).unwrap();
        let connection = open_for_writing(path).unwrap();
        connection
            .execute_batch("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (7)")
            .unwrap();
        connection
    }

    #[test]
    fn a_commit_waits_for_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open_for_writing_new(&folder.path().join("x"));
        let pragma = |name| {
            connection
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .unwrap()
        };
        assert_eq!((pragma("synchronous"), pragma("secure_delete")), (2, 1));
        let mode: String = connection
            .pragma_query_value(None, "journal_mode", |row| row.get(0))
            .unwrap();
        assert_eq!(mode, "wal");
    }

    #[test]
    fn a_store_that_cannot_have_a_journal_is_refused() {
        // SQLite answers with the mode that it kept, and no error.
        assert!(open_for_writing(Path::new(":memory:")).is_err());
    }
}
