//! Payouts: money from a project's balance to a person.
//!
//! A payout reserves its amount when it begins: the balance is less by it from then on. What is reserved is the sum of the payouts that
//! are under way; it goes when they end, back into the balance where they came to nothing.

mod cancel;
mod create;
mod info;
mod progress;
pub(crate) mod states;

use database::{Row, Transaction, values};
use jiff::Timestamp;
use wire::interface::answer::{DetailsMethod, Operation as Kind, Status};
use wire::interface::recipient::PayoutType;
use wire::interface::{Amount, Currency, StatusCode};

use crate::checkout::record::{from_json, to_json};
use crate::id::Id;
use crate::operation::Operation;
use crate::order::Number;
use crate::payment::{amount, currency};
use crate::port::payout::{PayoutOrder, Person};
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;
use states::{Event, State};

/// Amounts in hundredths, times in milliseconds of the project's clock. `reserved`: the amount until it ends, then nothing.
/// `person` is JSON.
pub(crate) const TABLES: &str = "
CREATE TABLE payouts (
    id          INTEGER PRIMARY KEY,
    project     TEXT NOT NULL,
    external_id TEXT NOT NULL,
    kind        TEXT NOT NULL, -- card, cash
    state       TEXT NOT NULL,
    amount      INTEGER NOT NULL,
    currency    TEXT NOT NULL,
    reserved    INTEGER NOT NULL,
    description TEXT NOT NULL,
    person      TEXT NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX payouts_order ON payouts (project, external_id, id);
CREATE INDEX payouts_reserved ON payouts (project, currency, reserved) WHERE reserved > 0;
";

/// A payout as the store has it, with its one operation, which has the same id.
#[derive(Clone, Debug)]
pub(crate) struct Payout {
    pub(crate) id: Id,
    pub(crate) project: String,
    pub(crate) external_id: String,
    pub(crate) kind: PayoutType,
    pub(crate) state: State,
    pub(crate) amount: Amount,
    pub(crate) currency: Currency,
    pub(crate) description: String,
    pub(crate) person: Person,
    pub(crate) created_at: Timestamp,
    pub(crate) operation: Operation,
}

/// A statement that reads payouts.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, project, external_id, kind, state, amount, currency, description, person, created_at FROM payouts ",
            $rest
        )
    };
}

impl Payout {
    /// The operation of a new one, in memory.
    pub(crate) fn operation(id: Id, project: &str, amount: Amount, now: Timestamp) -> Operation {
        Operation {
            code: StatusCode::TransactionCreated,
            ..Operation::begun(
                id,
                (id, project),
                (Kind::Payout, DetailsMethod::Payout),
                amount,
                now,
            )
        }
    }

    /// Stores a new one with its operation.
    pub(crate) fn insert(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change(
            "INSERT INTO payouts (id, project, external_id, kind, state, amount, currency, reserved, description, person, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $6, $8, $9, $10)",
            values![
                self.id,
                &self.project,
                &self.external_id,
                self.kind.as_str(),
                self.state.name(),
                self.amount.minor(),
                self.currency.as_str(),
                &self.description,
                to_json(&self.person)?,
                time::to_sql(self.created_at),
            ],
        )?;
        self.operation.insert(tx)
    }

    /// Stores what may have changed of both.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        let reserved = match self.state.is_final() {
            true => Amount::ZERO,
            false => self.amount,
        };
        tx.change(
            "UPDATE payouts SET state = $2, reserved = $3 WHERE id = $1",
            values![self.id, self.state.name(), reserved.minor()],
        )?;
        self.operation.update(tx)
    }

    /// Forgets one that came to nothing before it began.
    pub(crate) fn delete(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        self.operation.delete(tx)?;
        tx.change("DELETE FROM payouts WHERE id = $1", values![self.id])?;
        Ok(())
    }

    /// The payout of that id, with its row locked.
    pub(crate) fn lock(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1 FOR UPDATE"), values![id])?;
        row.map(|row| read(tx, &row)).transpose()
    }

    /// The payout of that id.
    pub(crate) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1"), values![id])?;
        row.map(|row| read(tx, &row)).transpose()
    }

    /// The newest other payout of its number.
    pub(crate) fn before(&self, tx: &mut dyn Transaction) -> Result<Option<Id>, Refusal> {
        let row = tx.row(
            "SELECT MAX(id) FROM payouts WHERE project = $1 AND external_id = $2 AND id <> $3",
            values![&self.project, &self.external_id, self.id],
        )?;
        Ok(row.map(|row| row.get(0)).transpose()?.flatten())
    }

    /// What is reserved for payouts of a project.
    pub(crate) fn reserved(
        tx: &mut dyn Transaction,
        project: &str,
        currency: Currency,
    ) -> Result<Amount, Refusal> {
        let row = tx.row(
            "SELECT CAST(coalesce(sum(reserved), 0) AS BIGINT) FROM payouts
             WHERE project = $1 AND currency = $2 AND reserved > 0",
            values![project, currency.as_str()],
        )?;
        let sum = row.map_or(Ok(0), |row| row.get(0))?;
        Ok(Amount::from_minor(sum).unwrap_or(Amount::MAX))
    }

    /// What its shop calls it.
    pub(crate) fn number(&self) -> Number<'_> {
        Number::payout(&self.project, &self.external_id)
    }

    /// What whoever sends it is asked for.
    pub(crate) fn order<'a>(&'a self, project: &'a Project) -> PayoutOrder<'a> {
        PayoutOrder {
            project,
            operation: self.id,
            kind: self.kind,
            amount: self.amount,
            currency: self.currency,
            description: &self.description,
            person: &self.person,
        }
    }

    /// Goes on to the next state, if the table has one.
    pub(crate) fn step(&mut self, event: Event) -> Result<(), Refusal> {
        self.state = states::step(self.state, event).map_err(|code| self.refuse(code))?;
        if !self.state.is_final() {
            self.operation.status = self.state.status();
        }
        Ok(())
    }

    /// Ends it.
    pub(crate) fn end(&mut self, event: Event, code: StatusCode, now: Timestamp) -> Result<(), Refusal> {
        self.step(event)?;
        self.operation.end(self.state.status(), code, now);
        Ok(())
    }

    /// A refusal about this payout.
    pub(crate) fn refuse(&self, code: StatusCode) -> Refusal {
        let message = format!("the payout is {}", self.state.name());
        Refusal::new(code, message).at("external_id").about(self.id)
    }

    /// Whether the recipient has the money.
    pub(crate) fn has_succeeded(&self) -> bool {
        self.operation.status == Status::Success
    }
}

fn read(tx: &mut dyn Transaction, row: &Row) -> Result<Payout, Refusal> {
    let id = row.get(0)?;
    let word = |column| row.get::<String>(column);
    let broken = || Refusal::internal("a stored payout cannot be read");
    Ok(Payout {
        id,
        project: row.get(1)?,
        external_id: row.get(2)?,
        kind: PayoutType::of(&word(3)?).ok_or_else(broken)?,
        state: State::named(&word(4)?).ok_or_else(broken)?,
        amount: amount(row, 5)?,
        currency: currency(row, 6)?,
        description: row.get(7)?,
        person: from_json(&word(8)?)?,
        created_at: time::from_sql(row.get(9)?)?,
        operation: Operation::find(tx, id)?.ok_or_else(broken)?,
    })
}

/// No payout of that number.
pub(crate) fn unknown() -> Refusal {
    Refusal::new(
        StatusCode::TransactionNotFound,
        "the project has no payout of this number",
    )
    .at("external_id")
}

#[cfg(test)]
mod tests;
