//! Tables, and how a store is told from other databases.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::error::VaultError;
use crate::store::rows::Identity;

/// What the store behind `connection` says of itself; `None` when it is a database without a table, which is what an
/// interrupted first start leaves behind.
pub(super) fn identify(connection: &Connection, path: &Path) -> Result<Option<Identity>, VaultError> {
    let not_ours = |_| VaultError::NotAVault(path.display().to_string());
    if is_empty(connection).map_err(not_ours)? {
        return Ok(None);
    }
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != APPLICATION {
        return Err(VaultError::NotAVault(path.display().to_string()));
    }
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if !(1..=VERSION).contains(&version) {
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

/// Makes the tables of a new store. Does nothing where another process was faster.
pub(super) fn create(connection: &mut Connection, identity: &Identity) -> Result<(), VaultError> {
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

/// Brings the tables of an earlier version forward, one version after the other, each in a transaction of its own. Does
/// nothing where another process was faster.
pub(super) fn bring_forward(connection: &mut Connection) -> Result<(), VaultError> {
    loop {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let step = match version {
            VERSION => return Ok(()),
            1 => FROM_1_TO_2,
            2 => FROM_2_TO_3,
            3 => FROM_3_TO_4,
            // Another process, of a later version, was faster.
            _ => return Err(VaultError::LaterVersion),
        };
        transaction.execute_batch(step)?;
        if transaction.table_exists(None, "old_nonces")? {
            transaction.execute_batch(OLD_NONCES)?;
        }
        transaction.pragma_update(None, "user_version", version + 1)?;
        transaction.commit()?;
        tracing::info!(from = version, to = version + 1, "the store was brought forward");
    }
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_master", (), |row| row.get(0))
}

/// "CWdg": marks the file as ours.
const APPLICATION: i64 = 0x4357_6467;

/// Version of the tables below.
const VERSION: i64 = 4;

/// Times are seconds since 1970 in UTC. Every blob named `facts`, `card`, `code`, `answer`, `record` or `wrapped` is
/// sealed.
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
    origins TEXT NOT NULL, -- JSON array of patterns
    apps    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- One row per widget token: what it opens, the nonce and the idempotency key of its request.
CREATE TABLE tokens (
    arrival      INTEGER PRIMARY KEY, -- in the order of arrival; a number may come again once its row has gone
    id           BLOB NOT NULL,    -- 16 bytes, the first part of the token
    hash         BLOB NOT NULL,    -- SHA-256 of the whole token
    project      TEXT NOT NULL,
    epoch        INTEGER NOT NULL, -- version of the project's data key
    state        INTEGER NOT NULL, -- 0 ready, 1 reserved, 2 used up
    operation    TEXT,             -- which has reserved it or used it up
    nonce        BLOB,             -- 21 bytes: time at which the envelope was made, and its nonce
    idempotency  BLOB,             -- MAC of the caller's key; gone with the answer
    answer       BLOB,
    answer_until INTEGER,
    facts        BLOB NOT NULL,
    card         BLOB,             -- gone once used up
    code         BLOB,             -- gone once an acquirer has answered
    code_hour    INTEGER,
    expires_at   INTEGER NOT NULL,
    remove_at    INTEGER NOT NULL  -- when neither the token nor its nonce is of use any more
) STRICT;
CREATE UNIQUE INDEX tokens_id ON tokens (id);
CREATE UNIQUE INDEX tokens_nonce ON tokens (nonce, project);
CREATE UNIQUE INDEX tokens_idempotency ON tokens (idempotency) WHERE idempotency IS NOT NULL;

-- One row per 512 numbers of arrival: what is to be removed is found by it, and tokens need no index for that.
CREATE TABLE arrivals (
    block INTEGER PRIMARY KEY,     -- arrival >> 9
    due   INTEGER NOT NULL         -- before this moment no answer and no token of the block is to be removed
) STRICT;
CREATE INDEX arrivals_due ON arrivals (due);

-- One row per operation that has the card of a token.
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
    source     INTEGER NOT NULL, -- what the token is: 0 a widget token, 1 a saved card
    saved      BLOB,             -- id part of the lasting token, where it saves its card
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX operations_code_hour ON operations (code_hour) WHERE code IS NOT NULL;
CREATE INDEX operations_expires_at ON operations (expires_at);
CREATE INDEX operations_saved ON operations (saved) WHERE saved IS NOT NULL;

-- One row per saved card.
CREATE TABLE lasting (
    id      BLOB PRIMARY KEY, -- 16 bytes, the first part of the lasting token
    hash    BLOB NOT NULL,    -- SHA-256 of the whole token
    project TEXT NOT NULL,
    epoch   INTEGER NOT NULL, -- version of the project's data key
    record  BLOB NOT NULL,
    kept    INTEGER NOT NULL  -- 0 until an operation that saved it has succeeded
) STRICT, WITHOUT ROWID;
CREATE INDEX lasting_epoch ON lasting (project, epoch, id);
CREATE INDEX lasting_not_kept ON lasting (id) WHERE kept = 0;

-- Finds an equal card of the same holder.
CREATE TABLE fingerprints (
    fingerprint BLOB NOT NULL, -- 32 bytes, a MAC
    project     TEXT NOT NULL,
    lasting     BLOB NOT NULL, -- id part of the lasting token
    PRIMARY KEY (fingerprint, project)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX fingerprints_lasting ON fingerprints (lasting);

-- The audit log. A chain belongs to one instance, from its start to its end.
CREATE TABLE audit (
    chain   BLOB NOT NULL,    -- 16 bytes
    number  INTEGER NOT NULL, -- from 1
    content BLOB NOT NULL,    -- what was done
    mac     BLOB NOT NULL,    -- over the record before and this one
    PRIMARY KEY (chain, number)
) STRICT, WITHOUT ROWID;
";

/// Nonces of version 1 had no time before them, and where an old envelope's would go cannot be told: its rows are sealed.
/// So old nonces stay, in a table of their own.
const FROM_1_TO_2: &str = "
CREATE TABLE old_nonces (
    project TEXT NOT NULL,
    nonce   BLOB NOT NULL, -- 16 bytes
    PRIMARY KEY (project, nonce)
) STRICT, WITHOUT ROWID;
INSERT INTO old_nonces SELECT project, nonce FROM tokens;
CREATE TABLE new_tokens (
    id           BLOB PRIMARY KEY,
    hash         BLOB NOT NULL,
    project      TEXT NOT NULL,
    epoch        INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    operation    TEXT,
    nonce        BLOB,
    idempotency  BLOB,
    answer       BLOB,
    answer_until INTEGER,
    facts        BLOB NOT NULL,
    card         BLOB,
    code         BLOB,
    code_hour    INTEGER,
    expires_at   INTEGER NOT NULL,
    remove_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO new_tokens
    SELECT id, hash, project, epoch, state, operation, NULL, idempotency, answer, answer_until, facts, card, code,
           code_hour, expires_at, remove_at
    FROM tokens;
DROP TABLE tokens;
ALTER TABLE new_tokens RENAME TO tokens;
CREATE UNIQUE INDEX tokens_nonce ON tokens (nonce, project);
CREATE UNIQUE INDEX tokens_idempotency ON tokens (idempotency) WHERE idempotency IS NOT NULL;
CREATE INDEX tokens_answer_until ON tokens (answer_until) WHERE answer IS NOT NULL;
CREATE INDEX tokens_remove_at ON tokens (remove_at);
ALTER TABLE widget_keys ADD COLUMN apps INTEGER NOT NULL DEFAULT 0;
UPDATE widget_keys SET apps = 1 WHERE id IN ('wk_sandbox', 'wk_sandbox_2');
CREATE TABLE audit (
    chain   BLOB NOT NULL,
    number  INTEGER NOT NULL,
    content BLOB NOT NULL,
    mac     BLOB NOT NULL,
    PRIMARY KEY (chain, number)
) STRICT, WITHOUT ROWID;
";

/// Refuses nonces of version 1. It goes with each table that it is on.
const OLD_NONCES: &str = "
CREATE TRIGGER IF NOT EXISTS tokens_old_nonces BEFORE INSERT ON tokens
WHEN EXISTS (SELECT 1 FROM old_nonces WHERE project = NEW.project AND nonce = substr(NEW.nonce, 6))
BEGIN
    SELECT RAISE(IGNORE);
END;
";

/// Tokens in the order of their arrival: a table without row ids keeps whole rows in its inner pages, of which six fit into
/// one. And saved cards.
const FROM_2_TO_3: &str = "
CREATE TABLE new_tokens (
    id           BLOB PRIMARY KEY NOT NULL,
    hash         BLOB NOT NULL,
    project      TEXT NOT NULL,
    epoch        INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    operation    TEXT,
    nonce        BLOB,
    idempotency  BLOB,
    answer       BLOB,
    answer_until INTEGER,
    facts        BLOB NOT NULL,
    card         BLOB,
    code         BLOB,
    code_hour    INTEGER,
    expires_at   INTEGER NOT NULL,
    remove_at    INTEGER NOT NULL
) STRICT;
INSERT INTO new_tokens
    SELECT id, hash, project, epoch, state, operation, nonce, idempotency, answer, answer_until, facts, card, code,
           code_hour, expires_at, remove_at
    FROM tokens ORDER BY id;
DROP TABLE tokens;
ALTER TABLE new_tokens RENAME TO tokens;
CREATE UNIQUE INDEX tokens_nonce ON tokens (nonce, project);
CREATE UNIQUE INDEX tokens_idempotency ON tokens (idempotency) WHERE idempotency IS NOT NULL;
CREATE INDEX tokens_answer_until ON tokens (answer_until) WHERE answer IS NOT NULL;
CREATE INDEX tokens_remove_at ON tokens (remove_at);
ALTER TABLE operations ADD COLUMN source INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN saved BLOB;
CREATE INDEX operations_saved ON operations (saved) WHERE saved IS NOT NULL;
CREATE TABLE lasting (
    id      BLOB PRIMARY KEY,
    hash    BLOB NOT NULL,
    project TEXT NOT NULL,
    epoch   INTEGER NOT NULL,
    record  BLOB NOT NULL,
    kept    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX lasting_epoch ON lasting (project, epoch, id);
CREATE INDEX lasting_not_kept ON lasting (id) WHERE kept = 0;
CREATE TABLE fingerprints (
    fingerprint BLOB NOT NULL,
    project     TEXT NOT NULL,
    lasting     BLOB NOT NULL,
    PRIMARY KEY (fingerprint, project)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX fingerprints_lasting ON fingerprints (lasting);
";

/// No index by the times at which something is to be removed: each was a page more in every commit.
const FROM_3_TO_4: &str = "
CREATE TABLE new_tokens (
    arrival      INTEGER PRIMARY KEY,
    id           BLOB NOT NULL,
    hash         BLOB NOT NULL,
    project      TEXT NOT NULL,
    epoch        INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    operation    TEXT,
    nonce        BLOB,
    idempotency  BLOB,
    answer       BLOB,
    answer_until INTEGER,
    facts        BLOB NOT NULL,
    card         BLOB,
    code         BLOB,
    code_hour    INTEGER,
    expires_at   INTEGER NOT NULL,
    remove_at    INTEGER NOT NULL
) STRICT;
INSERT INTO new_tokens
    SELECT NULL, id, hash, project, epoch, state, operation, nonce, idempotency, answer, answer_until, facts, card, code,
           code_hour, expires_at, remove_at
    FROM tokens ORDER BY rowid;
DROP TABLE tokens;
ALTER TABLE new_tokens RENAME TO tokens;
CREATE UNIQUE INDEX tokens_id ON tokens (id);
CREATE UNIQUE INDEX tokens_nonce ON tokens (nonce, project);
CREATE UNIQUE INDEX tokens_idempotency ON tokens (idempotency) WHERE idempotency IS NOT NULL;
CREATE TABLE arrivals (
    block INTEGER PRIMARY KEY,
    due   INTEGER NOT NULL
) STRICT;
INSERT INTO arrivals
    SELECT arrival >> 9, min(iif(answer IS NULL, remove_at, min(remove_at, ifnull(answer_until, remove_at)))) FROM tokens GROUP BY 1;
CREATE INDEX arrivals_due ON arrivals (due);
";

#[cfg(test)]
mod tests {
    use super::*;

    /// What `sqlite_master` says, without the way it was written.
    fn shape(connection: &Connection) -> Vec<(String, String, Vec<String>)> {
        let mut statement = connection
            .prepare(
                "SELECT type, name FROM sqlite_master WHERE name NOT LIKE '%old_nonces' ORDER BY type, name",
            )
            .unwrap();
        let names = statement
            .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        let names: Vec<(String, String)> = names.map(Result::unwrap).collect();
        let columns = |kind: &str, name: &str| -> Vec<String> {
            let pragma = if kind == "table" {
                "table_info"
            } else {
                "index_xinfo"
            };
            let mut statement = connection.prepare(&format!("PRAGMA {pragma}({name})")).unwrap();
            let count = statement.column_count();
            let rows = statement.query_map((), |row| {
                // Not the default of a column, which only matters to rows of earlier versions.
                let values = (1..count).filter(|&column| kind != "table" || column != 4);
                values
                    .map(|column| Ok(format!("{:?}", row.get_ref(column)?)))
                    .collect()
            });
            let mut rows: Vec<Vec<String>> = rows.unwrap().map(Result::unwrap).collect();
            rows.sort();
            rows.concat()
        };
        let with_columns = |(kind, name): (String, String)| {
            let columns = columns(&kind, &name);
            (kind, name, columns)
        };
        names.into_iter().map(with_columns).collect()
    }

    fn version_1() -> Connection {
        store_of(include_str!("../../../tests/schemas/sqlite-1.sql"))
    }

    fn version_2() -> Connection {
        store_of(include_str!("../../../tests/schemas/sqlite-2.sql"))
    }

    fn version_3() -> Connection {
        store_of(include_str!("../../../tests/schemas/sqlite-3.sql"))
    }

    fn store_of(tables: &str) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(tables).unwrap();
        connection
    }

    #[test]
    fn a_store_brought_forward_is_as_a_new_one() {
        let mut new = Connection::open_in_memory().unwrap();
        let identity = Identity {
            id: vec![1; 16],
            master_key: 1,
            key_check: vec![1],
        };
        create(&mut new, &identity).unwrap();
        for mut old in [version_1(), version_2(), version_3()] {
            bring_forward(&mut old).unwrap();
            bring_forward(&mut old).unwrap();
            assert_eq!(shape(&old), shape(&new));
        }
        assert!(shape(&new).len() > 10, "the comparison sees the tables");
    }

    #[test]
    fn operations_of_version_2_go_on() {
        let mut connection = version_2();
        let open = "INSERT INTO operations VALUES ('p', 'op', x'01', 1, NULL, x'02', x'03', 4, 5)";
        connection.execute(open, ()).unwrap();
        bring_forward(&mut connection).unwrap();
        let kept: bool = connection
            .query_row(
                "SELECT (token, epoch, card, code, code_hour, expires_at, source) = (x'01', 1, x'02', x'03', 4, 5, 0)
                     AND outcome IS NULL AND saved IS NULL FROM operations WHERE project = 'p' AND id = 'op'",
                (),
                |row| row.get(0),
            )
            .unwrap();
        assert!(kept);
    }

    #[test]
    fn tokens_of_version_3_are_found_when_they_are_due() {
        let mut connection = version_3();
        for (n, answer) in (0..600).map(|n| (n, ["x'05'", "NULL"][n % 2])) {
            let sql = format!(
                "INSERT INTO tokens (id, hash, project, epoch, state, nonce, answer, answer_until, facts, expires_at, remove_at)
                 VALUES (x'{n:04x}', x'02', 'p', 1, 0, x'{n:04x}', {answer}, {n} + 1000, x'07', 5000, 6000 - {n})"
            );
            connection.execute(&sql, ()).unwrap();
        }
        connection
            .execute("DELETE FROM tokens WHERE id < x'0003'", ())
            .unwrap();
        bring_forward(&mut connection).unwrap();
        let due: Vec<(i64, i64)> = connection
            .prepare("SELECT block, due FROM arrivals ORDER BY block")
            .unwrap()
            .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        // 597 rows, in the order in which they came; of the first the answer has gone, the next one's goes first.
        assert_eq!(due, [(0, 1004), (1, 1514)]);
        let ids = "SELECT count(*), sum(id = x'0003' AND arrival = 1) FROM tokens";
        let ids = connection.query_row(ids, (), |row| Ok((row.get(0)?, row.get(1)?)));
        assert_eq!(ids, Ok((597, 1)));
    }

    #[test]
    fn rows_and_their_nonces_stay() {
        let mut connection = version_1();
        connection
            .execute_batch(
                "INSERT INTO tokens (id, hash, project, epoch, state, nonce, idempotency, answer, answer_until, facts,
                     card, code, code_hour, expires_at, remove_at)
                 VALUES (x'01', x'02', 'p', 1, 0, zeroblob(16), x'04', x'05', 6, x'07', x'08', x'09', 10, 11, 12);
                 INSERT INTO projects VALUES ('p');
                 INSERT INTO widget_keys VALUES ('wk_sandbox', 'p', 0, '[]'), ('wk_x', 'p', 0, '[]')",
            )
            .unwrap();
        bring_forward(&mut connection).unwrap();
        let kept: bool = connection
            .query_row(
                "SELECT (hash, idempotency, answer, answer_until, facts, card, code, code_hour, expires_at, remove_at)
                     = (x'02', x'04', x'05', 6, x'07', x'08', x'09', 10, 11, 12) FROM tokens WHERE id = x'01'",
                (),
                |row| row.get(0),
            )
            .unwrap();
        assert!(kept);
        let insert = |id: &str, project: &str, nonce: &str| {
            let sql = format!(
                "INSERT OR IGNORE INTO tokens (id, hash, project, epoch, state, nonce, facts, expires_at, remove_at)
                 VALUES (x'{id}', x'', '{project}', 1, 0, x'{nonce}', x'', 0, 0)"
            );
            connection.execute(&sql, ()).unwrap()
        };
        let old = "00".repeat(16);
        assert_eq!(
            insert("11", "p", &format!("0000000001{old}")),
            0,
            "an old nonce at any time"
        );
        assert_eq!(
            insert("12", "q", &format!("0000000001{old}")),
            1,
            "another project's"
        );
        assert_eq!(insert("13", "p", &format!("0000000001{}", "01".repeat(16))), 1);
        let apps = connection.query_row("SELECT group_concat(id) FROM widget_keys WHERE apps", (), |row| {
            row.get(0)
        });
        assert_eq!(apps, Ok("wk_sandbox".to_owned()));
    }
}
