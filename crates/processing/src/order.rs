//! Numbers of orders, baskets, payouts and installment orders: what a shop calls a payment by, and the rule that at most one payment succeeds under each.
//!
//! Whoever charges under a number holds it meanwhile; others wait for a moment, and are refused when it was paid.

use database::{Transaction, values};
use wire::interface::StatusCode;

use crate::id::Id;
use crate::refusal::Refusal;

/// `scope`: 0 orders, 1 baskets, 2 payouts, 3 installment orders. `holder`: the checkout whose attempt is at the acquirer; `winner`: the
/// payment that succeeded; `latest`: the newest payment. Of a basket both are its checkout.
pub(crate) const TABLES: &str = "
CREATE TABLE orders (
    project     TEXT NOT NULL,
    scope       INTEGER NOT NULL,
    external_id TEXT NOT NULL,
    holder      INTEGER,
    winner      INTEGER,
    latest      INTEGER NOT NULL,
    PRIMARY KEY (project, scope, external_id)
) STRICT, WITHOUT ROWID;
";

/// What a shop calls an order, a basket or a payout by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number<'a> {
    project: &'a str,
    scope: u32,
    external_id: &'a str,
}

impl<'a> Number<'a> {
    /// An order's, within its seller's project.
    pub(crate) const fn order(project: &'a str, external_id: &'a str) -> Self {
        Self {
            project,
            scope: 0,
            external_id,
        }
    }

    /// A basket's.
    pub(crate) const fn basket(project: &'a str, external_id: &'a str) -> Self {
        Self {
            project,
            scope: 1,
            external_id,
        }
    }

    /// A payout's.
    pub(crate) const fn payout(project: &'a str, external_id: &'a str) -> Self {
        Self {
            project,
            scope: 2,
            external_id,
        }
    }

    /// An installment order's.
    pub(crate) const fn installment(project: &'a str, external_id: &'a str) -> Self {
        Self {
            project,
            scope: 3,
            external_id,
        }
    }

    /// The same to be taken along.
    pub(crate) fn owned(self) -> OwnedNumber {
        OwnedNumber {
            project: self.project.to_owned(),
            scope: self.scope,
            external_id: self.external_id.to_owned(),
        }
    }

    /// The member that has it.
    const fn param(self) -> &'static str {
        match self.scope {
            1 => "batch_external_id",
            2 => "order.external_id",
            _ => "external_id",
        }
    }
}

/// A number that is its own.
#[derive(Clone, Debug)]
pub(crate) struct OwnedNumber {
    project: String,
    scope: u32,
    external_id: String,
}

impl OwnedNumber {
    pub(crate) fn borrow(&self) -> Number<'_> {
        Number {
            project: &self.project,
            scope: self.scope,
            external_id: &self.external_id,
        }
    }
}

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
    number: Number<'_>,
    payment: Id,
    holder: Option<Id>,
) -> Result<Taken, Refusal> {
    let Number {
        project,
        scope,
        external_id,
    } = number;
    let fresh = tx.change(
        "INSERT INTO orders (project, scope, external_id, holder, latest) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        values![project, scope, external_id, holder, payment],
    )?;
    if fresh == 1 {
        return Ok(Taken::Held);
    }
    let before = look(tx, number)?;
    if holder.is_some() && before.is_some() {
        return Ok(Taken::Busy);
    }
    tx.change(
        "UPDATE orders SET holder = $4, latest = $5 WHERE project = $1 AND scope = $2 AND external_id = $3",
        values![project, scope, external_id, before.or(holder), payment],
    )?;
    Ok(Taken::Held)
}

/// Takes a number that was [`name`]d for an attempt of a checkout. Refused when it was paid.
pub(crate) fn hold(tx: &mut dyn Transaction, number: Number<'_>, checkout: Id) -> Result<Taken, Refusal> {
    let holder = look(tx, number)?;
    if holder.is_some_and(|holder| holder != checkout) {
        return Ok(Taken::Busy);
    }
    tx.change(
        "UPDATE orders SET holder = $4 WHERE project = $1 AND scope = $2 AND external_id = $3",
        values![number.project, number.scope, number.external_id, checkout],
    )?;
    Ok(Taken::Held)
}

/// Lets a number go that a checkout holds; `winner` is its payment that has succeeded.
pub(crate) fn release(
    tx: &mut dyn Transaction,
    number: Number<'_>,
    checkout: Id,
    winner: Option<Id>,
) -> Result<(), Refusal> {
    tx.change(
        "UPDATE orders SET holder = NULL, winner = $5 WHERE project = $1 AND scope = $2 AND external_id = $3 AND holder = $4",
        values![number.project, number.scope, number.external_id, checkout, winner],
    )?;
    Ok(())
}

/// Forgets a payment that came to nothing before it began; `before` is the one that had the number until then.
pub(crate) fn forget(
    tx: &mut dyn Transaction,
    number: Number<'_>,
    before: Option<Id>,
) -> Result<(), Refusal> {
    let Number {
        project,
        scope,
        external_id,
    } = number;
    match before {
        Some(before) => tx.change(
            "UPDATE orders SET holder = NULL, latest = $4 WHERE project = $1 AND scope = $2 AND external_id = $3",
            values![project, scope, external_id, before],
        )?,
        None => tx.change(
            "DELETE FROM orders WHERE project = $1 AND scope = $2 AND external_id = $3 AND winner IS NULL",
            values![project, scope, external_id],
        )?,
    };
    Ok(())
}

/// What has succeeded under a number.
pub(crate) fn winner(tx: &mut dyn Transaction, number: Number<'_>) -> Result<Option<Id>, Refusal> {
    let row = tx.row(
        "SELECT winner FROM orders WHERE project = $1 AND scope = $2 AND external_id = $3",
        values![number.project, number.scope, number.external_id],
    )?;
    Ok(row.map(|row| row.get(0)).transpose()?.flatten())
}

/// What a number means: the payment that succeeded, or else the newest.
pub(crate) fn find(tx: &mut dyn Transaction, number: Number<'_>) -> Result<Option<Id>, Refusal> {
    let row = tx.row(
        "SELECT COALESCE(winner, latest) FROM orders WHERE project = $1 AND scope = $2 AND external_id = $3",
        values![number.project, number.scope, number.external_id],
    )?;
    Ok(row.map(|row| row.get(0)).transpose()?)
}

/// Who holds it, with the row locked.
fn look(tx: &mut dyn Transaction, number: Number<'_>) -> Result<Option<Id>, Refusal> {
    let row = tx.row(
        "SELECT holder, winner FROM orders WHERE project = $1 AND scope = $2 AND external_id = $3 FOR UPDATE",
        values![number.project, number.scope, number.external_id],
    )?;
    let row = row.ok_or_else(|| Refusal::internal("an order without its number"))?;
    match row.get::<Option<Id>>(1)? {
        Some(winner) => Err(
            Refusal::new(StatusCode::TransactionAlreadyPaid, "the order was paid before")
                .at(number.param())
                .about(winner),
        ),
        None => Ok(row.get(0)?),
    }
}
