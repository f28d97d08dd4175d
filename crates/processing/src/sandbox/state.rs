//! A project's state as a whole: emptied, saved, brought back.

use database::{Row, Transaction, Value, values};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use wire::interface::StatusCode;
use wire::interface::sandbox::{SandboxClock, SandboxSnapshot};

use super::tables::{self, Table};
use crate::id::Id;
use crate::job;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

impl Processing {
    /// Empties a project: payments, saved cards, callbacks, balances and faults go, its clock shows the real time, its limits are off, it pays
    /// no commission. Its credentials, its widget keys and its snapshots stay, as do cards and tokens in the vault. Waits for the disk.
    pub fn reset(&self, project: &Project) -> Result<SandboxClock, Refusal> {
        super::only(project)?;
        let (id, now) = (project.id.clone(), self.shared.now());
        self.shared.database.write(move |tx| {
            lock(tx, &id)?;
            empty(tx, &id)?;
            tx.change(
                "UPDATE projects SET clock_offset = 0, rate_limit = NULL, token_limit = NULL, card_limit = NULL, fee_rate = NULL \
                 WHERE id = $1",
                values![&id],
            )?;
            Ok::<_, Refusal>(())
        })?;
        self.shared.registry.forget(&project.id);
        Ok(SandboxClock { now })
    }

    /// Saves the state of a project, its clock and its limits included. Waits for the disk.
    pub fn snapshot(&self, project: &Project) -> Result<SandboxSnapshot, Refusal> {
        super::only(project)?;
        let (name, now) = (project.id.clone(), self.shared.now());
        let id = Id::new(now)?;
        let offset = self.shared.database.write(move |tx| {
            let (offset, settings) = lock(tx, &name)?;
            let held = tx.row(
                "SELECT count(*) FROM sandbox_snapshots WHERE project = $1",
                values![&name],
            )?;
            if held.map_or(Ok(0), |row| row.get(0))? >= MOST {
                return Err(Refusal::new(
                    StatusCode::ActionNotAllowed,
                    format!("a project has {MOST} snapshots at most"),
                ));
            }
            let mut saved = Saved {
                taken_at: time::to_sql(now),
                offset,
                settings,
                tables: Vec::new(),
            };
            let mut count = 0;
            for table in tables::all() {
                let rows = tx.rows(&table.select, values![&name])?;
                count += rows.len();
                if count > MOST_ROWS {
                    return Err(Refusal::new(
                        StatusCode::ActionNotAllowed,
                        "the project is too large for a snapshot",
                    ));
                }
                let rows = rows
                    .iter()
                    .map(|row| cells(row, table))
                    .collect::<Result<_, _>>()?;
                saved.tables.push((table.name.to_owned(), rows));
            }
            let content = serde_json::to_string(&saved)
                .map_err(|_| Refusal::internal("a snapshot cannot be written"))?;
            tx.change(
                "INSERT INTO sandbox_snapshots (project, id, content) VALUES ($1, $2, $3)",
                values![&name, id, content],
            )?;
            Ok(offset)
        })?;
        Ok(SandboxSnapshot {
            id: id.to_string(),
            now: time::after(now, SignedDuration::from_millis(offset)),
        })
    }

    /// Brings a saved state back; the clock runs on from what it showed then. Waits for the disk.
    pub fn restore(&self, project: &Project, snapshot: &str) -> Result<SandboxSnapshot, Refusal> {
        super::only(project)?;
        let unknown = || Refusal::new(StatusCode::DataNotFound, "the project has no snapshot of that id");
        let id: Id = snapshot.parse().map_err(|_| unknown())?;
        let (name, now) = (project.id.clone(), self.shared.now());
        let shown = self.shared.database.write(move |tx| {
            lock(tx, &name)?;
            let row = tx.row(
                "SELECT content FROM sandbox_snapshots WHERE project = $1 AND id = $2",
                values![&name, id],
            )?;
            let content: String = row.ok_or_else(unknown)?.get(0)?;
            let saved: Saved =
                serde_json::from_str(&content).map_err(|_| Refusal::internal("a snapshot cannot be read"))?;
            empty(tx, &name)?;
            for (table, rows) in saved.tables {
                let table = tables::all().iter().find(|known| known.name == table);
                let table = table.ok_or_else(|| Refusal::internal("a table of a snapshot is gone"))?;
                for row in rows {
                    let mut row: Vec<Value> = row.into_iter().map(Value::from).collect();
                    // Columns that came after the snapshot.
                    row.resize(table.columns.len(), Value::Null);
                    tx.change(&table.insert, &row)?;
                }
            }
            // What was due in an hour is due in an hour, and what was being done then is done again.
            tx.change(
                "UPDATE jobs SET leased_until = 0 WHERE project = $1",
                values![&name],
            )?;
            let passed = time::to_sql(now) - saved.taken_at;
            job::shift(tx, &name, SignedDuration::from_millis(-passed))?;
            tx.change(
                "UPDATE projects SET clock_offset = $2, rate_limit = $3, token_limit = $4, card_limit = $5, fee_rate = $6 WHERE id = $1",
                values![
                    &name,
                    saved.offset - passed,
                    saved.settings.limits[0],
                    saved.settings.limits[1],
                    saved.settings.limits[2],
                    saved.settings.fee_rate
                ],
            )?;
            time::from_sql(saved.taken_at + saved.offset)
        })?;
        self.shared.registry.forget(&project.id);
        Ok(SandboxSnapshot {
            id: id.to_string(),
            now: shown,
        })
    }
}

