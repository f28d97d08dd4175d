//! A project's clock that is advanced: everything that falls due on the way is done at its time, in order, before it stands there.

use std::thread;
use std::time::Duration;

use database::{DatabaseError, Transaction, values};
use jiff::{SignedDuration, Timestamp};
use wire::interface::StatusCode;

use super::lease::Lease;
use super::{Kind, run, shift};
use crate::callback::{Delivery, Sent};
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::time;

/// Who takes callbacks to shops, for callers that wait for it.
pub trait Courier {
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
                Step::Due(lease) if lease.kind == Kind::Deliver => self.deliver(lease, courier)?,
                Step::Due(lease) => self.run(lease)?,
            }
        }
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
    /// This is due, and the clock stands at its time.
    Due(Lease),
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
    let row = tx.row(
        "SELECT kind, key, project, failures, due_at, leased_until FROM jobs WHERE project = $1 AND due_at <= $2
         ORDER BY due_at, kind, key LIMIT 1 FOR UPDATE",
        values![project, time::to_sql(time::after(now, left))],
    )?;
    let Some(row) = row else {
        jump(tx, project, left)?;
        return Ok(Step::Stands(time::after(shown, left)));
    };
    if row.get::<i64>(5)? > time::to_sql(now) {
        return Ok(Step::Busy);
    }
    let ahead = time::from_sql(row.get(4)?)?.duration_since(now);
    if ahead.is_positive() {
        jump(tx, project, ahead)?;
    }
    match Lease::take(tx, &row, now, run::LEASE)? {
        Some(lease) => Ok(Step::Due(lease)),
        None => Ok(Step::Busy),
    }
}

fn held_until(now: Timestamp) -> i64 {
    time::to_sql(time::after(now, HELD))
}

/// For how long jobs are left alone by others when whoever advances the clock has crashed. Longer than any of them takes.
const HELD: SignedDuration = SignedDuration::from_mins(5);

/// How often it is looked whether something is done that is being done elsewhere.
const LOOK: Duration = Duration::from_millis(20);
