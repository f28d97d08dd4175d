//! Running what is due.

use jiff::SignedDuration;

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
        if !database.read(move |tx| WORK.is_any(tx, now))? {
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

/// Longer than any job takes: one that was cut short by a crash is taken over thereafter.
pub(super) const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// Longest pause between two attempts.
const LONGEST: SignedDuration = SignedDuration::from_mins(10);
