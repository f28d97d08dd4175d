//! Copies of the store, out of a running one and into one that may be running.
//!
//! A copy is a text: a line of JSON about the store, then its tables as PostgreSQL writes them.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Serialize};
use tokio_postgres::Row;

use super::schema;
use crate::config::PostgresUrl;
use crate::error::VaultError;
use crate::store::rows::Identity;
use database::link::{Link, Session, Trouble};
use database::text::{PATIENCE, TextError, line, read_tables, write_tables};

/// What a copy says of its store.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: u32,
    version: usize,
    id: String,
    master_key: u32,
    key_check: String,
}

impl Head {
    fn of(identity: &Identity, version: usize) -> Self {
        Self {
            format: FORMAT,
            version,
            id: Base64UrlUnpadded::encode_string(&identity.id),
            master_key: identity.master_key,
            key_check: Base64UrlUnpadded::encode_string(&identity.key_check),
        }
    }

    fn read(file: &mut impl BufRead) -> Option<Self> {
        let line = line(file).ok()??;
        let head: Self = serde_json::from_slice(&line).ok()?;
        (head.format == FORMAT && head.version >= 1).then_some(head)
    }

    fn identity(&self) -> Option<Identity> {
        Some(Identity {
            id: Base64UrlUnpadded::decode_vec(&self.id).ok()?,
            master_key: self.master_key,
            key_check: Base64UrlUnpadded::decode_vec(&self.key_check).ok()?,
        })
    }
}

/// Writes what was committed before to a new file at `to`: all tables as they were at one moment, while others write.
pub(super) fn copy(url: &PostgresUrl, to: &Path) -> Result<(), VaultError> {
    let link = Link::connect(url)?;
    // One that was opened before: it is there, and of this version.
    let identity = schema::identify(&link)?.ok_or_else(|| VaultError::NotAVault(schema::NAME.to_owned()))?;
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)
        .map_err(VaultError::file(to))?;
    let mut file = BufWriter::new(file);
    let head =
        serde_json::to_vec(&Head::of(&identity, schema::STEPS.len())).map_err(|_| VaultError::Crypto)?;
    link.drive(async {
        let session = link.session();
        session
            .batch(&format!(
                "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; {PATIENCE}"
            ))
            .await?;
        let written = file.write_all(&head).and_then(|()| file.write_all(b"\n"));
        written.map_err(VaultError::file(to))?;
        let written = write_tables(session, schema::NAME, &TABLES, &mut file).await;
        written.map_err(failed(to))?;
        session.batch("COMMIT").await?;
        Ok::<(), VaultError>(())
    })??;
    let file = file
        .into_inner()
        .map_err(|error| VaultError::file(to)(error.into_error()))?;
    file.sync_all().map_err(VaultError::file(to))
}

/// What the copy at `from` says of its store.
pub(super) fn identify(from: &Path) -> Result<Option<Identity>, VaultError> {
    let mut file = BufReader::new(File::open(from).map_err(VaultError::file(from))?);
    let head = Head::read(&mut file);
    if head
        .as_ref()
        .is_some_and(|head| head.version > schema::STEPS.len())
    {
        return Err(VaultError::LaterVersion);
    }
    Ok(head.and_then(|head| head.identity()))
}

