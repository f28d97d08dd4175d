//! Copies of the store, out of a running one and into one that may be running.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::{file, schema};
use crate::error::{StoreError, VaultError};

/// Writes what was committed before to a new file at `to`, while others read and write.
pub(super) fn copy(connection: &Connection, to: &Path) -> Result<(), VaultError> {
    // Made first, for its mode.
    file::make(to)?;
    let name = to.to_str().ok_or_else(not_utf8)?;
    connection.execute("VACUUM INTO ?1", [name])?;
    let written = OpenOptions::new()
        .read(true)
        .open(to)
        .and_then(|file| file.sync_all());
    written.map_err(VaultError::file(to))
}

/// Says whether the pages of the database at `path` hold together.
pub(super) fn is_whole(path: &Path) -> Result<bool, VaultError> {
    let connection = file::open_for_identifying(path)?;
    let told: String = connection.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    Ok(told == "ok")
}

/// Puts the copy at `from` in the place of the store at `to`, in one transaction. Whoever has the store open sees the old
/// state or the new one.
pub(super) fn put_back(from: &Path, to: &Path, keep_tokens: bool) -> Result<(), VaultError> {
    let draft = Draft::of(from, to)?;
    {
        let mut connection = file::open_for_writing(&draft.0)?;
        schema::bring_forward(&mut connection)?;
        if !keep_tokens {
            end_tokens(&connection)?;
        }
        if fs::metadata(to).is_ok_and(|there| there.len() > 0) {
            keep_data_keys(&connection, to)?;
        }
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))?;
    }
    let source = file::open_for_identifying(&draft.0)?;
    file::make(to)?;
    let mut target = file::open_for_writing(to)?;
    match Backup::new(&source, &mut target)?.step(-1)? {
        StepResult::Done => Ok(()),
        _ => Err(StoreError::Unavailable("others kept the store busy; try again".into()).into()),
    }
}

/// Ends all tokens.
pub(super) fn end_tokens(connection: &Connection) -> Result<(), VaultError> {
    connection.execute(END_TOKENS, ())?;
    Ok(())
}

/// Data keys that were made since the backup stay, with their projects: running instances may be sealing under them.
fn keep_data_keys(connection: &Connection, there: &Path) -> Result<(), VaultError> {
    let name = there.to_str().ok_or_else(not_utf8)?;
    connection.execute("ATTACH ?1 AS there", [name])?;
    connection.execute_batch(
        "INSERT OR IGNORE INTO projects (id) SELECT id FROM there.projects;
         INSERT OR IGNORE INTO data_keys (project, epoch, master_key, wrapped)
             SELECT project, epoch, master_key, wrapped FROM there.data_keys;
         DETACH there",
    )?;
    Ok(())
}

fn not_utf8() -> VaultError {
    StoreError::Refused("the folder's name is not UTF-8".into()).into()
}

/// A copy beside the store that is made ready there, and removed whatever happens.
struct Draft(PathBuf);

impl Draft {
    fn of(from: &Path, to: &Path) -> Result<Self, VaultError> {
        let mut name = to.to_owned().into_os_string();
        name.push(".restoring");
        let draft = Self(name.into());
        // What a crash left behind.
        draft.remove();
        file::make(&draft.0)?;
        fs::copy(from, &draft.0).map_err(VaultError::file(&draft.0))?;
        // The copy's mode came along.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&draft.0, mode).map_err(VaultError::file(&draft.0))?;
        Ok(draft)
    }

    fn remove(&self) {
        for suffix in ["", "-wal", "-shm"] {
            let mut name = self.0.clone().into_os_string();
            name.push(suffix);
            // Most often there is none.
            let _ = fs::remove_file(name);
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Nobody can say which tokens were used up since the backup was made. Their nonces stay.
const END_TOKENS: &str =
    "UPDATE tokens SET state = 2, operation = NULL, card = NULL, code = NULL, code_hour = NULL,
                              answer = NULL, idempotency = NULL";
