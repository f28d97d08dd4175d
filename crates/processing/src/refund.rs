//! Refunds that wait: until the balance suffices, or somebody takes them back.

use database::{Transaction, values};
use jiff::{SignedDuration, Timestamp};
use wire::interface::answer::{self, Status};
use wire::interface::steps::WaitingRefund;
use wire::interface::{Amount, Currency, StatusCode};

use crate::checkout::whole::Stop;
use crate::id::Id;
use crate::job;
use crate::ledger::{self, Account};
use crate::operation::Operation;
use crate::order::{self, Number};
use crate::owner::Owner;
use crate::payment::follow::{self, Followed, unknown_order};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

/// One row for each refund that waits, in the order in which they began to.
pub(crate) const TABLES: &str = "
CREATE TABLE waiting_refunds (
    project   TEXT NOT NULL,
    currency  TEXT NOT NULL,
    operation INTEGER NOT NULL,
    payment   INTEGER NOT NULL,
    PRIMARY KEY (project, currency, operation)
) STRICT, WITHOUT ROWID;
";

/// Takes a refund's amount from today's balance, or has the refund wait where that does not suffice. Whether it goes on at once.
pub(crate) fn take(
    tx: &mut dyn Transaction,
    project: &Project,
    owner: &Owner,
    operation: &mut Operation,
    (now, real): (Timestamp, Timestamp),
) -> Result<bool, Refusal> {
    if take_balance(tx, owner, operation.amount, now)? {
        return Ok(true);
    }
    operation.status = Status::Pending;
    operation.code = StatusCode::RefundWaitingForFunds;
    tx.change(
        "INSERT INTO waiting_refunds (project, currency, operation, payment) VALUES ($1, $2, $3, $4)",
        values![
            owner.project(),
            owner.currency().as_str(),
            operation.id,
            owner.id()
        ],
    )?;
    let due = real.saturating_add(GIVE_UP_AFTER).unwrap_or(Timestamp::MAX);
    job::schedule(tx, job::Kind::GiveUpRefund, operation.id, &project.id, due)?;
    Ok(false)
}

/// From both balances or from none.
fn take_balance(
    tx: &mut dyn Transaction,
    owner: &Owner,
    amount: Amount,
    now: Timestamp,
) -> Result<bool, Refusal> {
    let (project, currency) = (owner.project(), owner.currency());
    if !ledger::take(tx, project, Account::Refunds, currency, now, amount)? {
        return Ok(false);
    }
    // What was paid out before cannot go back from there; the day's payments cover it.
    let covered = ledger::take(tx, project, Account::Payouts, currency, now, amount)?;
    if !covered {
        ledger::add(tx, project, Account::Refunds, currency, now, amount)?;
    }
    Ok(covered)
}

/// Has the waiting refunds of a project looked at again: there may be more in the balance.
pub(crate) fn wake(
    tx: &mut dyn Transaction,
    project: &str,
    currency: Currency,
    real: Timestamp,
) -> Result<(), Refusal> {
    let row = tx.row(
        "SELECT operation FROM waiting_refunds WHERE project = $1 AND currency = $2 ORDER BY operation LIMIT 1",
        values![project, currency.as_str()],
    )?;
    match row {
        Some(row) => Ok(job::schedule(tx, job::Kind::Refund, row.get(0)?, project, real)?),
        None => Ok(()),
    }
}

impl Processing {
    /// `POST /api/payments/v1/refund/retry`: does a waiting refund now, if the balance suffices. Waits for the disk and the acquirer.
    pub fn retry_refund(
        &self,
        project: &Project,
        request: &WaitingRefund,
    ) -> Result<answer::Payment, Refusal> {
        let number = Number::order(&project.id, &request.external_id);
        self.answer_payment(self.retry_waiting(number)?)
    }

    /// `POST /api/payments/v1/refund/cancel`: takes a waiting refund back. Waits for the disk.
    pub fn cancel_refund(
        &self,
        project: &Project,
        request: &WaitingRefund,
    ) -> Result<answer::Payment, Refusal> {
        let number = Number::order(&project.id, &request.external_id);
        self.answer_payment(self.cancel_waiting(number)?)
    }

