//! What work may do within a transaction.

use crate::error::DatabaseError;
use crate::value::{Row, Value};

/// A transaction under way. All that is done through it is committed together or not at all.
///
/// Statements are texts of the program, never made of input, with parameters `$1`, `$2` … They keep to SQL that SQLite and PostgreSQL
/// understand alike: `INSERT … ON CONFLICT DO NOTHING`, `RETURNING`, `CAST(… AS BIGINT)` around sums, `FOR UPDATE` behind a `SELECT` of
/// rows that are then changed.
pub trait Transaction {
    /// The rows of a statement.
    fn rows(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, DatabaseError>;

    /// How many rows a statement has changed.
    fn change(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, DatabaseError>;

    /// The row of a statement that gives one at most.
    fn row(&mut self, sql: &'static str, values: &[Value]) -> Result<Option<Row>, DatabaseError> {
        Ok(self.rows(sql, values)?.into_iter().next())
    }
}
