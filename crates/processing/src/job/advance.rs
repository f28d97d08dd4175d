//! A project's clock that is advanced: everything that falls due on the way is done at its time, in order, before it stands there.
//!
//! What falls due within one second is done side by side where nobody can tell: work of different subjects. The clock shows the time of the
//! last of it then, so that nothing is done before its time.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use database::{DatabaseError, Row, Transaction, values};
use jiff::{SignedDuration, Timestamp};
use wire::interface::StatusCode;

use super::lease::Lease;
use super::{Kind, run, shift};
use crate::callback::{Delivery, Sent};
use crate::id::Id;
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::time;

/// Who takes callbacks to shops, for callers that wait for it: for several at once.
pub trait Courier: Sync {
    /// Sends one and waits for what comes back.
    fn send(&self, delivery: &Delivery) -> Sent;
}

impl Processing {
    /// Advances the clock of a project to `until` and tells what it shows then: later by what that took, or what it shows anyway where
    /// it is ahead already. Meanwhile nobody else runs the project's jobs; a second one who advances it is refused. Waits for the disk
    /// and for shops.
    pub fn advance(
        &self,
        project: &str,
        until: Timestamp,
        courier: &dyn Courier,
    ) -> Result<Timestamp, Refusal> {
        self.hold(project)?;
        let advanced = self.advance_held(project, until, courier);
        // Otherwise it ends by itself.
        let name = project.to_owned();
        self.shared
            .database
            .write(move |tx| tx.change("DELETE FROM holds WHERE project = $1", values![&name]))?;
        advanced
    }

    fn hold(&self, project: &str) -> Result<(), Refusal> {
        let now = self.shared.now();
        let name = project.to_owned();
        let held = self.shared.database.write(move |tx| {
            tx.change(
                "INSERT INTO holds (project, until) VALUES ($1, $2)
                 ON CONFLICT (project) DO UPDATE SET until = excluded.until WHERE holds.until <= $3",
                values![&name, held_until(now), time::to_sql(now)],
            )
        })?;
        match held {
            0 => Err(Refusal::new(
                StatusCode::ActionNotAllowed,
                "the clock is being advanced already",
            )),
            _ => Ok(()),
        }
    }

    fn advance_held(
        &self,
        project: &str,
        until: Timestamp,
        courier: &dyn Courier,
    ) -> Result<Timestamp, Refusal> {
        loop {
            let now = self.shared.now();
            let name = project.to_owned();
            let step = self
                .shared
                .database
                .write(move |tx| next(tx, &name, until, now))?;
            self.shared.registry.forget(project);
            match step {
                Step::Stands(time) => return Ok(time),
                Step::Busy => thread::sleep(LOOK),
                Step::Due(leases) => self.run_all(leases, courier)?,
            }
        }
    }

    /// Does jobs side by side: while some wait for the disk, others work, and what they write is flushed together.
    fn run_all(&self, leases: Vec<Lease>, courier: &dyn Courier) -> Result<(), Refusal> {
        let workers = leases.len().min(SIDE_BY_SIDE);
        let waiting = Mutex::new(leases.into_iter());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some(lease) = next() {
                match lease.kind {
                    Kind::Deliver => self.deliver(lease, courier)?,
                    _ => self.run(lease)?,
                }
            }
            Ok(())
        };
        if workers < 2 {
            return work();
        }
        thread::scope(|scope| {
            let working: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let done = working.into_iter().map(|working| {
                let broken = || Refusal::internal("a job broke off");
                working.join().unwrap_or_else(|_| Err(broken()))
            });
            // All of them are waited for.
            done.fold(Ok(()), Result::and)
        })
    }
}

/// Sets a project's clock ahead, or back, with all that waits for it.
pub(crate) fn jump(
    tx: &mut dyn Transaction,
    project: &str,
    ahead: SignedDuration,
) -> Result<(), DatabaseError> {
    tx.change(
        "UPDATE projects SET clock_offset = clock_offset + $2 WHERE id = $1",
        values![project, time::millis(ahead)],
    )?;
    shift(tx, project, ahead)
}

