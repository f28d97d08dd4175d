//! Everything but issuing, one by one.

use super::lasting;
use crate::cleaning::Cleaned;
use crate::redeem::Outcome;
use crate::registry::{WidgetKey, origins_as_json};
use crate::store::postgres::row::exact_or_none;
use crate::store::postgres::to_sql;
use crate::store::rows::{DataKeyRow, Identity, NewOperation};
use crate::store::{CleanStep, KeyChange, ReserveVerdict, SettleVerdict, Settlement};
use crate::token::TokenKind;
use database::link::{Session, Trouble};

pub(super) async fn reserve(session: &Session, operation: &NewOperation) -> Result<ReserveVerdict, Trouble> {
    if let Some(verdict) = known(session, operation).await? {
        return Ok(verdict);
    }
    let NewOperation {
        project, id, token, ..
    } = operation;
    let token = token.as_slice();
    let taken = match operation.source {
        TokenKind::Widget => {
            session
                .query_opt(
                    "UPDATE card_widget_vault.tokens SET state = 1, operation = $3
                     WHERE id = $1 AND project = $2 AND state = 0 RETURNING code IS NOT NULL",
                    &[&token, project, id],
                )
                .await?
        }
        TokenKind::Lasting => {
            session
                .query_opt(
                    "SELECT false FROM card_widget_vault.lasting WHERE id = $1 AND project = $2",
                    &[&token, project],
                )
                .await?
        }
    };
    let Some(taken) = taken else {
        // Between reading and writing somebody was faster: another operation, another instance with this one, or who has
        // forgotten the card.
        return Ok(known(session, operation).await?.unwrap_or(ReserveVerdict::Taken));
    };
    // It may have been declined since: then its code was deleted, and this copy of it goes too.
    let has_code: bool = taken.try_get(0)?;
    let code = operation.code.as_ref().filter(|_| has_code);
    let saved = match &operation.save {
        Some(save) => Some(lasting::save(session, project, save).await?),
        None => None,
    };
    session
        .execute(
            "INSERT INTO card_widget_vault.operations
                 (project, id, token, epoch, card, code, code_hour, expires_at, source, saved)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &[
                project,
                id,
                &token,
                &i64::from(operation.epoch),
                &operation.card,
                &code.map(|code| code.sealed.as_slice()),
                &code.map(|code| to_sql(code.hour)),
                &to_sql(operation.expires_at),
                &(operation.source as i16),
                &saved.as_ref().map(<[u8; 16]>::as_slice),
            ],
        )
        .await?;
    Ok(saved.map_or(ReserveVerdict::Reserved, ReserveVerdict::Saved))
}

