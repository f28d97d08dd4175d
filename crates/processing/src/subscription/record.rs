//! Subscriptions in the store.

use database::{Row, Transaction, values};
use jiff::{SignedDuration, Timestamp};
use wire::interface::plan::Plan;
use wire::interface::subscription::SubscriptionState;
use wire::interface::{Amount, Currency, StatusCode};

use super::plan;
use super::schedule::Schedule;
use super::states::{self, Event};
use crate::checkout::record::{Terms, from_json, to_json};
use crate::id::Id;
use crate::payment::{amount, currency};
use crate::project::Project;
use crate::refusal::Refusal;
use crate::{job, time};

/// Times in milliseconds of the project's clock. `paid`: how many periods are. `due_at`: when the next one is to be paid, or else all of it
/// ends. `misses`: how often that has failed. `charging`: the checkout that is under way. `terms` is JSON. A customer has one of a plan
/// that has not ended. `subscription_payments` has a row for each try to be paid.
pub(crate) const TABLES: &str = "
CREATE TABLE subscriptions (
    id             INTEGER PRIMARY KEY,
    project        TEXT NOT NULL,
    customer       TEXT NOT NULL,
    plan           INTEGER NOT NULL,
    state          TEXT NOT NULL,
    auto_renew     INTEGER NOT NULL,
    price          INTEGER,
    currency       TEXT NOT NULL,
    trial          INTEGER NOT NULL,
    to_plan_price  INTEGER NOT NULL,
    frequency_type TEXT NOT NULL,
    frequency      INTEGER NOT NULL,
    duration       INTEGER NOT NULL,
    start_at       INTEGER NOT NULL,
    paid           INTEGER NOT NULL,
    due_at         INTEGER,
    misses         INTEGER NOT NULL,
    charging       INTEGER,
    recurrent_id   TEXT,
    callback_url   TEXT,
    description    TEXT,
    terms          TEXT NOT NULL,
    created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_customer ON subscriptions (project, customer, id);
CREATE UNIQUE INDEX subscriptions_open ON subscriptions (project, customer, plan) WHERE state <> 'inactive';
CREATE TABLE subscription_payments (
    project      TEXT NOT NULL,
    subscription INTEGER NOT NULL,
    payment      INTEGER NOT NULL,
    PRIMARY KEY (subscription, payment)
) STRICT, WITHOUT ROWID;
";

/// A subscription as the store has it.
#[derive(Clone, Debug)]
pub(crate) struct Subscription {
    pub(crate) id: Id,
    pub(crate) project: String,
    pub(crate) customer: String,
    pub(crate) plan: Id,
    pub(crate) state: SubscriptionState,
    pub(crate) auto_renew: bool,
    /// `None`: the plan's.
    pub(crate) price: Option<Amount>,
    pub(crate) currency: Currency,
    /// Periods at `price`, whatever holds thereafter.
    pub(crate) trial: u32,
    /// Whether the plan's price holds from the first renewal after the trial on.
    pub(crate) to_plan_price: bool,
    pub(crate) schedule: Schedule,
    pub(crate) paid: u32,
    pub(crate) due_at: Option<Timestamp>,
    pub(crate) misses: u32,
    pub(crate) charging: Option<Id>,
    pub(crate) recurrent_id: Option<String>,
    pub(crate) callback_url: Option<String>,
    pub(crate) description: Option<String>,
    /// Of all its checkouts.
    pub(crate) terms: Terms,
    pub(crate) created_at: Timestamp,
}

/// A statement that reads whole subscriptions.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, project, customer, plan, state, auto_renew, price, currency, trial, to_plan_price, frequency_type, frequency, \
             duration, start_at, paid, due_at, misses, charging, recurrent_id, callback_url, description, terms, created_at \
             FROM subscriptions ",
            $rest
        )
    };
}

impl Subscription {
    /// Stores a new one; `false` where the customer has one of the plan.
    pub(crate) fn insert(&self, tx: &mut dyn Transaction) -> Result<bool, Refusal> {
        let Schedule {
            start,
            unit,
            frequency,
            duration,
        } = self.schedule;
        let inserted = tx.change(
            "INSERT INTO subscriptions (id, project, customer, plan, state, auto_renew, price, currency, trial, to_plan_price, \
             frequency_type, frequency, duration, start_at, paid, due_at, misses, charging, recurrent_id, callback_url, description, \
             terms, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23) \
             ON CONFLICT DO NOTHING",
            values![
                self.id,
                &self.project,
                &self.customer,
                self.plan,
                self.state.as_str(),
                self.auto_renew,
                self.price.map(Amount::minor),
                self.currency.as_str(),
                self.trial,
                self.to_plan_price,
                unit.as_str(),
                frequency,
                duration,
                time::to_sql(start),
                self.paid,
                self.due_at.map(time::to_sql),
                self.misses,
                self.charging,
                self.recurrent_id.as_ref(),
                self.callback_url.as_ref(),
                self.description.as_ref(),
                to_json(&self.terms)?,
                time::to_sql(self.created_at),
            ],
        )?;
        Ok(inserted == 1)
    }

