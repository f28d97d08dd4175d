//! SQLite: one thread writes, and work that waits at the same moment shares one flush to the disk.

pub(crate) mod copy;

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, StatementStatus, ToSql, params_from_iter};

use crate::Engine;
use crate::error::DatabaseError;
use crate::schema::{Definition, Dialect, Schema};
use crate::transaction::Transaction;
use crate::value::{Row, Value};
use crate::work::{Ran, Work};

/// A database in a file.
pub(crate) struct Sqlite {
    path: PathBuf,
    jobs: Option<SyncSender<Box<dyn Work>>>,
    thread: Option<JoinHandle<()>>,
    /// Connections for reading that nobody uses at the moment.
    idle: Mutex<Vec<Session>>,
    /// Rows that statements went through without an index.
    scanned: Arc<AtomicU64>,
}

impl Sqlite {
    pub(crate) fn open(path: &Path, schema: Schema) -> Result<Self, DatabaseError> {
        make(path)?;
        let scanned = Arc::default();
        let mut session = Session::new(open_for_writing(path)?, &scanned)?;
        session.within("BEGIN IMMEDIATE", |session| {
            schema.bring_forward(Dialect::Sqlite, session)
        })?;
        // A killed process may have left rows that the disk does not have yet. Nothing is to be answered from them before it does.
        session
            .connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |_| Ok(()))?;
        let (jobs, waiting) = sync_channel(QUEUE);
        let thread = thread::Builder::new()
            .name("database-writer".into())
            .spawn(move || run(session, &waiting))
            .map_err(|_| DatabaseError::Closing)?;
        Ok(Self {
            path: path.to_owned(),
            jobs: Some(jobs),
            thread: Some(thread),
            idle: Mutex::default(),
            scanned,
        })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Session>> {
        // A list is whole at any moment, also after a panic elsewhere.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn session(&self) -> Result<Session, DatabaseError> {
        let idle = self.idle().pop();
        match idle {
            Some(session) => Ok(session),
            None => Session::new(open_for_reading(&self.path)?, &self.scanned),
        }
    }
}

impl Engine for Sqlite {
    fn copy(&self, to: &Path) -> Result<(), DatabaseError> {
        copy::copy(&self.path, to)
    }

    fn write(&self, work: Box<dyn Work>) {
        let Some(jobs) = &self.jobs else {
            return work.finish(Err(DatabaseError::Closing));
        };
        match jobs.try_send(work) {
            Ok(()) => {}
            Err(TrySendError::Full(work)) => work.finish(Err(DatabaseError::Overloaded)),
            Err(TrySendError::Disconnected(work)) => work.finish(Err(DatabaseError::Closing)),
        }
    }

    fn read(&self, mut work: Box<dyn Work>) {
        let read = self.session().and_then(|mut session| {
            let ran = session.within("BEGIN", |session| match work.run(session) {
                Ran::Failed(error) => Err(error),
                Ran::Done { .. } | Ran::Undone => Ok(()),
            });
            if ran.is_ok() {
                let mut idle = self.idle();
                if idle.len() < READERS {
                    idle.push(session);
                }
            }
            ran
        });
        work.finish(read);
    }

    fn scanned(&self) -> Option<u64> {
        Some(self.scanned.load(Ordering::Relaxed))
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The last one may be dropped by work that the thread itself has just finished. It then ends by itself.
            if thread.thread().id() != thread::current().id() {
                // It catches panics.
                let _ = thread.join();
            }
        }
    }
}

fn run(mut session: Session, waiting: &Receiver<Box<dyn Work>>) {
    while let Ok(first) = waiting.recv() {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(BATCH - 1));
        let (kept, failed) = match session.batch(batch) {
            Ok(worked) => worked,
            // Nothing has begun: all of it may be tried again later.
            Err((batch, error)) => {
                tracing::error!(%error, work = batch.len(), "transactions were not begun");
                batch.into_iter().for_each(|work| work.finish(Err(error.clone())));
                continue;
            }
        };
        let committed = match session.connection.is_autocommit() {
            true => Err(rolled_back()),
            false => session.command("COMMIT"),
        };
        if let Err(error) = &committed {
            tracing::error!(%error, work = kept.len(), "transactions were not written");
            // Fails when SQLite has rolled back by itself, which is as good.
            let _ = session.command("ROLLBACK");
        }
        for work in kept {
            work.finish(committed.clone());
        }
        for (work, error) in failed {
            work.finish(Err(error));
        }
    }
}

/// Work of a batch that is to be committed, and work that failed with its error.
type Worked = (Vec<Box<dyn Work>>, Vec<(Box<dyn Work>, DatabaseError)>);

/// A connection with the statements as SQLite wants them.
struct Session {
    connection: Connection,
    /// By the text of the program.
    spelled: HashMap<&'static str, String>,
    /// The database's.
    scanned: Arc<AtomicU64>,
}