/// What is said of an operation that was begun before.
async fn known(session: &Session, operation: &NewOperation) -> Result<Option<ReserveVerdict>, Trouble> {
    let row = session
        .query_opt(
            "SELECT token, outcome IS NULL, saved FROM card_widget_vault.operations WHERE project = $1 AND id = $2",
            &[&operation.project, &operation.id],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let (token, open): (&[u8], bool) = (row.try_get(0)?, row.try_get(1)?);
    Ok(Some(
        match (token == operation.token, open, exact_or_none(&row, 2)?) {
            (false, ..) => ReserveVerdict::OtherToken,
            (true, false, _) => ReserveVerdict::NotOpen,
            (true, true, None) => ReserveVerdict::Reserved,
            (true, true, Some(saved)) => ReserveVerdict::Saved(saved),
        },
    ))
}

pub(super) async fn settle(session: &Session, settlement: &Settlement) -> Result<SettleVerdict, Trouble> {
    let Settlement {
        project,
        operation,
        outcome,
    } = settlement;
    let number = *outcome as i16;
    let ended = session
        .query_opt(
            "UPDATE card_widget_vault.operations SET outcome = $3, card = NULL, code = NULL, code_hour = NULL
             WHERE project = $1 AND id = $2 AND outcome IS NULL RETURNING token, saved",
            &[project, operation, &number],
        )
        .await?;
    let Some(ended) = ended else {
        let before = session
            .query_opt(
                "SELECT 1 FROM card_widget_vault.operations WHERE project = $1 AND id = $2 AND outcome = $3",
                &[project, operation, &number],
            )
            .await?;
        return Ok(match before {
            Some(_) => SettleVerdict::Already,
            None => SettleVerdict::NotOpen,
        });
    };
    let update = match outcome {
        Outcome::UsedUp => {
            "UPDATE card_widget_vault.tokens SET state = 2, card = NULL, code = NULL, code_hour = NULL
             WHERE id = $1 AND project = $2 AND operation = $3"
        }
        Outcome::Released => {
            "UPDATE card_widget_vault.tokens SET state = 0, operation = NULL, code = NULL, code_hour = NULL
             WHERE id = $1 AND project = $2 AND operation = $3"
        }
    };
    let token: &[u8] = ended.try_get(0)?;
    // No row when the token has expired and been removed meanwhile, nor for a lasting one.
    session.execute(update, &[&token, project, operation]).await?;
    if let Some(saved) = exact_or_none(&ended, 1)? {
        lasting::settle(session, &saved, *outcome).await?;
    }
    Ok(SettleVerdict::Settled)
}

/// Rows that somebody is at are left for the next time: several instances clean at once.
pub(super) async fn clean(session: &Session, step: &CleanStep) -> Result<Cleaned, Trouble> {
    let execute = async |sql, bound| {
        let rows = session
            .execute(sql, &[&to_sql(bound), &to_sql(step.limit as u64)])
            .await?;
        Ok::<_, Trouble>(usize::try_from(rows).unwrap_or(usize::MAX))
    };
    // What is due is chosen once: a plain subquery may be planned so that it is run again, and its limit is none then.
    Ok(Cleaned {
        tokens: execute(
            "WITH due AS MATERIALIZED
                 (SELECT id FROM card_widget_vault.tokens
                  WHERE part IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) AND remove_at <= $1
                  LIMIT $2 FOR UPDATE SKIP LOCKED)
             DELETE FROM card_widget_vault.tokens t USING due WHERE t.id = due.id",
            step.now,
        )
        .await?,
        answers: execute(
            "WITH due AS MATERIALIZED
                 (SELECT id FROM card_widget_vault.tokens
                  WHERE part IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
                      AND answer IS NOT NULL AND answer_until <= $1
                  LIMIT $2 FOR UPDATE SKIP LOCKED)
             UPDATE card_widget_vault.tokens t SET answer = NULL, idempotency = NULL FROM due WHERE t.id = due.id",
            step.now,
        )
        .await?,
        codes: execute(
            "WITH due AS MATERIALIZED
                 (SELECT project, id FROM card_widget_vault.operations
                  WHERE code IS NOT NULL AND code_hour < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
             UPDATE card_widget_vault.operations o SET code = NULL, code_hour = NULL FROM due
             WHERE o.project = due.project AND o.id = due.id",
            step.oldest_hour,
        )
        .await?,
        operations: execute(
            "WITH due AS MATERIALIZED
                 (SELECT project, id FROM card_widget_vault.operations WHERE expires_at <= $1
                  LIMIT $2 FOR UPDATE SKIP LOCKED)
             DELETE FROM card_widget_vault.operations o USING due WHERE o.project = due.project AND o.id = due.id",
            step.now,
        )
        .await?,
        // After the operations that might have kept them.
        cards: lasting::clean(session, step.limit).await?,
        hour_keys: 0,
        data_keys: 0,
    })
}

pub(super) async fn change_keys(session: &Session, change: &KeyChange) -> Result<bool, Trouble> {
    let changed = match change {
        KeyChange::AddWidgetKey { key, first_data_key } => add_widget_key(session, key, first_data_key).await?,
        KeyChange::Note { .. } => 1,
        KeyChange::RemoveWidgetKey(id) => {
            session
                .execute("DELETE FROM card_widget_vault.widget_keys WHERE id = $1", &[id])
                .await?
        }
        KeyChange::SetOrigins { id, origins } => {
            session
                .execute(
                    "UPDATE card_widget_vault.widget_keys SET origins = $2 WHERE id = $1",
                    &[id, &origins_as_json(origins)],
                )
                .await?
        }
        KeyChange::AddProject(first_data_key) => add_project(session, first_data_key).await?,
        KeyChange::AddDataKey(row) => add_data_key(session, row).await?,
        KeyChange::RewrapDataKey { row, from } => {
            session
                .execute(
                    "UPDATE card_widget_vault.data_keys SET master_key = $3, wrapped = $4
                     WHERE project = $1 AND epoch = $2 AND master_key = $5",
                    &[
                        &row.project,
                        &i64::from(row.epoch),
                        &i64::from(row.master_key),
                        &row.wrapped,
                        &i64::from(*from),
                    ],
                )
                .await?
        }
        KeyChange::RemoveDataKey { project, epoch } => {
            session
                .execute(
                    "DELETE FROM card_widget_vault.data_keys WHERE project = $1 AND epoch = $2
                         AND NOT EXISTS (SELECT 1 FROM card_widget_vault.tokens t WHERE t.project = $1 AND t.epoch = $2)
                         AND NOT EXISTS
                             (SELECT 1 FROM card_widget_vault.operations o WHERE o.project = $1 AND o.epoch = $2)
                         AND NOT EXISTS
                             (SELECT 1 FROM card_widget_vault.lasting l WHERE l.project = $1 AND l.epoch = $2)",
                    &[project, &i64::from(*epoch)],
                )
                .await?
        }
        KeyChange::Identify {
            identity: Identity {
                master_key, key_check, ..
            },
            from,
        } => {
            session
                .execute(
                    "UPDATE card_widget_vault.store SET master_key = $1, key_check = $2 WHERE master_key = $3",
                    &[&i64::from(*master_key), key_check, &i64::from(*from)],
                )
                .await?
        }
    };
    Ok(changed == 1)
}

/// A project has a data key from its first moment.
async fn add_widget_key(
    session: &Session,
    key: &WidgetKey,
    first_data_key: &DataKeyRow,
) -> Result<u64, Trouble> {
    let taken = session
        .query_opt(
            "SELECT 1 FROM card_widget_vault.widget_keys WHERE id = $1",
            &[&key.id],
        )
        .await?;
    if taken.is_some() {
        return Ok(0);
    }
    add_project(session, first_data_key).await?;
    session
        .execute(
            "INSERT INTO card_widget_vault.widget_keys (id, project, live, origins, apps) VALUES ($1, $2, $3, $4, $5)",
            &[&key.id, &key.project, &key.live, &key.origins_as_json(), &key.apps],
        )
        .await
}

async fn add_project(session: &Session, first_data_key: &DataKeyRow) -> Result<u64, Trouble> {
    let added = session
        .execute(
            "INSERT INTO card_widget_vault.projects (id) VALUES ($1) ON CONFLICT DO NOTHING",
            &[&first_data_key.project],
        )
        .await?;
    match added {
        0 => Ok(0),
        _ => add_data_key(session, first_data_key).await,
    }
}

async fn add_data_key(session: &Session, row: &DataKeyRow) -> Result<u64, Trouble> {
    session
        .execute(
            "INSERT INTO card_widget_vault.data_keys (project, epoch, master_key, wrapped) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING",
            &[
                &row.project,
                &i64::from(row.epoch),
                &i64::from(row.master_key),
                &row.wrapped,
            ],
        )
        .await
}
