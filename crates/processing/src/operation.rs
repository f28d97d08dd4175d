//! Operations: every attempt to do something with a payment, whatever came of it.

use database::{Row, Transaction, values};
use jiff::Timestamp;
use wire::interface::answer::{DetailsMethod, Operation as Kind, Status};
use wire::interface::{Amount, StatusCode};

use crate::id::Id;
use crate::payment;
use crate::refusal::Refusal;
use crate::time;

/// Times in milliseconds of the project's clock. `attempt`: what the vault and the acquirer know it by, which a basket's orders share: the
/// id of the first one's operation.
pub(crate) const TABLES: &str = "
CREATE TABLE operations (
    id           INTEGER PRIMARY KEY,
    payment      INTEGER NOT NULL,
    project      TEXT NOT NULL,
    attempt      INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    method       TEXT NOT NULL,
    status       TEXT NOT NULL,
    code         TEXT NOT NULL,
    amount       INTEGER NOT NULL,
    auth_code    TEXT,
    rrn          TEXT,
    payload      TEXT,
    callback_url TEXT,
    created_at   INTEGER NOT NULL,
    processed_at INTEGER,
    fiscal       TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX operations_payment ON operations (payment, id);
CREATE INDEX operations_time ON operations (project, created_at, id);
";

/// `fee`: the merchant's commission, in hundredths; none where there is none. `mask` and `brand`: the card, as it may be shown.
pub(crate) const MORE: &str = "
ALTER TABLE operations ADD COLUMN fee INTEGER;
ALTER TABLE operations ADD COLUMN mask TEXT;
ALTER TABLE operations ADD COLUMN brand TEXT;
";

/// An operation as the store has it.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) id: Id,
    pub(crate) payment: Id,
    pub(crate) project: String,
    pub(crate) attempt: Id,
    pub(crate) kind: Kind,
    pub(crate) method: DetailsMethod,
    pub(crate) status: Status,
    pub(crate) code: StatusCode,
    pub(crate) amount: Amount,
    pub(crate) auth_code: Option<String>,
    pub(crate) rrn: Option<String>,
    /// What the shop sent with this operation, where that differs from the payment's.
    pub(crate) payload: Option<String>,
    pub(crate) callback_url: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) processed_at: Option<Timestamp>,
    /// The tax receipt of a refund; `None` of all others, as their payment has it. JSON.
    pub(crate) fiscal: Option<String>,
    /// The merchant's commission, of what was charged.
    pub(crate) fee: Option<Amount>,
    /// The card, once it is known.
    pub(crate) card: Option<ShownCard>,
}

/// A card as reports show it. A payment's other attempts may have other cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownCard {
    pub(crate) mask: String,
    /// Brand id of the card rules.
    pub(crate) brand: Option<String>,
}

/// A statement that reads whole operations.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, payment, project, attempt, kind, method, status, code, amount, auth_code, rrn, payload, callback_url, \
             created_at, processed_at, fiscal, fee, mask, brand FROM operations ",
            $rest
        )
    };
}

impl Operation {
    /// One that begins with what `payment` is the id of, in memory.
    pub(crate) fn begun(
        id: Id,
        (payment, project): (Id, &str),
        (kind, method): (Kind, DetailsMethod),
        amount: Amount,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            payment,
            project: project.to_owned(),
            attempt: id,
            kind,
            method,
            status: Status::Init,
            code: StatusCode::TransactionInProgress,
            amount,
            auth_code: None,
            rrn: None,
            payload: None,
            callback_url: None,
            created_at: now,
            processed_at: None,
            fiscal: None,
            fee: None,
            card: None,
        }
    }

    /// Stores a new one.
    pub(crate) fn insert(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change(
            "INSERT INTO operations (id, payment, project, attempt, kind, method, status, code, amount, auth_code, rrn, payload, \
             callback_url, created_at, processed_at, fee, mask, brand) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
            values![
                self.id,
                self.payment,
                &self.project,
                self.attempt,
                self.kind.as_str(),
                self.method.as_str(),
                self.status.as_str(),
                self.code.as_str(),
                self.amount.minor(),
                self.auth_code.as_ref(),
                self.rrn.as_ref(),
                self.payload.as_ref(),
                self.callback_url.as_ref(),
                time::to_sql(self.created_at),
                self.processed_at.map(time::to_sql),
                self.fee.map(Amount::minor),
                self.card.as_ref().map(|card| &card.mask),
                self.card.as_ref().and_then(|card| card.brand.as_ref()),
            ],
        )?;
        Ok(())
    }

    /// Stores how it stands.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change(
            "UPDATE operations SET status = $2, code = $3, auth_code = $4, rrn = $5, processed_at = $6, fee = $7, mask = $8, brand = $9 \
             WHERE id = $1",
            values![
                self.id,
                self.status.as_str(),
                self.code.as_str(),
                self.auth_code.as_ref(),
                self.rrn.as_ref(),
                self.processed_at.map(time::to_sql),
                self.fee.map(Amount::minor),
                self.card.as_ref().map(|card| &card.mask),
                self.card.as_ref().and_then(|card| card.brand.as_ref()),
            ],
        )?;
        Ok(())
    }

    /// Stores its tax receipt.
    pub(crate) fn update_fiscal(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change(
            "UPDATE operations SET fiscal = $2 WHERE id = $1",
            values![self.id, self.fiscal.as_ref()],
        )?;
        Ok(())
    }

    /// Forgets one that came to nothing before it began.
    pub(crate) fn delete(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change("DELETE FROM operations WHERE id = $1", values![self.id])?;
        Ok(())
    }

    /// The operation of that id.
    pub(crate) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// The operations of a payment, the oldest first.
    pub(crate) fn all(tx: &mut dyn Transaction, payment: Id) -> Result<Vec<Self>, Refusal> {
        let rows = tx.rows(select!("WHERE payment = $1 ORDER BY id"), values![payment])?;
        rows.iter().map(read).collect()
    }

    /// It ended.
    pub(crate) fn end(&mut self, status: Status, code: StatusCode, at: Timestamp) {
        self.status = status;
        self.code = code;
        self.processed_at = Some(at);
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.status, Status::Success | Status::Failure)
    }
}

fn read(row: &Row) -> Result<Operation, Refusal> {
    let word = |column| row.get::<String>(column);
    let processed_at: Option<i64> = row.get(14)?;
    let fee: Option<u64> = row.get(16)?;
    let (mask, brand): (Option<String>, _) = (row.get(17)?, row.get(18)?);
    Ok(Operation {
        id: row.get(0)?,
        payment: row.get(1)?,
        project: row.get(2)?,
        attempt: row.get(3)?,
        kind: (&*word(4)?).into(),
        method: (&*word(5)?).into(),
        status: (&*word(6)?).into(),
        code: (&*word(7)?).into(),
        amount: payment::amount(row, 8)?,
        auth_code: row.get(9)?,
        rrn: row.get(10)?,
        payload: row.get(11)?,
        callback_url: row.get(12)?,
        created_at: time::from_sql(row.get(13)?)?,
        processed_at: processed_at.map(time::from_sql).transpose()?,
        fiscal: row.get(15)?,
        fee: fee.and_then(Amount::from_minor),
        card: mask.map(|mask| ShownCard { mask, brand }),
    })
}
