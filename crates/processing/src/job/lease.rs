//! Jobs that are being run: each by one instance, for a while.

use database::{DatabaseError, Row, Transaction, values};
use jiff::{SignedDuration, Timestamp};

use super::Kind;
use crate::id::Id;
use crate::time;

/// A job that nobody else runs until the lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lease {
    pub(crate) kind: Kind,
    pub(crate) key: Id,
    pub(crate) project: String,
    /// How often it has failed in a row.
    pub(crate) failures: u32,
    /// Milliseconds since 1970. Whoever takes the job over has a later one.
    until: i64,
}

/// Which jobs are meant: two statements over those that are due by `$1`. Those of a project whose clock is being advanced are left
/// to whoever advances it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    any: &'static str,
    first: &'static str,
}

macro_rules! due {
    ($kinds:literal) => {
        Due {
            any: concat!("SELECT 1 FROM jobs WHERE ", $kinds, due!(), " LIMIT 1"),
            first: concat!(
                "SELECT kind, key, project, failures FROM jobs WHERE ",
                $kinds,
                due!(),
                " ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED"
            ),
        }
    };
    () => {
        " AND due_at <= $1 AND leased_until <= $1 AND project NOT IN (SELECT project FROM holds)"
    };
}

/// Callbacks.
pub(crate) const DELIVERIES: Due = due!("kind = 'deliver'");

/// Everything else.
pub(super) const WORK: Due = due!("kind <> 'deliver'");

impl Due {
    /// Whether there is one.
    pub(crate) fn is_any(self, tx: &mut dyn Transaction, now: Timestamp) -> Result<bool, DatabaseError> {
        Ok(tx.row(self.any, values![time::to_sql(now)])?.is_some())
    }

    /// Takes the first ones, `most` at most.
    pub(crate) fn claim(
        self,
        tx: &mut dyn Transaction,
        most: u32,
        now: Timestamp,
        length: SignedDuration,
    ) -> Result<Vec<Lease>, DatabaseError> {
        let rows = tx.rows(self.first, values![time::to_sql(now), most])?;
        let mut leases = Vec::new();
        for row in rows {
            leases.extend(Lease::take(tx, &row, now, length)?);
        }
        Ok(leases)
    }
}

impl Lease {
    /// Takes the job of a row `kind, key, project, failures` that is locked. One that this version does not know is left alone
    /// for as long.
    pub(super) fn take(
        tx: &mut dyn Transaction,
        row: &Row,
        now: Timestamp,
        length: SignedDuration,
    ) -> Result<Option<Self>, DatabaseError> {
        let (kind, key): (String, Id) = (row.get(0)?, row.get(1)?);
        let until = time::to_sql(time::after(now, length));
        tx.change(
            "UPDATE jobs SET leased_until = $3 WHERE kind = $1 AND key = $2",
            values![&kind, key, until],
        )?;
        let Some(kind) = Kind::of(&kind) else {
            tracing::warn!(kind, "a job of a later version of this program");
            return Ok(None);
        };
        Ok(Some(Self {
            kind,
            key,
            project: row.get(2)?,
            failures: row.get(3)?,
            until,
        }))
    }

    /// Whether it lasts until `time`.
    pub(crate) fn lasts(&self, time: Timestamp) -> bool {
        self.until >= time::to_sql(time)
    }

    /// Makes it last for `length` from now on; `false` when another instance has taken the job over.
    pub(crate) fn renew(
        &mut self,
        tx: &mut dyn Transaction,
        now: Timestamp,
        length: SignedDuration,
    ) -> Result<bool, DatabaseError> {
        let until = time::to_sql(time::after(now, length));
        let changed = tx.change(
            "UPDATE jobs SET leased_until = $4 WHERE kind = $1 AND key = $2 AND leased_until = $3",
            values![self.kind.as_str(), self.key, self.until, until],
        )?;
        if changed == 1 {
            self.until = until;
        }
        Ok(changed == 1)
    }

    /// Ends it with the job done. What was scheduled meanwhile is to be done still.
    pub(crate) fn finish(&self, tx: &mut dyn Transaction) -> Result<(), DatabaseError> {
        let values = values![self.kind.as_str(), self.key, self.until];
        let done = tx.change(
            "DELETE FROM jobs WHERE kind = $1 AND key = $2 AND leased_until = $3 AND again_at IS NULL",
            values,
        )?;
        if done == 0 {
            // Nothing either where another instance has taken it over.
            tx.change(
                "UPDATE jobs SET due_at = again_at, again_at = NULL, leased_until = 0, failures = 0
                 WHERE kind = $1 AND key = $2 AND leased_until = $3 AND again_at IS NOT NULL",
                values,
            )?;
        }
        Ok(())
    }

    /// Ends it with the job failed: it is due again at `due`, or as soon as it was scheduled meanwhile.
    pub(crate) fn fail(&self, tx: &mut dyn Transaction, due: Timestamp) -> Result<(), DatabaseError> {
        self.put_back(tx, due, self.failures.saturating_add(1))
    }

    /// Ends it with the job not tried.
    pub(crate) fn postpone(&self, tx: &mut dyn Transaction, due: Timestamp) -> Result<(), DatabaseError> {
        self.put_back(tx, due, self.failures)
    }

    fn put_back(&self, tx: &mut dyn Transaction, due: Timestamp, failures: u32) -> Result<(), DatabaseError> {
        tx.change(
            "UPDATE jobs SET due_at = CASE WHEN again_at < behind.due THEN again_at ELSE behind.due END, again_at = NULL,
                 leased_until = 0, failures = $5
             FROM (SELECT CAST($4 AS BIGINT) + COALESCE((SELECT ahead FROM holds WHERE project = $6), 0) AS due) AS behind
             WHERE kind = $1 AND key = $2 AND leased_until = $3",
            values![
                self.kind.as_str(),
                self.key,
                self.until,
                time::to_sql(due),
                failures,
                &self.project
            ],
        )?;
        Ok(())
    }
}
