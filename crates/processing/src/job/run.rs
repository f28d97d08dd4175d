//! Running what is due.

use database::{DatabaseError, Transaction, values};
use jiff::{SignedDuration, Timestamp};

use super::advance::release;
use super::lease::{Lease, WORK};
use super::pause;
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::time;

impl Processing {
    /// Does one job that is due, deliveries aside; `false` when none is. May be called by many threads and instances at once. Waits
    /// for the disk, and for whoever the job has to ask.
    pub fn run_job(&self) -> Result<bool, Refusal> {
        let now = self.shared.now();
        let database = &self.shared.database;
        let (left, is_any) =
            database.read(move |tx| Ok::<_, Refusal>((left_hold(tx, now)?, WORK.is_any(tx, now)?)))?;
        if let Some(project) = left {
            database.write(move |tx| end_hold(tx, &project, now))?;
            return Ok(true);
        }
        if !is_any {
            return Ok(false);
        }
        let claimed = database.write(move |tx| WORK.claim(tx, 1, now, LEASE))?;
        let Some(lease) = claimed.into_iter().next() else {
            return Ok(false);
        };
        self.run(lease)?;
        Ok(true)
    }

    /// Does a job, and has it tried again later when it fails.
    pub(super) fn run(&self, lease: Lease) -> Result<(), Refusal> {
        let done = self.work(lease.kind, lease.key);
        if let Err(error) = &done {
            tracing::warn!(kind = lease.kind.as_str(), failures = lease.failures, %error, "a job failed");
        }
        let due = time::after(self.shared.now(), pause(lease.failures, LONGEST));
        self.shared.database.write(move |tx| match &done {
            Ok(()) => lease.finish(tx),
            Err(_) => lease.fail(tx, due),
        })?;
        Ok(())
    }
}

/// A project whose clock was being advanced by somebody who has gone.
fn left_hold(tx: &mut dyn Transaction, now: Timestamp) -> Result<Option<String>, DatabaseError> {
    let row = tx.row(
        "SELECT project FROM holds WHERE until <= $1 LIMIT 1",
        values![time::to_sql(now)],
    )?;
    row.map(|row| row.get(0)).transpose()
}

/// Gives its jobs back to everybody, unless somebody goes on with it.
fn end_hold(tx: &mut dyn Transaction, project: &str, now: Timestamp) -> Result<(), DatabaseError> {
    let row = tx.row(
        "SELECT 1 FROM holds WHERE project = $1 AND until <= $2 FOR UPDATE",
        values![project, time::to_sql(now)],
    )?;
    match row {
        Some(_) => release(tx, project),
        None => Ok(()),
    }
}

/// Longer than any job takes: one that was cut short by a crash is taken over thereafter.
pub(super) const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// Longest pause between two attempts.
const LONGEST: SignedDuration = SignedDuration::from_mins(10);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;
    use crate::job::{Kind, schedule};
    use crate::testing::{Place, in_both};

    /// As somebody leaves a project who has moved its clock by an hour, and not yet what waits.
    fn begin(place: &Place, until: Timestamp, jobs: &[(Id, Timestamp)]) {
        let jobs = jobs.to_vec();
        let begun = place.processing.shared.database.write(move |tx| {
            // Before the clock moved, and after it.
            let (before, after) = jobs.split_at(1);
            for (key, due) in before {
                schedule(tx, Kind::Forget, *key, "sandbox", *due)?;
            }
            tx.change(
                "INSERT INTO holds (project, until, ahead) VALUES ('sandbox', $1, 3600000)",
                values![time::to_sql(until)],
            )?;
            for (key, due) in after {
                schedule(tx, Kind::Forget, *key, "sandbox", *due)?;
            }
            Ok::<_, DatabaseError>(())
        });
        begun.unwrap();
    }

    fn due(place: &Place) -> Vec<i64> {
        let rows = place
            .processing
            .shared
            .database
            .read(|tx| tx.rows("SELECT due_at FROM jobs ORDER BY key", &[]));
        rows.unwrap().iter().map(|row| row.get(0).unwrap()).collect()
    }

    #[test]
    fn whoever_advances_a_clock_and_goes_leaves_what_waits_at_its_time() {
        in_both(|place| {
            let now = place.processing.shared.now();
            let hours = |count| time::after(now, SignedDuration::from_hours(count));
            let keys = [Id::new(now).unwrap(), Id::new(hours(1)).unwrap()];
            begin(place, hours(2), &[(keys[0], hours(5)), (keys[1], hours(7))]);
            assert!(!place.processing.run_job().unwrap(), "it is being advanced");
            assert_eq!(due(place), [hours(5), hours(8)].map(time::to_sql));
            place.clock.advance(2 * 3_600_000);
            assert!(place.processing.run_job().unwrap(), "nobody advances it any more");
            assert_eq!(due(place), [hours(4), hours(7)].map(time::to_sql));
            assert!(!place.processing.run_job().unwrap(), "nothing is due");
        });
    }

    #[test]
    fn who_goes_on_with_an_advance_goes_on_with_what_waits() {
        in_both(|place| {
            let now = place.processing.shared.now();
            let hours = |count| time::after(now, SignedDuration::from_hours(count));
            let keys = [Id::new(now).unwrap(), Id::new(hours(1)).unwrap()];
            begin(place, now, &[(keys[0], hours(5)), (keys[1], hours(7))]);
            place.processing.advance("sandbox", hours(3), &Nobody).unwrap();
            assert_eq!(due(place), [hours(1), hours(4)].map(time::to_sql));
            place.processing.advance("sandbox", hours(4), &Nobody).unwrap();
            assert_eq!(due(place), [hours(3)].map(time::to_sql), "the first one was due");
        });
    }

    struct Nobody;

    impl crate::Courier for Nobody {
        fn send(&self, _: &crate::callback::Delivery) -> crate::callback::Sent {
            unreachable!("nothing is to be sent")
        }
    }
}
