//! Tables, and how a store is told from other databases.

use crate::error::VaultError;
use crate::store::rows::Identity;
use database::link::{Link, Session, Trouble};

/// The schema that holds everything.
pub(super) const NAME: &str = "card_widget_vault";

/// Whether there is anything in the schema.
pub(super) async fn exists(session: &Session) -> Result<bool, Trouble> {
    let found = session
        .query_opt(
            "SELECT 1 FROM information_schema.schemata WHERE schema_name = $1",
            &[&NAME],
        )
        .await?;
    Ok(found.is_some())
}

/// What the store says of itself; `None` where there is no schema of its name.
pub(super) fn identify(link: &Link) -> Result<Option<Identity>, VaultError> {
    let session = link.session();
    if !link.wait(exists(session))? {
        return Ok(None);
    }
    let table = link.wait(session.query_opt(
        "SELECT 1 FROM information_schema.tables WHERE table_schema = $1 AND table_name = 'store'",
        &[&NAME],
    ))?;
    let not_ours = || VaultError::NotAVault(format!("the schema {NAME}"));
    table.ok_or_else(not_ours)?;
    let row = link.wait(session.query_opt(
        "SELECT version, id, master_key, key_check FROM card_widget_vault.store",
        &[],
    ))?;
    let row = row.ok_or_else(not_ours)?;
    let version: i64 = row.try_get(0).map_err(|_| not_ours())?;
    if !(1..=STEPS.len() as i64).contains(&version) {
        return Err(VaultError::LaterVersion);
    }
    let master_key: i64 = row.try_get(2).map_err(|_| not_ours())?;
    Ok(Some(Identity {
        id: row.try_get(1).map_err(|_| not_ours())?,
        master_key: u32::try_from(master_key).map_err(|_| not_ours())?,
        key_check: row.try_get(3).map_err(|_| not_ours())?,
    }))
}

/// Makes the tables of a new store. Where another process was faster, it does nothing.
pub(super) fn create(link: &Link, identity: &Identity) -> Result<(), VaultError> {
    let session = link.session();
    let made = link.wait(async {
        session.batch("BEGIN").await?;
        make(session, STEPS, identity).await?;
        session.batch("COMMIT").await
    });
    if let Err(trouble) = made {
        link.wait(session.batch("ROLLBACK"))?;
        // Two may make the schema at once: one of them is told that there is one, in one of several ways.
        if !link.wait(exists(session))? {
            return Err(trouble.into());
        }
    }
    Ok(())
}

/// Makes the tables to which these steps lead, in the transaction that is open.
pub(super) async fn make(session: &Session, steps: &[&str], identity: &Identity) -> Result<(), Trouble> {
    for step in steps {
        session.batch(step).await?;
    }
    session
        .execute(
            "INSERT INTO card_widget_vault.store (sole, version, id, master_key, key_check)
             VALUES (true, $1, $2, $3, $4)",
            &[
                &(steps.len() as i64),
                &identity.id,
                &i64::from(identity.master_key),
                &identity.key_check,
            ],
        )
        .await?;
    Ok(())
}

/// Brings the tables of an earlier version forward, one version after the other, each in a transaction of its own.
/// Processes that do it at once wait for each other at the store's one row.
pub(super) fn bring_forward(link: &Link, steps: &[&str]) -> Result<(), VaultError> {
    let session = link.session();
    let moved = link.wait(async {
        loop {
            session.batch("BEGIN").await?;
            let row = session
                .query_opt("SELECT version FROM card_widget_vault.store FOR UPDATE", &[])
                .await?;
            let version: i64 = match row {
                Some(row) => row.try_get(0)?,
                None => return Err(Trouble::Refused("the store's row is missing".to_owned())),
            };
            let known = usize::try_from(version)
                .ok()
                .filter(|&version| version <= steps.len());
            let Some(step) = known.map(|version| steps.get(version)) else {
                session.batch("ROLLBACK").await?;
                return Ok(false);
            };
            let Some(step) = step else {
                session.batch("ROLLBACK").await?;
                return Ok(true);
            };
            session.batch(step).await?;
            session
                .execute(
                    "UPDATE card_widget_vault.store SET version = $1",
                    &[&(version + 1)],
                )
                .await?;
            session.batch("COMMIT").await?;
            tracing::info!(from = version, to = version + 1, "the store was brought forward");
        }
    })?;
    // Another process, of a later version, was faster.
    if moved {
        Ok(())
    } else {
        Err(VaultError::LaterVersion)
    }
}

/// What leads from each version to the next; the first makes a new store. Released steps never change.
pub(super) const STEPS: &[&str] = &[VERSION_1, VERSION_2];

/// Times are seconds since 1970 in UTC. Every value named `facts`, `card`, `code`, `answer`, `record` or `wrapped` is
/// sealed.
///
/// Keys of tokens, nonces and records of the audit log begin with one of sixteen numbers, so that what is written at one
/// time goes to sixteen places and not to one; within each it is in the order of time, and so is a page's next row.
const VERSION_1: &str = "
CREATE SCHEMA card_widget_vault;

