//! PostgreSQL: a few connections, each with a thread of its own that takes what waits.

use std::cell::Cell;
use std::error::Error;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::Engine;
use crate::error::DatabaseError;
use crate::schema::{Definition, Dialect, Schema};
use crate::transaction::Transaction;
use crate::value::{Row, Value};
use crate::values;
use crate::work::{Ran, Work};

pub(crate) mod copy;
pub mod link;
pub mod text;
pub(crate) mod url;

use link::{Link, Trouble};
use url::PostgresUrl;

/// A database on a server.
pub(crate) struct Postgres {
    worker: Arc<Worker>,
    jobs: Option<SyncSender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

/// Work, and whether it only reads.
struct Job {
    work: Box<dyn Work>,
    reads: bool,
}

impl Postgres {
    pub(crate) fn open(url: &PostgresUrl, schema: Schema) -> Result<Self, DatabaseError> {
        aside(|| bring_forward(url, schema))?;
        let (jobs, waiting) = sync_channel(QUEUE);
        let waiting = Arc::new(Mutex::new(waiting));
        let worker = Arc::new(Worker {
            url: url.clone(),
            schema,
        });
        let threads = (0..CONNECTIONS).map(|_| {
            let (worker, waiting) = (Arc::clone(&worker), Arc::clone(&waiting));
            thread::Builder::new()
                .name("database-link".into())
                .spawn(move || run(&worker, &waiting))
                .map_err(|_| DatabaseError::Closing)
        });
        Ok(Self {
            threads: threads.collect::<Result<_, _>>()?,
            jobs: Some(jobs),
            worker,
        })
    }

    fn submit(&self, job: Job) {
        let Some(jobs) = &self.jobs else {
            return job.work.finish(Err(DatabaseError::Closing));
        };
        match jobs.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(job)) => job.work.finish(Err(DatabaseError::Overloaded)),
            Err(TrySendError::Disconnected(job)) => job.work.finish(Err(DatabaseError::Closing)),
        }
    }
}

impl Engine for Postgres {
    fn copy(&self, to: &Path) -> Result<(), DatabaseError> {
        copy::copy(&self.worker.url, &self.worker.schema, to)
    }

    fn write(&self, work: Box<dyn Work>) {
        self.submit(Job { work, reads: false });
    }

    fn read(&self, mut work: Box<dyn Work>) {
        if !WITHIN.get() {
            return self.submit(Job { work, reads: true });
        }
        // Whoever reads something else within a transaction holds a thread. Were all of them waiting for each other, none would go on.
        let read = self.worker.attempt(&mut None, &mut *work, true);
        work.finish(read);
    }

    fn scanned(&self) -> Option<u64> {
        None
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.jobs = None;
        let here = thread::current().id();
        for thread in self.threads.drain(..) {
            // The last one may be dropped by work that a thread itself has just finished. That one ends by itself.
            if thread.thread().id() != here {
                // It catches panics.
                let _ = thread.join();
            }
        }
    }
}

/// Works on a thread of its own: a connection may not be waited for on one that belongs to an async runtime.
fn aside<T: Send>(work: impl FnOnce() -> Result<T, DatabaseError> + Send) -> Result<T, DatabaseError> {
    let worked = thread::scope(|scope| scope.spawn(work).join());
    worked.unwrap_or(Err(DatabaseError::Closing))
}

/// Instances that start at the same moment make the same tables: one of them is refused, and finds them at its next turn.
fn bring_forward(url: &PostgresUrl, schema: Schema) -> Result<(), DatabaseError> {
    let mut turn = 0;
    loop {
        match Link::connect(url)
            .map_err(DatabaseError::from)
            .and_then(|link| make(&link, schema))
        {
            Err(error) if turn < STARTS && !matches!(error, DatabaseError::Foreign(_)) => {
                thread::sleep(Duration::from_millis(20 << turn));
                turn += 1;
            }
            made => return made,
        }
    }
}

fn make(link: &Link, schema: Schema) -> Result<(), DatabaseError> {
    let mut tables = Tables::new(link, schema);
    tables.command(&format!(
        "CREATE SCHEMA IF NOT EXISTS {0}; SET search_path TO {0}; BEGIN",
        schema.name
    ))?;
    if tables.has_table("about")? {
        // Who brings tables forward is waited for here.
        tables.command("SELECT 1 FROM about FOR UPDATE")?;
    }
    schema.bring_forward(Dialect::Postgres, &mut tables)?;
    tables.command("COMMIT")
}

