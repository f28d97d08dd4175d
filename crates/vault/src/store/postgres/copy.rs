//! Copies of the store, out of a running one and into one that may be running.
//!
//! A copy is a text: a line of JSON about the store, then for each table a line `COPY table (columns)`, its rows as
//! PostgreSQL's `COPY` writes them, and a line `\.`, which no row can be.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::pin::pin;

use base64ct::{Base64UrlUnpadded, Encoding};
use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use tokio_postgres::Row;

use super::schema;
use crate::config::PostgresUrl;
use crate::error::VaultError;
use crate::store::rows::Identity;
use database::link::{LIMIT, Link, Session, Trouble, within};

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
        write(&mut file, &head, to)?;
        for table in TABLES {
            write_table(session, table, &mut file, to).await?;
        }
        session.batch("COMMIT").await?;
        Ok::<(), VaultError>(())
    })??;
    let file = file
        .into_inner()
        .map_err(|error| VaultError::file(to)(error.into_error()))?;
    file.sync_all().map_err(VaultError::file(to))
}

async fn write_table(
    session: &Session,
    table: &str,
    file: &mut impl Write,
    to: &Path,
) -> Result<(), VaultError> {
    let columns: Vec<Row> = session
        .query(
            "SELECT column_name::text FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2
             ORDER BY ordinal_position",
            &[&schema::NAME, &table],
        )
        .await?;
    let columns: Result<Vec<String>, _> = columns.iter().map(|row| row.try_get(0)).collect();
    let columns = columns.map_err(Trouble::from)?.join(", ");
    write(file, format!("COPY {table} ({columns})").as_bytes(), to)?;
    let copied = session
        .copy_out(&format!("COPY {}.{table} ({columns}) TO STDOUT", schema::NAME))
        .await?;
    let mut copied = pin!(copied);
    while let Some(part) = within(LIMIT, async { Ok(copied.next().await) }).await? {
        let part = part.map_err(Trouble::from)?;
        file.write_all(&part).map_err(VaultError::file(to))?;
    }
    write(file, END, to)
}

fn write(file: &mut impl Write, line: &[u8], to: &Path) -> Result<(), VaultError> {
    let written = file.write_all(line).and_then(|()| file.write_all(b"\n"));
    written.map_err(VaultError::file(to))
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
        while let Some(told) = line(&mut file).map_err(VaultError::file(from))? {
            let (table, columns) = section(&told).ok_or_else(not_a_backup)?;
            read_table(session, table, columns, &mut file, from).await?;
        }
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

async fn read_table(
    session: &Session,
    table: &str,
    columns: &str,
    file: &mut impl BufRead,
    from: &Path,
) -> Result<(), VaultError> {
    let sink = session
        .copy_in(&format!("COPY {}.{table} {columns} FROM STDIN", schema::NAME))
        .await?;
    let mut sink = pin!(sink);
    let mut part = Vec::with_capacity(PART);
    loop {
        let begin = part.len();
        let read = file
            .read_until(b'\n', &mut part)
            .map_err(VaultError::file(from))?;
        let row = part.get(begin..).unwrap_or_default();
        let last = row.strip_suffix(b"\n") == Some(END);
        if read == 0 {
            // Its end is missing, which its digest would have told.
            return Err(VaultError::NotABackup(from.to_owned()));
        }
        if last {
            part.truncate(begin);
        }
        if last || part.len() >= PART {
            let full = Cursor::new(std::mem::take(&mut part));
            within(LIMIT, async { Ok(sink.send(full).await?) }).await?;
        }
        if last {
            sink.as_mut().finish().await.map_err(Trouble::from)?;
            return Ok(());
        }
    }
}

/// Ends all tokens of a store that was put back by other means.
pub(super) async fn end_tokens(session: &Session) -> Result<(), Trouble> {
    session
        .batch(&format!("BEGIN; {PATIENCE}; {END_TOKENS}; COMMIT"))
        .await
}

/// Table and columns in a line that begins one. Nothing but names is let through.
fn section(line: &[u8]) -> Option<(&str, &str)> {
    let (table, columns) = std::str::from_utf8(line)
        .ok()?
        .strip_prefix("COPY ")?
        .split_once(' ')?;
    let names = columns.strip_prefix('(')?.strip_suffix(')')?;
    let known = TABLES.contains(&table);
    let plain =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    (known && names.split(", ").all(plain)).then_some((table, columns))
}

/// A line without its end; `None` at the end of the file.
fn line(file: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if file.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    Ok(Some(line))
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

/// A large table takes longer than a statement may otherwise.
const PATIENCE: &str = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/// Ends the rows of a table.
const END: &[u8] = b"\\.";

/// Version of the copy's own layout.
const FORMAT: u32 = 1;

/// How much is sent at a time, in bytes.
const PART: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_tables_and_columns_reach_a_statement() {
        for (line, good) in [
            ("COPY tokens (id, code_hour)", true),
            ("COPY store (id)", false),
            ("COPY pg_authid (rolname)", false),
            ("COPY tokens", false),
            ("COPY tokens ()", false),
            ("COPY tokens (id) FROM PROGRAM 'sh'", false),
            ("COPY tokens (id); DROP TABLE x; --)", false),
            ("copy tokens (id)", false),
            ("", false),
        ] {
            assert_eq!(section(line.as_bytes()).is_some(), good, "{line}");
        }
    }
}
