//! A project's clock that is advanced: everything that falls due on the way is done at its time, in order, before it stands there.
//!
//! Work of different subjects is done side by side where nobody can tell: within a day what stays here, within a second what goes to shops,
//! which see the clock. For each job it is its own time; the clock shows that of the last of them. What waits is moved by all that once, at the end.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use database::{DatabaseError, Row, Transaction, values};
use jiff::{SignedDuration, Timestamp};
use wire::interface::StatusCode;

use super::lease::Lease;
use super::{Beside, Kind, catch_up, run, shift};
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
        self.shared.database.write(move |tx| release(tx, &name))?;
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
    fn run_all(&self, leases: Vec<(Lease, SignedDuration)>, courier: &dyn Courier) -> Result<(), Refusal> {
        let workers = leases.len().min(SIDE_BY_SIDE);
        let waiting = Mutex::new(leases.into_iter());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some((lease, lag)) = next() {
                let at_its_time = self.behind(lag);
                match lease.kind {
                    Kind::Deliver => at_its_time.deliver(lease, courier)?,
                    _ => at_its_time.run(lease)?,
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

/// Gives the jobs of a project back to everybody, each at its time.
pub(super) fn release(tx: &mut dyn Transaction, project: &str) -> Result<(), DatabaseError> {
    catch_up(tx, project)?;
    tx.change("DELETE FROM holds WHERE project = $1", values![project])?;
    Ok(())
}

/// Sets a project's clock ahead, or back, with all that waits for it.
pub(crate) fn jump(
    tx: &mut dyn Transaction,
    project: &str,
    ahead: SignedDuration,
) -> Result<(), DatabaseError> {
    set_ahead(tx, project, ahead)?;
    shift(tx, project, ahead)
}

fn set_ahead(tx: &mut dyn Transaction, project: &str, ahead: SignedDuration) -> Result<(), DatabaseError> {
    tx.change(
        "UPDATE projects SET clock_offset = clock_offset + $2 WHERE id = $1",
        values![project, time::millis(ahead)],
    )?;
    Ok(())
}

/// The same within an advance, which moves what waits at its end.
fn step(tx: &mut dyn Transaction, project: &str, ahead: SignedDuration) -> Result<(), DatabaseError> {
    set_ahead(tx, project, ahead)?;
    tx.change(
        "UPDATE holds SET ahead = ahead + $2 WHERE project = $1",
        values![project, time::millis(ahead)],
    )?;
    Ok(())
}

enum Step {
    /// These are due, each so long before the time at which the clock stands.
    Due(Vec<(Lease, SignedDuration)>),
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
        "SELECT clock_offset, COALESCE((SELECT ahead FROM holds WHERE holds.project = id), 0) FROM projects WHERE id = $1 FOR UPDATE",
        values![project],
    )?;
    let row = row.ok_or_else(|| Refusal::internal("a project is gone"))?;
    let shown = time::after(now, SignedDuration::from_millis(row.get(0)?));
    let left = until.duration_since(shown).max(SignedDuration::ZERO);
    // What waits has not been moved yet: for it the time is what it would be without the advance, and later by that.
    let of_jobs = time::after(now, SignedDuration::from_millis(row.get(1)?));
    let rows = tx.rows(
        "SELECT kind, key, project, failures, due_at, leased_until FROM jobs WHERE project = $1 AND due_at <= $2
         ORDER BY due_at, kind, key LIMIT $3 FOR UPDATE",
        values![project, time::to_sql(time::after(of_jobs, left)), TOGETHER],
    )?;
    let Some(first) = rows.first() else {
        step(tx, project, left)?;
        return Ok(Step::Stands(time::after(shown, left)));
    };
    if first.get::<i64>(5)? > time::to_sql(now) {
        return Ok(Step::Busy);
    }
    let together = together(&rows, now, of_jobs, shown.duration_since(of_jobs))?;
    let last = together.last().unwrap_or(&first);
    let ahead = time::from_sql(last.get(4)?)?.duration_since(of_jobs);
    if ahead.is_positive() {
        step(tx, project, ahead)?;
    }
    let mut leases = Vec::with_capacity(together.len());
    let stands = ahead.max(SignedDuration::ZERO);
    for row in together {
        let due = time::from_sql(row.get(4)?)?;
        // What was due before the clock began to move is simply late.
        let lag = stands.saturating_sub(due.duration_since(of_jobs).max(SignedDuration::ZERO));
        let lease = Lease::take(tx, row, now, run::LEASE)?;
        leases.extend(lease.map(|lease| (lease, lag)));
    }
    match leases.is_empty() {
        false => Ok(Step::Due(leases)),
        true => Ok(Step::Busy),
    }
}

/// The first jobs of a list in their order, as many as may be done side by side. The clock stands at `of_jobs`, for which it shows `offset` more.
fn together(
    rows: &[Row],
    now: Timestamp,
    of_jobs: Timestamp,
    offset: SignedDuration,
) -> Result<Vec<&Row>, Refusal> {
    let (stands, offset) = (time::to_sql(of_jobs), time::millis(offset));
    let day = |due: i64| (due + offset).div_euclid(DAY);
    let mut chosen: Vec<&Row> = Vec::new();
    let (mut subjects, mut begun) = (HashSet::new(), None);
    for row in rows {
        let (kind, due): (String, i64) = (row.get(0)?, row.get(4)?);
        let beside = Kind::of(&kind).map_or(Beside::Nothing, Kind::runs_beside);
        let fits = match begun {
            None => true,
            Some(first) => {
                let is_near = match beside {
                    Beside::Nothing => false,
                    // The clock does not move for what is late.
                    Beside::SameSecond => due <= stands || due - first <= SECOND,
                    // Balances are those of a day.
                    Beside::SameDay => true,
                };
                is_near && day(due) == day(first) && row.get::<i64>(5)? <= time::to_sql(now)
            }
        };
        if !fits || !subjects.insert(row.get::<Id>(1)?) {
            break;
        }
        chosen.push(row);
        if beside == Beside::Nothing {
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

/// In milliseconds.
const SECOND: i64 = 1000;

/// In milliseconds.
const DAY: i64 = 86_400_000;

/// Most jobs that are taken up at once.
const TOGETHER: u32 = 512;

/// Most that are under way at a moment.
const SIDE_BY_SIDE: usize = 32;

/// How often it is looked whether something is done that is being done elsewhere.
const LOOK: Duration = Duration::from_millis(20);
