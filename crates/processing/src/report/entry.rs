//! An operation with what reports need of its surroundings.

use std::borrow::Cow;

use database::{Row, Transaction, values};
use jiff::Timestamp;
use wire::interface::answer::Status;
use wire::interface::report::OperationType;
use wire::interface::report::day::Day;
use wire::interface::{Amount, Currency, StatusCode};

use super::{PAGE, words};
use crate::id::Id;
use crate::payment::{amount, currency};
use crate::refusal::Refusal;
use crate::time;

/// What both reports know of an operation.
pub(super) struct Entry {
    /// Where it stands in its statement's order.
    pub(super) at: Place,
    pub(super) payment: Id,
    pub(super) attempt: Id,
    pub(super) external_id: String,
    pub(super) kind: OperationType,
    /// What paid, or was paid to.
    pub(super) method: Cow<'static, str>,
    pub(super) status: Status,
    pub(super) code: StatusCode,
    pub(super) amount: Amount,
    pub(super) fee: Amount,
    pub(super) currency: Currency,
    pub(super) description: Option<String>,
    pub(super) mask: Option<String>,
    pub(super) brand: Option<String>,
    pub(super) auth_code: Option<String>,
    pub(super) rrn: Option<String>,
    pub(super) created_at: Timestamp,
    pub(super) processed_at: Option<Timestamp>,
    /// What the shop said of all orders together, as JSON; of statements that read it.
    pub(super) terms: Option<String>,
    /// Who is paid out to, as JSON; the same.
    pub(super) person: Option<String>,
}

/// A place in the order of a statement: time and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    at: i64,
    id: i64,
}

impl Place {
    /// Before all of a day.
    pub(super) fn before(day: Day) -> Self {
        Self {
            at: day.begin(),
            id: -1,
        }
    }
}

/// Columns that every statement begins with: place, then [`read`].
macro_rules! select {
    ($time:literal, $more:literal, $rest:literal) => {
        concat!(
            "SELECT ", $time, ", o.id, o.payment, o.attempt, o.method, o.status, o.code, o.amount, o.fee, o.mask, o.brand, o.auth_code, \
             o.rrn, o.created_at, o.processed_at, COALESCE(p.external_id, y.external_id, n.external_id), \
             COALESCE(p.currency, y.currency, n.currency), COALESCE(p.description, y.description, n.description), y.kind, n.bank, ", $more,
            " FROM operations o LEFT JOIN payments p ON p.id = o.payment LEFT JOIN payouts y ON y.id = o.payment \
             LEFT JOIN installments n ON n.id = o.payment ", $rest, " o.project = $1 AND (", $time, ", o.id) > ($2, $3) AND ", $time, " < $4"
        )
    };
}
pub(super) use select;

/// A part of what a statement tells.
pub(super) struct Page {
    pub(super) entries: Vec<Entry>,
    /// Where the next page begins.
    pub(super) end: Place,
    /// Whether nothing is behind it.
    pub(super) is_last: bool,
}

/// The next entries of a statement.
pub(super) fn page(
    tx: &mut dyn Transaction,
    sql: &'static str,
    project: &str,
    begin: Place,
    until: Day,
) -> Result<Page, Refusal> {
    let rows = tx.rows(sql, values![project, begin.at, begin.id, until.end(), PAGE])?;
    let entries = rows.iter().filter_map(|row| read(row).transpose());
    Ok(Page {
        entries: entries.collect::<Result<_, _>>()?,
        end: rows.last().map_or(Ok(begin), at)?,
        is_last: rows.len() < PAGE as usize,
    })
}

fn at(row: &Row) -> Result<Place, Refusal> {
    Ok(Place {
        at: row.get(0)?,
        id: row.get(1)?,
    })
}

/// `None` for what no report has: verifications of cards that are only saved.
fn read(row: &Row) -> Result<Option<Entry>, Refusal> {
    let word = |column| row.get::<String>(column);
    let external_id: Option<String> = row.get(15)?;
    let (payout, bank): (Option<String>, Option<String>) = (row.get(18)?, row.get(19)?);
    let (Some(external_id), Some(kind)) = (external_id, words::of_method(&word(4)?, bank.as_deref())) else {
        return Ok(None);
    };
    if external_id.is_empty() {
        return Ok(None);
    }
    let fee: Option<u64> = row.get(8)?;
    let processed_at: Option<i64> = row.get(14)?;
    Ok(Some(Entry {
        at: at(row)?,
        payment: row.get(2)?,
        attempt: row.get(3)?,
        external_id,
        kind,
        method: payout.or(bank).map_or(Cow::Borrowed(words::CARD), Cow::Owned),
        status: (&*word(5)?).into(),
        code: (&*word(6)?).into(),
        amount: amount(row, 7)?,
        fee: fee.and_then(Amount::from_minor).unwrap_or_default(),
        currency: currency(row, 16)?,
        description: row.get(17)?,
        mask: row.get(9)?,
        brand: row.get(10)?,
        auth_code: row.get(11)?,
        rrn: row.get(12)?,
        created_at: time::from_sql(row.get(13)?)?,
        processed_at: processed_at.map(time::from_sql).transpose()?,
        terms: row.get(20)?,
        person: row.get(21)?,
    }))
}
