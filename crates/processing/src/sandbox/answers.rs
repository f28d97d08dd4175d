//! What the sandbox's ports remember of their answers: those that do not follow from the call itself.

use database::{Database, DatabaseError, values};
use jiff::Timestamp;
use wire::interface::StatusCode;
use wire::interface::sandbox::FaultKind;

use super::fault;
use crate::id::Id;
use crate::port::PortError;
use crate::project::Project;
use crate::time;

/// Which call of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Authorize,
    Complete,
    Capture,
    Release,
    Refund,
    Fiscal,
    Payout,
    CancelPayout,
    Sign,
    Confirm,
    Withdraw,
    Return,
}

impl Step {
    fn as_str(self) -> &'static str {
        match self {
            Self::Authorize => "authorize",
            Self::Complete => "complete",
            Self::Capture => "capture",
            Self::Release => "release",
            Self::Refund => "refund",
            Self::Fiscal => "fiscal",
            Self::Payout => "payout",
            Self::CancelPayout => "cancel_payout",
            Self::Sign => "sign",
            Self::Confirm => "confirm",
            Self::Withdraw => "withdraw",
            Self::Return => "return",
        }
    }
}

/// What was or is to be answered.
pub(super) fn find(
    database: &Database,
    project: &Project,
    operation: Id,
    step: Step,
) -> Result<Option<StatusCode>, DatabaseError> {
    let found = find_at(database, project, operation, step)?;
    Ok(found.map(|(result, _)| result))
}

/// The same, and when.
pub(super) fn find_at(
    database: &Database,
    project: &Project,
    operation: Id,
    step: Step,
) -> Result<Option<(StatusCode, Timestamp)>, DatabaseError> {
    let project = project.id.clone();
    database.read(move |tx| {
        let row = tx.row(
            "SELECT result, answered_at FROM sandbox_answers WHERE project = $1 AND operation = $2 AND step = $3",
            values![&project, operation, step.as_str()],
        )?;
        let damaged = |_| DatabaseError::Refused("the time of an answer is none".to_owned());
        row.map(|row| {
            let at = time::from_sql(row.get(1)?).map_err(damaged)?;
            Ok((StatusCode::from(row.get::<String>(0)?.as_str()), at))
        })
        .transpose()
    })
}

/// Keeps the first answer.
pub(super) fn keep(
    database: &Database,
    project: &Project,
    operation: Id,
    step: Step,
    result: StatusCode,
    now: Timestamp,
) -> Result<(), DatabaseError> {
    let project = project.id.clone();
    database.write(move |tx| {
        tx.change(
            "INSERT INTO sandbox_answers (project, operation, step, result, answered_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING",
            values![&project, operation, step.as_str(), result.as_str(), time::to_sql(now)],
        )?;
        Ok(())
    })
}

/// What a fault makes of a call. It makes the same of the same call later, but for [`StatusCode::TransactionInProgress`]: that time
/// alone there is no answer.
pub(super) fn forced(
    database: &Database,
    project: &Project,
    operation: Id,
    step: Step,
    paths: &[&str],
    now: Timestamp,
) -> Result<Option<StatusCode>, PortError> {
    if let Some(known) = find(database, project, operation, step).map_err(no_answer)? {
        return Ok(Some(known));
    }
    let fault = fault::take(database, project, paths, &[FaultKind::ForcedResult]).map_err(no_answer)?;
    let Some(result) = fault.and_then(|fault| fault.result()) else {
        return Ok(None);
    };
    if result == StatusCode::TransactionInProgress {
        return Err(PortError::new());
    }
    keep(database, project, operation, step, result.clone(), now).map_err(no_answer)?;
    Ok(Some(result))
}

/// The store is not there for the moment.
pub(super) fn no_answer(error: DatabaseError) -> PortError {
    tracing::warn!(%error, "the sandbox cannot answer");
    PortError::new()
}

pub(crate) const TABLES: &str = "
CREATE TABLE sandbox_answers (
    project     TEXT NOT NULL,
    operation   INTEGER NOT NULL,
    step        TEXT NOT NULL,
    result      TEXT NOT NULL, -- a status code, or a code of tax receipts
    answered_at INTEGER NOT NULL,
    PRIMARY KEY (project, operation, step)
) STRICT, WITHOUT ROWID;
";
