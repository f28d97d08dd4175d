//! Checkouts in the store.

use std::fmt;

use database::{DatabaseError, Row, Transaction, values};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wire::interface::customer::Customer;
use wire::interface::metadata::Metadata;
use wire::interface::payment::Campaign;
use wire::interface::values::WebAddress;
use wire::interface::{Amount, Currency};

use crate::id::Id;
use crate::operation::ShownCard;
use crate::payment::{amount, currency};
use crate::refusal::Refusal;
use crate::time;

/// Times in milliseconds of the project's clock. `batch`: the shop's number of a basket. `attempt`: the newest, `tries`: how many
/// there were. `terms` and `card` are JSON.
pub(crate) const TABLES: &str = "
CREATE TABLE checkouts (
    id           INTEGER PRIMARY KEY,
    project      TEXT NOT NULL,
    batch        TEXT,
    is_hosted    INTEGER NOT NULL,
    holds        INTEGER NOT NULL,
    amount       INTEGER NOT NULL,
    currency     TEXT NOT NULL,
    terms        TEXT NOT NULL,
    attempt      INTEGER,
    tries        INTEGER NOT NULL,
    step         TEXT NOT NULL,
    card         TEXT,
    recurrent_id TEXT,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX checkouts_batch ON checkouts (project, batch, id) WHERE batch IS NOT NULL;
";

/// What a payer pays at once: one order, or those of a basket.
#[derive(Clone, Debug)]
pub(crate) struct Checkout {
    pub(crate) id: Id,
    /// The project whose login asked for it, and whose tokens pay.
    pub(crate) project: String,
    pub(crate) batch: Option<String>,
    pub(crate) is_hosted: bool,
    /// Whether the amount is held and not charged.
    pub(crate) holds: bool,
    pub(crate) amount: Amount,
    pub(crate) currency: Currency,
    pub(crate) terms: Terms,
    pub(crate) attempt: Option<Id>,
    pub(crate) tries: u32,
    pub(crate) step: Step,
    pub(crate) card: Option<PaidWith>,
    pub(crate) recurrent_id: Option<String>,
    pub(crate) created_at: Timestamp,
    /// End of the payment page's time, or of a proof's.
    pub(crate) expires_at: Option<Timestamp>,
}

/// How far the newest attempt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// None is under way.
    Idle,
    /// It is at the vault or at the acquirer.
    Started,
    /// The same after whoever began it was interrupted, or had no answer.
    Recovering,
    /// The payer is to prove who they are.
    Challenged,
    /// They have passed, and it is at the acquirer again.
    Passed,
    /// They have not, which the acquirer is to hear.
    Refused,
}

const STEPS: [(Step, &str); 6] = [
    (Step::Idle, "idle"),
    (Step::Started, "started"),
    (Step::Recovering, "recovering"),
    (Step::Challenged, "challenged"),
    (Step::Passed, "passed"),
    (Step::Refused, "refused"),
];

impl Step {
    /// Whether the acquirer is to say what comes next.
    pub(crate) fn is_under_way(self) -> bool {
        !matches!(self, Self::Idle | Self::Challenged)
    }

    fn name(self) -> &'static str {
        STEPS
            .iter()
            .find(|(step, _)| *step == self)
            .map_or("", |(_, name)| name)
    }
}

/// What the shop said of all orders together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Terms {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) callback_url: Option<WebAddress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result_url: Option<WebAddress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result_url_success: Option<WebAddress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result_url_fail: Option<WebAddress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) campaign: Option<Campaign>,
    /// Without its payment method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) customer: Option<Customer>,
    /// A binding for later charges was asked for.
    #[serde(default)]
    pub(crate) binds: bool,
    /// The payer is away: it is a charge of a binding.
    #[serde(default)]
    pub(crate) is_recurrent: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Metadata>,
    /// There is no order: the customer's card is verified and saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) saving: Option<Saving>,
    /// It is a try to pay a subscription.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) subscription: Option<Id>,
}

/// How a card is saved for which there is no order.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Saving {
    /// Whether it becomes the customer's default.
    pub(crate) make_default: bool,
}

impl Terms {
    /// The shop's number of the payer.
    pub(crate) fn customer_id(&self) -> Option<&str> {
        self.customer.as_ref()?.external_id.as_deref()
    }

    /// Whether it pays a further period of a subscription, while nobody is there.
    pub(crate) fn renews(&self) -> bool {
        self.subscription.is_some() && self.is_recurrent
    }
}

/// The card of the newest attempt, as it may be shown, and how it is used.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PaidWith {
    /// The lasting token; it goes when the attempt fails.
    pub(crate) token: Option<String>,
    /// Empty until the vault has told it.
    pub(crate) mask: String,
    /// Brand id of the card rules.
    pub(crate) brand: Option<String>,
    /// Last month, `(year, month)`.
    pub(crate) expiry: Option<(u16, u8)>,
    /// Whether it is to be saved for the customer; of an attempt that has ended, whether it is among their saved cards.
    pub(crate) saved: bool,
    /// Whether the payer may be asked to prove who they are.
    pub(crate) use_3ds: bool,
}