/// What a snapshot holds.
#[derive(Serialize, Deserialize)]
struct Saved {
    /// By the real clock, in milliseconds since 1970.
    taken_at: i64,
    /// How far the project's clock was ahead, in milliseconds.
    offset: i64,
    #[serde(flatten)]
    settings: Settings,
    tables: Vec<(String, Vec<Vec<Cell>>)>,
}

/// What a project is set to.
#[derive(Serialize, Deserialize)]
struct Settings {
    limits: [Option<u32>; 3],
    /// Hundredths of a percent.
    #[serde(default)]
    fee_rate: Option<u32>,
}

/// One value of a row.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Cell {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<Cell> for Value {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Integer(number) => Self::Integer(number),
            Cell::Text(text) => Self::Text(text),
            Cell::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

fn cells(row: &Row, table: &Table) -> Result<Vec<Cell>, Refusal> {
    let cell = |column| {
        Ok(match row.get::<Value>(column)? {
            Value::Null => Cell::Null,
            Value::Integer(number) => Cell::Integer(number),
            Value::Text(text) => Cell::Text(text),
            Value::Bytes(bytes) => Cell::Bytes(bytes),
        })
    };
    (0..table.columns.len()).map(cell).collect()
}

/// Nobody else changes the project as a whole meanwhile. Tells its clock's offset and its settings.
fn lock(tx: &mut dyn Transaction, project: &str) -> Result<(i64, Settings), Refusal> {
    let row = tx.row(
        "SELECT clock_offset, rate_limit, token_limit, card_limit, fee_rate FROM projects WHERE id = $1 FOR UPDATE",
        values![project],
    )?;
    let row = row.ok_or_else(|| Refusal::internal("a project is gone"))?;
    job::catch_up(tx, project)?;
    let settings = Settings {
        limits: [row.get(1)?, row.get(2)?, row.get(3)?],
        fee_rate: row.get(4)?,
    };
    Ok((row.get(0)?, settings))
}

fn empty(tx: &mut dyn Transaction, project: &str) -> Result<(), Refusal> {
    for table in tables::all() {
        tx.change(&table.delete, values![project])?;
    }
    Ok(())
}

/// Snapshots of a project.
const MOST: i64 = 100;

/// Rows of a snapshot: it is held in memory as a whole.
const MOST_ROWS: usize = 100_000;

