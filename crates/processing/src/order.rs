//! Numbers of orders: what a shop calls a payment by, and the rule that at most one payment succeeds under each.
//!
//! Whoever charges under a number holds it meanwhile; others wait for a moment, and are refused when it was paid.

use database::{Transaction, values};
use wire::interface::StatusCode;

use crate::id::Id;
use crate::refusal::Refusal;

/// `holder`: the checkout whose attempt is at the acquirer; `winner`: the payment that succeeded; `latest`: the newest payment.
pub(crate) const TABLES: &str = "
CREATE TABLE orders (
    project     TEXT NOT NULL,
    external_id TEXT NOT NULL,
    holder      INTEGER,
    winner      INTEGER,
    latest      INTEGER NOT NULL,
    PRIMARY KEY (project, external_id)
) STRICT, WITHOUT ROWID;
";

/// Whether a number could be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It is held for this checkout now.
    Held,
    /// Another checkout charges under it at this moment.
    Busy,
}

/// Makes `payment` the newest of its number, and takes the number for its checkout where that pays at once. Refused when it was paid.
pub(crate) fn name(
    tx: &mut dyn Transaction,
    project: &str,
    external_id: &str,
    payment: Id,
    holder: Option<Id>,
) -> Result<Taken, Refusal> {
    let fresh = tx.change(
        "INSERT INTO orders (project, external_id, holder, latest) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        values![project, external_id, holder, payment],
    )?;
    if fresh == 1 {
        return Ok(Taken::Held);
    }
    let before = look(tx, project, external_id)?;
    if holder.is_some() && before.is_some() {
        return Ok(Taken::Busy);
    }
    tx.change(
        "UPDATE orders SET holder = $3, latest = $4 WHERE project = $1 AND external_id = $2",
        values![project, external_id, before.or(holder), payment],
    )?;
    Ok(Taken::Held)
}

/// Takes a number that was [`name`]d for an attempt of a checkout. Refused when it was paid.
pub(crate) fn hold(
    tx: &mut dyn Transaction,
    project: &str,
    external_id: &str,
    checkout: Id,
) -> Result<Taken, Refusal> {
    let holder = look(tx, project, external_id)?;
    if holder.is_some_and(|holder| holder != checkout) {
        return Ok(Taken::Busy);
    }
    tx.change(
        "UPDATE orders SET holder = $3 WHERE project = $1 AND external_id = $2",
        values![project, external_id, checkout],
    )?;
    Ok(Taken::Held)
}

/// Lets a number go that a checkout holds; `winner` is its payment that has succeeded.
pub(crate) fn release(
    tx: &mut dyn Transaction,
    project: &str,
    external_id: &str,
    checkout: Id,
    winner: Option<Id>,
) -> Result<(), Refusal> {
    tx.change(
        "UPDATE orders SET holder = NULL, winner = $4 WHERE project = $1 AND external_id = $2 AND holder = $3",
        values![project, external_id, checkout, winner],
    )?;
    Ok(())
}

/// Forgets a payment that came to nothing before it began.
pub(crate) fn forget(
    tx: &mut dyn Transaction,
    project: &str,
    external_id: &str,
    payment: Id,
) -> Result<(), Refusal> {
    let before: Option<Id> = tx
        .row(
            "SELECT MAX(id) FROM payments WHERE project = $1 AND external_id = $2 AND id <> $3",
            values![project, external_id, payment],
        )?
        .map(|row| row.get(0))
        .transpose()?
        .flatten();
    match before {
        Some(before) => tx.change(
            "UPDATE orders SET holder = NULL, latest = $3 WHERE project = $1 AND external_id = $2",
            values![project, external_id, before],
        )?,
        None => tx.change(
            "DELETE FROM orders WHERE project = $1 AND external_id = $2 AND winner IS NULL",
            values![project, external_id],
        )?,
    };
    Ok(())
}

/// The payment that a number means: the one that succeeded, or else the newest.
pub(crate) fn payment(
    tx: &mut dyn Transaction,
    project: &str,
    external_id: &str,
) -> Result<Option<Id>, Refusal> {
    let row = tx.row(
        "SELECT COALESCE(winner, latest) FROM orders WHERE project = $1 AND external_id = $2",
        values![project, external_id],
    )?;
    Ok(row.map(|row| row.get(0)).transpose()?)
}

/// Who holds it, with the row locked.
fn look(tx: &mut dyn Transaction, project: &str, external_id: &str) -> Result<Option<Id>, Refusal> {
    let row = tx.row(
        "SELECT holder, winner FROM orders WHERE project = $1 AND external_id = $2 FOR UPDATE",
        values![project, external_id],
    )?;
    let row = row.ok_or_else(|| Refusal::internal("an order without its number"))?;
    match row.get::<Option<Id>>(1)? {
        Some(winner) => Err(
            Refusal::new(StatusCode::TransactionAlreadyPaid, "the order was paid before")
                .at("external_id")
                .about(winner),
        ),
        None => Ok(row.get(0)?),
    }
}
