//! Work that is done later: what is due when, kept where a restart does not lose it and shared by all instances.
//!
//! A job is scheduled in the transaction that makes it necessary. It may run twice, after a crash say, so whatever runs it must
//! bear that. Times are those of the real clock.

mod advance;
mod lease;
mod run;
pub(crate) mod work;

use database::{DatabaseError, Transaction, values};
use jiff::{SignedDuration, Timestamp};

pub use advance::Courier;
pub(crate) use advance::jump;
pub(crate) use lease::{DELIVERIES, Lease};

use crate::id::Id;
use crate::time;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Send the callbacks of a payment, payout or the like that wait. Its key is their subject's id.
    Deliver,
    /// Go on with a try to pay that was interrupted. Its key is the checkout's id.
    Recover,
    /// Give a challenge up that nobody has answered. Its key is the attempt's id.
    Unproven,
    /// End the time of a payment page. Its key is the checkout's id.
    Expire,
    /// Go on with a confirmation, cancellation or refund that was interrupted. Its key is the operation's id.
    Follow,
    /// Look whether a refund that waits can be done. Its key is the operation's id.
    Refund,
    /// Give a refund up that has waited too long. Its key is the operation's id.
    GiveUpRefund,
    /// Ask for a tax receipt, until it is made or is not to be had. Its key is the operation's id.
    Fiscalise,
    /// Go on with a payout. Its key is the payout's id.
    Payout,
    /// Have the vault forget a saved card that was deleted. Its key is the card's id.
    Forget,
    /// Charge the next period of a subscription, or end it. Its key is the subscription's id.
    Renew,
    /// Ask a bank how an installment order stands. Its key is the order's id.
    AskBank,
    /// End the time in which a payer can agree to an installment order. Its key is the order's id.
    ExpireInstallment,
}

/// What a job may be done together with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    /// Nothing else.
    Nothing,
    /// What is due within a second.
    SameSecond,
    /// What is due on the same day of the project's clock.
    SameDay,
}

impl Kind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Deliver => "deliver",
            Self::Recover => "recover",
            Self::Unproven => "unproven",
            Self::Expire => "expire",
            Self::Follow => "follow",
            Self::Refund => "refund",
            Self::GiveUpRefund => "give_up_refund",
            Self::Fiscalise => "fiscalise",
            Self::Payout => "payout",
            Self::Forget => "forget",
            Self::Renew => "renew",
            Self::AskBank => "ask_bank",
            Self::ExpireInstallment => "expire_installment",
        }
    }

    /// What may be done at the same moment when a clock is advanced: something where it touches nothing but its own subject.
    const fn runs_beside(self) -> Beside {
        match self {
            Self::Deliver => Beside::SameSecond,
            Self::Fiscalise | Self::Renew => Beside::SameDay,
            _ => Beside::Nothing,
        }
    }

    /// `None` for what another version has written.
    fn of(text: &str) -> Option<Self> {
        [
            Self::Deliver,
            Self::Recover,
            Self::Unproven,
            Self::Expire,
            Self::Follow,
            Self::Refund,
            Self::GiveUpRefund,
            Self::Fiscalise,
            Self::Payout,
            Self::Forget,
            Self::Renew,
            Self::AskBank,
            Self::ExpireInstallment,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == text)
    }
}

/// Has `kind` done for `key` at `due` or as soon as possible thereafter. There is one job of a kind for a key: of two times the
/// earlier holds. A job that is running at the moment runs once more.
///
/// Until the transaction ends, no other one schedules the same.
pub(crate) fn schedule(
    tx: &mut dyn Transaction,
    kind: Kind,
    key: Id,
    project: &str,
    due: Timestamp,
) -> Result<(), DatabaseError> {
    tx.change(SCHEDULE, values![kind.as_str(), key, project, time::to_sql(due)])?;
    Ok(())
}

/// Moves the jobs of a project by what its clock has been moved ahead of them. Does nothing where they are where they belong.
///
/// An advance moves them once, at its end, and not at each of its steps: until then `holds` says by how much they are behind.
pub(crate) fn catch_up(tx: &mut dyn Transaction, project: &str) -> Result<(), DatabaseError> {
    let row = tx.row(
        "SELECT ahead FROM holds WHERE project = $1 FOR UPDATE",
        values![project],
    )?;
    match row.map_or(Ok(0), |row| row.get(0))? {
        0 => Ok(()),
        ahead => {
            shift(tx, project, SignedDuration::from_millis(ahead))?;
            tx.change("UPDATE holds SET ahead = 0 WHERE project = $1", values![project])?;
            Ok(())
        }
    }
}

