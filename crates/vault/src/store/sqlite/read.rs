//! Reading, on connections that cannot write.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Row};

use super::{COPY_NAME, backup, empty_journal, file, to_sql};
use crate::error::{StoreError, VaultError};
use crate::registry::WidgetKey;
use crate::store::rows::{AnswerRow, DataKeyRow, LastingRow, OperationRow, SealedCode, State, TokenRow};
use crate::store::{AuditRow, IdOrder, SealedUnder, Store};
use crate::token::TokenKind;

/// Connections for reading, made when needed and kept.
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            idle: Mutex::default(),
        }
    }

    /// Lends a connection. It sees everything that was committed before.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => file::open_for_reading(&self.path)?,
        };
        let result = work(&connection)?;
        let mut idle = self.idle();
        if idle.len() < MOST_IDLE {
            idle.push(connection);
        }
        Ok(result)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        // A list of connections is whole at any moment, also after a panic elsewhere.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Readers {
    fn reach(&self) -> Result<(), StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached("SELECT master_key FROM store")?
                .query_row((), |_| Ok(()))
        })
    }

    fn token(&self, project: &str, id: &[u8; 16]) -> Result<Option<TokenRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT hash, epoch, state, operation, facts, card, code, code_hour FROM tokens
                     WHERE id = ?1 AND project = ?2",
                )?
                .query_row((id, project), |row| {
                    Ok(TokenRow {
                        hash: row.get(0)?,
                        epoch: row.get(1)?,
                        state: State::of(row.get(2)?).ok_or(rusqlite::Error::InvalidQuery)?,
                        operation: row.get(3)?,
                        facts: row.get(4)?,
                        card: row.get(5)?,
                        code: code(row, 6)?,
                    })
                })
                .optional()
        })
    }

    fn answer(&self, index: &[u8; 32], now: u64) -> Result<Option<AnswerRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT epoch, answer FROM tokens
                     WHERE idempotency = ?1 AND answer_until > ?2 AND answer IS NOT NULL",
                )?
                .query_row((index, to_sql(now)), |row| {
                    Ok(AnswerRow {
                        epoch: row.get(0)?,
                        answer: row.get(1)?,
                    })
                })
                .optional()
        })
    }

    fn operation(&self, project: &str, id: &str, now: u64) -> Result<Option<OperationRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT epoch, card, code, code_hour, token, source, saved FROM operations
                     WHERE project = ?1 AND id = ?2 AND outcome IS NULL AND card IS NOT NULL AND expires_at > ?3",
                )?
                .query_row((project, id, to_sql(now)), |row| {
                    Ok(OperationRow {
                        token: row.get(4)?,
                        source: TokenKind::of(row.get(5)?).ok_or(rusqlite::Error::InvalidQuery)?,
                        epoch: row.get(0)?,
                        card: row.get(1)?,
                        code: code(row, 2)?,
                        saved: row.get(6)?,
                    })
                })
                .optional()
        })
    }

    fn lasting(&self, project: &str, id: &[u8; 16]) -> Result<Option<LastingRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, hash, epoch, record, kept FROM lasting WHERE id = ?1 AND project = ?2",
                )?
                .query_row((id, project), lasting)
                .optional()
        })
    }

    fn lasting_under(
        &self,
        project: &str,
        epoch: u32,
        from: &[u8; 16],
        limit: usize,
    ) -> Result<Vec<LastingRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, hash, epoch, record, kept FROM lasting
                     WHERE project = ?1 AND epoch = ?2 AND id >= ?3 ORDER BY id LIMIT ?4",
                )?
                .query_map((project, epoch, from, to_sql(limit as u64)), lasting)?
                .collect()
        })
    }

    fn widget_key(&self, id: &str) -> Result<Option<WidgetKey>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached("SELECT id, project, live, origins, apps FROM widget_keys WHERE id = ?1")?
                .query_row([id], widget_key)
                .optional()
        })
    }

    fn widget_keys(&self) -> Result<Vec<WidgetKey>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, project, live, origins, apps FROM widget_keys ORDER BY project, id",
                )?
                .query_map((), widget_key)?
                .collect()
        })
    }

    fn data_keys(&self, project: Option<&str>) -> Result<Vec<DataKeyRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT project, epoch, master_key, wrapped FROM data_keys
                     WHERE ?1 IS NULL OR project = ?1 ORDER BY project, epoch",
                )?
                .query_map([project], |row| {
                    Ok(DataKeyRow {
                        project: row.get(0)?,
                        epoch: row.get(1)?,
                        master_key: row.get(2)?,
                        wrapped: row.get(3)?,
                    })
                })?
                .collect()
        })
    }

    fn sealed_under(&self, project: &str, epoch: u32) -> Result<SealedUnder, StoreError> {
        let passing = self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT (SELECT count(*) FROM tokens WHERE project = ?1 AND epoch = ?2)
                          + (SELECT count(*) FROM operations WHERE project = ?1 AND epoch = ?2)",
                )?
                .query_row((project, epoch), |row| unsigned(row, 0))
        })?;
        let lasting = self.lasting_count(project, epoch)?;
        Ok(SealedUnder { passing, lasting })
    }

    fn lasting_count(&self, project: &str, epoch: u32) -> Result<u64, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached("SELECT count(*) FROM lasting WHERE project = ?1 AND epoch = ?2")?
                .query_row((project, epoch), |row| unsigned(row, 0))
        })
    }

    fn audit(&self, chain: &[u8; 16], number: u64, limit: usize) -> Result<Vec<AuditRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT number, content, mac FROM audit WHERE chain = ?1 AND number >= ?2
                     ORDER BY number LIMIT ?3",
                )?
                .query_map((chain, to_sql(number), to_sql(limit as u64)), |row| {
                    Ok(AuditRow {
                        chain: *chain,
                        number: unsigned(row, 0)?,
                        content: row.get(1)?,
                        mac: row.get(2)?,
                    })
                })?
                .collect()
        })
    }

    fn audit_chains(&self) -> Result<Vec<([u8; 16], u64)>, StoreError> {
        self.read(|connection| {
            connection
                // From chain to chain, instead of through all records.
                .prepare_cached(
                    "WITH RECURSIVE chains (chain) AS (
                         SELECT min(chain) FROM audit
                         UNION ALL
                         SELECT (SELECT min(chain) FROM audit WHERE chain > chains.chain)
                         FROM chains WHERE chain IS NOT NULL)
                     SELECT chain, (SELECT max(number) FROM audit WHERE audit.chain = chains.chain)
                     FROM chains WHERE chain IS NOT NULL",
                )?
                .query_map((), |row| Ok((row.get(0)?, unsigned(row, 1)?)))?
                .collect()
        })
    }

    fn copy_name(&self) -> &'static str {
        COPY_NAME
    }

    fn copy_to(&self, to: &Path) -> Result<(), VaultError> {
        backup::copy(&file::open_for_reading(&self.path)?, to)
    }

    fn id_order(&self) -> IdOrder {
        IdOrder::Time
    }

    fn tidy(&self) -> Result<(), VaultError> {
        empty_journal(&self.path)
    }

    /// The writer is then the last to close and folds the journal into the file.
    fn close(&self) {
        self.idle().clear();
    }
}

/// A security code and its hour, from two columns that stand side by side.
fn code(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<SealedCode>> {
    let (sealed, hour): (Option<Vec<u8>>, Option<i64>) = (row.get(column)?, row.get(column + 1)?);
    let hour = hour.and_then(|hour| u64::try_from(hour).ok());
    Ok(sealed.zip(hour).map(|(sealed, hour)| SealedCode { sealed, hour }))
}

fn lasting(row: &Row<'_>) -> rusqlite::Result<LastingRow> {
    Ok(LastingRow {
        id: row.get(0)?,
        hash: row.get(1)?,
        epoch: row.get(2)?,
        record: row.get(3)?,
        kept: row.get(4)?,
    })
}

/// A time or count.
fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

fn widget_key(row: &Row<'_>) -> rusqlite::Result<WidgetKey> {
    let origins: String = row.get(3)?;
    Ok(WidgetKey {
        id: row.get(0)?,
        project: row.get(1)?,
        live: row.get(2)?,
        // A list that cannot be read allows no origin.
        origins: serde_json::from_str(&origins).unwrap_or_default(),
        apps: row.get(4)?,
    })
}

/// More idle readers than this are closed.
const MOST_IDLE: usize = 16;