    /// Does the waiting refund of a number now, if the balance suffices.
    pub(crate) fn retry_waiting(&self, number: Number<'_>) -> Result<Followed, Refusal> {
        self.resume_refund(self.waiting_refund(number)?)
    }

    /// Takes the waiting refund of a number back.
    pub(crate) fn cancel_waiting(&self, number: Number<'_>) -> Result<Followed, Refusal> {
        let code = StatusCode::RefundIsCancelledByInitiator;
        let done = self.end_waiting(self.waiting_refund(number)?, &code)?;
        match done.operation.code == code {
            true => Ok(done),
            false => Err(nothing_waits()),
        }
    }

    /// Does the refunds that wait of the project and in the currency of one of them, the oldest first, as far as the balance goes.
    pub(crate) fn sweep_refunds(&self, operation: Id) -> Result<(), Refusal> {
        let waiting: Vec<Id> = self.shared.database.read(move |tx| {
            let Some(found) = Operation::find(tx, operation)? else {
                return Ok(Vec::new());
            };
            let rows = tx.rows(
                "SELECT operation FROM waiting_refunds WHERE project = $1 ORDER BY operation LIMIT 1000",
                values![&found.project],
            )?;
            rows.iter()
                .map(|row| row.get(0).map_err(Refusal::from))
                .collect::<Result<_, _>>()
        })?;
        for operation in waiting {
            self.resume_refund(operation)?;
        }
        Ok(())
    }

    /// Gives a refund up that has waited too long.
    pub(crate) fn give_up_refund(&self, operation: Id) -> Result<(), Refusal> {
        self.end_waiting(operation, &StatusCode::RefundIsCancelledBySystem)
            .map(drop)
    }

    /// The newest refund of an order that waits.
    fn waiting_refund(&self, number: Number<'_>) -> Result<Id, Refusal> {
        let number = number.owned();
        self.shared.database.read(move |tx| {
            let owner = order::find(tx, number.borrow())?.ok_or_else(unknown_order)?;
            let all = Operation::all(tx, owner)?;
            let waiting = all
                .iter()
                .rfind(|operation| operation.code == StatusCode::RefundWaitingForFunds);
            waiting.map(|operation| operation.id).ok_or_else(nothing_waits)
        })
    }

    /// Goes on with a waiting refund if the balance suffices now.
    fn resume_refund(&self, operation: Id) -> Result<Followed, Refusal> {
        let this = self.clone();
        let begun = self.patiently(move |tx| {
            let mut found = Followed::lock(tx, operation)?.ok_or_else(unknown_order)?;
            if found.operation.code != StatusCode::RefundWaitingForFunds {
                return Ok(found);
            }
            if found.owner.busy().is_some() {
                return Err(Stop::Busy);
            }
            let seller = this.shared.known_project(found.owner.project())?;
            let real = this.shared.now();
            if take_balance(tx, &found.owner, found.operation.amount, seller.now(real))? {
                forget(tx, &found)?;
                found.operation.status = Status::Init;
                found.operation.code = StatusCode::TransactionInProgress;
                found.owner.set_busy(Some(operation));
                found.update(tx)?;
                follow::guard(tx, &found.operation, real)?;
            }
            Ok(found)
        })?;
        self.act(begun)
    }

    /// Ends a refund that waits.
    fn end_waiting(&self, operation: Id, code: &StatusCode) -> Result<Followed, Refusal> {
        let (this, code) = (self.clone(), code.clone());
        self.shared.database.write(move |tx| {
            let mut found = Followed::lock(tx, operation)?.ok_or_else(unknown_order)?;
            if found.operation.code != StatusCode::RefundWaitingForFunds {
                return Ok(found);
            }
            let seller = this.shared.known_project(found.owner.project())?;
            forget(tx, &found)?;
            let money = found.owner.money_mut();
            money.refunding = money.refunding.minus(found.operation.amount).unwrap_or_default();
            found
                .operation
                .end(Status::Failure, code.clone(), seller.now(this.shared.now()));
            found.update(tx)?;
            this.tell_followed(tx, &found)?;
            Ok(found)
        })
    }
}

