//! Payments: one for each order, alone or in a basket.

pub(crate) mod answer;
pub(crate) mod follow;
mod info;
pub(crate) mod money;
pub(crate) mod states;

use database::{Row, Transaction, values};
use jiff::Timestamp;
use wire::interface::{Amount, Currency};

use crate::checkout::record::Checkout;
use crate::id::Id;
use crate::order::Number;
use crate::refusal::Refusal;
use crate::time;
use money::Money;
use states::{Event, State};

/// Amounts in hundredths, times in milliseconds of the project's clock. `busy`: the operation that is under way with a payment that
/// was held or charged. `products` and `fiscal` are JSON.
pub(crate) const TABLES: &str = "
CREATE TABLE payments (
    id          INTEGER PRIMARY KEY,
    checkout    INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    project     TEXT NOT NULL,
    external_id TEXT NOT NULL,
    state       TEXT NOT NULL,
    amount      INTEGER NOT NULL,
    currency    TEXT NOT NULL,
    held        INTEGER NOT NULL,
    charged     INTEGER NOT NULL,
    released    INTEGER NOT NULL,
    refunded    INTEGER NOT NULL,
    refunding   INTEGER NOT NULL,
    busy        INTEGER,
    description TEXT,
    payload     TEXT,
    products    TEXT,
    fiscal      TEXT,
    created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX payments_checkout ON payments (checkout, position);
CREATE INDEX payments_order ON payments (project, external_id, id);
";

/// A payment as the store has it.
#[derive(Clone, Debug)]
pub(crate) struct Payment {
    pub(crate) id: Id,
    pub(crate) checkout: Id,
    /// Its place among the orders of a basket, from 0.
    pub(crate) position: u32,
    /// The project that gets the money: of a basket, the seller's.
    pub(crate) project: String,
    pub(crate) external_id: String,
    pub(crate) state: State,
    pub(crate) amount: Amount,
    pub(crate) currency: Currency,
    pub(crate) money: Money,
    pub(crate) busy: Option<Id>,
    pub(crate) description: Option<String>,
    pub(crate) payload: Option<String>,
    pub(crate) products: Option<String>,
    pub(crate) fiscal: Option<String>,
    pub(crate) created_at: Timestamp,
}

/// A statement that reads whole payments.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, checkout, position, project, external_id, state, amount, currency, held, charged, released, refunded, \
             refunding, busy, description, payload, products, fiscal, created_at FROM payments ",
            $rest
        )
    };
}

impl Payment {
    /// The single order of a checkout, in memory, with the checkout's own id.
    pub(crate) fn of(checkout: &Checkout, external_id: String) -> Self {
        Self {
            id: checkout.id,
            checkout: checkout.id,
            position: 0,
            project: checkout.project.clone(),
            external_id,
            state: State::Created,
            amount: checkout.amount,
            currency: checkout.currency,
            money: Money::default(),
            busy: None,
            description: None,
            payload: None,
            products: None,
            fiscal: None,
            created_at: checkout.created_at,
        }
    }

    /// Stores a new one.
    pub(crate) fn insert(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        let money = &self.money;
        let sql = "INSERT INTO payments (id, checkout, position, project, external_id, state, amount, currency, held, charged, \
                   released, refunded, refunding, busy, description, payload, products, fiscal, created_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";
        tx.change(
            sql,
            values![
                self.id,
                self.checkout,
                self.position,
                &self.project,
                &self.external_id,
                self.state.name(),
                self.amount.minor(),
                self.currency.as_str(),
                money.held.minor(),
                money.charged.minor(),
                money.released.minor(),
                money.refunded.minor(),
                money.refunding.minor(),
                self.busy,
                self.description.as_ref(),
                self.payload.as_ref(),
                self.products.as_ref(),
                self.fiscal.as_ref(),
                time::to_sql(self.created_at),
            ],
        )?;
        Ok(())
    }