enum Step {
    /// These are due, and the clock stands at their time.
    Due(Vec<Lease>),
    /// Something is due that is being done elsewhere.
    Busy,
    /// Nothing is due any more, and the clock stands there.
    Stands(Timestamp),
}

fn next(tx: &mut dyn Transaction, project: &str, until: Timestamp, now: Timestamp) -> Result<Step, Refusal> {
    tx.change(
        "UPDATE holds SET until = $2 WHERE project = $1",
        values![project, held_until(now)],
    )?;
    let row = tx.row(
        "SELECT clock_offset FROM projects WHERE id = $1 FOR UPDATE",
        values![project],
    )?;
    let offset: i64 = row
        .ok_or_else(|| Refusal::internal("a project is gone"))?
        .get(0)?;
    let shown = time::after(now, SignedDuration::from_millis(offset));
    let left = until.duration_since(shown).max(SignedDuration::ZERO);
    let rows = tx.rows(
        "SELECT kind, key, project, failures, due_at, leased_until FROM jobs WHERE project = $1 AND due_at <= $2
         ORDER BY due_at, kind, key LIMIT $3 FOR UPDATE",
        values![project, time::to_sql(time::after(now, left)), TOGETHER],
    )?;
    let Some(first) = rows.first() else {
        jump(tx, project, left)?;
        return Ok(Step::Stands(time::after(shown, left)));
    };
    if first.get::<i64>(5)? > time::to_sql(now) {
        return Ok(Step::Busy);
    }
    let together = together(&rows, now, offset)?;
    let last = together.last().unwrap_or(&first);
    let ahead = time::from_sql(last.get(4)?)?.duration_since(now);
    if ahead.is_positive() {
        jump(tx, project, ahead)?;
    }
    let mut leases = Vec::with_capacity(together.len());
    for row in together {
        leases.extend(Lease::take(tx, row, now, run::LEASE)?);
    }
    match leases.is_empty() {
        false => Ok(Step::Due(leases)),
        true => Ok(Step::Busy),
    }
}

/// The first jobs of a list in their order, as many as may be done side by side.
fn together(rows: &[Row], now: Timestamp, offset: i64) -> Result<Vec<&Row>, Refusal> {
    let day = |due: i64| (due + offset).div_euclid(DAY);
    let mut chosen: Vec<&Row> = Vec::new();
    let (mut subjects, mut begun) = (HashSet::new(), None);
    for row in rows {
        let (kind, due): (String, i64) = (row.get(0)?, row.get(4)?);
        let is_beside = Kind::of(&kind).is_some_and(Kind::runs_beside_others);
        let fits = match begun {
            None => true,
            // Balances are those of a day.
            Some(first) => {
                let is_near = due - first <= NEAR && day(due) == day(first);
                is_beside && is_near && row.get::<i64>(5)? <= time::to_sql(now)
            }
        };
        if !fits || !subjects.insert(row.get::<Id>(1)?) {
            break;
        }
        chosen.push(row);
        if !is_beside {
            break;
        }
        begun = begun.or(Some(due));
    }
    Ok(chosen)
}

fn held_until(now: Timestamp) -> i64 {
    time::to_sql(time::after(now, HELD))
}

/// For how long jobs are left alone by others when whoever advances the clock has crashed. Longer than any of them takes.
const HELD: SignedDuration = SignedDuration::from_mins(5);

/// Longest time between two jobs that are done side by side, in milliseconds.
const NEAR: i64 = 1000;

/// In milliseconds.
const DAY: i64 = 86_400_000;

/// Most jobs that are taken up at once.
const TOGETHER: u32 = 512;

/// Most that are under way at a moment.
const SIDE_BY_SIDE: usize = 32;

/// How often it is looked whether something is done that is being done elsewhere.
const LOOK: Duration = Duration::from_millis(20);
