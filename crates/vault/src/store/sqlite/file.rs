//! The file and how connections to it are opened.

use std::fs::OpenOptions;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{StoreError, VaultError};
use crate::keys::file;

/// Makes an empty file that only its owner may read. SQLite gives its journals the same mode.
pub(super) fn make(path: &Path) -> Result<(), VaultError> {
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
pub(super) fn open_for_writing(path: &Path) -> Result<Connection, VaultError> {
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
    // In KiB: room for the ends of all indexes. Through a larger cache SQLite walks at each commit in which a page was split.
    connection.pragma_update(None, "cache_size", -8_192)?;
    // Folding the journal into the file is not done within a commit that somebody waits for: cleaning does it. Only a
    // journal of 128 MiB is folded at once.
    connection.pragma_update(None, "wal_autocheckpoint", 32_768)?;
    connection.set_prepared_statement_cache_capacity(64);
    plan_once(&connection)?;
    Ok(connection)
}

/// Opens a connection that cannot write.
pub(super) fn open_for_reading(path: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | COMMON)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    plan_once(&connection)?;
    Ok(connection)
}

/// Keeps the plan of a prepared statement. Else SQLite plans it anew at each new value that the condition of a partial index may depend on.
fn plan_once(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Opens a store that is only to be looked at. Where no journal lies beside it, SQLite is told that nobody writes: else it
/// would make one, and a store whose keys are wrong must stay as it is.
pub(super) fn open_for_identifying(path: &Path) -> Result<Connection, VaultError> {
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

/// No lock inside SQLite: a connection is used by one thread at a time.
const COMMON: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX;

/// How long to wait for another process, an operator's command, say.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

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
        make(path).unwrap();
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
        let config = connection.db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG);
        assert!(config.unwrap(), "plans are kept");
    }

    #[test]
    fn a_store_that_cannot_have_a_journal_is_refused() {
        // SQLite answers with the mode that it kept, and no error.
        assert!(open_for_writing(Path::new(":memory:")).is_err());
    }
}