/// Puts the copy at `from` in the place of the store, in one transaction: others see the old state or the new one. Where
/// there is no store one is made, of the copy's version.
pub(super) fn put_back(url: &PostgresUrl, from: &Path, keep_tokens: bool) -> Result<(), VaultError> {
    let not_a_backup = || VaultError::NotABackup(from.to_owned());
    let mut file = BufReader::new(File::open(from).map_err(VaultError::file(from))?);
    let head = Head::read(&mut file).ok_or_else(not_a_backup)?;
    let identity = head.identity().ok_or_else(not_a_backup)?;
    let steps = schema::STEPS
        .get(..head.version)
        .ok_or(VaultError::LaterVersion)?;
    let link = Link::connect(url)?;
    let there = link.wait(schema::exists(link.session()))?;
    if there && head.version == schema::STEPS.len() {
        schema::bring_forward(&link, schema::STEPS)?;
    }
    link.drive(async {
        let session = link.session();
        session.batch(&format!("BEGIN; {PATIENCE}")).await?;
        let kept = if there {
            clear(session, &head, &identity).await?
        } else {
            schema::make(session, steps, &identity).await?;
            Vec::new()
        };
        let put = read_tables(session, schema::NAME, &TABLES, &mut file).await;
        put.map_err(failed(from))?;
        keep_data_keys(session, &kept).await?;
        if !keep_tokens {
            session.batch(END_TOKENS).await?;
        }
        session.batch("COMMIT").await?;
        Ok(())
    })?
}

/// Empties the tables, for what is in the copy. Gives the data keys that were in there: running instances may be sealing
/// under those that were made since.
async fn clear(session: &Session, head: &Head, identity: &Identity) -> Result<Vec<Row>, VaultError> {
    let row = session
        .query_opt("SELECT version FROM card_widget_vault.store FOR UPDATE", &[])
        .await?;
    let version: Option<i64> = row.map(|row| row.try_get(0)).transpose().map_err(Trouble::from)?;
    if version != i64::try_from(head.version).ok() {
        return Err(VaultError::EarlierBackup);
    }
    let tables = TABLES.map(|table| format!("{}.{table}", schema::NAME)).join(", ");
    // Batches that are under way end first; the next ones wait, and find what was put back.
    session
        .batch(&format!("LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE"))
        .await?;
    let kept = session
        .query(
            "SELECT project, epoch, master_key, wrapped FROM card_widget_vault.data_keys",
            &[],
        )
        .await?;
    session.batch(&format!("TRUNCATE {tables}")).await?;
    session
        .execute(
            "UPDATE card_widget_vault.store SET master_key = $1, key_check = $2",
            &[&i64::from(identity.master_key), &identity.key_check],
        )
        .await?;
    Ok(kept)
}

async fn keep_data_keys(session: &Session, kept: &[Row]) -> Result<(), Trouble> {
    for row in kept {
        let (project, epoch, master_key): (&str, i64, i64) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let wrapped: &[u8] = row.try_get(3)?;
        session
            .execute(
                "INSERT INTO card_widget_vault.projects (id) VALUES ($1) ON CONFLICT DO NOTHING",
                &[&project],
            )
            .await?;
        session
            .execute(
                "INSERT INTO card_widget_vault.data_keys (project, epoch, master_key, wrapped)
                 VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                &[&project, &epoch, &master_key, &wrapped],
            )
            .await?;
    }
    Ok(())
}

/// Ends all tokens of a store that was put back by other means.
pub(super) async fn end_tokens(session: &Session) -> Result<(), Trouble> {
    session
        .batch(&format!("BEGIN; {PATIENCE}; {END_TOKENS}; COMMIT"))
        .await
}

fn failed(path: &Path) -> impl Fn(TextError) -> VaultError {
    move |error| match error {
        TextError::File(error) => VaultError::file(path)(error),
        TextError::Database(trouble) => trouble.into(),
        // Its end is missing, which its digest would have told.
        TextError::NotTables => VaultError::NotABackup(path.to_owned()),
    }
}

/// Ends all tokens: nobody can say which were used up since a copy was made. Their nonces stay.
const END_TOKENS: &str = "UPDATE card_widget_vault.tokens SET state = 2, operation = NULL, card = NULL, \
     code = NULL, code_hour = NULL, answer = NULL, idempotency = NULL";

/// All tables but `store`, those first that others refer to.
pub(super) const TABLES: [&str; 8] = [
    "projects",
    "widget_keys",
    "data_keys",
    "tokens",
    "operations",
    "lasting",
    "fingerprints",
    "audit",
];

/// Version of the copy's own layout.
const FORMAT: u32 = 1;
