//! Callbacks: what a shop is told of its payments, in the order in which it happened.
//!
//! A callback is written in the transaction of the change that it tells of, and delivered by a job. Those of one payment are sent one
//! after the other; one that cannot be delivered holds back those behind it, until it is given up.

mod resend;

use database::{DatabaseError, Transaction, values};
use jiff::Timestamp;
use wire::interface::answer::Operation;

use crate::id::Id;
use crate::job::{self, Kind};
use crate::project::Project;
use crate::time;

/// A callback that is to be sent.
#[derive(Clone, Debug)]
pub(crate) struct NewCallback<'a> {
    /// Whose payment it is.
    pub(crate) project: &'a Project,
    /// The login whose password signs it: the project itself, but for baskets, where it is the one that made the request.
    pub(crate) signer: &'a str,
    /// The payment.
    pub(crate) payment: Id,
    /// The shop's number of it.
    pub(crate) external_id: &'a str,
    /// Which operation of it this tells of.
    pub(crate) operation: Operation,
    /// Where it goes.
    pub(crate) url: &'a str,
    /// What is sent, to the byte.
    pub(crate) body: &'a str,
}

/// Has it sent once the transaction is committed, behind all others of its payment. `now` is the real time.
pub(crate) fn enqueue(
    tx: &mut dyn Transaction,
    callback: &NewCallback<'_>,
    now: Timestamp,
) -> Result<(), DatabaseError> {
    let project = &callback.project.id;
    // First: from here on no other transaction numbers callbacks of this payment.
    job::schedule(tx, Kind::Deliver, callback.payment, project, now)?;
    tx.change(
        INSERT,
        values![
            callback.payment,
            project,
            callback.external_id,
            callback.operation.as_str(),
            callback.signer,
            callback.url,
            callback.body,
            time::to_sql(callback.project.now(now)),
        ],
    )?;
    Ok(())
}

const INSERT: &str = "
    INSERT INTO callbacks (payment, seq, project, external_id, operation, signer, url, body, state, attempts, created_at)
    VALUES ($1, (SELECT COALESCE(MAX(seq), 0) + 1 FROM callbacks WHERE payment = $1), $2, $3, $4, $5, $6, $7, 'waiting', '[]', $8)";

pub(crate) const TABLES: &str = "
CREATE TABLE callbacks (
    payment     INTEGER NOT NULL,
    seq         INTEGER NOT NULL, -- their order within the payment
    project     TEXT NOT NULL,
    external_id TEXT NOT NULL,
    operation   TEXT NOT NULL,
    signer      TEXT NOT NULL,
    url         TEXT NOT NULL,
    body        TEXT NOT NULL,
    state       TEXT NOT NULL,    -- waiting, delivered, given_up
    attempts    TEXT NOT NULL,    -- JSON, the journal's
    created_at  INTEGER NOT NULL, -- by the project's clock
    PRIMARY KEY (payment, seq)
) STRICT;
CREATE INDEX callbacks_order ON callbacks (project, external_id);
CREATE INDEX callbacks_journal ON callbacks (project, created_at);
";

#[cfg(test)]
mod tests {
    use database::Database;
    use jiff::SignedDuration;

    use super::*;
    use crate::stores;

    fn shop() -> Project {
        Project {
            id: "shop".to_owned(),
            partner: "partner".to_owned(),
            name: "Shop".to_owned(),
            is_live: false,
            may_send_cards: false,
            may_call_private: false,
            clock_offset: SignedDuration::from_hours(1),
            rate_limit: None,
        }
    }

    fn tell(database: &Database, payment: Id, now: Timestamp, body: &'static str) {
        let callback = move |tx: &mut dyn Transaction| {
            let callback = NewCallback {
                project: &shop(),
                signer: "market",
                payment,
                external_id: "order 1",
                operation: Operation::Payment,
                url: "https://shop.example/callback",
                body,
            };
            enqueue(tx, &callback, now)
        };
        database.write(callback).unwrap();
    }

    #[test]
    fn callbacks_of_a_payment_are_numbered_and_have_one_job() {
        stores::on_each(|location| {
            let database = stores::open(&location);
            let now: Timestamp = "2026-11-22T08:00:00Z".parse().unwrap();
            let payments = [Id::new(now).unwrap(), Id::new(now).unwrap()];
            for (payment, body) in [(0, "a"), (1, "b"), (0, "c")] {
                tell(&database, payments[payment], now, body);
            }
            let told = database.read(|tx| {
                let rows = tx.rows("SELECT seq, body, created_at FROM callbacks ORDER BY body", &[])?;
                let jobs = tx.rows("SELECT due_at FROM jobs WHERE kind = 'deliver'", &[])?;
                Ok::<_, DatabaseError>((rows, jobs.len()))
            });
            let (rows, jobs) = told.unwrap();
            let numbers: Vec<_> = rows.iter().map(|row| row.get::<i64>(0).unwrap()).collect();
            assert_eq!((numbers, jobs), (vec![1, 1, 2], 2));
            let by_its_clock = time::to_sql(shop().now(now));
            assert_eq!(rows[0].get(2), Ok(by_its_clock));
        });
    }
}