    /// Stores what may have changed.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        let money = &self.money;
        tx.change(
            "UPDATE payments SET state = $2, held = $3, charged = $4, released = $5, refunded = $6, refunding = $7, busy = $8, \
             fiscal = $9 WHERE id = $1",
            values![
                self.id,
                self.state.name(),
                money.held.minor(),
                money.charged.minor(),
                money.released.minor(),
                money.refunded.minor(),
                money.refunding.minor(),
                self.busy,
                self.fiscal.as_ref(),
            ],
        )?;
        Ok(())
    }

    /// Forgets one that came to nothing before it began.
    pub(crate) fn delete(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change("DELETE FROM payments WHERE id = $1", values![self.id])?;
        Ok(())
    }

    /// The payment of that id, with its row locked.
    pub(crate) fn lock(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1 FOR UPDATE"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// The payment of that id.
    pub(crate) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// The payments of a checkout in their order, with their rows locked.
    pub(crate) fn lock_all(tx: &mut dyn Transaction, checkout: Id) -> Result<Vec<Self>, Refusal> {
        let rows = tx.rows(
            select!("WHERE checkout = $1 ORDER BY position FOR UPDATE"),
            values![checkout],
        )?;
        rows.iter().map(read).collect()
    }

    /// The payments of a checkout in their order.
    pub(crate) fn all(tx: &mut dyn Transaction, checkout: Id) -> Result<Vec<Self>, Refusal> {
        let rows = tx.rows(
            select!("WHERE checkout = $1 ORDER BY position"),
            values![checkout],
        )?;
        rows.iter().map(read).collect()
    }

    /// The newest other payment of its number.
    pub(crate) fn before(&self, tx: &mut dyn Transaction) -> Result<Option<Id>, Refusal> {
        let row = tx.row(
            "SELECT MAX(id) FROM payments WHERE project = $1 AND external_id = $2 AND id <> $3",
            values![&self.project, &self.external_id, self.id],
        )?;
        Ok(row.map(|row| row.get(0)).transpose()?.flatten())
    }

    /// What its shop calls it.
    pub(crate) fn number(&self) -> Number<'_> {
        Number::order(&self.project, &self.external_id)
    }

    /// Goes on to the next state, if the table has one.
    pub(crate) fn step(&mut self, event: Event) -> Result<(), Refusal> {
        self.state = states::step(self.state, event).map_err(|code| self.refuse(code))?;
        Ok(())
    }

    /// A refusal about this payment.
    pub(crate) fn refuse(&self, code: wire::interface::StatusCode) -> Refusal {
        let message = format!("the payment is {}", self.state.name());
        Refusal::new(code, message).about(self.id)
    }
}

fn read(row: &Row) -> Result<Payment, Refusal> {
    let state: String = row.get(5)?;
    Ok(Payment {
        id: row.get(0)?,
        checkout: row.get(1)?,
        position: row.get(2)?,
        project: row.get(3)?,
        external_id: row.get(4)?,
        state: State::named(&state).ok_or_else(|| Refusal::internal("a stored state is not known"))?,
        amount: amount(row, 6)?,
        currency: currency(row, 7)?,
        money: money(row, 8)?,
        busy: row.get(13)?,
        description: row.get(14)?,
        payload: row.get(15)?,
        products: row.get(16)?,
        fiscal: row.get(17)?,
        created_at: time::from_sql(row.get(18)?)?,
    })
}

/// An amount of a column.
pub(crate) fn amount(row: &Row, column: usize) -> Result<Amount, Refusal> {
    Amount::from_minor(row.get(column)?).ok_or_else(|| Refusal::internal("a stored amount is out of range"))
}

/// The sums of five columns: held, charged, released, refunded, refunding.
pub(crate) fn money(row: &Row, first: usize) -> Result<Money, Refusal> {
    Ok(Money {
        held: amount(row, first)?,
        charged: amount(row, first + 1)?,
        released: amount(row, first + 2)?,
        refunded: amount(row, first + 3)?,
        refunding: amount(row, first + 4)?,
    })
}

/// A currency of a column.
pub(crate) fn currency(row: &Row, column: usize) -> Result<Currency, Refusal> {
    let text: String = row.get(column)?;
    Currency::new(&text).ok_or_else(|| Refusal::internal("a stored currency is none"))
}
