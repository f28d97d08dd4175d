//! Tokens, as many as there are, with one statement.

use std::collections::HashSet;

use super::Entry;
use crate::store::WriteVerdict;
use crate::store::postgres::to_sql;
use crate::store::rows::NewToken;
use database::link::{Session, Trouble};

/// Inserts all that no unique index forbids, and gives these their verdict.
pub(super) async fn insert(session: &Session, entries: &mut [&mut Entry<NewToken>]) -> Result<(), Trouble> {
    if entries.is_empty() {
        return Ok(());
    }
    let written = {
        let tokens: Vec<&NewToken> = entries.iter().map(|entry| &entry.change).collect();
        insert_rows(session, &tokens).await?
    };
    for entry in entries {
        if written.contains(&entry.change.id) {
            entry.verdict = Some(WriteVerdict::Written);
        }
    }
    Ok(())
}

/// Finds out what was in the way of the others.
pub(super) async fn explain(session: &Session, entries: Vec<&mut Entry<NewToken>>) -> Result<(), Trouble> {
    for entry in entries {
        if entry.verdict.is_none() {
            entry.verdict = Some(verdict(session, &entry.change).await?);
        }
    }
    Ok(())
}

async fn verdict(session: &Session, token: &NewToken) -> Result<WriteVerdict, Trouble> {
    let own = session
        .query_opt(
            "SELECT 1 FROM card_widget_vault.tokens WHERE id = $1 AND hash = $2",
            &[&token.id.as_slice(), &token.hash.as_slice()],
        )
        .await?;
    // An earlier attempt, whose end was not heard, has succeeded.
    if own.is_some() {
        return Ok(WriteVerdict::Written);
    }
    let Some(answer) = &token.answer else {
        return Ok(WriteVerdict::NonceReplayed);
    };
    let index = answer.index.as_slice();
    // An answer whose time is over no longer holds its key, even before the job has removed it.
    let freed = session
        .execute(
            "UPDATE card_widget_vault.tokens SET answer = NULL, idempotency = NULL
             WHERE idempotency = $1 AND answer_until <= $2",
            &[&index, &to_sql(token.issued_at)],
        )
        .await?;
    if freed > 0 && !insert_rows(session, &[token]).await?.is_empty() {
        return Ok(WriteVerdict::Written);
    }
    // Idempotency comes before the nonce: a repeat has both.
    let repeated = session
        .query_opt(
            "SELECT 1 FROM card_widget_vault.tokens WHERE idempotency = $1",
            &[&index],
        )
        .await?;
    Ok(match repeated {
        Some(_) => WriteVerdict::Repeated,
        None => WriteVerdict::NonceReplayed,
    })
}

/// The ids of those that were inserted. Where another instance is about to write the same nonce or idempotency key, this
/// waits until that is decided.
async fn insert_rows(session: &Session, tokens: &[&NewToken]) -> Result<HashSet<[u8; 16]>, Trouble> {
    macro_rules! column {
        ($token:ident => $value:expr) => {
            &tokens.iter().map(|$token| $value).collect::<Vec<_>>()
        };
    }
    let rows = session
        .query(
            "INSERT INTO card_widget_vault.tokens (id, hash, project, epoch, state, nonce, idempotency, answer,
                 answer_until, facts, card, code, code_hour, expires_at, remove_at, part)
             SELECT id, hash, project, epoch, 0, nonce, idempotency, answer, answer_until, facts, card, code, code_hour,
                 expires_at, remove_at, get_byte(id, 0)
             FROM unnest($1::bytea[], $2::bytea[], $3::text[], $4::bigint[], $5::bytea[], $6::bytea[], $7::bytea[],
                 $8::bigint[], $9::bytea[], $10::bytea[], $11::bytea[], $12::bigint[], $13::bigint[], $14::bigint[])
                 AS new (id, hash, project, epoch, nonce, idempotency, answer, answer_until, facts, card, code,
                     code_hour, expires_at, remove_at)
             ON CONFLICT DO NOTHING RETURNING id",
            &[
                column!(token => token.id.as_slice()),
                column!(token => token.hash.as_slice()),
                column!(token => token.project.as_str()),
                column!(token => i64::from(token.epoch)),
                column!(token => token.nonce.map(|nonce| nonce.spread().to_vec())),
                column!(token => token.answer.as_ref().map(|answer| answer.index.as_slice())),
                column!(token => token.answer.as_ref().map(|answer| answer.sealed.as_slice())),
                column!(token => token.answer.as_ref().map(|answer| to_sql(answer.until))),
                column!(token => token.facts.as_slice()),
                column!(token => token.card.as_slice()),
                column!(token => token.code.as_ref().map(|code| code.sealed.as_slice())),
                column!(token => token.code.as_ref().map(|code| to_sql(code.hour))),
                column!(token => to_sql(token.expires_at)),
                column!(token => to_sql(token.remove_at)),
            ],
        )
        .await?;
    let mut ids = HashSet::with_capacity(rows.len());
    for row in rows {
        let id: &[u8] = row.try_get(0)?;
        ids.extend(<[u8; 16]>::try_from(id));
    }
    Ok(ids)
}
