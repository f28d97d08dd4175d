//! Tables, written once for both databases and brought forward step by step.

use crate::error::DatabaseError;
use crate::transaction::Transaction;
use crate::value::Row;
use crate::values;

/// The tables of one program, or of one part of it.
///
/// Statements are SQLite's, with strict tables, without row ids unless rows are long; for PostgreSQL the words that differ are replaced: `INTEGER`,
/// `BLOB`, and what stands behind the closing bracket of a table. So they must keep to what both understand.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Letters and `_`. PostgreSQL's schema has this name.
    pub name: &'static str,
    /// Each brings the tables one version forward; the first makes them. A step that was released is never changed.
    pub steps: &'static [&'static str],
}

/// How a database spells what the two do not spell alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// A statement as this database wants it. Parameters are written `$1`, `$2` …
    pub(crate) fn spell(self, sql: &str) -> String {
        match self {
            // SQLite numbers `?1`, and takes `$1` for a name. It has one writer, so that rows need no locks.
            Self::Sqlite => sql
                .replace(" FOR UPDATE SKIP LOCKED", "")
                .replace(" FOR UPDATE", "")
                .replace('$', "?"),
            Self::Postgres => sql.to_owned(),
        }
    }

    fn spell_table(self, sql: &str) -> String {
        match self {
            Self::Sqlite => sql.to_owned(),
            Self::Postgres => sql
                .replace(" INTEGER", " BIGINT")
                .replace(" BLOB", " BYTEA")
                .replace(") STRICT, WITHOUT ROWID;", ");")
                .replace(") STRICT;", ");"),
        }
    }
}

/// A transaction that can also make tables.
pub(crate) trait Definition: Transaction {
    /// Several statements without parameters.
    fn define(&mut self, sql: &str) -> Result<(), DatabaseError>;

    /// Whether there is a table of that name.
    fn has_table(&mut self, name: &str) -> Result<bool, DatabaseError>;
}

impl Schema {
    /// Brings the tables forward within a transaction that nobody else writes beside.
    pub(crate) fn bring_forward(
        &self,
        dialect: Dialect,
        tables: &mut dyn Definition,
    ) -> Result<(), DatabaseError> {
        let latest = self.steps.len() as u64;
        let version = match tables.has_table("about")? {
            true => {
                let row: Option<Row> =
                    tables.row("SELECT version FROM about WHERE name = $1", values![self.name])?;
                row.ok_or_else(|| self.foreign("is another program's"))?
                    .get::<u64>(0)?
            }
            false => {
                tables.define(&dialect.spell_table(ABOUT))?;
                tables.change(
                    "INSERT INTO about (name, version) VALUES ($1, 0)",
                    values![self.name],
                )?;
                0
            }
        };
        if version > latest {
            return Err(self.foreign("was written by a later version of this program"));
        }
        for (at, step) in self
            .steps
            .iter()
            .enumerate()
            .skip(usize::try_from(version).unwrap_or(usize::MAX))
        {
            tables.define(&dialect.spell_table(step))?;
            tracing::info!(
                schema = self.name,
                version = at + 1,
                "the tables were brought forward"
            );
        }
        tables.change(
            "UPDATE about SET version = $2 WHERE name = $1",
            values![self.name, latest],
        )?;
        Ok(())
    }

    fn foreign(&self, what: &str) -> DatabaseError {
        DatabaseError::Foreign(format!("the database of `{}` {what}", self.name))
    }
}

/// What the tables say of themselves, and which transactions were committed.
const ABOUT: &str = "
CREATE TABLE about (
    name    TEXT PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- PostgreSQL only: a transaction whose commit got no answer is looked for here.
CREATE TABLE commits (
    id           BLOB PRIMARY KEY, -- 16 random bytes
    committed_at INTEGER NOT NULL  -- seconds since 1970
) STRICT, WITHOUT ROWID;
";
