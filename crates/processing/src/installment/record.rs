//! Installment orders in the store.

use database::{Row, Transaction, values};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wire::interface::customer::Customer;
use wire::interface::installment::InstallmentProduct;
use wire::interface::values::WebAddress;
use wire::interface::{Amount, Currency, StatusCode};

use super::states::{self, Event, State};
use crate::checkout::record::{PaidWith, from_json, to_json};
use crate::id::Id;
use crate::order::{self, Number};
use crate::payment::money::Money;
use crate::payment::{amount, currency, money};
use crate::refusal::Refusal;
use crate::time;

/// Amounts in hundredths, times in milliseconds of the project's clock. `busy`: the operation or the card that is under way, or the order
/// itself until the bank has heard of it. `tries`: how many cards were tried. `terms`, `card`, `products` and `fiscal` are JSON.
pub(crate) const TABLES: &str = "
CREATE TABLE installments (
    id          INTEGER PRIMARY KEY,
    project     TEXT NOT NULL,
    external_id TEXT NOT NULL,
    unified_id  TEXT,
    bank        TEXT NOT NULL,
    parts       INTEGER NOT NULL,
    state       TEXT NOT NULL,
    way         TEXT,
    amount      INTEGER NOT NULL,
    currency    TEXT NOT NULL,
    held        INTEGER NOT NULL,
    charged     INTEGER NOT NULL,
    released    INTEGER NOT NULL,
    refunded    INTEGER NOT NULL,
    refunding   INTEGER NOT NULL,
    busy        INTEGER,
    confirms    INTEGER NOT NULL,
    description TEXT NOT NULL,
    payload     TEXT,
    products    TEXT,
    fiscal      TEXT,
    terms       TEXT NOT NULL,
    tries       INTEGER NOT NULL,
    card        TEXT,
    declined    TEXT,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX installments_waiting ON installments (project, id) WHERE state = 'waiting';
";

/// An installment order as the store has it.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) id: Id,
    pub(crate) project: String,
    pub(crate) external_id: String,
    pub(crate) unified_id: Option<String>,
    /// Its `bank_name`.
    pub(crate) bank: String,
    pub(crate) parts: u32,
    pub(crate) state: State,
    /// How the payer agrees, once the bank has said it.
    pub(crate) way: Option<Way>,
    pub(crate) amount: Amount,
    pub(crate) currency: Currency,
    /// All of the amount is asked for from the beginning, and so held.
    pub(crate) money: Money,
    pub(crate) busy: Option<Id>,
    /// Whether it is confirmed as soon as the payer has agreed.
    pub(crate) confirms: bool,
    pub(crate) description: String,
    pub(crate) payload: Option<String>,
    pub(crate) products: Option<String>,
    pub(crate) fiscal: Option<String>,
    pub(crate) terms: Terms,
    pub(crate) tries: u32,
    /// The card of the newest try, where the bank asks for one.
    pub(crate) card: Option<PaidWith>,
    /// Why the last card was not taken.
    pub(crate) declined: Option<StatusCode>,
    pub(crate) created_at: Timestamp,
    /// End of the payer's time to agree.
    pub(crate) expires_at: Timestamp,
}

/// How a payer agrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// In the bank's app, which asks them.
    App,
    /// On the page that this service has for it.
    Page,
    /// On a page of the bank's.
    Link(String),
}

/// What the shop said besides.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Terms {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) callback_url: Option<WebAddress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result_url: Option<WebAddress>,
    pub(crate) customer: Customer,
}

/// A statement that reads whole orders.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, project, external_id, unified_id, bank, parts, state, way, amount, currency, held, charged, released, refunded, \
             refunding, busy, confirms, description, payload, products, fiscal, terms, tries, card, declined, created_at, expires_at \
             FROM installments ",
            $rest
        )
    };
}

impl Order {
    /// Stores a new one.
    pub(crate) fn insert(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        let money = &self.money;
        tx.change(
            "INSERT INTO installments (id, project, external_id, unified_id, bank, parts, state, way, amount, currency, held, charged, \
             released, refunded, refunding, busy, confirms, description, payload, products, fiscal, terms, tries, card, declined, \
             created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, \
             $21, $22, $23, $24, $25, $26, $27)",
            values![
                self.id,
                &self.project,
                &self.external_id,
                self.unified_id.as_ref(),
                &self.bank,
                self.parts,
                self.state.name(),
                self.way.as_ref().map(Way::as_str),
                self.amount.minor(),
                self.currency.as_str(),
                money.held.minor(),
                money.charged.minor(),
                money.released.minor(),
                money.refunded.minor(),
                money.refunding.minor(),
                self.busy,
                self.confirms,
                &self.description,
                self.payload.as_ref(),
                self.products.as_ref(),
                self.fiscal.as_ref(),
                to_json(&self.terms)?,
                self.tries,
                self.card.as_ref().map(to_json).transpose()?,
                self.declined.as_ref().map(StatusCode::as_str),
                time::to_sql(self.created_at),
                time::to_sql(self.expires_at),
            ],
        )?;
        Ok(())
    }

