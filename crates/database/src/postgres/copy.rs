//! Copies of a schema, out of one in use and into one that may be in use.
//!
//! A copy is a line with the schema's name and version, then its tables as [`super::text`] has them.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::link::{Link, Session, Trouble};
use super::text::{PATIENCE, TextError, line, read_tables, write_tables};
use super::url::PostgresUrl;
use super::{Tables, aside};
use crate::error::{DatabaseError, not_a_copy};
use crate::schema::{Definition, Dialect, Schema};
use crate::transaction::Transaction;
use crate::values;

/// Writes what was committed before to a new file: all tables as they were at one moment, while others write.
pub(crate) fn copy(url: &PostgresUrl, schema: &Schema, to: &Path) -> Result<(), DatabaseError> {
    aside(|| {
        let link = Link::connect(url)?;
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(to);
        let mut file = BufWriter::new(file.map_err(TextError::File).map_err(of(schema, to))?);
        let mut tables = Tables::new(&link, *schema);
        tables.command(&format!(
            "SET search_path TO {}; BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; {PATIENCE}",
            schema.name
        ))?;
        let version = version(&mut tables)?;
        let written = link.drive(async {
            writeln!(file, "{} {version}", schema.name)?;
            let session = link.session();
            let names = names(session, schema).await?;
            write_tables(session, schema.name, &names, &mut file).await?;
            let file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            Ok(file.sync_all()?)
        });
        written?.map_err(of(schema, to))?;
        tables.command("COMMIT")
    })
}

/// Refuses what is no copy of the schema, one of a later version of it, and one of an earlier version where there are tables already.
/// Changes nothing.
pub(crate) fn check(url: &PostgresUrl, schema: &Schema, from: &Path) -> Result<(), DatabaseError> {
    let (_, copied) = open(schema, from)?;
    aside(|| {
        let link = Link::connect(url)?;
        let mut tables = Tables::new(&link, *schema);
        tables.command(&format!("SET search_path TO {}", schema.name))?;
        compare(&mut tables, copied)
    })
}

/// Puts a copy in the place of what is there, in one transaction: others see the old state or the new one. Where there are no tables they
/// are made, of the copy's version.
pub(crate) fn put_back(url: &PostgresUrl, schema: &Schema, from: &Path) -> Result<(), DatabaseError> {
    let (mut file, copied) = open(schema, from)?;
    aside(|| {
        let link = Link::connect(url)?;
        let steps = schema.steps.get(..copied).unwrap_or_default();
        let schema = Schema { steps, ..*schema };
        let mut tables = Tables::new(&link, schema);
        tables.command(&format!(
            "BEGIN; {PATIENCE}; CREATE SCHEMA IF NOT EXISTS {0}; SET search_path TO {0}",
            schema.name
        ))?;
        compare(&mut tables, copied)?;
        schema.bring_forward(Dialect::Postgres, &mut tables)?;
        let put = link.drive(async {
            let session = link.session();
            let names = names(session, &schema).await?;
            // Transactions that are under way end first; the next ones wait, and find what was put back.
            if !names.is_empty() {
                session.batch(&format!("TRUNCATE {}", names.join(", "))).await?;
            }
            read_tables(session, schema.name, &names, &mut file).await
        });
        put?.map_err(of(&schema, from))?;
        tables.command("COMMIT")
    })
}

/// The copy behind its first line, and the version that stands there.
fn open(schema: &Schema, from: &Path) -> Result<(BufReader<File>, usize), DatabaseError> {
    let failed = |error| of(schema, from)(TextError::File(error));
    let mut file = BufReader::new(File::open(from).map_err(failed)?);
    let head = line(&mut file).map_err(failed)?.unwrap_or_default();
    let version = std::str::from_utf8(&head)
        .ok()
        .and_then(|head| head.strip_prefix(schema.name)?.strip_prefix(' ')?.parse().ok())
        .filter(|version| (1..=schema.steps.len()).contains(version));
    Ok((file, version.ok_or_else(|| not_a_copy(schema.name))?))
}

/// Tables that are there may be brought forward to the copy's version, but not back.
fn compare(tables: &mut Tables<'_>, copied: usize) -> Result<(), DatabaseError> {
    let name = tables.schema.name;
    if tables.has_table("about")? && version(tables)? > copied as u64 {
        return Err(DatabaseError::Foreign(format!(
            "the copy is of an earlier version of `{name}`: it goes into a database alone that has none yet; nothing was changed"
        )));
    }
    Ok(())
}

fn version(tables: &mut Tables<'_>) -> Result<u64, DatabaseError> {
    let name = tables.schema.name;
    let row = tables.row("SELECT version FROM about WHERE name = $1", values![name])?;
    row.ok_or_else(|| not_a_copy(name))?.get(0)
}

/// The tables that are copied: all, but what says which they are, and which transactions were committed.
async fn names(session: &Session, schema: &Schema) -> Result<Vec<String>, Trouble> {
    let rows = session.query(NAMES, &[&schema.name]).await?;
    let names = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>();
    names.map_err(Trouble::from)
}

fn of(schema: &Schema, path: &Path) -> impl Fn(TextError) -> DatabaseError {
    move |error| match error {
        TextError::File(error) => DatabaseError::Unavailable(format!("{}: {error}", path.display())),
        TextError::Database(trouble) => trouble.into(),
        TextError::NotTables => not_a_copy(schema.name),
    }
}

const NAMES: &str = "SELECT table_name::text FROM information_schema.tables
     WHERE table_schema = $1 AND table_name NOT IN ('about', 'commits') ORDER BY table_name";