    /// Stores what may have changed.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        tx.change(
            "UPDATE subscriptions SET state = $2, auto_renew = $3, paid = $4, due_at = $5, misses = $6, charging = $7, \
             recurrent_id = $8 WHERE id = $1",
            values![
                self.id,
                self.state.as_str(),
                self.auto_renew,
                self.paid,
                self.due_at.map(time::to_sql),
                self.misses,
                self.charging,
                self.recurrent_id.as_ref(),
            ],
        )?;
        Ok(())
    }

    /// Forgets one that came to nothing before it began.
    pub(crate) fn delete(tx: &mut dyn Transaction, id: Id) -> Result<(), Refusal> {
        tx.change("DELETE FROM subscriptions WHERE id = $1", values![id])?;
        tx.change(
            "DELETE FROM subscription_payments WHERE subscription = $1",
            values![id],
        )?;
        Ok(())
    }

    /// The one of that id, with its row locked.
    pub(crate) fn lock(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1 FOR UPDATE"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// The one of that id.
    pub(crate) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let row = tx.row(select!("WHERE id = $1"), values![id])?;
        row.map(|row| read(&row)).transpose()
    }

    /// A customer's, the oldest first.
    pub(crate) fn all(tx: &mut dyn Transaction, project: &str, customer: &str) -> Result<Vec<Self>, Refusal> {
        let rows = tx.rows(
            select!("WHERE project = $1 AND customer = $2 ORDER BY id"),
            values![project, customer],
        )?;
        rows.iter().map(read).collect()
    }

    /// Notes that a payment is a try to pay it.
    pub(crate) fn note(&self, tx: &mut dyn Transaction, payment: Id) -> Result<(), Refusal> {
        tx.change(
            "INSERT INTO subscription_payments (project, subscription, payment) VALUES ($1, $2, $3)",
            values![&self.project, self.id, payment],
        )?;
        Ok(())
    }

    /// The payments of all tries, the oldest first.
    pub(crate) fn payments(&self, tx: &mut dyn Transaction) -> Result<Vec<Id>, Refusal> {
        let rows = tx.rows(
            "SELECT payment FROM subscription_payments WHERE subscription = $1 ORDER BY payment",
            values![self.id],
        )?;
        rows.iter().map(|row| Ok(row.get(0)?)).collect()
    }

    /// Goes on to the next state, if the table has one.
    pub(crate) fn step(&mut self, event: Event) -> Result<(), Refusal> {
        self.state = states::step(&self.state, event).map_err(|code| {
            let message = format!("the subscription is {}", self.state);
            Refusal::new(code, message).at("subscription_id")
        })?;
        Ok(())
    }

    /// It has ended, by such an event: nothing is due any more.
    pub(crate) fn end(&mut self, tx: &mut dyn Transaction, event: Event) -> Result<(), Refusal> {
        self.step(event)?;
        self.due_at = None;
        self.charging = None;
        Ok(job::cancel(tx, job::Kind::Renew, self.id)?)
    }

    /// What a period costs, counted from 0.
    pub(crate) fn price(&self, period: u32, plan: &Plan) -> Amount {
        match self.price {
            Some(price) if period < self.trial.max(1) || !self.to_plan_price => price,
            _ => plan.price,
        }
    }

    /// When it is to be tried to pay the next period: once more each day after it has failed.
    pub(crate) fn tried_at(&self) -> Option<Timestamp> {
        let days = SignedDuration::from_hours(24 * i64::from(self.misses));
        self.due_at.map(|due| time::after(due, days))
    }

    /// Has the job look at it then.
    pub(crate) fn schedule(
        &self,
        tx: &mut dyn Transaction,
        project: &Project,
        real: Timestamp,
    ) -> Result<(), Refusal> {
        let Some(at) = self.tried_at() else {
            return Ok(());
        };
        let due = time::after(real, at.duration_since(project.now(real)));
        Ok(job::schedule(tx, job::Kind::Renew, self.id, &self.project, due)?)
    }
}

fn read(row: &Row) -> Result<Subscription, Refusal> {
    let (price, due_at): (Option<i64>, Option<i64>) = (row.get(6)?, row.get(15)?);
    Ok(Subscription {
        id: row.get(0)?,
        project: row.get(1)?,
        customer: row.get(2)?,
        plan: row.get(3)?,
        state: SubscriptionState::from(&*row.get::<String>(4)?),
        auto_renew: row.get(5)?,
        price: price.map(|_| amount(row, 6)).transpose()?,
        currency: currency(row, 7)?,
        trial: row.get(8)?,
        to_plan_price: row.get(9)?,
        schedule: Schedule {
            unit: plan::unit(row, 10)?,
            frequency: row.get(11)?,
            duration: row.get(12)?,
            start: time::from_sql(row.get(13)?)?,
        },
        paid: row.get(14)?,
        due_at: due_at.map(time::from_sql).transpose()?,
        misses: row.get(16)?,
        charging: row.get(17)?,
        recurrent_id: row.get(18)?,
        callback_url: row.get(19)?,
        description: row.get(20)?,
        terms: from_json(&row.get::<String>(21)?)?,
        created_at: time::from_sql(row.get(22)?)?,
    })
}

/// The subscription that a text names, if it can be one.
pub(super) fn named(subscription_id: &str) -> Result<Id, Refusal> {
    subscription_id.parse().map_err(|_| unknown())
}

pub(super) fn unknown() -> Refusal {
    Refusal::new(
        StatusCode::SubscriptionNotFound,
        "the customer has no such subscription",
    )
    .at("subscription_id")
}