impl Session {
    fn new(connection: Connection, scanned: &Arc<AtomicU64>) -> Result<Self, DatabaseError> {
        connection.set_prepared_statement_cache_capacity(256);
        // Else SQLite plans a prepared statement anew at each new value that the condition of a partial index may depend on.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(Self {
            connection,
            spelled: HashMap::new(),
            scanned: Arc::clone(scanned),
        })
    }

    /// Begins a transaction and does all of a batch in it, each within a savepoint.
    fn batch(&mut self, batch: Vec<Box<dyn Work>>) -> Result<Worked, (Vec<Box<dyn Work>>, DatabaseError)> {
        // Takes the lock at once: other processes write too, if rarely.
        if let Err(error) = self.command("BEGIN IMMEDIATE") {
            return Err((batch, error));
        }
        let (mut kept, mut failed) = (Vec::new(), Vec::new());
        for mut work in batch {
            // A full disk, say, has ended the whole transaction: nothing of it is kept, and nothing more is written.
            if self.connection.is_autocommit() {
                failed.push((work, rolled_back()));
                continue;
            }
            match self.one(&mut *work) {
                Ok(()) => kept.push(work),
                Err(error) => failed.push((work, error)),
            }
        }
        Ok((kept, failed))
    }

    fn one(&mut self, work: &mut dyn Work) -> Result<(), DatabaseError> {
        self.command("SAVEPOINT work")?;
        let ran = work.run(self);
        if !matches!(ran, Ran::Done { .. }) {
            self.command("ROLLBACK TO work")?;
        }
        self.command("RELEASE work")?;
        match ran {
            Ran::Failed(error) => Err(error),
            Ran::Done { .. } | Ran::Undone => Ok(()),
        }
    }

    /// A transaction that is committed if `work` gives `Ok`.
    fn within(
        &mut self,
        begin: &'static str,
        work: impl FnOnce(&mut Self) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        self.command(begin)?;
        let worked = work(self).and_then(|()| self.command("COMMIT"));
        if worked.is_err() {
            // Fails when SQLite has rolled back by itself, which is as good.
            let _ = self.command("ROLLBACK");
        }
        worked
    }

    fn command(&self, sql: &'static str) -> Result<(), DatabaseError> {
        self.connection.prepare_cached(sql)?.execute(())?;
        Ok(())
    }

    fn prepare(&mut self, sql: &'static str) -> Result<rusqlite::CachedStatement<'_>, DatabaseError> {
        let spelled = self
            .spelled
            .entry(sql)
            .or_insert_with(|| Dialect::Sqlite.spell(sql));
        Ok(self.connection.prepare_cached(spelled)?)
    }
}

impl Transaction for Session {
    fn rows(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, DatabaseError> {
        let mut statement = self.prepare(sql)?;
        let columns = statement.column_count();
        let rows = statement.query_map(params_from_iter(values), |row| {
            (0..columns)
                .map(|column| row.get_ref(column)?.try_into())
                .collect()
        })?;
        let rows = rows.map(|row| row.map(Row)).collect::<Result<_, _>>()?;
        let scanned = scanned(&mut statement);
        drop(statement);
        self.scanned.fetch_add(scanned, Ordering::Relaxed);
        Ok(rows)
    }

    fn change(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, DatabaseError> {
        let mut statement = self.prepare(sql)?;
        let changed = statement.execute(params_from_iter(values))? as u64;
        let scanned = scanned(&mut statement);
        drop(statement);
        self.scanned.fetch_add(scanned, Ordering::Relaxed);
        Ok(changed)
    }
}

/// Rows that a statement went through without an index, since this was asked last.
fn scanned(statement: &mut rusqlite::Statement<'_>) -> u64 {
    let steps = statement.reset_status(StatementStatus::FullscanStep);
    u64::try_from(steps).unwrap_or_default()
}

impl Definition for Session {
    fn define(&mut self, sql: &str) -> Result<(), DatabaseError> {
        Ok(self.connection.execute_batch(sql)?)
    }

    fn has_table(&mut self, name: &str) -> Result<bool, DatabaseError> {
        let sql = "SELECT count(*) > 0 FROM sqlite_master WHERE name = ?1";
        Ok(self.connection.query_row(sql, [name], |row| row.get(0))?)
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl TryFrom<ValueRef<'_>> for Value {
    type Error = rusqlite::Error;

    fn try_from(value: ValueRef<'_>) -> rusqlite::Result<Self> {
        Ok(match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Text(text) => Self::Text(
                std::str::from_utf8(text)
                    .map_err(|error| rusqlite::Error::Utf8Error(0, error))?
                    .to_owned(),
            ),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
            // No column of ours is one.
            ValueRef::Real(_) => return Err(rusqlite::Error::InvalidQuery),
        })
    }
}

/// SQLite's own words, which name tables and columns but no values.
impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error {
            rusqlite::Error::SqliteFailure(error, _) => match error.code {
                // The machine's trouble, not the work's: it may pass.
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::OutOfMemory
                | ErrorCode::ReadOnly
                | ErrorCode::CannotOpen => Self::Unavailable(error.to_string()),
                ErrorCode::NotADatabase => Self::Foreign("the file is no SQLite database".into()),
                _ => Self::Refused(error.to_string()),
            },
            // Conversions of columns; the text of others may quote what they could not convert.
            _ => Self::Refused("a row is not as expected".to_owned()),
        }
    }
}

