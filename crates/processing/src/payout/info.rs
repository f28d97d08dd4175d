//! What shops are told of payouts, and of the balance that they are paid from.

use database::Transaction;
use wire::interface::callback::Resource;
use wire::interface::payout::{self, AccountBalance, PayoutCallback};

use super::create::{currency, is_entity};
use super::{Payout, unknown};
use crate::callback::{self, NewCallback};
use crate::ledger::{self, Account};
use crate::order::{self, Number};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `GET /api/payouts/v1/info`: the payout that has succeeded under a number, or else the newest. Reads the store.
    pub fn payout_info(&self, project: &Project, external_id: &str) -> Result<payout::Payout, Refusal> {
        let (project, external_id) = (project.id.clone(), external_id.to_owned());
        let found = self.shared.database.read(move |tx| {
            match order::find(tx, Number::payout(&project, &external_id))? {
                Some(id) => Payout::find(tx, id),
                None => Ok(None),
            }
        })?;
        Ok(found.ok_or_else(unknown)?.answer())
    }

    /// `GET /api/payouts/v1/account-balance`: what can be paid out, and what is reserved. Reads the store.
    pub fn account_balance(&self, project: &Project, entity: &str) -> Result<AccountBalance, Refusal> {
        is_entity(project, entity, "merchant_entity_id")?;
        let (project, now, currency) = (project.id.clone(), self.shared.now(), currency()?);
        self.shared.database.read(move |tx| {
            Ok(AccountBalance {
                available_amount: ledger::balance(tx, &project, Account::Payouts, currency, now)?,
                commitment_amount: Payout::reserved(tx, &project, currency)?,
            })
        })
    }

    /// Tells the shop how a payout stands, where it wants to hear that.
    pub(super) fn tell_of_payout(&self, tx: &mut dyn Transaction, payout: &Payout) -> Result<(), Refusal> {
        let operation = &payout.operation;
        let Some(url) = operation.callback_url.as_deref() else {
            return Ok(());
        };
        let told = PayoutCallback {
            id: payout.id.to_string(),
            external_id: payout.external_id.clone(),
            status: operation.status.clone(),
            status_code: operation.code.clone(),
            amount: payout.amount,
            currency: payout.currency,
            payout_type: payout.kind.into(),
            processed_at: operation.processed_at,
        };
        let body =
            serde_json::to_string(&told).map_err(|_| Refusal::internal("a callback cannot be written"))?;
        let project = self.shared.known_project(&payout.project)?;
        let callback = NewCallback {
            project: &project,
            signer: &payout.project,
            resource: Resource::Payout,
            subject: payout.id,
            external_id: &payout.external_id,
            operation: operation.kind.as_str(),
            url,
            body: &body,
        };
        Ok(callback::enqueue(tx, &callback, self.shared.now())?)
    }
}

impl Payout {
    /// As answers have it.
    pub(super) fn answer(&self) -> payout::Payout {
        payout::Payout {
            transaction_id: self.id.to_string(),
            external_id: self.external_id.clone(),
            status: self.operation.status.clone(),
            status_code: self.operation.code.clone(),
            original_amount: self.amount,
            // There are no fees.
            payer_amount: self.amount,
            currency: self.currency,
            payout_type: self.kind.into(),
            created_at: self.created_at,
            processed_at: self.operation.processed_at,
        }
    }
}
