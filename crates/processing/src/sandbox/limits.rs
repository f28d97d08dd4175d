//! Limits, which are off in the sandbox until somebody asks for them, and the commission, which is nothing until then.

use database::values;
use wire::interface::Wrong;
use wire::interface::sandbox::{SandboxFee, SandboxLimits};
use wire::interface::values::Whole;

use crate::processing::Processing;
use crate::project::{FeeRate, Project};
use crate::refusal::Refusal;

impl Processing {
    /// Says what the project's charges cost it from now on. Waits for the disk.
    pub fn set_sandbox_fee(&self, project: &Project, fee: SandboxFee) -> Result<SandboxFee, Refusal> {
        super::only(project)?;
        let rate = fee.percent.to_string().parse::<FeeRate>();
        let rate = rate.map_err(|_| Wrong::new("percent", "0 to 100, with at most two decimals"))?;
        self.set_fee_rate(&project.id, rate)?;
        Ok(fee)
    }

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
