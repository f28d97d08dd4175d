//! What is to go wrong, because a test asked for it.

use database::{Database, DatabaseError, Row, Transaction, values};
use wire::interface::StatusCode;
use wire::interface::sandbox::{FaultKind, SandboxFault, SandboxFaults};
use wire::interface::values::{Text, Whole};

use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

/// Where callbacks go wrong, in the place of a path.
pub(crate) const CALLBACKS: &str = "callbacks";

/// Where tax receipts do.
pub(crate) const FISCALIZATION: &str = "fiscalization";

impl Processing {
    /// Adds faults behind those that there are, and tells all of them.
    pub fn add_faults(&self, project: &Project, faults: Vec<SandboxFault>) -> Result<SandboxFaults, Refusal> {
        super::only(project)?;
        faults.iter().try_for_each(check)?;
        let project = project.id.clone();
        self.shared.database.write(move |tx| {
            // Numbers are given by one transaction at a time.
            tx.rows("SELECT 1 FROM projects WHERE id = $1 FOR UPDATE", values![&project])?;
            let rows = tx.rows(ALL, values![&project])?;
            if rows.len() + faults.len() > MOST {
                return Err(Refusal::new(StatusCode::InvalidData, format!("a project has {MOST} faults at most")));
            }
            let last = rows.last().map_or(Ok(0), |row| row.get(0))?;
            for (number, fault) in (last + 1_i64..).zip(&faults) {
                tx.change(
                    "INSERT INTO sandbox_faults (project, number, path, kind, times, milliseconds, status, code)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                    values![
                        &project,
                        number,
                        &*fault.path,
                        fault.kind.as_str(),
                        fault.times.map_or(1, Whole::value),
                        fault.milliseconds.map(Whole::value),
                        fault.status.map(Whole::value),
                        fault.code.as_deref()
                    ],
                )?;
            }
            list(tx, &project).map_err(Refusal::from)
        })
    }

    /// The faults that are still to come.
    pub fn faults(&self, project: &Project) -> Result<SandboxFaults, Refusal> {
        super::only(project)?;
        let project = project.id.clone();
        Ok(self.shared.database.read(move |tx| list(tx, &project))?)
    }

    /// Takes all faults back.
    pub fn clear_faults(&self, project: &Project) -> Result<SandboxFaults, Refusal> {
        super::only(project)?;
        let project = project.id.clone();
        self.shared
            .database
            .write(move |tx| tx.change("DELETE FROM sandbox_faults WHERE project = $1", values![&project]))?;
        Ok(SandboxFaults::default())
    }

    /// The first fault of these kinds that is to happen at `path`, which has happened thereby. Waits for the disk where there is one.
    pub fn take_fault(
        &self,
        project: &Project,
        path: &str,
        kinds: &'static [FaultKind],
    ) -> Result<Option<SandboxFault>, Refusal> {
        Ok(take(&self.shared.database, project, &[path], kinds)?)
    }
}

/// The same at the first of several paths.
pub(super) fn take(
    database: &Database,
    project: &Project,
    paths: &[&str],
    kinds: &'static [FaultKind],
) -> Result<Option<SandboxFault>, DatabaseError> {
    if project.is_live {
        return Ok(None);
    }
    let id = project.id.clone();
    let faults = database.read({
        let id = id.clone();
        move |tx| tx.rows(ALL, values![&id])
    })?;
    for row in faults {
        let fault = fault(&row)?;
        if !kinds.contains(&fault.kind) || !paths.iter().any(|path| fault.is_at(path)) {
            continue;
        }
        let (id, number) = (id.clone(), row.get::<i64>(0)?);
        // Another call may have been faster.
        let taken = database.write(move |tx| {
            let taken = tx.change(
                "UPDATE sandbox_faults SET times = times - 1 WHERE project = $1 AND number = $2 AND times > 0",
                values![&id, number],
            )?;
            tx.change(
                "DELETE FROM sandbox_faults WHERE project = $1 AND number = $2 AND times = 0",
                values![&id, number],
            )?;
            Ok::<_, DatabaseError>(taken == 1)
        })?;
        if taken {
            return Ok(Some(fault));
        }
    }
    Ok(None)
}

/// A fault that could never happen is a mistake of the test.
fn check(fault: &SandboxFault) -> Result<(), Refusal> {
    let refused =
        |param: &str, message: &str| Err(Refusal::new(StatusCode::InvalidRequestBody, message).at(param));
    let path = fault.path.as_str();
    let is_possible = match path {
        CALLBACKS => fault.kind != FaultKind::ForcedResult,
        FISCALIZATION => fault.kind == FaultKind::ForcedResult,
        _ => path.starts_with("/api/"),
    };
    if !is_possible {
        return refused(
            "path",
            "`path` must be a path of the interface, `callbacks` or `fiscalization`, at which this kind of fault can happen",
        );
    }
    if fault.kind == FaultKind::ForcedResult && fault.code.is_none() {
        return refused("code", "`code` must be the result that is forced");
    }
    if path == FISCALIZATION && super::fiscal::code(fault.code.as_deref()).is_none() {
        return refused(
            "code",
            "`code` must be a code of tax receipts: 1000, 1001, 2001, 2002, 3001 or 3002",
        );
    }
    Ok(())
}

