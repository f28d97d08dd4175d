//! A callback once more, because its shop asks for it.

use wire::interface::StatusCode;
use wire::interface::callback::Resource;

use super::{NewCallback, enqueue};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// Sends a callback of an order again, as it was, behind all others of its subject: the last one, or the last one of `operation`.
    /// Those that are gone from the journal cannot be sent any more. The numbers of payments, payouts and the like are apart.
    pub fn resend(
        &self,
        project: &Project,
        resource: Resource,
        external_id: &str,
        operation: Option<&str>,
    ) -> Result<(), Refusal> {
        let now = self.shared.now();
        let (project, external_id, operation) = (
            project.clone(),
            external_id.to_owned(),
            operation.map(str::to_owned),
        );
        self.shared.database.write(move |tx| {
            let rows = tx.rows(
                OF_ORDER,
                database::values![&project.id, resource.as_str(), &external_id],
            )?;
            if rows.is_empty() {
                return Err(Refusal::new(
                    StatusCode::TransactionNotFound,
                    "no callback was sent for an order of this number in the last 30 days",
                )
                .at("external_id"));
            }
            for row in rows {
                let of: String = row.get(1)?;
                if operation.as_ref().is_some_and(|asked| *asked != of) {
                    continue;
                }
                let callback = NewCallback {
                    project: &project,
                    signer: &row.get::<String>(2)?,
                    resource,
                    subject: row.get(0)?,
                    external_id: &external_id,
                    operation: &of,
                    url: &row.get::<String>(3)?,
                    body: &row.get::<String>(4)?,
                };
                enqueue(tx, &callback, now)?;
                return Ok(());
            }
            Err(Refusal::new(
                StatusCode::OperationNotFound,
                "no callback of this operation was sent for this order",
            )
            .at("operation"))
        })
    }
}

/// Newest first.
const OF_ORDER: &str = "
    SELECT subject, operation, signer, url, body FROM callbacks WHERE project = $1 AND resource = $2 AND external_id = $3
    ORDER BY subject DESC, seq DESC";
