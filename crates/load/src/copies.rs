//! Many payments in a short time: copies of the first one in a store, one behind the other over the days before it.

use anyhow::{Context as _, Result};
use database::{Database, DatabaseError, Transaction, values};

use crate::place::Place;

/// Fills a store that nobody has open until there are `rows` payments like the first one, which stays the last in time. Their orders are
/// called `order-0000001` and so on.
pub(crate) fn fill(place: &Place, rows: u32) -> Result<()> {
    let database: Database = processing::open_tables(place.location())?;
    let first = database.read(|tx: &mut dyn Transaction| {
        let row = tx.row("SELECT MIN(id) FROM payments", &[])?;
        row.map_or(Ok(None), |row| row.get::<Option<i64>>(0))
    })?;
    let first = first.context("there is no payment to copy")?;
    let mut from = 1;
    while from < rows {
        let until = rows.min(from + CHUNK);
        database.write(move |tx: &mut dyn Transaction| {
            for sql in COPIES {
                tx.change(sql, values![from, until - 1, rows, SPREAD, first])?;
            }
            Ok::<_, DatabaseError>(())
        })?;
        from = until;
    }
    Ok(())
}

/// Copies in one transaction.
const CHUNK: u32 = 50_000;

/// Over how many milliseconds they are spread: 13 days.
const SPREAD: u64 = 13 * 86_400_000;

/// A statement that copies what belongs to payment `$5`, from copy `$1` to `$2` of `$3` that there are to be: earlier ones have smaller
/// ids, and begin earlier in the time `$4` before it.
macro_rules! copy {
    ($into:literal, $from:literal, $named:literal) => {
        concat!(
            "WITH RECURSIVE n (i) AS (SELECT CAST($1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $2) INSERT INTO ",
            $into,
            " SELECT ",
            $from,
            " CROSS JOIN n WHERE ",
            $named,
            " = $5 AND CAST($3 AS BIGINT) + CAST($4 AS BIGINT) > 0"
        )
    };
}

const COPIES: [&str; 5] = [
    copy!(
        "checkouts (id, project, batch, is_hosted, holds, amount, currency, terms, attempt, tries, step, card, recurrent_id, created_at, \
         expires_at)",
        "id - 1000 * ($3 - i), project, batch, is_hosted, holds, amount, currency, terms, attempt - 1000 * ($3 - i), tries, step, card, \
         recurrent_id, created_at - $4 * ($3 - i) / $3, expires_at FROM checkouts",
        "id"
    ),
    copy!(
        "payments (id, checkout, position, project, external_id, state, amount, currency, held, charged, released, refunded, refunding, \
         busy, description, payload, products, fiscal, created_at)",
        "id - 1000 * ($3 - i), checkout - 1000 * ($3 - i), position, project, 'order-' || substr(CAST(10000000 + i AS TEXT), 2), state, \
         amount, currency, held, charged, released, refunded, refunding, busy, description, payload, products, fiscal, \
         created_at - $4 * ($3 - i) / $3 FROM payments",
        "id"
    ),
    copy!(
        "operations (id, payment, project, attempt, kind, method, status, code, amount, auth_code, rrn, payload, callback_url, created_at, \
         processed_at, fiscal, fee, mask, brand)",
        "id - 1000 * ($3 - i), payment - 1000 * ($3 - i), project, attempt - 1000 * ($3 - i), kind, method, status, code, amount, \
         auth_code, rrn, payload, callback_url, created_at - $4 * ($3 - i) / $3, processed_at - $4 * ($3 - i) / $3, fiscal, fee, mask, \
         brand FROM operations",
        "payment"
    ),
    copy!(
        "orders (project, scope, external_id, holder, winner, latest)",
        "project, scope, 'order-' || substr(CAST(10000000 + i AS TEXT), 2), holder, winner - 1000 * ($3 - i), latest - 1000 * ($3 - i) \
         FROM orders",
        "winner"
    ),
    copy!(
        "callbacks (subject, seq, resource, project, external_id, operation, signer, url, body, state, attempts, created_at)",
        "subject - 1000 * ($3 - i), seq, resource, project, 'order-' || substr(CAST(10000000 + i AS TEXT), 2), operation, signer, url, \
         body, 'delivered', attempts, created_at - $4 * ($3 - i) / $3 FROM callbacks",
        "subject"
    ),
];
