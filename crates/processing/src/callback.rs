//! Callbacks: what a shop is told of its payments, payouts and the like, in the order in which it happened.
//!
//! A callback is written in the transaction of the change that it tells of, and delivered by a job. Those of one subject are sent one
//! after the other; one that cannot be delivered holds back those behind it, until it is given up.

mod deliver;
mod fault;
mod journal;
mod resend;

use database::{DatabaseError, Transaction, values};
use jiff::Timestamp;
use wire::interface::callback::Resource;

pub use deliver::{Delivered, Delivery, LONGEST_ATTEMPT, Sent};

use crate::id::Id;
use crate::job::{self, Kind};
use crate::project::Project;
use crate::time;

/// A callback that is to be sent.
#[derive(Clone, Debug)]
pub(crate) struct NewCallback<'a> {
    /// Whose subject it is.
    pub(crate) project: &'a Project,
    /// The login whose password signs it: the project itself, but for baskets, where it is the one that made the request.
    pub(crate) signer: &'a str,
    /// What kind of thing it tells of.
    pub(crate) resource: Resource,
    /// The id of the payment, payout, installment order or subscription: callbacks keep their order within it.
    pub(crate) subject: Id,
    /// The shop's number of it.
    pub(crate) external_id: &'a str,
    /// Which operation of it this tells of, as a word of the interface.
    pub(crate) operation: &'a str,
    /// Where it goes.
    pub(crate) url: &'a str,
    /// What is sent, to the byte.
    pub(crate) body: &'a str,
}

/// Has it sent once the transaction is committed, behind all others of its subject. `now` is the real time.
pub(crate) fn enqueue(
    tx: &mut dyn Transaction,
    callback: &NewCallback<'_>,
    now: Timestamp,
) -> Result<(), DatabaseError> {
    let project = &callback.project.id;
    // First: from here on no other transaction numbers callbacks of this subject.
    job::schedule(tx, Kind::Deliver, callback.subject, project, now)?;
    tx.change(
        INSERT,
        values![
            callback.subject,
            callback.resource.as_str(),
            project,
            callback.external_id,
            callback.operation,
            callback.signer,
            callback.url,
            callback.body,
            time::to_sql(callback.project.now(now)),
        ],
    )?;
    Ok(())
}

const INSERT: &str = "
    INSERT INTO callbacks (subject, seq, resource, project, external_id, operation, signer, url, body, state, attempts, created_at)
    VALUES (
        $1, (SELECT COALESCE(MAX(seq), 0) + 1 FROM callbacks WHERE subject = $1), $2, $3, $4, $5, $6, $7, $8, 'waiting', '[]', $9
    )";

pub(crate) const TABLES: &str = "
CREATE TABLE callbacks (
    subject     INTEGER NOT NULL, -- the id of a payment, payout, installment order or subscription
    seq         INTEGER NOT NULL, -- their order within the subject
    resource    TEXT NOT NULL,    -- what the subject is
    project     TEXT NOT NULL,
    external_id TEXT NOT NULL,
    operation   TEXT NOT NULL,
    signer      TEXT NOT NULL,
    url         TEXT NOT NULL,
    body        TEXT NOT NULL,
    state       TEXT NOT NULL,    -- waiting, delivered, given_up
    attempts    TEXT NOT NULL,    -- JSON, the journal's
    created_at  INTEGER NOT NULL, -- by the project's clock
    PRIMARY KEY (subject, seq)
) STRICT;
CREATE INDEX callbacks_order ON callbacks (project, resource, external_id);
CREATE INDEX callbacks_journal ON callbacks (project, created_at, subject, seq);
";

#[cfg(test)]
mod tests;