fn rolled_back() -> DatabaseError {
    DatabaseError::Unavailable("the transaction was rolled back".to_owned())
}

/// Makes an empty file that only its owner may read, with its folder. SQLite gives its journals the same mode.
fn make(path: &Path) -> Result<(), DatabaseError> {
    let failed = |error: std::io::Error| DatabaseError::Unavailable(format!("{}: {error}", path.display()));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(failed)?;
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(failed)?;
    // The file's name must survive a power loss as well as what is in it.
    fs::File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(failed)
}

fn open_for_writing(path: &Path) -> Result<Connection, DatabaseError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | COMMON)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Where the mode is impossible, SQLite keeps another one and calls it a success.
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    if mode != "wal" {
        return Err(DatabaseError::Refused(
            "there can be no write-ahead journal here".into(),
        ));
    }
    // What was answered survives power loss: each commit waits for the disk.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What SQLite sets aside while it works stays out of shared folders.
    connection.pragma_update(None, "temp_store", "memory")?;
    // SQLite walks through all of it at each commit with a split page.
    connection.pragma_update(None, "cache_size", -8192)?;
    // 32 MB: pages that many transactions touch go into the file once for all of them.
    connection.pragma_update(None, "wal_autocheckpoint", 8192)?;
    Ok(connection)
}

fn open_for_reading(path: &Path) -> Result<Connection, DatabaseError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | COMMON)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// No lock inside SQLite: a connection is used by one thread at a time.
const COMMON: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX;

/// How long to wait for another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Most work in one transaction.
const BATCH: usize = 256;

/// Most work that may wait. More means that the disk does not keep up: better to say so.
const QUEUE: usize = 4096;

/// Most connections kept for reading.
const READERS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Database, Location, values};

    #[test]
    fn does_what_every_database_does() {
        let folder = tempfile::tempdir().unwrap();
        crate::suite::run(&Location::Sqlite(folder.path().join("new").join("s")));
    }

    #[test]
    fn what_a_killed_process_left_in_the_journal_is_on_the_disk_before_anything_is_answered() {
        let folder = tempfile::tempdir().unwrap();
        let [killed, restarted, alone] =
            ["killed", "restarted", "alone"].map(|name| folder.path().join(name));
        let schema = Schema {
            name: "s",
            steps: &["CREATE TABLE things (id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;"],
        };
        let database = Database::open(&Location::Sqlite(killed.clone()), schema).unwrap();
        let written = database.write(|tx| tx.change("INSERT INTO things (id) VALUES (7)", &[]));
        assert_eq!(written, Ok(1));
        // As a kill leaves them: what was written last is in the journal alone.
        for end in ["", "-wal"] {
            let [from, to] = [&killed, &restarted].map(|path| format!("{}{end}", path.display()));
            fs::copy(from, to).unwrap();
        }
        let _restarted = Database::open(&Location::Sqlite(restarted.clone()), schema).unwrap();
        // The file alone, as a checkpoint has flushed it.
        fs::copy(&restarted, &alone).unwrap();
        let connection = Connection::open(&alone).unwrap();
        let found = connection.query_row("SELECT id FROM things", (), |row| row.get(0));
        assert_eq!(found, Ok(7));
    }

    #[test]
    fn a_statement_is_planned_once_whatever_its_values() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        make(&path).unwrap();
        let connection = open_for_writing(&path).unwrap();
        let mut session = Session::new(connection, &Arc::default()).unwrap();
        session
            .define(
                "CREATE TABLE things (id INTEGER PRIMARY KEY, kind TEXT NOT NULL) STRICT, WITHOUT ROWID;
                 CREATE INDEX things_a ON things (id) WHERE kind = 'a';",
            )
            .unwrap();
        let sql = "DELETE FROM things WHERE kind = $1 AND id < $2";
        for kind in ["a", "b", "a"] {
            session.change(sql, values![kind, 7_i64]).unwrap();
        }
        let statement = session.prepare(sql).unwrap();
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }

    #[test]
    fn another_file_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        fs::write(&path, "a text").unwrap();
        let schema = Schema {
            name: "s",
            steps: &[],
        };
        assert!(Database::open(&Location::Sqlite(path.clone()), schema).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"a text");
    }
}
