//! Copies of a database in a file, out of a running one and into one that may be running.

use std::fs::OpenOptions;
use std::path::Path;

use rusqlite::backup::{Backup, StepResult};

use super::{make, open_for_reading, open_for_writing};
use crate::error::{DatabaseError, not_a_copy};
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
    check(from, schema)?;
    let source = open_for_reading(from)?;
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
pub(crate) fn check(from: &Path, schema: &Schema) -> Result<(), DatabaseError> {
    let copy = open_for_reading(from)?;
    let whole: String = copy.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    let sql = "SELECT version FROM about WHERE name = ?1";
    let version: Option<i64> = copy.query_row(sql, [schema.name], |row| row.get(0)).ok();
    match version.map(usize::try_from) {
        Some(Ok(version)) if whole == "ok" && version <= schema.steps.len() => Ok(()),
        _ => Err(not_a_copy(schema.name)),
    }
}
