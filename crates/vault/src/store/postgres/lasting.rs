//! Reading saved cards.

use tokio_postgres::Row;

use super::from_sql;
use super::row::{exact, small, unexpected};
use super::to_sql;
use crate::store::rows::LastingRow;
use database::link::{Session, Trouble};

pub(super) async fn one(
    session: &Session,
    project: &str,
    id: &[u8; 16],
) -> Result<Option<LastingRow>, Trouble> {
    let row = session
        .query_opt(
            "SELECT id, hash, epoch, record, kept FROM card_widget_vault.lasting WHERE id = $1 AND project = $2",
            &[&id.as_slice(), &project],
        )
        .await?;
    row.as_ref().map(read).transpose()
}

pub(super) async fn under(
    session: &Session,
    project: &str,
    epoch: u32,
    from: &[u8; 16],
    limit: usize,
) -> Result<Vec<LastingRow>, Trouble> {
    let rows = session
        .query(
            "SELECT id, hash, epoch, record, kept FROM card_widget_vault.lasting
             WHERE project = $1 AND epoch = $2 AND id >= $3 ORDER BY id LIMIT $4",
            &[
                &project,
                &i64::from(epoch),
                &from.as_slice(),
                &to_sql(limit as u64),
            ],
        )
        .await?;
    rows.iter().map(read).collect()
}

pub(super) async fn count(session: &Session, project: &str, epoch: u32) -> Result<u64, Trouble> {
    let row = session
        .query_opt(
            "SELECT count(*) FROM card_widget_vault.lasting WHERE project = $1 AND epoch = $2",
            &[&project, &i64::from(epoch)],
        )
        .await?;
    Ok(from_sql(row.ok_or_else(unexpected)?.try_get(0)?))
}

fn read(row: &Row) -> Result<LastingRow, Trouble> {
    Ok(LastingRow {
        id: exact(row, 0)?,
        hash: row.try_get(1)?,
        epoch: small(row, 2)?,
        record: row.try_get(3)?,
        kept: row.try_get(4)?,
    })
}
