//! The journal: every callback of the last 30 days, with every attempt to deliver it.

use database::{Row, values};
use jiff::SignedDuration;
use wire::interface::answer::Operation;
use wire::interface::callback::{CallbackState, JournalEntry};

use crate::id::Id;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

impl Processing {
    /// Callbacks of a project, newest first and `most` at most; those before one of a payment, where that is said.
    pub fn journal(
        &self,
        project: &Project,
        before: Option<(Id, u64)>,
        most: u32,
    ) -> Result<Vec<JournalEntry>, Refusal> {
        let project = project.id.clone();
        self.shared.database.read(move |tx| {
            let rows = match before {
                None => tx.rows(NEWEST, values![&project, most])?,
                Some((payment, seq)) => tx.rows(BEFORE, values![&project, most, payment, seq])?,
            };
            rows.iter().map(read).collect()
        })
    }

    /// How many payments have callbacks that wait, of all projects.
    pub fn waiting_deliveries(&self) -> Result<u64, Refusal> {
        self.shared.database.read(|tx| {
            let row = tx.row("SELECT count(*) FROM jobs WHERE kind = 'deliver'", &[])?;
            Ok(row.map_or(Ok(0), |row| row.get(0))?)
        })
    }

    /// Removes callbacks that are more than 30 days old by their project's clock, unless they wait; tells how many. Waits for the disk.
    pub fn prune_callbacks(&self) -> Result<u64, Refusal> {
        let mut removed = 0;
        for project in self.projects()? {
            let until = time::to_sql(time::after(project.now(self.shared.now()), -KEPT));
            loop {
                let id = project.id.clone();
                let some = self
                    .shared
                    .database
                    .write(move |tx| tx.change(REMOVE, values![&id, until, AT_A_TIME]))?;
                removed += some;
                if some < u64::from(AT_A_TIME) {
                    break;
                }
            }
        }
        Ok(removed)
    }
}

fn read(row: &Row) -> Result<JournalEntry, Refusal> {
    let broken = || Refusal::internal("a callback cannot be read");
    Ok(JournalEntry {
        payment_id: row.get::<Id>(0)?.to_string(),
        seq: row.get(1)?,
        external_id: row.get(2)?,
        operation: Operation::from(row.get::<String>(3)?.as_str()),
        url: row.get(4)?,
        body: row.get(5)?,
        state: CallbackState::of(&row.get::<String>(6)?).ok_or_else(broken)?,
        attempts: serde_json::from_str(&row.get::<String>(7)?).map_err(|_| broken())?,
        created_at: time::from_sql(row.get(8)?)?,
    })
}

const NEWEST: &str = "
    SELECT payment, seq, external_id, operation, url, body, state, attempts, created_at FROM callbacks WHERE project = $1
    ORDER BY created_at DESC, payment DESC, seq DESC LIMIT $2";

const BEFORE: &str = "
    SELECT payment, seq, external_id, operation, url, body, state, attempts, created_at FROM callbacks
    WHERE project = $1
        AND (created_at, payment, seq) < ((SELECT created_at FROM callbacks WHERE payment = $3 AND seq = $4), $3, $4)
    ORDER BY created_at DESC, payment DESC, seq DESC LIMIT $2";

const REMOVE: &str = "
    DELETE FROM callbacks WHERE (payment, seq) IN (
        SELECT payment, seq FROM callbacks WHERE project = $1 AND created_at < $2 AND state <> 'waiting'
        ORDER BY created_at LIMIT $3
    )";

/// How long a callback is kept, by its project's clock.
const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// So many are removed in one transaction.
const AT_A_TIME: u32 = 500;
