//! Saved cards and their fingerprints.
//!
//! Whoever refers to a saved card locks its row so that nobody deletes it meanwhile, and whoever may delete it locks the row
//! before looking for who refers to it: the second statement then sees what was committed while the first waited.

use crate::redeem::Outcome;
use crate::store::postgres::row::exact;
use crate::store::postgres::to_sql;
use crate::store::rows::NewLasting;
use crate::store::{Forget, Reseal};
use database::link::{Session, Trouble};

/// The id under which the card is kept: that of an equal one of the same holder, or the new one.
pub(super) async fn save(session: &Session, project: &str, save: &NewLasting) -> Result<[u8; 16], Trouble> {
    let (id, fingerprint) = (save.id.as_slice(), save.fingerprint.as_slice());
    // Another round when an equal card was forgotten in between.
    for _ in 0..ROUNDS {
        let inserted = session
            .execute(
                "INSERT INTO card_widget_vault.fingerprints (fingerprint, project, lasting) VALUES ($1, $2, $3)
                 ON CONFLICT (fingerprint, project) DO NOTHING",
                &[&fingerprint, &project, &id],
            )
            .await?;
        if inserted > 0 {
            session
                .execute(
                    "INSERT INTO card_widget_vault.lasting (id, hash, project, epoch, record, kept)
                     VALUES ($1, $2, $3, $4, $5, false)",
                    &[
                        &id,
                        &save.hash.as_slice(),
                        &project,
                        &i64::from(save.epoch),
                        &save.record,
                    ],
                )
                .await?;
            return Ok(save.id);
        }
        let known = session
            .query_opt(
                "SELECT l.id FROM card_widget_vault.lasting l WHERE l.project = $2 AND l.id =
                     (SELECT lasting FROM card_widget_vault.fingerprints WHERE fingerprint = $1 AND project = $2)
                 FOR KEY SHARE",
                &[&fingerprint, &project],
            )
            .await?;
        if let Some(known) = known {
            return exact(&known, 0);
        }
        // It leads nowhere: who forgot its card has removed it by now. No statement of ours leaves one behind.
        session
            .execute(
                "DELETE FROM card_widget_vault.fingerprints f WHERE fingerprint = $1 AND project = $2
                     AND NOT EXISTS (SELECT 1 FROM card_widget_vault.lasting l WHERE l.id = f.lasting)",
                &[&fingerprint, &project],
            )
            .await?;
    }
    Err(Trouble::Conflict(
        "an equal card comes and goes at the same moment".to_owned(),
    ))
}

/// Keeps a card whose operation has succeeded; removes one that no other operation may keep.
pub(super) async fn settle(session: &Session, id: &[u8; 16], outcome: Outcome) -> Result<(), Trouble> {
    let id = id.as_slice();
    if outcome == Outcome::UsedUp {
        session
            .execute(
                "UPDATE card_widget_vault.lasting SET kept = true WHERE id = $1 AND NOT kept",
                &[&id],
            )
            .await?;
        return Ok(());
    }
    let locked = session
        .query_opt(
            "SELECT 1 FROM card_widget_vault.lasting WHERE id = $1 AND NOT kept FOR UPDATE",
            &[&id],
        )
        .await?;
    if locked.is_some() {
        remove_unwanted(session, vec![id]).await?;
    }
    Ok(())
}

pub(super) async fn forget(session: &Session, forget: &Forget) -> Result<bool, Trouble> {
    let id = forget.id.as_slice();
    let removed = session
        .execute(
            "DELETE FROM card_widget_vault.lasting WHERE id = $1 AND project = $2 AND hash = $3",
            &[&id, &forget.project, &forget.hash.as_slice()],
        )
        .await?;
    if removed > 0 {
        remove_fingerprints(session, vec![id]).await?;
    }
    Ok(removed > 0)
}

/// Exchanges what is as it was read, and leaves alone what is not.
pub(super) async fn reseal(session: &Session, reseal: &Reseal) -> Result<usize, Trouble> {
    let ids: Vec<&[u8]> = reseal.records.iter().map(|one| one.id.as_slice()).collect();
    let records: Vec<&[u8]> = reseal.records.iter().map(|one| one.record.as_slice()).collect();
    let changed = session
        .execute(
            "UPDATE card_widget_vault.lasting l SET epoch = $3, record = n.record
             FROM unnest($4::bytea[], $5::bytea[]) AS n (id, record)
             WHERE l.id = n.id AND l.project = $1 AND l.epoch = $2",
            &[
                &reseal.project,
                &i64::from(reseal.from),
                &i64::from(reseal.to),
                &ids,
                &records,
            ],
        )
        .await?;
    Ok(usize::try_from(changed).unwrap_or(usize::MAX))
}

/// Removes cards that were never kept and that no operation may keep any more.
pub(super) async fn clean(session: &Session, limit: usize) -> Result<usize, Trouble> {
    let due = session
        .query(
            "SELECT l.id FROM card_widget_vault.lasting l WHERE NOT l.kept
                 AND NOT EXISTS (SELECT 1 FROM card_widget_vault.operations o WHERE o.saved = l.id AND o.outcome IS NULL)
             LIMIT $1 FOR UPDATE OF l SKIP LOCKED",
            &[&to_sql(limit as u64)],
        )
        .await?;
    let ids: Vec<&[u8]> = due.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    match ids.is_empty() {
        true => Ok(0),
        false => remove_unwanted(session, ids).await,
    }
}

/// Removes those of the locked rows that no operation may keep.
async fn remove_unwanted(session: &Session, ids: Vec<&[u8]>) -> Result<usize, Trouble> {
    let removed = session
        .query(
            "DELETE FROM card_widget_vault.lasting l WHERE l.id = ANY ($1) AND NOT l.kept
                 AND NOT EXISTS (SELECT 1 FROM card_widget_vault.operations o WHERE o.saved = l.id AND o.outcome IS NULL)
             RETURNING l.id",
            &[&ids],
        )
        .await?;
    let removed: Vec<&[u8]> = removed
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    let count = removed.len();
    remove_fingerprints(session, removed).await?;
    Ok(count)
}

async fn remove_fingerprints(session: &Session, ids: Vec<&[u8]>) -> Result<(), Trouble> {
    session
        .execute(
            "DELETE FROM card_widget_vault.fingerprints WHERE lasting = ANY ($1)",
            &[&ids],
        )
        .await?;
    Ok(())
}

/// How often to look again for an equal card that others save and forget at the same moment.
const ROUNDS: usize = 3;