impl PaidWith {
    /// A card of which nothing is known yet but what is to be done with it.
    pub(crate) fn unknown(use_3ds: bool, saved: bool) -> Self {
        Self {
            token: None,
            mask: String::new(),
            brand: None,
            expiry: None,
            saved,
            use_3ds,
        }
    }

    /// What reports show of it, once the vault has told it.
    pub(crate) fn shown(&self) -> Option<ShownCard> {
        (!self.mask.is_empty()).then(|| ShownCard {
            mask: self.mask.clone(),
            brand: self.brand.clone(),
        })
    }
}

impl fmt::Debug for PaidWith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaidWith").finish_non_exhaustive()
    }
}

/// A statement that reads whole checkouts.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, project, batch, is_hosted, holds, amount, currency, terms, attempt, tries, step, card, recurrent_id, \
             created_at, expires_at FROM checkouts ",
            $rest
        )
    };
}

impl Checkout {
    /// One that nobody has tried to pay, in memory: paid at once, and of a single order, unless the caller says otherwise.
    pub(crate) fn new(id: Id, project: &str, amount: Amount, currency: Currency, now: Timestamp) -> Self {
        Self {
            id,
            project: project.to_owned(),
            batch: None,
            is_hosted: false,
            holds: false,
            amount,
            currency,
            terms: Terms::default(),
            attempt: None,
            tries: 0,
            step: Step::Idle,
            card: None,
            recurrent_id: None,
            created_at: now,
            expires_at: None,
        }
    }

    /// Stores a new one.
    pub(crate) fn insert(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change(
            "INSERT INTO checkouts (id, project, batch, is_hosted, holds, amount, currency, terms, attempt, tries, step, card, \
             recurrent_id, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
            values![
                self.id,
                &self.project,
                self.batch.as_ref(),
                self.is_hosted,
                self.holds,
                self.amount.minor(),
                self.currency.as_str(),
                to_json(&self.terms)?,
                self.attempt,
                self.tries,
                self.step.name(),
                self.card.as_ref().map(to_json).transpose()?,
                self.recurrent_id.as_ref(),
                time::to_sql(self.created_at),
                self.expires_at.map(time::to_sql),
            ],
        )?;
        Ok(())
    }

    /// Stores what may have changed.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change(
            "UPDATE checkouts SET attempt = $2, tries = $3, step = $4, card = $5, recurrent_id = $6, expires_at = $7 WHERE id = $1",
            values![
                self.id,
                self.attempt,
                self.tries,
                self.step.name(),
                self.card.as_ref().map(to_json).transpose()?,
                self.recurrent_id.as_ref(),
                self.expires_at.map(time::to_sql),
            ],
        )?;
        Ok(())
    }

    /// The checkout of that id, with its row locked.
    pub(crate) fn lock(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1 FOR UPDATE"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// The checkout of that id.
    pub(crate) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// Whether a try is still the newest and has ended, with the row locked.
    pub(crate) fn is_idle_after(
        tx: &mut dyn Transaction,
        id: Id,
        attempt: Option<Id>,
    ) -> Result<bool, DatabaseError> {
        let row = tx.row(
            "SELECT 1 FROM checkouts WHERE id = $1 AND attempt = $2 AND step = 'idle' FOR UPDATE",
            values![id, attempt],
        )?;
        Ok(row.is_some())
    }

    /// The newest other checkout of a basket's number.
    pub(crate) fn before(&self, tx: &mut dyn Transaction, batch: &str) -> Result<Option<Id>, Refusal> {
        let row = tx.row(
            "SELECT MAX(id) FROM checkouts WHERE project = $1 AND batch = $2 AND id <> $3",
            values![&self.project, batch, self.id],
        )?;
        Ok(row.map(|row| row.get(0)).transpose()?.flatten())
    }

    /// Forgets one that came to nothing before it began.
    pub(crate) fn delete(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change("DELETE FROM checkouts WHERE id = $1", values![self.id])?;
        Ok(())
    }

    /// Whether the amount is nothing and the card alone is looked at.
    pub(crate) fn verifies(&self) -> bool {
        self.amount.is_zero()
    }
}

fn read(row: &Row) -> Result<Checkout, Refusal> {
    let (terms, step): (String, String) = (row.get(7)?, row.get(10)?);
    let card: Option<String> = row.get(11)?;
    let expires_at: Option<i64> = row.get(14)?;
    let step = STEPS
        .iter()
        .find(|(_, name)| *name == step)
        .map(|(step, _)| *step);
    Ok(Checkout {
        id: row.get(0)?,
        project: row.get(1)?,
        batch: row.get(2)?,
        is_hosted: row.get(3)?,
        holds: row.get(4)?,
        amount: amount(row, 5)?,
        currency: currency(row, 6)?,
        terms: from_json(&terms)?,
        attempt: row.get(8)?,
        tries: row.get(9)?,
        step: step.ok_or_else(|| Refusal::internal("a stored step is not known"))?,
        card: card.as_deref().map(from_json).transpose()?,
        recurrent_id: row.get(12)?,
        created_at: time::from_sql(row.get(13)?)?,
        expires_at: expires_at.map(time::from_sql).transpose()?,
    })
}

/// A value as a column keeps it.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|_| Refusal::internal("a value cannot be stored"))
}

/// A value of a column.
pub(crate) fn from_json<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|_| Refusal::internal("a stored value cannot be read"))
}