pub(crate) const TABLES: &str = "
CREATE TABLE sandbox_snapshots (
    project TEXT NOT NULL,
    id      INTEGER NOT NULL,
    content TEXT NOT NULL, -- JSON
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
";

#[cfg(test)]
mod tests {
    use database::DatabaseError;
    use wire::interface::callback::Resource;
    use wire::interface::sandbox::SandboxBalance;
    use wire::interface::{Amount, Currency};

    use super::*;
    use crate::callback::{self, NewCallback};
    use crate::ledger::{self, Account};
    use crate::testing::{Place, in_both};

    /// Something of everything, for both projects.
    fn fill(place: &Place) {
        let processing = &place.processing;
        for login in ["sandbox", "sandbox-2"] {
            let project = processing.shared.project(login).unwrap().unwrap();
            let balance = SandboxBalance {
                amount: Amount::from_minor(500).unwrap(),
                currency: Currency::new("UAH").unwrap(),
            };
            processing.set_sandbox_balance(&project, balance).unwrap();
            let fault = r#"{"path": "callbacks", "kind": "delay", "times": 9}"#;
            processing
                .add_faults(&project, vec![serde_json::from_str(fault).unwrap()])
                .unwrap();
            let now = processing.shared.now();
            let payment = Id::new(now).unwrap();
            processing
                .shared
                .database
                .write(move |tx| {
                    let callback = NewCallback {
                        project: &project,
                        signer: &project.id,
                        resource: Resource::Payment,
                        subject: payment,
                        external_id: "замовлення \"1\"",
                        operation: "payment",
                        url: "https://shop.example/",
                        body: "{}",
                    };
                    callback::enqueue(tx, &callback, now)
                })
                .unwrap();
        }
    }

    /// All rows of a project, with the times of its jobs as its clock shows them.
    fn rows(place: &Place, project: &str) -> Vec<Vec<Vec<Value>>> {
        let project = project.to_owned();
        let rows = place.processing.shared.database.read(move |tx| {
            let offset: i64 = tx
                .row(
                    "SELECT clock_offset FROM projects WHERE id = $1",
                    values![&project],
                )?
                .map_or(Ok(0), |row| row.get(0))?;
            let mut all = Vec::new();
            for table in tables::all() {
                let rows = tx.rows(&table.select, values![&project])?;
                let mut rows: Vec<Vec<Value>> = rows
                    .iter()
                    .map(|row| (0..table.columns.len()).map(|at| row.get(at).unwrap()).collect())
                    .collect();
                if let Some(due) = table.columns.iter().position(|name| *name == "due_at") {
                    for row in &mut rows {
                        if let Value::Integer(time) = &mut row[due] {
                            *time += offset;
                        }
                    }
                }
                rows.sort_by_key(|row| format!("{row:?}"));
                all.push(rows);
            }
            Ok::<_, DatabaseError>(all)
        });
        rows.unwrap()
    }

    fn count(rows: &[Vec<Vec<Value>>]) -> usize {
        rows.iter().map(Vec::len).sum()
    }

    #[test]
    fn a_snapshot_brings_back_all_of_a_project_and_nothing_of_another() {
        in_both(|place| {
            let project = place.sandbox();
            fill(place);
            let (before, others) = (rows(place, "sandbox"), rows(place, "sandbox-2"));
            assert!(count(&before) >= 5, "balances, faults, a callback, its job");
            let saved = place.processing.snapshot(&project).unwrap();
            place.clock.advance(90_000);
            let shown = place.processing.reset(&project).unwrap();
            assert_eq!(shown.now, place.processing.shared.now());
            assert_eq!(count(&rows(place, "sandbox")), 0);
            fill(place);
            let restored = place.processing.restore(&project, &saved.id).unwrap();
            assert_eq!(restored, saved);
            assert_eq!(place.processing.sandbox_clock(&project).unwrap().now, saved.now);
            assert_eq!(rows(place, "sandbox"), before);
            assert!(count(&rows(place, "sandbox-2")) > count(&others), "untouched");
            // It can be had again.
            assert_eq!(place.processing.restore(&project, &saved.id), Ok(saved.clone()));
            for (login, id) in [
                ("sandbox-2", saved.id.as_str()),
                ("sandbox", "123456789012345678"),
                ("sandbox", "x"),
            ] {
                let project = place.processing.shared.project(login).unwrap().unwrap();
                let refused = place.processing.restore(&project, id);
                assert_eq!(refused.unwrap_err().code, StatusCode::DataNotFound);
            }
        });
    }

    #[test]
    fn what_was_due_in_an_hour_is_due_in_an_hour() {
        let place = Place::sqlite();
        let (project, database) = (place.sandbox(), &place.processing.shared.database);
        fill(&place);
        let hour = SignedDuration::from_hours(1);
        database
            .write(move |tx| {
                job::jump(tx, "sandbox", hour * 5)?;
                tx.change("UPDATE jobs SET leased_until = 1", &[])
            })
            .unwrap();
        let saved = place.processing.snapshot(&project).unwrap();
        let due = || {
            let row = database.read(|tx| {
                tx.row(
                    "SELECT due_at, leased_until FROM jobs WHERE project = 'sandbox'",
                    &[],
                )
            });
            let row = row.unwrap().unwrap();
            (
                row.get::<i64>(0).unwrap() - time::to_sql(place.processing.shared.now()),
                row.get::<i64>(1).unwrap(),
            )
        };
        let before = due();
        place.clock.advance(1_000_000);
        assert_ne!(due().0, before.0);
        place.processing.restore(&project, &saved.id).unwrap();
        assert_eq!(due(), (before.0, 0), "and nobody is doing it");
    }

    #[test]
    fn balances_are_of_the_day_that_the_clock_shows() {
        in_both(|place| {
            let project = place.sandbox();
            fill(place);
            let left = |account| {
                let now = place.processing.sandbox_clock(&project).unwrap().now;
                let left = place.processing.shared.database.read(move |tx| {
                    ledger::balance(tx, "sandbox", account, Currency::new("UAH").unwrap(), now)
                });
                left.unwrap().minor()
            };
            assert_eq!((left(Account::Refunds), left(Account::Payouts)), (500, 500));
            let day = SignedDuration::from_hours(24);
            let database = &place.processing.shared.database;
            database.write(move |tx| job::jump(tx, "sandbox", day)).unwrap();
            assert_eq!((left(Account::Refunds), left(Account::Payouts)), (0, 500));
        });
    }
}
