//! Saved cards of customers.

mod add;
mod wallet;

#[cfg(test)]
mod tests;

use database::{Row, Transaction, values};
use jiff::Timestamp;
use wire::interface::StatusCode;

use crate::checkout::record::{Checkout, PaidWith, from_json, to_json};
use crate::id::Id;
use crate::refusal::Refusal;
use crate::time;

/// One row of `wallets` for each customer: whoever changes their cards locks it, and one default is all it has room for.
/// `card` is JSON of what may be shown; `token` is lasting. `is_removed`: the vault has yet to forget it.
pub(crate) const TABLES: &str = "
CREATE TABLE wallets (
    project      TEXT NOT NULL,
    customer     TEXT NOT NULL,
    default_card INTEGER,
    PRIMARY KEY (project, customer)
) STRICT, WITHOUT ROWID;
CREATE TABLE saved_cards (
    id         INTEGER PRIMARY KEY,
    project    TEXT NOT NULL,
    customer   TEXT NOT NULL,
    token      TEXT NOT NULL,
    card       TEXT NOT NULL,
    is_removed INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX saved_cards_token ON saved_cards (project, customer, token);
";

/// A statement that reads a customer's cards.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, token, card, created_at, default_card FROM saved_cards \
             JOIN wallets ON wallets.project = saved_cards.project AND wallets.customer = saved_cards.customer \
             WHERE saved_cards.project = $1 AND saved_cards.customer = $2 ",
            $rest
        )
    };
}
/// Whose cards: a customer's of a project.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holder<'a> {
    project: &'a str,
    customer: &'a str,
}

impl<'a> Holder<'a> {
    /// By the project's id and the shop's number of the customer.
    pub(crate) const fn of(project: &'a str, customer: &'a str) -> Self {
        Self { project, customer }
    }
}

/// A saved card.
#[derive(Clone, Debug)]
pub(crate) struct SavedCard {
    pub(crate) id: Id,
    pub(crate) token: String,
    pub(crate) card: PaidWith,
    pub(crate) is_default: bool,
    pub(crate) created_at: Timestamp,
}

/// Keeps a card for a customer under an id, unless they have it or have no room. Their first is the default. Whether it is kept.
pub(crate) fn keep(
    tx: &mut dyn Transaction,
    holder: Holder<'_>,
    card: &PaidWith,
    make_default: bool,
    (now, id): (Timestamp, Id),
) -> Result<bool, Refusal> {
    let Holder { project, customer } = holder;
    let default = lock(tx, holder)?;
    // Forgotten by the vault meanwhile.
    let Some(token) = card.token.as_deref() else {
        return Ok(false);
    };
    let cards = all(tx, holder)?;
    let id = match cards.iter().find(|card| card.token == token) {
        Some(there) => there.id,
        None if cards.len() >= MOST => return Ok(false),
        None => {
            // One that was removed and not yet forgotten comes back as another.
            tx.change(
                "INSERT INTO saved_cards (id, project, customer, token, card, is_removed, created_at) \
                 VALUES ($1, $2, $3, $4, $5, 0, $6) ON CONFLICT (project, customer, token) \
                 DO UPDATE SET id = excluded.id, card = excluded.card, is_removed = 0, created_at = excluded.created_at",
                values![id, project, customer, token, to_json(card)?, time::to_sql(now)],
            )?;
            id
        }
    };
    if make_default || default.is_none() {
        set_default(tx, holder, Some(id))?;
    }
    Ok(true)
}

/// Whether a customer has a card.
pub(crate) fn is_kept(
    tx: &mut dyn Transaction,
    holder: Holder<'_>,
    card: &PaidWith,
) -> Result<bool, Refusal> {
    Ok(by_token(tx, holder, card)?.is_some())
}

/// Whether there is room for what a checkout saves; true for one that is no card's.
pub(crate) fn has_room(tx: &mut dyn Transaction, checkout: &Checkout) -> Result<bool, Refusal> {
    let (Some(_), Some(customer)) = (checkout.terms.saving, checkout.terms.customer_id()) else {
        return Ok(true);
    };
    let holder = Holder::of(&checkout.project, customer);
    lock(tx, holder)?;
    let token = checkout.card.as_ref().and_then(|card| card.token.as_deref());
    let cards = all(tx, holder)?;
    Ok(cards.len() < MOST || cards.iter().any(|card| Some(&*card.token) == token))
}

/// A customer's cards, the oldest first.
pub(crate) fn all(tx: &mut dyn Transaction, holder: Holder<'_>) -> Result<Vec<SavedCard>, Refusal> {
    let rows = tx.rows(
        select!("AND is_removed = 0 ORDER BY id"),
        values![holder.project, holder.customer],
    )?;
    rows.iter().map(read).collect()
}

/// The customer's card that was paid with.
fn by_token(
    tx: &mut dyn Transaction,
    holder: Holder<'_>,
    card: &PaidWith,
) -> Result<Option<SavedCard>, Refusal> {
    let row = tx.row(
        select!("AND is_removed = 0 AND token = $3"),
        values![holder.project, holder.customer, card.token.as_deref()],
    )?;
    row.map(|row| read(&row)).transpose()
}

/// The lasting token of one of a project's saved cards, whoever's it is.
pub(crate) fn token_of(
    tx: &mut dyn Transaction,
    project: &str,
    option_id: &str,
) -> Result<Option<String>, Refusal> {
    let Ok(id) = option_id.parse::<Id>() else {
        return Ok(None);
    };
    let row = tx.row(
        "SELECT token FROM saved_cards WHERE id = $1 AND project = $2 AND is_removed = 0",
        values![id, project],
    )?;
    Ok(row.map(|row| row.get(0)).transpose()?)
}

/// Has others who change a customer's cards wait, and tells the default.
fn lock(tx: &mut dyn Transaction, Holder { project, customer }: Holder<'_>) -> Result<Option<Id>, Refusal> {
    tx.change(
        "INSERT INTO wallets (project, customer) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        values![project, customer],
    )?;
    let row = tx.row(
        "SELECT default_card FROM wallets WHERE project = $1 AND customer = $2 FOR UPDATE",
        values![project, customer],
    )?;
    Ok(row.map(|row| row.get(0)).transpose()?.flatten())
}

fn set_default(tx: &mut dyn Transaction, holder: Holder<'_>, card: Option<Id>) -> Result<(), Refusal> {
    tx.change(
        "UPDATE wallets SET default_card = $3 WHERE project = $1 AND customer = $2",
        values![holder.project, holder.customer, card],
    )?;
    Ok(())
}

fn read(row: &Row) -> Result<SavedCard, Refusal> {
    let id = row.get(0)?;
    Ok(SavedCard {
        id,
        token: row.get(1)?,
        card: from_json(&row.get::<String>(2)?)?,
        created_at: time::from_sql(row.get(3)?)?,
        is_default: row.get::<Option<Id>>(4)? == Some(id),
    })
}

/// No card of that id.
pub(crate) fn unknown() -> Refusal {
    Refusal::new(
        StatusCode::PaymentMethodNotFound,
        "the customer has no such saved card",
    )
}

/// Saved cards of one customer: more than people have, and few enough to be shown at once.
const MOST: usize = 50;
