//! Balances: what a project's refunds and payouts are paid from.
//!
//! A balance is the sum of sixteen rows. Whoever adds takes any of them, so that payments of one project do not wait for each other; whoever
//! takes locks them all, so that no more is taken than there is.

use database::{DatabaseError, Transaction, values};
use jiff::Timestamp;
use wire::interface::{Amount, Currency};

use crate::time;

/// What a balance is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Account {
    /// The day's payments that have not been given back. Each day of the project's clock, in UTC, starts at nothing.
    Refunds,
    /// All payments that have not been given back or paid out.
    Payouts,
}

/// Adds to a balance; `now` is the project's.
pub(crate) fn add(
    tx: &mut dyn Transaction,
    project: &str,
    account: Account,
    currency: Currency,
    now: Timestamp,
    amount: Amount,
) -> Result<(), DatabaseError> {
    if amount.is_zero() {
        return Ok(());
    }
    let shard = getrandom::u32().unwrap_or_default() % SHARDS;
    let currency = currency.as_str();
    tx.change(
        "INSERT INTO balances (project, account, currency, day, shard, amount) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (project, account, currency, day, shard) DO UPDATE SET amount = balances.amount + excluded.amount",
        values![project, account.code(), currency, account.day(now), shard, amount.minor()],
    )?;
    Ok(())
}

/// Takes from a balance, or nothing where it does not suffice; `now` is the project's.
pub(crate) fn take(
    tx: &mut dyn Transaction,
    project: &str,
    account: Account,
    currency: Currency,
    now: Timestamp,
    amount: Amount,
) -> Result<bool, DatabaseError> {
    let (code, currency, day) = (account.code(), currency.as_str(), account.day(now));
    let rows = tx.rows(
        "SELECT shard, amount FROM balances WHERE project = $1 AND account = $2 AND currency = $3 AND day = $4
         ORDER BY shard FOR UPDATE",
        values![project, code, currency, day],
    )?;
    let mut shards = Vec::with_capacity(rows.len());
    for row in rows {
        shards.push((row.get::<u32>(0)?, row.get::<u64>(1)?));
    }
    let mut missing = amount.minor();
    if shards
        .iter()
        .fold(0_u64, |sum, shard| sum.saturating_add(shard.1))
        < missing
    {
        return Ok(false);
    }
    for (shard, there) in shards {
        let taken = there.min(missing);
        if taken > 0 {
            tx.change(
                "UPDATE balances SET amount = amount - $6
                 WHERE project = $1 AND account = $2 AND currency = $3 AND day = $4 AND shard = $5",
                values![project, code, currency, day, shard, taken],
            )?;
        }
        missing -= taken;
    }
    Ok(true)
}

/// How much there is; `now` is the project's.
pub(crate) fn balance(
    tx: &mut dyn Transaction,
    project: &str,
    account: Account,
    currency: Currency,
    now: Timestamp,
) -> Result<Amount, DatabaseError> {
    let row = tx.row(
        "SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM balances
         WHERE project = $1 AND account = $2 AND currency = $3 AND day = $4",
        values![project, account.code(), currency.as_str(), account.day(now)],
    )?;
    let sum = row.map_or(Ok(0), |row| row.get(0))?;
    Ok(Amount::from_minor(sum).unwrap_or(Amount::MAX))
}

/// Makes a balance exactly this; `now` is the project's.
pub(crate) fn set(
    tx: &mut dyn Transaction,
    project: &str,
    account: Account,
    currency: Currency,
    now: Timestamp,
    amount: Amount,
) -> Result<(), DatabaseError> {
    tx.change(
        "DELETE FROM balances WHERE project = $1 AND account = $2 AND currency = $3 AND day = $4",
        values![project, account.code(), currency.as_str(), account.day(now)],
    )?;
    add(tx, project, account, currency, now, amount)
}

impl Account {
    fn code(self) -> u32 {
        match self {
            Self::Refunds => 1,
            Self::Payouts => 2,
        }
    }

    fn day(self, now: Timestamp) -> i64 {
        match self {
            Self::Refunds => time::to_sql(now).div_euclid(DAY),
            Self::Payouts => 0,
        }
    }
}

const SHARDS: u32 = 16;

