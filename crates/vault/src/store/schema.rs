//! Tables, and how a store is told from other databases.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::error::VaultError;

/// What the store behind `connection` says of itself; `None` when it is a database without a table, which is what an
/// interrupted first start leaves behind.
pub(crate) fn identify(connection: &Connection, path: &Path) -> Result<Option<Identity>, VaultError> {
    let not_ours = |_| VaultError::NotAVault(path.to_owned());
    if is_empty(connection).map_err(not_ours)? {
        return Ok(None);
    }
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != APPLICATION {
        return Err(VaultError::NotAVault(path.to_owned()));
    }
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != VERSION {
        return Err(VaultError::LaterVersion);
    }
    connection
        .query_row("SELECT id, master_key, key_check FROM store", (), |row| {
            Ok(Some(Identity {
                id: row.get(0)?,
                master_key: row.get(1)?,
                key_check: row.get(2)?,
            }))
        })
        .map_err(not_ours)
}

/// What a store says of itself.
pub(crate) struct Identity {
    pub(crate) id: Vec<u8>,
    /// Id of the master key that sealed the check.
    pub(crate) master_key: u32,
    /// The store's id, sealed.
    pub(crate) key_check: Vec<u8>,
}

/// Makes the tables of a new store. Does nothing where another process was faster.
pub(crate) fn create(connection: &mut Connection, identity: &Identity) -> Result<(), VaultError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_empty(&transaction)? {
        transaction.execute_batch(TABLES)?;
        transaction.execute(
            "INSERT INTO store (id, master_key, key_check) VALUES (?1, ?2, ?3)",
            (&identity.id, identity.master_key, &identity.key_check),
        )?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()?;
    Ok(())
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_master", (), |row| row.get(0))
}

/// "CWdg": marks the file as ours.
const APPLICATION: i64 = 0x4357_6467;

/// Version of the tables below.
const VERSION: i64 = 1;

/// Times are seconds since 1970 in UTC. Every blob named `facts`, `card`, `code`, `answer` or `wrapped` is sealed.
const TABLES: &str = "
CREATE TABLE store (
    id         BLOB NOT NULL,
    master_key INTEGER NOT NULL,
    key_check  BLOB NOT NULL
) STRICT;

CREATE TABLE projects (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE data_keys (
    project    TEXT NOT NULL REFERENCES projects (id),
    epoch      INTEGER NOT NULL,
    master_key INTEGER NOT NULL,
    wrapped    BLOB NOT NULL,
    PRIMARY KEY (project, epoch)
) STRICT, WITHOUT ROWID;

CREATE TABLE widget_keys (
    id      TEXT PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (id),
    live    INTEGER NOT NULL,
    origins TEXT NOT NULL -- JSON array of patterns
) STRICT, WITHOUT ROWID;

-- One row per widget token: what it opens, the nonce and the idempotency key of its request.
CREATE TABLE tokens (
    id           BLOB PRIMARY KEY, -- 16 bytes, the first part of the token
    hash         BLOB NOT NULL,    -- SHA-256 of the whole token
    project      TEXT NOT NULL,
    epoch        INTEGER NOT NULL, -- version of the project's data key
    state        INTEGER NOT NULL, -- 0 ready, 1 reserved, 2 used up
    operation    TEXT,             -- which has reserved it or used it up
    nonce        BLOB NOT NULL,
    idempotency  BLOB,             -- MAC of the caller's key; gone with the answer
    answer       BLOB,
    answer_until INTEGER NOT NULL,
    facts        BLOB NOT NULL,
    card         BLOB,             -- gone once used up
    code         BLOB,             -- gone once an acquirer has answered
    code_hour    INTEGER,
    expires_at   INTEGER NOT NULL,
    remove_at    INTEGER NOT NULL  -- when neither the token nor its nonce is of use any more
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tokens_nonce ON tokens (project, nonce);
CREATE UNIQUE INDEX tokens_idempotency ON tokens (idempotency) WHERE idempotency IS NOT NULL;
CREATE INDEX tokens_answer_until ON tokens (answer_until) WHERE answer IS NOT NULL;
CREATE INDEX tokens_code_hour ON tokens (code_hour) WHERE code IS NOT NULL;
CREATE INDEX tokens_remove_at ON tokens (remove_at);

-- One row per operation that redeemed a token.
CREATE TABLE operations (
    project    TEXT NOT NULL,
    id         TEXT NOT NULL,
    token      BLOB NOT NULL,    -- id part
    epoch      INTEGER NOT NULL,
    outcome    INTEGER,          -- 1 used up, 2 released; NULL while open
    card       BLOB,             -- gone once settled
    code       BLOB,             -- gone once settled
    code_hour  INTEGER,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX operations_code_hour ON operations (code_hour) WHERE code IS NOT NULL;
CREATE INDEX operations_expires_at ON operations (expires_at);
";