CREATE TABLE card_widget_vault.store (
    sole       BOOLEAN PRIMARY KEY CHECK (sole), -- there is one row
    version    BIGINT NOT NULL,
    id         BYTEA NOT NULL,
    master_key BIGINT NOT NULL,
    key_check  BYTEA NOT NULL
);

CREATE TABLE card_widget_vault.projects (
    id TEXT PRIMARY KEY
);

CREATE TABLE card_widget_vault.data_keys (
    project    TEXT NOT NULL REFERENCES card_widget_vault.projects (id),
    epoch      BIGINT NOT NULL,
    master_key BIGINT NOT NULL,
    wrapped    BYTEA NOT NULL,
    PRIMARY KEY (project, epoch)
);

CREATE TABLE card_widget_vault.widget_keys (
    id      TEXT PRIMARY KEY,
    project TEXT NOT NULL REFERENCES card_widget_vault.projects (id),
    live    BOOLEAN NOT NULL,
    origins TEXT NOT NULL, -- JSON array of patterns
    apps    BOOLEAN NOT NULL
);

-- One row per widget token: what it opens, the nonce and the idempotency key of its request.
CREATE TABLE card_widget_vault.tokens (
    id           BYTEA PRIMARY KEY, -- 16 bytes, the first part of the token: below 16, then the time
    hash         BYTEA NOT NULL,    -- SHA-256 of the whole token
    project      TEXT NOT NULL,
    epoch        BIGINT NOT NULL,   -- version of the project's data key
    state        SMALLINT NOT NULL, -- 0 ready, 1 reserved, 2 used up
    operation    TEXT,              -- which has reserved it or used it up
    nonce        BYTEA,             -- 22 bytes: below 16, the time at which the envelope was made, its nonce
    idempotency  BYTEA,             -- MAC of the caller's key; gone with the answer
    answer       BYTEA,
    answer_until BIGINT,
    facts        BYTEA NOT NULL,
    card         BYTEA,             -- gone once used up
    code         BYTEA,             -- gone once an acquirer has answered
    code_hour    BIGINT,
    expires_at   BIGINT NOT NULL,
    remove_at    BIGINT NOT NULL,   -- when neither the token nor its nonce is of use any more
    part         SMALLINT NOT NULL  -- first byte of the id
);
CREATE UNIQUE INDEX tokens_nonce ON card_widget_vault.tokens (nonce, project);
CREATE UNIQUE INDEX tokens_idempotency ON card_widget_vault.tokens (idempotency) WHERE idempotency IS NOT NULL;
CREATE INDEX tokens_answer_until ON card_widget_vault.tokens (part, answer_until) WHERE answer IS NOT NULL;
CREATE INDEX tokens_remove_at ON card_widget_vault.tokens (part, remove_at);

-- One row per operation that redeemed a token.
CREATE TABLE card_widget_vault.operations (
    project    TEXT NOT NULL,
    id         TEXT NOT NULL,
    token      BYTEA NOT NULL,    -- id part
    epoch      BIGINT NOT NULL,
    outcome    SMALLINT,          -- 1 used up, 2 released; NULL while open
    card       BYTEA,             -- gone once settled
    code       BYTEA,             -- gone once settled
    code_hour  BIGINT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (project, id)
);
CREATE INDEX operations_expires_at ON card_widget_vault.operations (expires_at);

-- The audit log. A chain belongs to one instance, from its start to its end; its name is random.
CREATE TABLE card_widget_vault.audit (
    chain   BYTEA NOT NULL,
    number  BIGINT NOT NULL,
    content BYTEA NOT NULL,
    mac     BYTEA NOT NULL,
    PRIMARY KEY (chain, number)
);
";

/// Saved cards. Keys are spread as those of tokens are; a fingerprint is random.
const VERSION_2: &str = "
ALTER TABLE card_widget_vault.operations ADD COLUMN source SMALLINT NOT NULL DEFAULT 0; -- 0 a widget token, 1 a saved card
ALTER TABLE card_widget_vault.operations ADD COLUMN saved BYTEA; -- id part of the lasting token, where it saves its card
CREATE INDEX operations_saved ON card_widget_vault.operations (saved) WHERE saved IS NOT NULL;

-- One row per saved card.
CREATE TABLE card_widget_vault.lasting (
    id      BYTEA PRIMARY KEY, -- 16 bytes, the first part of the lasting token: below 16, then the time
    hash    BYTEA NOT NULL,    -- SHA-256 of the whole token
    project TEXT NOT NULL,
    epoch   BIGINT NOT NULL,   -- version of the project's data key
    record  BYTEA NOT NULL,
    kept    BOOLEAN NOT NULL   -- false until an operation that saved it has succeeded
);
CREATE INDEX lasting_epoch ON card_widget_vault.lasting (project, epoch, id);
CREATE INDEX lasting_not_kept ON card_widget_vault.lasting (id) WHERE NOT kept;

-- Finds an equal card of the same holder.
CREATE TABLE card_widget_vault.fingerprints (
    fingerprint BYTEA NOT NULL, -- 32 bytes, a MAC
    project     TEXT NOT NULL,
    lasting     BYTEA NOT NULL, -- id part of the lasting token
    PRIMARY KEY (fingerprint, project)
);
CREATE UNIQUE INDEX fingerprints_lasting ON card_widget_vault.fingerprints (lasting);
";