/// It does not wait any more.
fn forget(tx: &mut dyn Transaction, found: &Followed) -> Result<(), Refusal> {
    let operation = found.operation.id;
    tx.change(
        "DELETE FROM waiting_refunds WHERE project = $1 AND currency = $2 AND operation = $3",
        values![found.owner.project(), found.owner.currency().as_str(), operation],
    )?;
    Ok(job::cancel(tx, job::Kind::GiveUpRefund, operation)?)
}

fn nothing_waits() -> Refusal {
    Refusal::new(StatusCode::ActionNotAllowed, "no refund of this order waits").at("external_id")
}

/// So long a refund waits for funds.
const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(30 * 24);

#[cfg(test)]
mod tests {
    use wire::interface::answer::Operation as Kind;
    use wire::interface::read;

    use super::*;
    use crate::testing::{Place, in_both};

    /// Pays without a challenge.
    const GOOD: &str = "4111111111111111";

    /// A payment of yesterday and a refund of it, for which there is nothing today.
    fn waits(place: &Place, number: &str) {
        place.pay(number, GOOD, serde_json::json!({})).unwrap();
        place.clock.advance(86_400_000);
        let waits = place.step(Processing::refund, number, None);
        assert_eq!(waits, Ok((Status::Pending, StatusCode::RefundWaitingForFunds)));
    }

    fn how_it_stands(place: &Place, number: &str) -> (Status, StatusCode) {
        while place.processing.run_job().unwrap() {}
        let info = place.processing.info(&place.sandbox(), number).unwrap();
        let refund = info.refund_details.last().unwrap();
        (refund.status.clone(), refund.status_code.clone())
    }

    /// Service interface, "Refund statuses", line by line.
    #[test]
    fn refunds_go_the_ways_of_the_table() {
        in_both(|place| {
            let done = (Status::Success, StatusCode::RefundSuccessful);
            let waiting = (Status::Pending, StatusCode::RefundWaitingForFunds);
            let request = |number: &str| -> WaitingRefund {
                read(format!(r#"{{"external_id":"{number}"}}"#).as_bytes()).unwrap()
            };
            place.pay("covered", GOOD, serde_json::json!({})).unwrap();
            assert_eq!(place.step(Processing::refund, "covered", None), Ok(done.clone()));
            waits(place, "automatic");
            place.pay("more", GOOD, serde_json::json!({})).unwrap();
            assert_eq!(how_it_stands(place, "automatic"), done);
            waits(place, "retried");
            let retried = place
                .processing
                .retry_refund(&place.sandbox(), &request("retried"))
                .unwrap();
            assert!(!retried.is_success);
            assert_eq!(how_it_stands(place, "retried"), waiting);
            place
                .processing
                .cancel_refund(&place.sandbox(), &request("retried"))
                .unwrap();
            let cancelled = (Status::Failure, StatusCode::RefundIsCancelledByInitiator);
            assert_eq!(how_it_stands(place, "retried"), cancelled);
            waits(place, "given up");
            place.clock.advance(29 * 86_400_000);
            assert_eq!(how_it_stands(place, "given up"), waiting);
            place.clock.advance(86_400_000);
            let given_up = (Status::Failure, StatusCode::RefundIsCancelledBySystem);
            assert_eq!(how_it_stands(place, "given up"), given_up);
            // Five payments and four refunds, each told of at its end and not while it waits.
            let told = place.processing.journal(&place.sandbox(), None, 100).unwrap();
            let refunds = told
                .iter()
                .filter(|told| told.operation == Kind::Refund.as_str())
                .count();
            assert_eq!((told.len(), refunds), (9, 4));
        });
    }
}
