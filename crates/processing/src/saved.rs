//! Saved cards of customers.

use database::{Transaction, values};
use jiff::Timestamp;
use wire::interface::StatusCode;
use wire::interface::saved::{ItemCard, ItemType, WalletItem};

use crate::checkout::record::{PaidWith, from_json, to_json};
use crate::payment::answer::last_day;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

/// `card` is JSON of what may be shown; `token` is lasting.
pub(crate) const TABLES: &str = "
CREATE TABLE saved_cards (
    project    TEXT NOT NULL,
    customer   TEXT NOT NULL,
    option_id  TEXT NOT NULL,
    token      TEXT NOT NULL,
    card       TEXT NOT NULL,
    is_default INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (project, customer, option_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX saved_cards_token ON saved_cards (project, customer, token);
";

/// A saved card.
#[derive(Clone, Debug)]
pub(crate) struct SavedCard {
    pub(crate) option_id: String,
    pub(crate) token: String,
    pub(crate) card: PaidWith,
    pub(crate) is_default: bool,
    pub(crate) created_at: Timestamp,
}

/// Keeps a card for a customer, unless they have it. Their first is the default. Answers its id.
pub(crate) fn keep(
    tx: &mut dyn Transaction,
    project: &str,
    customer: &str,
    card: &PaidWith,
    now: Timestamp,
) -> Result<String, Refusal> {
    let token = card
        .token
        .as_deref()
        .ok_or_else(|| Refusal::internal("a card without a lasting token"))?;
    let before = tx.row(
        "SELECT COUNT(*) FROM saved_cards WHERE project = $1 AND customer = $2",
        values![project, customer],
    )?;
    let is_first = before
        .map(|row| row.get::<u64>(0))
        .transpose()?
        .unwrap_or_default()
        == 0;
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|_| Refusal::internal("no randomness"))?;
    let option_id = format!("{:032x}", u128::from_be_bytes(bits));
    tx.change(
        "INSERT INTO saved_cards (project, customer, option_id, token, card, is_default, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
        values![
            project,
            customer,
            option_id,
            token,
            to_json(card)?,
            is_first,
            time::to_sql(now)
        ],
    )?;
    let row = tx.row(
        "SELECT option_id FROM saved_cards WHERE project = $1 AND customer = $2 AND token = $3",
        values![project, customer, token],
    )?;
    let row = row.ok_or_else(|| Refusal::internal("a saved card is not there"))?;
    Ok(row.get(0)?)
}

/// A customer's cards, the oldest first.
pub(crate) fn all(
    tx: &mut dyn Transaction,
    project: &str,
    customer: &str,
) -> Result<Vec<SavedCard>, Refusal> {
    let rows = tx.rows(
        "SELECT option_id, token, card, is_default, created_at FROM saved_cards WHERE project = $1 AND customer = $2 \
         ORDER BY created_at, option_id",
        values![project, customer],
    )?;
    let mut cards = Vec::with_capacity(rows.len());
    for row in rows {
        cards.push(SavedCard {
            option_id: row.get(0)?,
            token: row.get(1)?,
            card: from_json(&row.get::<String>(2)?)?,
            is_default: row.get(3)?,
            created_at: time::from_sql(row.get(4)?)?,
        });
    }
    Ok(cards)
}

/// No card of that id.
pub(crate) fn unknown() -> Refusal {
    Refusal::new(
        StatusCode::PaymentMethodNotFound,
        "the customer has no such saved card",
    )
}

impl Processing {
    /// A saved card as it may be shown.
    pub(crate) fn wallet_item(&self, project: &Project, saved: &SavedCard) -> Result<WalletItem, Refusal> {
        let issuers = &self.shared.ports(project)?.issuers;
        let card = &saved.card;
        let issuer = issuers.issuer(&card.mask);
        let system = card.brand.as_deref().map(str::to_uppercase);
        let ending = card
            .mask
            .trim_start_matches(|letter: char| letter != '*')
            .trim_start_matches('*');
        Ok(WalletItem {
            option_id: saved.option_id.clone(),
            kind: ItemType::Card,
            name: format!("{} {ending}", system.as_deref().unwrap_or("CARD")),
            is_default: saved.is_default,
            card: ItemCard {
                mask: card.mask.clone(),
                payment_system: system,
                bank_short_name: issuer.bank_short_name,
                expires_at: card.expiry.and_then(last_day),
                card_art_url: issuers.art(project, &card.mask, saved.created_at),
            },
        })
    }

    /// One of a customer's cards.
    pub(crate) fn saved_card(
        &self,
        project: &Project,
        customer: &str,
        option_id: &str,
    ) -> Result<Option<SavedCard>, Refusal> {
        let (project, customer, option_id) = (project.id.clone(), customer.to_owned(), option_id.to_owned());
        let cards = self
            .shared
            .database
            .read(move |tx| all(tx, &project, &customer))?;
        Ok(cards.into_iter().find(|card| card.option_id == option_id))
    }
}
