//! Saved cards and their fingerprints.

use rusqlite::{Connection, OptionalExtension};

use crate::redeem::Outcome;
use crate::store::rows::NewLasting;
use crate::store::sqlite::to_sql;
use crate::store::{Forget, Reseal};

/// The id under which the card is kept: that of an equal one of the same holder, or the new one.
pub(super) fn save(connection: &Connection, project: &str, save: &NewLasting) -> rusqlite::Result<[u8; 16]> {
    let known: Option<[u8; 16]> = connection
        .prepare_cached(
            "SELECT lasting FROM fingerprints f WHERE fingerprint = ?1 AND project = ?2
                 AND EXISTS (SELECT 1 FROM lasting l WHERE l.id = f.lasting AND l.project = f.project)",
        )?
        .query_row((save.fingerprint, project), |row| row.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    // Replaces one that leads nowhere, which no statement of ours leaves behind.
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO fingerprints (fingerprint, project, lasting) VALUES (?1, ?2, ?3)",
        )?
        .execute((save.fingerprint, project, save.id))?;
    connection
        .prepare_cached(
            "INSERT INTO lasting (id, hash, project, epoch, record, kept) VALUES (?1, ?2, ?3, ?4, ?5, 0)",
        )?
        .execute((save.id, save.hash, project, save.epoch, &save.record))?;
    Ok(save.id)
}

/// Keeps a card whose operation has succeeded; removes one that no other operation may keep.
pub(super) fn settle(connection: &Connection, id: &[u8; 16], outcome: Outcome) -> rusqlite::Result<()> {
    match outcome {
        Outcome::UsedUp => {
            connection
                .prepare_cached("UPDATE lasting SET kept = 1 WHERE id = ?1 AND kept = 0")?
                .execute([id])?;
        }
        Outcome::Released => {
            let removed = connection
                .prepare_cached(
                    "DELETE FROM lasting WHERE id = ?1 AND kept = 0
                         AND NOT EXISTS (SELECT 1 FROM operations WHERE saved = ?1 AND outcome IS NULL)",
                )?
                .execute([id])?;
            if removed > 0 {
                remove_fingerprint(connection, id)?;
            }
        }
    }
    Ok(())
}

pub(super) fn forget(connection: &Connection, forget: &Forget) -> rusqlite::Result<bool> {
    let removed = connection
        .prepare_cached("DELETE FROM lasting WHERE id = ?1 AND project = ?2 AND hash = ?3")?
        .execute((forget.id, &forget.project, forget.hash))?;
    if removed > 0 {
        remove_fingerprint(connection, &forget.id)?;
    }
    Ok(removed > 0)
}

/// Exchanges what is as it was read, and leaves alone what is not.
pub(super) fn reseal(connection: &Connection, reseal: &Reseal) -> rusqlite::Result<usize> {
    let mut update = connection.prepare_cached(
        "UPDATE lasting SET epoch = ?4, record = ?5 WHERE id = ?1 AND project = ?2 AND epoch = ?3",
    )?;
    let mut count = 0;
    for resealed in &reseal.records {
        count += update.execute((
            resealed.id,
            &reseal.project,
            reseal.from,
            reseal.to,
            &resealed.record,
        ))?;
    }
    Ok(count)
}

/// Removes cards that were never kept and that no operation may keep any more.
pub(super) fn clean(connection: &Connection, limit: usize) -> rusqlite::Result<usize> {
    let due: Vec<[u8; 16]> = connection
        .prepare_cached(
            "SELECT id FROM lasting WHERE kept = 0
                 AND NOT EXISTS (SELECT 1 FROM operations WHERE saved = lasting.id AND outcome IS NULL) LIMIT ?1",
        )?
        .query_map([to_sql(limit as u64)], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for id in &due {
        connection
            .prepare_cached("DELETE FROM lasting WHERE id = ?1")?
            .execute([id])?;
        remove_fingerprint(connection, id)?;
    }
    Ok(due.len())
}

fn remove_fingerprint(connection: &Connection, id: &[u8; 16]) -> rusqlite::Result<usize> {
    connection
        .prepare_cached("DELETE FROM fingerprints WHERE lasting = ?1")?
        .execute([id])
}