fn run(worker: &Worker, waiting: &Mutex<Receiver<Job>>) {
    let mut link = None;
    let mut commits = 0_u32;
    loop {
        // Held while waiting: whoever comes next waits for the lock instead. Nothing panics under it.
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { mut work, reads }) = job else {
            return;
        };
        let done = worker.attempt(&mut link, &mut *work, reads);
        commits += u32::from(!reads);
        if commits % CLEANED == 1 {
            // The next turn finds what is left.
            let _ = link.as_ref().map(Commit::clean);
        }
        if let Err(error) = &done {
            tracing::error!(%error, "a transaction was not made");
        }
        work.finish(done);
    }
}

thread_local! {
    /// Whether this thread is within a transaction.
    static WITHIN: Cell<bool> = const { Cell::new(false) };
}

struct Worker {
    url: PostgresUrl,
    schema: Schema,
}

impl Worker {
    /// Tries work until it is done, or until trying again is of no use.
    fn attempt(
        &self,
        link: &mut Option<Link>,
        work: &mut dyn Work,
        reads: bool,
    ) -> Result<(), DatabaseError> {
        let mut commit = Commit::new()?;
        let mut losses = 0;
        let mut conflicts = 0;
        loop {
            let tried = self
                .connected(link)
                .and_then(|link| self.once(link, work, reads, &mut commit));
            let trouble = match tried {
                Ok(()) => return Ok(()),
                Err(trouble) => trouble,
            };
            match &trouble {
                Trouble::Conflict(_) if conflicts < CONFLICTS => {
                    thread::sleep(Duration::from_millis(1 << conflicts));
                    conflicts += 1;
                }
                // Once without a pause: a server that was started again closes what it had.
                Trouble::Lost(_) if losses < LOSSES && (losses == 0 || commit.is_unsettled) => {
                    *link = None;
                    thread::sleep(Duration::from_millis(100 << losses) * u32::from(losses > 0));
                    losses += 1;
                }
                _ if commit.is_unsettled => return Err(DatabaseError::Unknown),
                _ => return Err(trouble.into()),
            }
        }
    }

    fn connected<'a>(&self, link: &'a mut Option<Link>) -> Result<&'a Link, Trouble> {
        let open = link.take().filter(|link| link.session().is_open());
        let open = match open {
            Some(open) => open,
            None => {
                let new = Link::connect(&self.url)?;
                let path = format!("SET search_path TO {}", self.schema.name);
                new.wait(new.session().batch(&path))?;
                new
            }
        };
        Ok(link.insert(open))
    }

    fn once(
        &self,
        link: &Link,
        work: &mut dyn Work,
        reads: bool,
        commit: &mut Commit,
    ) -> Result<(), Trouble> {
        let session = link.session();
        link.wait(session.batch(if reads { BEGIN_READING } else { "BEGIN" }))?;
        if commit.is_unsettled {
            // Waits for the earlier transaction where it is still under way, and finds its row if it was committed.
            let was_committed = !commit.mark(link)?;
            commit.is_unsettled = false;
            if was_committed {
                return link.wait(session.batch("ROLLBACK"));
            }
        }
        let mut tables = Tables::new(link, self.schema);
        let within = WITHIN.replace(true);
        let ran = work.run(&mut tables);
        WITHIN.set(within);
        // What the database itself said, which the work may have turned into something else.
        if let Some(trouble) = tables.trouble.take() {
            // Fails on a connection that is gone, which is as good.
            let _ = link.wait(session.batch("ROLLBACK"));
            return Err(trouble);
        }
        match ran {
            Ran::Done { wrote: true } if !reads => {
                if !commit.is_marked {
                    commit.mark(link)?;
                }
                let committed = link.wait(session.batch("COMMIT"));
                commit.is_unsettled = matches!(committed, Err(Trouble::Lost(_)));
                committed
            }
            Ran::Failed(error) => {
                link.wait(session.batch("ROLLBACK"))?;
                Err(Trouble::Refused(error.to_string()))
            }
            Ran::Done { .. } | Ran::Undone => link.wait(session.batch("ROLLBACK")),
        }
    }
}

/// What tells afterwards whether a transaction was committed: a row of its own in the table `commits`.
///
/// A commit whose answer was lost may have happened, or may happen yet. So the next attempt begins with the same row: it waits for
/// the earlier transaction to end, and is there already if and only if that was committed.
struct Commit {
    id: Vec<u8>,
    /// Whether the row was written in the transaction under way.
    is_marked: bool,
    /// Whether an earlier attempt may have been committed.
    is_unsettled: bool,
}

impl Commit {
    fn new() -> Result<Self, DatabaseError> {
        let mut random = [0; 11];
        getrandom::fill(&mut random).map_err(|error| DatabaseError::Unavailable(error.to_string()))?;
        let [part, random @ ..] = random;
        let mut id = vec![part & 15];
        // In the order of time, so that old ones lie together; sixteen ends, which may lie on different machines.
        id.extend_from_slice(&seconds().to_be_bytes()[3..]);
        id.extend_from_slice(&random);
        Ok(Self {
            id,
            is_marked: false,
            is_unsettled: false,
        })
    }

