//! The journal: every callback of the last 30 days, with every attempt to deliver it.

use database::{Row, values};
use jiff::SignedDuration;
use wire::interface::callback::{CallbackState, JournalEntry, Resource};

use crate::id::Id;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

impl Processing {
    /// Callbacks of a project, newest first and `most` at most; those before one of a subject, where that is said.
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
                Some((subject, seq)) => tx.rows(BEFORE, values![&project, most, subject, seq])?,
            };
            rows.iter().map(read).collect()
        })
    }

    /// How many payments, payouts and the like have callbacks that wait, of all projects.
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
        id: row.get::<Id>(0)?.to_string(),
        seq: row.get(1)?,
        resource: Resource::of(&row.get::<String>(2)?).ok_or_else(broken)?,
        external_id: row.get(3)?,
        operation: row.get(4)?,
        url: row.get(5)?,
        body: row.get(6)?,
        state: CallbackState::of(&row.get::<String>(7)?).ok_or_else(broken)?,
        attempts: serde_json::from_str(&row.get::<String>(8)?).map_err(|_| broken())?,
        created_at: time::from_sql(row.get(9)?)?,
    })
}

const NEWEST: &str = "
    SELECT subject, seq, resource, external_id, operation, url, body, state, attempts, created_at FROM callbacks WHERE project = $1
    ORDER BY created_at DESC, subject DESC, seq DESC LIMIT $2";

const BEFORE: &str = "
    SELECT subject, seq, resource, external_id, operation, url, body, state, attempts, created_at FROM callbacks
    WHERE project = $1
        AND (created_at, subject, seq) < ((SELECT created_at FROM callbacks WHERE subject = $3 AND seq = $4), $3, $4)
    ORDER BY created_at DESC, subject DESC, seq DESC LIMIT $2";

const REMOVE: &str = "
    DELETE FROM callbacks WHERE (subject, seq) IN (
        SELECT subject, seq FROM callbacks WHERE project = $1 AND created_at < $2 AND state <> 'waiting'
        ORDER BY created_at LIMIT $3
    )";

/// How long a callback is kept, by its project's clock.
const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// So many are removed in one transaction.
const AT_A_TIME: u32 = 500;
