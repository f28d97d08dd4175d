//! The service and its database, killed and starved, in a short run of `cargo xtask torture`.

use anyhow::Result;

use super::Outcome;
use crate::browser::WITHOUT;
use crate::torture::Torture;
use crate::{postgresql, run};

/// Each line that the load prints is a promise that held; the first broken one ends it.
pub(super) fn check() -> Result<Outcome> {
    let finished = run::watched(&mut Torture::short().prepare()?)?;
    let found: Vec<String> = finished.text.lines().map(str::to_owned).collect();
    let mut outcome = Outcome::default();
    if postgresql::is_left_out() {
        outcome.skipped.push(format!(
            "{}: the service on it, as {WITHOUT} names it",
            postgresql::NAME
        ));
    }
    outcome.check(finished.success, || "the run failed; see above".to_owned());
    if finished.success {
        outcome.passed = found.len();
        outcome.notes = found;
    }
    Ok(outcome)
}
