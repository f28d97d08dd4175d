//! Columns of rows as the crate has them. What no version writes is an error.

use tokio_postgres::Row;

use super::from_sql;
use crate::store::rows::SealedCode;
use database::link::Trouble;

pub(super) fn unexpected() -> Trouble {
    Trouble::Refused("a row is not as expected".to_owned())
}

/// An id, or a MAC: so many bytes.
pub(super) fn exact<const N: usize>(row: &Row, column: usize) -> Result<[u8; N], Trouble> {
    let bytes: &[u8] = row.try_get(column)?;
    bytes.try_into().map_err(|_| unexpected())
}

/// The same in a column that may be empty.
pub(super) fn exact_or_none<const N: usize>(row: &Row, column: usize) -> Result<Option<[u8; N]>, Trouble> {
    let bytes: Option<&[u8]> = row.try_get(column)?;
    let exact = bytes.map(|bytes| bytes.try_into().map_err(|_| unexpected()));
    exact.transpose()
}

/// An epoch or the id of a key.
pub(super) fn small(row: &Row, column: usize) -> Result<u32, Trouble> {
    let number: i64 = row.try_get(column)?;
    u32::try_from(number).map_err(|_| unexpected())
}

/// A security code and its hour, from two columns that stand side by side.
pub(super) fn code(row: &Row, column: usize) -> Result<Option<SealedCode>, Trouble> {
    let (sealed, hour): (Option<Vec<u8>>, Option<i64>) = (row.try_get(column)?, row.try_get(column + 1)?);
    Ok(sealed.zip(hour).map(|(sealed, hour)| SealedCode {
        sealed,
        hour: from_sql(hour),
    }))
}
