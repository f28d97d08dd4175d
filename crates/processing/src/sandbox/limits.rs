//! Limits, which are off in the sandbox until somebody asks for them.

use database::values;
use wire::interface::sandbox::SandboxLimits;
use wire::interface::values::Whole;

use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// Turns limits on, and off those that are absent. Other instances notice within two seconds. Waits for the disk.
    pub fn set_sandbox_limits(
        &self,
        project: &Project,
        limits: SandboxLimits,
    ) -> Result<SandboxLimits, Refusal> {
        super::only(project)?;
        let id = project.id.clone();
        self.shared.database.write(move |tx| {
            tx.change(
                "UPDATE projects SET rate_limit = $2, token_limit = $3, card_limit = $4 WHERE id = $1",
                values![
                    &id,
                    limits.requests_per_minute.map(Whole::value),
                    limits.tokens_per_minute.map(Whole::value),
                    limits.cards_per_hour.map(Whole::value)
                ],
            )
        })?;
        self.shared.registry.forget(&project.id);
        Ok(limits)
    }
}
