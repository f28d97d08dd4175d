//! What stands in a project, for a person who looks on.

use std::collections::BTreeMap;

use database::{Row, values};
use wire::interface::answer::{DetailsMethod, Operation, Status};
use wire::interface::sandbox::{SandboxBalances, SandboxOperation, SandboxOverview};
use wire::interface::{Amount, Currency, StatusCode};

use crate::id::Id;
use crate::installment;
use crate::ledger::{self, Account};
use crate::payout::Payout;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

impl Processing {
    /// The newest operations and callbacks of a project, its clock, balances and faults. Of its tokens nothing is known here.
    pub fn sandbox_overview(&self, project: &Project) -> Result<SandboxOverview, Refusal> {
        let clock = self.sandbox_clock(project)?;
        let callbacks = self.journal(project, None, SHOWN)?;
        let faults = self.faults(project)?.faults;
        let (id, now) = (project.id.clone(), clock.now);
        let (operations, balances, pushes) = self.shared.database.read(move |tx| {
            let rows = tx.rows(OPERATIONS, values![&id, SHOWN])?;
            let operations = rows.iter().map(operation).collect::<Result<Vec<_>, Refusal>>()?;
            let currencies = tx.rows(
                "SELECT DISTINCT currency FROM balances WHERE project = $1 ORDER BY currency",
                values![&id],
            )?;
            let mut balances = BTreeMap::new();
            for row in currencies {
                let name: String = row.get(0)?;
                let Some(currency) = Currency::new(&name) else {
                    continue;
                };
                let mut of = |account| ledger::balance(tx, &id, account, currency, now);
                let (refunds, payouts) = (of(Account::Refunds)?, of(Account::Payouts)?);
                let reserved = Payout::reserved(tx, &id, currency)?;
                let told = SandboxBalances {
                    refunds,
                    payouts,
                    reserved,
                };
                balances.insert(name, told);
            }
            let pushes = installment::pushes(tx, &id, SHOWN)?;
            Ok::<_, Refusal>((operations, balances, pushes))
        })?;
        Ok(SandboxOverview {
            project: project.id.clone(),
            now: clock.now,
            operations,
            callbacks,
            tokens: Vec::new(),
            balances,
            faults,
            pushes,
        })
    }
}

fn operation(row: &Row) -> Result<SandboxOperation, Refusal> {
    let word = |column| row.get::<String>(column);
    Ok(SandboxOperation {
        id: row.get::<Id>(0)?.to_string(),
        external_id: word(1)?,
        operation: Operation::from(word(2)?.as_str()),
        method: DetailsMethod::from(word(3)?.as_str()),
        status: Status::from(word(4)?.as_str()),
        status_code: StatusCode::from(word(5)?.as_str()),
        amount: Amount::from_minor(row.get(6)?)
            .ok_or_else(|| Refusal::internal("a stored amount is too large"))?,
        currency: Currency::new(&word(7)?).ok_or_else(|| Refusal::internal("a stored currency is none"))?,
        card_mask: row.get(8)?,
        created_at: time::from_sql(row.get(9)?)?,
    })
}

/// Newest first.
const OPERATIONS: &str = "
    SELECT o.id, COALESCE(p.external_id, t.external_id, i.external_id), o.kind, o.method, o.status, o.code, o.amount,
        COALESCE(p.currency, t.currency, i.currency), o.mask, o.created_at
    FROM operations o
        LEFT JOIN payments p ON p.id = o.payment
        LEFT JOIN payouts t ON t.id = o.payment
        LEFT JOIN installments i ON i.id = o.payment
    WHERE o.project = $1 ORDER BY o.created_at DESC, o.id DESC LIMIT $2";

/// So many of each.
const SHOWN: u32 = 50;
