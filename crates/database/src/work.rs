//! Work for a thread that has a connection, whatever its types are.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::DatabaseError;
use crate::transaction::Transaction;
use crate::value::{Row, Value};

/// Work that waits for its transaction, or has had it.
pub(crate) trait Work: Send {
    /// Does it. May be called again, after a transaction that came to nothing.
    fn run(&mut self, transaction: &mut dyn Transaction) -> Ran;

    /// Tells whoever waits. `committed` is the fate of the transaction.
    fn finish(self: Box<Self>, committed: Result<(), DatabaseError>);
}

/// How work left its transaction.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    /// What it wrote is to be kept, if it wrote something.
    Done { wrote: bool },
    /// It refused, in words of its own: what it wrote is to be undone.
    Undone,
    /// The database was in the way, whatever the work made of that.
    Failed(DatabaseError),
}

/// `work` with somebody who hears how it went.
pub(crate) fn of<T, E>(
    work: impl FnMut(&mut dyn Transaction) -> Result<T, E> + Send + 'static,
    done: impl FnOnce(Result<T, E>) + Send + 'static,
) -> Box<dyn Work>
where
    T: Send + 'static,
    E: From<DatabaseError> + Send + 'static,
{
    Box::new(Typed {
        work,
        done,
        outcome: None,
    })
}

struct Typed<T, E, W, D> {
    work: W,
    done: D,
    outcome: Option<Result<T, E>>,
}

impl<T, E, W, D> Work for Typed<T, E, W, D>
where
    T: Send,
    E: From<DatabaseError> + Send,
    W: FnMut(&mut dyn Transaction) -> Result<T, E> + Send,
    D: FnOnce(Result<T, E>) + Send,
{
    fn run(&mut self, transaction: &mut dyn Transaction) -> Ran {
        self.outcome = None;
        let mut watched = Watched {
            transaction,
            trouble: None,
            wrote: false,
        };
        // A panic in it must not end the thread that all others wait for. Its message may quote anything.
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(&mut watched)));
        let Ok(outcome) = outcome else {
            tracing::error!("a panic within a transaction");
            return Ran::Failed(DatabaseError::Refused("the work stopped half-way".into()));
        };
        if let Some(trouble) = watched.trouble {
            return Ran::Failed(trouble);
        }
        let wrote = watched.wrote;
        let ran = match &outcome {
            Ok(_) => Ran::Done { wrote },
            Err(_) => Ran::Undone,
        };
        self.outcome = Some(outcome);
        ran
    }

    fn finish(self: Box<Self>, committed: Result<(), DatabaseError>) {
        let Self { done, outcome, .. } = *self;
        let outcome = match (committed, outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(DatabaseError::Closing.into()),
            // Refusals too: they may rest on what was not committed.
            (Err(error), _) => Err(error.into()),
        };
        if catch_unwind(AssertUnwindSafe(|| done(outcome))).is_err() {
            tracing::error!("a panic behind a transaction");
        }
    }
}

/// Remembers what the work may have kept to itself.
struct Watched<'a> {
    transaction: &'a mut dyn Transaction,
    trouble: Option<DatabaseError>,
    wrote: bool,
}

impl Watched<'_> {
    fn watch<T>(&mut self, result: Result<T, DatabaseError>) -> Result<T, DatabaseError> {
        if let Err(error) = &result {
            self.trouble.get_or_insert_with(|| error.clone());
        }
        result
    }

    /// After an error the transaction is lost, and further statements are only in the way.
    fn go_on(&self) -> Result<(), DatabaseError> {
        self.trouble.clone().map_or(Ok(()), Err)
    }
}

impl Transaction for Watched<'_> {
    fn rows(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, DatabaseError> {
        self.go_on()?;
        // `INSERT … RETURNING` gives rows too.
        self.wrote |= !sql.trim_start().starts_with("SELECT");
        let result = self.transaction.rows(sql, values);
        self.watch(result)
    }

    fn change(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, DatabaseError> {
        self.go_on()?;
        self.wrote = true;
        let result = self.transaction.change(sql, values);
        self.watch(result)
    }
}