fn list(tx: &mut dyn Transaction, project: &str) -> Result<SandboxFaults, DatabaseError> {
    let rows = tx.rows(ALL, values![project])?;
    let faults = rows.iter().map(fault).collect::<Result<_, _>>()?;
    Ok(SandboxFaults { faults })
}

fn fault(row: &Row) -> Result<SandboxFault, DatabaseError> {
    let whole = |column| row.get::<Option<u32>>(column);
    let kind: String = row.get(2)?;
    let kind = FaultKind::of(&kind).ok_or_else(|| damaged("kind"))?;
    Ok(SandboxFault {
        path: Text::new(row.get::<String>(1)?).ok_or_else(|| damaged("path"))?,
        kind,
        times: whole(3)?.and_then(Whole::new),
        milliseconds: whole(4)?.and_then(Whole::new),
        status: whole(5)?.and_then(Whole::new),
        code: row.get::<Option<String>>(6)?.and_then(Text::new),
    })
}

fn damaged(what: &str) -> DatabaseError {
    DatabaseError::Refused(format!("the {what} of a fault is none"))
}

/// In the order in which they happen.
const ALL: &str = "SELECT number, path, kind, times, milliseconds, status, code FROM sandbox_faults
    WHERE project = $1 ORDER BY number";

/// Per project.
const MOST: usize = 100;

pub(crate) const TABLES: &str = "
CREATE TABLE sandbox_faults (
    project      TEXT NOT NULL,
    number       INTEGER NOT NULL, -- their order
    path         TEXT NOT NULL,
    kind         TEXT NOT NULL,
    times        INTEGER NOT NULL, -- that are left
    milliseconds INTEGER,
    status       INTEGER,
    code         TEXT,
    PRIMARY KEY (project, number)
) STRICT, WITHOUT ROWID;
";

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::testing::{Place, in_both};

    fn fault(json: &str) -> SandboxFault {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn many_calls_take_a_fault_as_often_as_was_said() {
        in_both(|place| {
            let project = place.sandbox();
            let added = place.processing.add_faults(
                &project,
                vec![
                    fault(r#"{"path": "callbacks", "kind": "drop", "times": 3}"#),
                    fault(r#"{"path": "/api/payments/*", "kind": "delay", "milliseconds": 5, "times": 7}"#),
                ],
            );
            assert_eq!(added.unwrap().faults.len(), 2);
            let callers = [(); 4].map(|()| {
                let (processing, project) = (place.processing.clone(), project.clone());
                thread::spawn(move || {
                    let take =
                        |path| processing.take_fault(&project, path, &[FaultKind::Delay, FaultKind::Drop]);
                    let paths = [
                        "/api/payments/v1/new",
                        "/api/payments/v1/refund",
                        "/api/payouts/v1/info",
                    ];
                    let taken = (0..9).filter(|at| take(paths[at % 3]).unwrap().is_some());
                    taken.count()
                })
            });
            let taken: usize = callers.into_iter().map(|caller| caller.join().unwrap()).sum();
            assert_eq!(taken, 7);
            let other = place
                .processing
                .authenticate("sandbox-2", b"sandbox-2-password")
                .unwrap();
            assert_eq!(
                place.processing.take_fault(&other, CALLBACKS, &[FaultKind::Drop]),
                Ok(None)
            );
            let kinds: &[FaultKind] = &[FaultKind::Duplicate];
            assert_eq!(place.processing.take_fault(&project, CALLBACKS, kinds), Ok(None));
            let left = place.processing.faults(&project).unwrap().faults;
            assert_eq!(
                left,
                [fault(r#"{"path": "callbacks", "kind": "drop", "times": 3}"#)]
            );
            place.processing.clear_faults(&project).unwrap();
            assert!(place.processing.faults(&project).unwrap().faults.is_empty());
        });
    }

    #[test]
    fn what_could_never_happen_is_refused_and_nothing_is_added() {
        let place = Place::sqlite();
        let project = place.sandbox();
        let good = r#"{"path": "/api/payments/v1/new", "kind": "drop"}"#;
        for (json, param) in [
            (r#"{"path": "/sandbox/v1/clock", "kind": "drop"}"#, "path"),
            (r#"{"path": "*", "kind": "drop"}"#, "path"),
            (
                r#"{"path": "callbacks", "kind": "forced_result", "code": "x"}"#,
                "path",
            ),
            (r#"{"path": "fiscalization", "kind": "delay"}"#, "path"),
            (
                r#"{"path": "fiscalization", "kind": "forced_result", "code": "1002"}"#,
                "code",
            ),
            (
                r#"{"path": "/api/payments/v1/new", "kind": "forced_result"}"#,
                "code",
            ),
        ] {
            let refused = place
                .processing
                .add_faults(&project, vec![fault(good), fault(json)]);
            assert_eq!(refused.unwrap_err().param, param, "{json}");
        }
        let many = vec![fault(good); MOST + 1];
        assert!(place.processing.add_faults(&project, many).is_err());
        assert!(place.processing.faults(&project).unwrap().faults.is_empty());
        let live = Project {
            is_live: true,
            ..(*project).clone()
        };
        let refused = place.processing.add_faults(&live, vec![fault(good)]);
        assert_eq!(refused.unwrap_err().code, StatusCode::AccessNotAllowed);
    }
}