    /// Stores what may have changed.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        let money = &self.money;
        tx.change(
            "UPDATE installments SET state = $2, way = $3, held = $4, charged = $5, released = $6, refunded = $7, refunding = $8, \
             busy = $9, fiscal = $10, tries = $11, card = $12, declined = $13 WHERE id = $1",
            values![
                self.id,
                self.state.name(),
                self.way.as_ref().map(Way::as_str),
                money.held.minor(),
                money.charged.minor(),
                money.released.minor(),
                money.refunded.minor(),
                money.refunding.minor(),
                self.busy,
                self.fiscal.as_ref(),
                self.tries,
                self.card.as_ref().map(to_json).transpose()?,
                self.declined.as_ref().map(StatusCode::as_str),
            ],
        )?;
        Ok(())
    }

    /// The order of that id, with its row locked.
    pub(crate) fn lock(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1 FOR UPDATE"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// The order of that id.
    pub(crate) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// Orders of a project whose payers have not answered, the newest first.
    pub(crate) fn waiting(tx: &mut dyn Transaction, project: &str, most: u32) -> Result<Vec<Self>, Refusal> {
        let rows = tx.rows(
            select!("WHERE project = $1 AND state = 'waiting' ORDER BY id DESC LIMIT $2"),
            values![project, most],
        )?;
        rows.iter().map(read).collect()
    }

    /// What its shop calls it.
    pub(crate) fn number(&self) -> Number<'_> {
        Number::installment(&self.project, &self.external_id)
    }

    /// Goes on to the next state, if the table has one, and lets its number go where that is decided.
    pub(crate) fn step(&mut self, tx: &mut dyn Transaction, event: Event) -> Result<(), Refusal> {
        self.state = states::step(self.state, event).map_err(|code| self.refuse(code))?;
        match event {
            Event::Sign => order::release(tx, self.number(), self.id, Some(self.id)),
            Event::Reject | Event::Expire | Event::Cancel => order::release(tx, self.number(), self.id, None),
            _ => Ok(()),
        }
    }

    /// A refusal about this order.
    pub(crate) fn refuse(&self, code: StatusCode) -> Refusal {
        Refusal::new(code, format!("the order is {}", self.state.name())).about(self.id)
    }

    /// What is sold, where it can be taxed: each product needs its group.
    pub(crate) fn taxed(&self) -> Result<Option<Vec<InstallmentProduct>>, Refusal> {
        let Some(products) = &self.products else {
            return Ok(None);
        };
        let products: Vec<InstallmentProduct> = from_json(products)?;
        let is_taxed = products.iter().all(|product| product.tax_group.is_some());
        Ok(is_taxed.then_some(products))
    }
}

impl Way {
    fn as_str(&self) -> &str {
        match self {
            Self::App => "app",
            Self::Page => "page",
            Self::Link(address) => address,
        }
    }

    fn of(text: String) -> Self {
        match text.as_str() {
            "app" => Self::App,
            "page" => Self::Page,
            _ => Self::Link(text),
        }
    }
}

fn read(row: &Row) -> Result<Order, Refusal> {
    let (state, terms): (String, String) = (row.get(6)?, row.get(21)?);
    let (card, declined): (Option<String>, Option<String>) = (row.get(23)?, row.get(24)?);
    Ok(Order {
        id: row.get(0)?,
        project: row.get(1)?,
        external_id: row.get(2)?,
        unified_id: row.get(3)?,
        bank: row.get(4)?,
        parts: row.get(5)?,
        state: State::named(&state).ok_or_else(|| Refusal::internal("a stored state is not known"))?,
        way: row.get::<Option<String>>(7)?.map(Way::of),
        amount: amount(row, 8)?,
        currency: currency(row, 9)?,
        money: money(row, 10)?,
        busy: row.get(15)?,
        confirms: row.get(16)?,
        description: row.get(17)?,
        payload: row.get(18)?,
        products: row.get(19)?,
        fiscal: row.get(20)?,
        terms: from_json(&terms)?,
        tries: row.get(22)?,
        card: card.as_deref().map(from_json).transpose()?,
        declined: declined.as_deref().map(StatusCode::from),
        created_at: time::from_sql(row.get(25)?)?,
        expires_at: time::from_sql(row.get(26)?)?,
    })
}