    /// Writes the row; `false` when it is there.
    fn mark(&mut self, link: &Link) -> Result<bool, Trouble> {
        let session = link.session();
        let written = link.wait(session.execute(MARK, &[&self.id]))?;
        self.is_marked = written == 1;
        Ok(self.is_marked)
    }

    /// Removes the rows of commits that nobody asks for any more.
    fn clean(link: &Link) -> Result<(), Trouble> {
        let session = link.session();
        let until = seconds().saturating_sub(KEPT);
        for part in 0..16_u8 {
            let (from, mut to) = (vec![part], vec![part]);
            to.extend_from_slice(&until.to_be_bytes()[3..]);
            link.wait(session.execute(UNMARK, &[&from, &to]))?;
        }
        Ok(())
    }
}

fn seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

/// The tables over a connection. Remembers what the database said, which decides what is done next.
struct Tables<'a> {
    link: &'a Link,
    schema: Schema,
    trouble: Option<Trouble>,
}

impl<'a> Tables<'a> {
    fn new(link: &'a Link, schema: Schema) -> Self {
        Self {
            link,
            schema,
            trouble: None,
        }
    }

    fn command(&mut self, sql: &str) -> Result<(), DatabaseError> {
        let done = self.link.wait(self.link.session().batch(sql));
        self.told(done)
    }

    fn told<T>(&mut self, result: Result<T, Trouble>) -> Result<T, DatabaseError> {
        result.map_err(|trouble| {
            let error = trouble.clone().into();
            self.trouble.get_or_insert(trouble);
            error
        })
    }
}

impl Transaction for Tables<'_> {
    fn rows(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, DatabaseError> {
        let params: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let rows = self.link.wait(self.link.session().query(sql, &params));
        let rows = self.told(rows)?;
        rows.iter()
            .map(|row| (0..row.len()).map(|column| row.try_get(column)).collect())
            .map(|row: Result<_, tokio_postgres::Error>| row.map(Row))
            .collect::<Result<_, _>>()
            .map_err(|_| DatabaseError::Refused("a column is of a type that is not known here".to_owned()))
    }

    fn change(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, DatabaseError> {
        let params: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let changed = self.link.wait(self.link.session().execute(sql, &params));
        self.told(changed)
    }
}

impl Definition for Tables<'_> {
    fn define(&mut self, sql: &str) -> Result<(), DatabaseError> {
        self.command(sql)
    }

    fn has_table(&mut self, name: &str) -> Result<bool, DatabaseError> {
        let found = self.rows(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = $1 AND table_name = $2",
            values![self.schema.name, name],
        )?;
        Ok(!found.is_empty())
    }
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) => number.to_sql_checked(kind, out),
            Self::Text(text) => text.to_sql_checked(kind, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        // Decided by each value.
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        match *kind {
            Type::INT8 => Ok(Self::Integer(i64::from_sql(kind, raw)?)),
            // A number that stands in a statement.
            Type::INT4 => Ok(Self::Integer(i32::from_sql(kind, raw)?.into())),
            Type::BOOL => Ok(Self::Integer(bool::from_sql(kind, raw)?.into())),
            Type::BYTEA => Ok(Self::Bytes(Vec::from_sql(kind, raw)?)),
            _ => Ok(Self::Text(String::from_sql(kind, raw)?)),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(kind: &Type) -> bool {
        matches!(
            *kind,
            Type::INT8 | Type::INT4 | Type::BOOL | Type::BYTEA | Type::TEXT | Type::VARCHAR
        )
    }
}

const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

const MARK: &str =
    "INSERT INTO commits (id, committed_at) VALUES ($1, CAST(extract(epoch FROM now()) AS BIGINT))
     ON CONFLICT DO NOTHING";

const UNMARK: &str = "DELETE FROM commits WHERE id >= $1 AND id < $2";

/// How long the row of a commit is kept, in seconds: no attempt lasts longer.
const KEPT: u64 = 3600;

/// After how many commits of a connection old rows are removed.
const CLEANED: u32 = 4096;

/// Connections of one instance.
const CONNECTIONS: usize = 8;

/// How often work is tried again that lost against another transaction, after 1, 2, 4 … 32 ms.
const CONFLICTS: u32 = 6;

/// How often an instance that starts tries again to make the tables.
const STARTS: u32 = 4;

/// How often a lost connection is made anew while it is not known whether work was committed.
const LOSSES: u32 = 6;

/// Most work that may wait.
const QUEUE: usize = 4096;

#[cfg(test)]
mod tests;
