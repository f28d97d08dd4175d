//! Ten seconds of fuzzing for each parser that strangers feed.

use anyhow::Result;

use super::Outcome;
use crate::fuzz::Fuzz;

/// Each target is a check.
pub(super) fn check() -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for found in Fuzz::SHORT.run()? {
        outcome.check(found.finished.success, || found.finished.text.clone());
        outcome.notes.push(found.summary());
    }
    Ok(outcome)
}
