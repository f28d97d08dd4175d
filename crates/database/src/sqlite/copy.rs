//! Copies of a database in a file, out of a running one and into one that may be running.

use std::fs::OpenOptions;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::{make, open_for_reading, open_for_writing};
use crate::error::DatabaseError;
use crate::schema::Schema;

/// Writes what was committed before to a new file, while others read and write.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), DatabaseError> {
    let failed = |error: std::io::Error| DatabaseError::Unavailable(format!("{}: {error}", to.display()));
    // Made first, for its mode.
    make(to)?;
    let name = to
        .to_str()
        .ok_or_else(|| DatabaseError::Refused("the file's name is not UTF-8".to_owned()))?;
    open_for_reading(from)?.execute("VACUUM INTO ?1", [name])?;
    let written = OpenOptions::new().read(true).open(to);
    written.and_then(|file| file.sync_all()).map_err(failed)
}

/// Puts a copy in the place of what is there, in one transaction: others see the old state or the new one.
pub(crate) fn put_back(from: &Path, to: &Path, schema: &Schema) -> Result<(), DatabaseError> {
    let source = open_for_reading(from)?;
    check(&source, schema)?;
    make(to)?;
    let mut target = open_for_writing(to)?;
    match Backup::new(&source, &mut target)?.step(-1)? {
        StepResult::Done => Ok(()),
        _ => Err(DatabaseError::Unavailable(
            "others kept the database busy; try again".to_owned(),
        )),
    }
}

/// Refuses a damaged copy, and one of other tables.
fn check(copy: &Connection, schema: &Schema) -> Result<(), DatabaseError> {
    let whole: String = copy.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    let sql = "SELECT version FROM about WHERE name = ?1";
    let version: Option<i64> = copy.query_row(sql, [schema.name], |row| row.get(0)).ok();
    match version.map(usize::try_from) {
        Some(Ok(version)) if whole == "ok" && version <= schema.steps.len() => Ok(()),
        _ => Err(DatabaseError::Foreign(format!(
            "this is no whole copy of the database of `{}`, or one of a later version; nothing was changed",
            schema.name
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Database, Location, values};

    const NUMBERS: Schema = Schema {
        name: "numbers",
        steps: &["CREATE TABLE numbers (id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;"],
    };

    fn add(database: &Database, id: i64) {
        let added = database.write(move |tx| tx.change("INSERT INTO numbers (id) VALUES ($1)", values![id]));
        assert_eq!(added, Ok(1));
    }

    fn count(database: &Database) -> i64 {
        let rows = database.read(|tx| tx.rows("SELECT id FROM numbers", &[]));
        rows.unwrap().len().try_into().unwrap()
    }

    #[test]
    fn a_copy_is_made_and_put_back_below_one_that_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let [store, copied, rubbish] = ["store", "copied", "rubbish"].map(|name| folder.path().join(name));
        let location = Location::Sqlite(store.clone());
        let database = Database::open(&location, NUMBERS).unwrap();
        add(&database, 1);
        database.copy(&copied).unwrap();
        assert!(database.copy(&copied).is_err(), "nothing is written over");
        add(&database, 2);
        Database::put_back(&location, NUMBERS, &copied).unwrap();
        assert_eq!(count(&database), 1);
        add(&database, 3);

        let other = Schema {
            name: "other",
            ..NUMBERS
        };
        let earlier = Schema {
            steps: &[],
            ..NUMBERS
        };
        for schema in [other, earlier] {
            let refused = Database::put_back(&location, schema, &copied);
            assert!(matches!(refused, Err(DatabaseError::Foreign(_))));
        }
        std::fs::write(&rubbish, "a text that is no database").unwrap();
        assert!(Database::put_back(&location, NUMBERS, &rubbish).is_err());
        assert_eq!(count(&database), 2);
        let empty = Location::Sqlite(folder.path().join("empty"));
        Database::put_back(&empty, NUMBERS, &copied).unwrap();
        assert_eq!(count(&Database::open(&empty, NUMBERS).unwrap()), 1);
    }
}
