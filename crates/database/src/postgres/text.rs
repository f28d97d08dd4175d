//! Tables as text, as PostgreSQL itself writes and reads it.
//!
//! For each table a line `COPY table (columns)`, its rows as `COPY` writes them, and a line `\.`, which no row can be.

use std::io::{self, BufRead, Cursor, Write};
use std::pin::pin;

use futures_util::{SinkExt, StreamExt};

use super::link::{LIMIT, Session, Trouble, within};

/// Why tables were not written or not read.
#[derive(Debug)]
pub enum TextError {
    /// The file.
    File(io::Error),
    /// The database.
    Database(Trouble),
    /// The text is of something else, or its end is missing.
    NotTables,
}

impl From<Trouble> for TextError {
    fn from(trouble: Trouble) -> Self {
        Self::Database(trouble)
    }
}

impl From<tokio_postgres::Error> for TextError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<io::Error> for TextError {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// Writes tables of a schema, as the transaction sees them.
pub async fn write_tables(
    session: &Session,
    schema: &str,
    tables: &[impl AsRef<str>],
    to: &mut impl Write,
) -> Result<(), TextError> {
    for table in tables {
        let table = table.as_ref();
        let columns = session.query(COLUMNS, &[&schema, &table]).await?;
        let columns: Vec<String> = columns
            .iter()
            .map(|row| row.try_get(0))
            .collect::<Result<_, _>>()?;
        let columns = columns.join(", ");
        writeln!(to, "COPY {table} ({columns})")?;
        let copied = session
            .copy_out(&format!("COPY {schema}.{table} ({columns}) TO STDOUT"))
            .await?;
        let mut copied = pin!(copied);
        while let Some(part) = within(LIMIT, async { Ok(copied.next().await) }).await? {
            to.write_all(&part?)?;
        }
        to.write_all(END)?;
        to.write_all(b"\n")?;
    }
    Ok(())
}

/// Reads what [`write_tables`] wrote up to its end, into tables of those names.
pub async fn read_tables(
    session: &Session,
    schema: &str,
    tables: &[impl AsRef<str>],
    from: &mut impl BufRead,
) -> Result<(), TextError> {
    while let Some(told) = line(from)? {
        let (table, columns) = section(&told, tables).ok_or(TextError::NotTables)?;
        let sink = session
            .copy_in(&format!("COPY {schema}.{table} {columns} FROM STDIN"))
            .await?;
        let mut sink = pin!(sink);
        let mut part = Vec::with_capacity(PART);
        loop {
            let begin = part.len();
            let read = from.read_until(b'\n', &mut part)?;
            let row = part.get(begin..).unwrap_or_default();
            let last = row.strip_suffix(b"\n") == Some(END);
            if read == 0 {
                return Err(TextError::NotTables);
            }
            if last {
                part.truncate(begin);
            }
            if last || part.len() >= PART {
                let full = Cursor::new(std::mem::take(&mut part));
                within(LIMIT, async { Ok(sink.send(full).await?) }).await?;
            }
            if last {
                sink.as_mut().finish().await?;
                break;
            }
        }
    }
    Ok(())
}

/// A line without its end; `None` at the end of the file.
pub fn line(file: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if file.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    Ok(Some(line))
}

/// Table and columns in a line that begins one. Nothing but names is let through.
fn section<'a>(line: &'a [u8], tables: &[impl AsRef<str>]) -> Option<(&'a str, &'a str)> {
    let (table, columns) = std::str::from_utf8(line)
        .ok()?
        .strip_prefix("COPY ")?
        .split_once(' ')?;
    let names = columns.strip_prefix('(')?.strip_suffix(')')?;
    let known = tables.iter().any(|known| known.as_ref() == table);
    let plain =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    (known && names.split(", ").all(plain)).then_some((table, columns))
}

/// Set in a transaction that reads or writes whole tables: a large one takes longer than a statement may otherwise.
pub const PATIENCE: &str =
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

const COLUMNS: &str = "SELECT column_name::text FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position";

/// Ends the rows of a table.
const END: &[u8] = b"\\.";

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
            assert_eq!(section(line.as_bytes(), &["tokens"]).is_some(), good, "{line}");
        }
    }
}