/// In milliseconds.
const DAY: i64 = 86_400_000;

pub(crate) const TABLES: &str = "
CREATE TABLE balances (
    project  TEXT NOT NULL,
    account  INTEGER NOT NULL, -- 1 refunds, 2 payouts
    currency TEXT NOT NULL,
    day      INTEGER NOT NULL, -- days since 1970, 0 where the account has none
    shard    INTEGER NOT NULL, -- 0 to 15
    amount   INTEGER NOT NULL, -- hundredths
    PRIMARY KEY (project, account, currency, day, shard)
) STRICT, WITHOUT ROWID;
";

#[cfg(test)]
mod tests {
    use std::thread;

    use database::Database;

    use super::*;
    use crate::stores;

    fn amount(minor: u64) -> Amount {
        Amount::from_minor(minor).unwrap()
    }

    fn at(time: &str) -> Timestamp {
        time.parse().unwrap()
    }

    fn uah() -> Currency {
        Currency::new("UAH").unwrap()
    }

    fn put(database: &Database, project: &'static str, account: Account, now: &str, minor: u64) {
        let now = at(now);
        database
            .write(move |tx| add(tx, project, account, uah(), now, amount(minor)))
            .unwrap();
    }

    fn left(database: &Database, project: &'static str, account: Account, now: &str) -> u64 {
        let now = at(now);
        let left = database.read(move |tx| balance(tx, project, account, uah(), now));
        left.unwrap().minor()
    }

    #[test]
    fn refunds_start_anew_each_day_and_payouts_do_not() {
        stores::on_each(|location| {
            let database = stores::open(&location);
            for account in [Account::Refunds, Account::Payouts] {
                put(&database, "one", account, "2026-11-22T23:59:59.999Z", 500);
                put(&database, "one", account, "2026-11-23T00:00:00Z", 70);
            }
            let of = |account, now| left(&database, "one", account, now);
            assert_eq!(of(Account::Refunds, "2026-11-22T00:00:00Z"), 500);
            assert_eq!(of(Account::Refunds, "2026-11-23T12:00:00Z"), 70);
            assert_eq!(of(Account::Refunds, "2026-11-24T00:00:00Z"), 0);
            assert_eq!(of(Account::Payouts, "2030-01-01T00:00:00Z"), 570);
            assert_eq!(
                left(&database, "two", Account::Payouts, "2026-11-23T12:00:00Z"),
                0
            );
            let dollars = database.read(|tx| {
                balance(
                    tx,
                    "one",
                    Account::Payouts,
                    Currency::new("USD").unwrap(),
                    at("2026-11-23T00:00:00Z"),
                )
            });
            assert_eq!(dollars, Ok(Amount::ZERO));
            database
                .write(|tx| {
                    set(
                        tx,
                        "one",
                        Account::Payouts,
                        uah(),
                        at("2026-11-23T00:00:00Z"),
                        amount(9),
                    )
                })
                .unwrap();
            assert_eq!(of(Account::Payouts, "2026-11-23T00:00:00Z"), 9);
        });
    }

    /// Many take at once what others add: all of it is taken in the end, and at no time more than there is.
    #[test]
    fn nothing_is_taken_twice_or_lost() {
        const NOW: &str = "2026-11-22T12:00:00Z";
        stores::on_each(|location| {
            let database = stores::open(&location);
            let takers: Vec<_> = (0..8_u32)
                .map(|thread| {
                    let database = database.clone();
                    thread::spawn(move || {
                        let mut taken = 0;
                        for _ in 0..20 {
                            if thread % 2 == 0 {
                                put(&database, "one", Account::Refunds, NOW, 30);
                            }
                            let took = database.write(move |tx| {
                                take(tx, "one", Account::Refunds, uah(), at(NOW), amount(70))
                            });
                            taken += u64::from(took.unwrap()) * 70;
                        }
                        taken
                    })
                })
                .collect();
            let taken: u64 = takers.into_iter().map(|thread| thread.join().unwrap()).sum();
            assert_eq!(taken + left(&database, "one", Account::Refunds, NOW), 4 * 20 * 30);
            let negative = database.read(|tx| tx.row("SELECT 1 FROM balances WHERE amount < 0", &[]));
            assert_eq!(negative, Ok(None));
        });
    }
}