/// Moves the jobs of a project when its clock is set: they are due at the times that it shows, not at those of the real one.
pub(crate) fn shift(
    tx: &mut dyn Transaction,
    project: &str,
    ahead: SignedDuration,
) -> Result<(), DatabaseError> {
    tx.change(
        "UPDATE jobs SET due_at = due_at - $2, again_at = again_at - $2 WHERE project = $1",
        values![project, time::millis(ahead)],
    )?;
    Ok(())
}

/// After how many failures in a row a job is tried again: 10 seconds, three times as long each time, never more than `most`; each
/// by up to a fifth shorter or longer, so that what failed together does not come back together.
pub(crate) fn pause(failures: u32, most: SignedDuration) -> SignedDuration {
    let pause = SignedDuration::from_secs(10 * 3_i64.pow(failures.min(10))).min(most);
    let millis = time::millis(pause);
    // Without randomness there is still a pause.
    let random = i64::from(getrandom::u32().unwrap_or_default() % 401) - 200;
    SignedDuration::from_millis(millis + millis * random / 1000)
}

/// What a job is for was done otherwise.
pub(crate) fn cancel(tx: &mut dyn Transaction, kind: Kind, key: Id) -> Result<(), DatabaseError> {
    tx.change(
        "DELETE FROM jobs WHERE kind = $1 AND key = $2",
        values![kind.as_str(), key],
    )?;
    Ok(())
}

/// A job that runs is not touched but for `again_at`: whoever runs it may have seen what came before, and not what this is for.
const SCHEDULE: &str = "
    INSERT INTO jobs (kind, key, project, due_at, leased_until, failures)
    VALUES ($1, $2, $3, $4 + COALESCE((SELECT ahead FROM holds WHERE holds.project = $3), 0), 0, 0)
    ON CONFLICT (kind, key) DO UPDATE SET
        due_at = CASE WHEN jobs.leased_until = 0 AND excluded.due_at < jobs.due_at THEN excluded.due_at ELSE jobs.due_at END,
        again_at = CASE
            WHEN jobs.leased_until = 0 THEN NULL
            WHEN jobs.again_at < excluded.due_at THEN jobs.again_at
            ELSE excluded.due_at
        END";

pub(crate) const TABLES: &str = "
CREATE TABLE jobs (
    kind         TEXT NOT NULL,
    key          INTEGER NOT NULL,
    project      TEXT NOT NULL,
    due_at       INTEGER NOT NULL,
    leased_until INTEGER NOT NULL, -- 0 while nobody runs it
    again_at     INTEGER,          -- scheduled anew while it runs
    failures     INTEGER NOT NULL, -- in a row
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
-- Deliveries wait for shops, which must not hold up what waits for nobody.
CREATE INDEX jobs_deliveries ON jobs (due_at) WHERE kind = 'deliver';
CREATE INDEX jobs_work ON jobs (due_at) WHERE kind <> 'deliver';
CREATE INDEX jobs_project ON jobs (project, due_at);

-- Projects whose clock is being advanced, which run their jobs themselves.
CREATE TABLE holds (
    project TEXT PRIMARY KEY,
    until   INTEGER NOT NULL,
    ahead   INTEGER NOT NULL DEFAULT 0 -- by how much the clock was moved and the jobs were not, in milliseconds
) STRICT, WITHOUT ROWID;
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores;

    #[test]
    fn of_two_times_the_earlier_holds() {
        stores::on_each(|location| {
            let database = stores::open(&location);
            let [id, early, late] = [
                "2026-11-22T08:00:00Z",
                "2026-11-22T09:00:00Z",
                "2026-11-22T10:00:00Z",
            ]
            .map(|time| time.parse::<Timestamp>().unwrap());
            let key = Id::new(id).unwrap();
            for (first, second) in [(early, late), (late, early)] {
                let due = database.write(move |tx| {
                    tx.change("DELETE FROM jobs", &[])?;
                    schedule(tx, Kind::Deliver, key, "shop", first)?;
                    schedule(tx, Kind::Deliver, key, "shop", second)?;
                    tx.row("SELECT due_at, again_at FROM jobs", &[])
                });
                let due = due.unwrap().unwrap();
                assert_eq!(due.get(0), Ok(time::to_sql(early)));
                assert_eq!(due.get(1), Ok(None::<i64>));
            }
        });
    }
}
