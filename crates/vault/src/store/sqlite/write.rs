//! Writing, batch by batch.

use std::cell::Cell;

use rusqlite::{Connection, OptionalExtension, Params};

use super::to_sql;
use crate::cleaning::Cleaned;
use crate::error::StoreError;
use crate::redeem::Outcome;
use crate::registry::{WidgetKey, origins_as_json};
use crate::store::rows::{DataKeyRow, Identity, NewOperation, NewToken, SealedCode};
use crate::store::{
    Act, Auditor, CleanStep, Commit, Job, KeyChange, NewRecord, ReserveVerdict, SettleVerdict, Settlement,
    WriteVerdict,
};
use crate::token::TokenKind;

mod lasting;

/// The one connection that writes.
pub(super) struct SqliteWriter {
    connection: Connection,
    /// A block of arrivals, and the moment from which on it is looked at, as this transaction has written or found them.
    covered: Cell<Option<(i64, i64)>>,
}

impl SqliteWriter {
    pub(super) fn new(connection: Connection) -> Self {
        Self {
            connection,
            covered: Cell::default(),
        }
    }

    /// Says whether the batch is on the disk; it is not where its audit record would not follow the last one.
    fn write(&self, batch: &mut [Job], audit: &mut dyn Auditor) -> Result<bool, StoreError> {
        // Takes the write lock at once: other processes write too, if rarely.
        self.execute("BEGIN IMMEDIATE", ())?;
        self.covered.set(None);
        for job in &mut *batch {
            self.apply(job)?;
        }
        let acts: Vec<Act<'_>> = batch.iter().filter_map(Job::act).collect();
        let record = if acts.is_empty() {
            None
        } else {
            audit.record(&acts)?
        };
        if let Some(record) = &record
            && !self.append(record)?
        {
            return Ok(false);
        }
        self.execute("COMMIT", ())?;
        if record.is_some() {
            audit.committed();
        }
        Ok(true)
    }

    /// Gives a job its verdict. What is refused has written nothing, so that no part of it needs to be undone.
    fn apply(&self, job: &mut Job) -> rusqlite::Result<()> {
        match job {
            Job::Issue(entry) => entry.verdict = Some(self.issue(&entry.change)?),
            Job::Reserve(entry) => entry.verdict = Some(self.reserve(&entry.change)?),
            Job::Settle(entry) => entry.verdict = Some(self.settle(&entry.change)?),
            Job::Forget(entry) => entry.verdict = Some(lasting::forget(&self.connection, &entry.change)?),
            Job::Reseal(entry) => entry.verdict = Some(lasting::reseal(&self.connection, &entry.change)?),
            Job::Clean(entry) => entry.verdict = Some(self.clean(&entry.change)?),
            Job::Keys(entry) => entry.verdict = Some(self.change_keys(&entry.change)?),
        }
        Ok(())
    }

    fn issue(&self, token: &NewToken) -> rusqlite::Result<WriteVerdict> {
        if self.insert(token)? {
            return Ok(WriteVerdict::Written);
        }
        if self.is_there(
            "SELECT 1 FROM tokens WHERE id = ?1 AND hash = ?2",
            (token.id, token.hash),
        )? {
            return Ok(WriteVerdict::Written);
        }
        if let Some(answer) = &token.answer {
            // An answer whose time is over no longer holds its key, even before the job has removed it.
            let freed = self.execute(
                "UPDATE tokens SET answer = NULL, idempotency = NULL WHERE idempotency = ?1 AND answer_until <= ?2",
                (answer.index, to_sql(token.issued_at)),
            )?;
            if freed > 0 && self.insert(token)? {
                return Ok(WriteVerdict::Written);
            }
            // Idempotency comes before the nonce: a repeat has both.
            if self.is_there("SELECT 1 FROM tokens WHERE idempotency = ?1", [answer.index])? {
                return Ok(WriteVerdict::Repeated);
            }
        }
        Ok(WriteVerdict::NonceReplayed)
    }

    /// `false` when a unique index is in the way.
    fn insert(&self, token: &NewToken) -> rusqlite::Result<bool> {
        let (code, hour) = columns(token.code.as_ref());
        let answer = token.answer.as_ref();
        let inserted = self.execute(
            "INSERT OR IGNORE INTO tokens (id, hash, project, epoch, state, nonce, idempotency, answer,
                 answer_until, facts, card, code, code_hour, expires_at, remove_at)
             VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            (
                token.id,
                token.hash,
                &token.project,
                token.epoch,
                token.nonce.map(|nonce| nonce.0),
                answer.map(|answer| answer.index),
                answer.map(|answer| &answer.sealed),
                answer.map(|answer| to_sql(answer.until)),
                &token.facts,
                &token.card,
                code,
                hour,
                to_sql(token.expires_at),
                to_sql(token.remove_at),
            ),
        )?;
        if inserted == 0 {
            return Ok(false);
        }
        let answer_until = answer.map_or(token.remove_at, |answer| answer.until);
        self.cover(
            self.connection.last_insert_rowid() >> BLOCK_BITS,
            to_sql(token.remove_at.min(answer_until)),
        )?;
        Ok(true)
    }

    /// Sees to it that cleaning looks at a block of arrivals at `due`, if not before.
    fn cover(&self, block: i64, due: i64) -> rusqlite::Result<()> {
        let covered = |(known, from)| known == block && from <= due;
        if !self.covered.get().is_some_and(covered) {
            // Most often it is there, and no page is written.
            self.execute(
                "INSERT INTO arrivals (block, due) VALUES (?1, ?2)
                 ON CONFLICT (block) DO UPDATE SET due = excluded.due WHERE excluded.due < due",
                (block, due),
            )?;
            self.covered.set(Some((block, due)));
        }
        Ok(())
    }

    fn reserve(&self, operation: &NewOperation) -> rusqlite::Result<ReserveVerdict> {
        let NewOperation {
            project, id, token, ..
        } = operation;
        let before: Option<(Vec<u8>, bool, Option<[u8; 16]>)> = self
            .connection
            .prepare_cached(
                "SELECT token, outcome IS NULL, saved FROM operations WHERE project = ?1 AND id = ?2",
            )?
            .query_row((project, id), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        match before {
            Some((before, ..)) if before != token => return Ok(ReserveVerdict::OtherToken),
            Some((_, false, _)) => return Ok(ReserveVerdict::NotOpen),
            Some((_, true, None)) => return Ok(ReserveVerdict::Reserved),
            Some((_, true, Some(saved))) => return Ok(ReserveVerdict::Saved(saved)),
            None => {}
        }
        let has_code: Option<bool> = match operation.source {
            TokenKind::Widget => self
                .connection
                .prepare_cached(
                    "UPDATE tokens SET state = 1, operation = ?3 WHERE id = ?1 AND project = ?2 AND state = 0
                     RETURNING code IS NOT NULL",
                )?
                .query_row((token, project, id), |row| row.get(0))
                .optional()?,
            TokenKind::Lasting => {
                let there = "SELECT 1 FROM lasting WHERE id = ?1 AND project = ?2";
                self.is_there(there, (token, project))?.then_some(false)
            }
        };
        // Between reading and writing another operation may have been faster, or somebody has forgotten the card.
        let Some(has_code) = has_code else {
            return Ok(ReserveVerdict::Taken);
        };
        // It may have been declined since: then its code was deleted, and this copy of it goes too.
        let (code, hour) = columns(operation.code.as_ref().filter(|_| has_code));
        let saved = match &operation.save {
            Some(save) => Some(lasting::save(&self.connection, project, save)?),
            None => None,
        };
        self.execute(
            "INSERT INTO operations (project, id, token, epoch, card, code, code_hour, expires_at, source, saved)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            (
                project,
                id,
                token,
                operation.epoch,
                &operation.card,
                code,
                hour,
                to_sql(operation.expires_at),
                operation.source as u8,
                saved,
            ),
        )?;
        Ok(saved.map_or(ReserveVerdict::Reserved, ReserveVerdict::Saved))
    }

    fn settle(&self, settlement: &Settlement) -> rusqlite::Result<SettleVerdict> {
        let Settlement {
            project,
            operation,
            outcome,
        } = settlement;
        // Token, outcome, saved card.
        type Operation = (Vec<u8>, Option<u8>, Option<[u8; 16]>);
        let before: Option<Operation> = self
            .connection
            .prepare_cached("SELECT token, outcome, saved FROM operations WHERE project = ?1 AND id = ?2")?
            .query_row((project, operation), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .optional()?;
        let (token, saved) = match before {
            Some((_, Some(before), _)) if before == *outcome as u8 => return Ok(SettleVerdict::Already),
            Some((token, None, saved)) => (token, saved),
            _ => return Ok(SettleVerdict::NotOpen),
        };
        self.execute(
            "UPDATE operations SET outcome = ?3, card = NULL, code = NULL, code_hour = NULL
             WHERE project = ?1 AND id = ?2",
            (project, operation, *outcome as u8),
        )?;
        let update = match outcome {
            Outcome::UsedUp => {
                "UPDATE tokens SET state = 2, card = NULL, code = NULL, code_hour = NULL
                 WHERE id = ?1 AND project = ?2 AND operation = ?3"
            }
            Outcome::Released => {
                "UPDATE tokens SET state = 0, operation = NULL, code = NULL, code_hour = NULL
                 WHERE id = ?1 AND project = ?2 AND operation = ?3"
            }
        };
        // No row when the token has expired and been removed meanwhile, nor for a lasting one.
        self.execute(update, (token, project, operation))?;
        if let Some(saved) = saved {
            lasting::settle(&self.connection, &saved, *outcome)?;
        }
        Ok(SettleVerdict::Settled)
    }

    fn clean(&self, step: &CleanStep) -> rusqlite::Result<Cleaned> {
        let execute = |sql, bound| self.execute(sql, (to_sql(bound), to_sql(step.limit as u64)));
        let mut cleaned = Cleaned {
            codes: execute(
                "UPDATE operations SET code = NULL, code_hour = NULL WHERE (project, id) IN
                     (SELECT project, id FROM operations WHERE code IS NOT NULL AND code_hour < ?1 LIMIT ?2)",
                step.oldest_hour,
            )?,
            operations: execute(
                "DELETE FROM operations WHERE (project, id) IN
                     (SELECT project, id FROM operations WHERE expires_at <= ?1 LIMIT ?2)",
                step.now,
            )?,
            ..Cleaned::default()
        };
        self.clean_tokens(step, &mut cleaned)?;
        // After the operations that might have kept them.
        cleaned.cards = lasting::clean(&self.connection, step.limit)?;
        Ok(cleaned)
    }

    /// Tokens, and answers of those that stay: block by block, from the one that is due first.
    fn clean_tokens(&self, step: &CleanStep, cleaned: &mut Cleaned) -> rusqlite::Result<()> {
        // A block that has gone must be written anew for the next token.
        self.covered.set(None);
        let now = to_sql(step.now);
        let left = |done| to_sql((step.limit - done) as u64);
        while cleaned.tokens < step.limit && cleaned.answers < step.limit {
            let due: Option<i64> = self
                .connection
                .prepare_cached("SELECT block FROM arrivals WHERE due <= ?1 ORDER BY due LIMIT 1")?
                .query_row([now], |row| row.get(0))
                .optional()?;
            let Some(block) = due else { break };
            let (first, last) = (block << BLOCK_BITS, ((block + 1) << BLOCK_BITS) - 1);
            cleaned.tokens += self.execute(
                "DELETE FROM tokens WHERE arrival IN
                     (SELECT arrival FROM tokens WHERE arrival BETWEEN ?1 AND ?2 AND remove_at <= ?3 LIMIT ?4)",
                (first, last, now, left(cleaned.tokens)),
            )?;
            cleaned.answers += self.execute(
                "UPDATE tokens SET answer = NULL, idempotency = NULL WHERE arrival IN
                     (SELECT arrival FROM tokens
                      WHERE arrival BETWEEN ?1 AND ?2 AND answer IS NOT NULL AND answer_until <= ?3 LIMIT ?4)",
                (first, last, now, left(cleaned.answers)),
            )?;
            self.execute(
                "UPDATE arrivals SET due = left.due FROM
                     (SELECT min(iif(answer IS NULL, remove_at, min(remove_at, ifnull(answer_until, remove_at)))) AS due
                      FROM tokens WHERE arrival BETWEEN ?1 AND ?2) AS left
                 WHERE block = ?3 AND left.due IS NOT NULL",
                (first, last, block),
            )?;
            self.execute(
                "DELETE FROM arrivals WHERE block = ?3
                     AND NOT EXISTS (SELECT 1 FROM tokens WHERE arrival BETWEEN ?1 AND ?2)",
                (first, last, block),
            )?;
        }
        Ok(())
    }

    fn change_keys(&self, change: &KeyChange) -> rusqlite::Result<bool> {
        let changed = match change {
            KeyChange::AddWidgetKey { key, first_data_key } => self.add_widget_key(key, first_data_key)?,
            KeyChange::Note { .. } => 1,
            KeyChange::RemoveWidgetKey(id) => self.execute("DELETE FROM widget_keys WHERE id = ?1", [id])?,
            KeyChange::SetOrigins { id, origins } => self.execute(
                "UPDATE widget_keys SET origins = ?2 WHERE id = ?1",
                (id, origins_as_json(origins)),
            )?,
            KeyChange::AddProject(first_data_key) => self.add_project(first_data_key)?,
            KeyChange::AddDataKey(row) => self.add_data_key(row)?,
            KeyChange::RewrapDataKey { row, from } => self.execute(
                "UPDATE data_keys SET master_key = ?3, wrapped = ?4
                 WHERE project = ?1 AND epoch = ?2 AND master_key = ?5",
                (&row.project, row.epoch, row.master_key, &row.wrapped, from),
            )?,
            KeyChange::RemoveDataKey { project, epoch } => self.execute(
                "DELETE FROM data_keys WHERE project = ?1 AND epoch = ?2
                     AND NOT EXISTS (SELECT 1 FROM tokens t WHERE t.project = ?1 AND t.epoch = ?2)
                     AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.project = ?1 AND o.epoch = ?2)
                     AND NOT EXISTS (SELECT 1 FROM lasting l WHERE l.project = ?1 AND l.epoch = ?2)",
                (project, epoch),
            )?,
            KeyChange::Identify {
                identity:
                    Identity {
                        master_key,
                        key_check,
                        ..
                    },
                from,
            } => self.execute(
                "UPDATE store SET master_key = ?1, key_check = ?2 WHERE master_key = ?3",
                (master_key, key_check, from),
            )?,
        };
        Ok(changed == 1)
    }

    /// A project has a data key from its first moment.
    fn add_widget_key(&self, key: &WidgetKey, first_data_key: &DataKeyRow) -> rusqlite::Result<usize> {
        if self.is_there("SELECT 1 FROM widget_keys WHERE id = ?1", [&key.id])? {
            return Ok(0);
        }
        self.add_project(first_data_key)?;
        self.execute(
            "INSERT INTO widget_keys (id, project, live, origins, apps) VALUES (?1, ?2, ?3, ?4, ?5)",
            (&key.id, &key.project, key.live, key.origins_as_json(), key.apps),
        )
    }

    fn add_project(&self, first_data_key: &DataKeyRow) -> rusqlite::Result<usize> {
        let project = &first_data_key.project;
        match self.execute("INSERT OR IGNORE INTO projects (id) VALUES (?1)", [project])? {
            0 => Ok(0),
            _ => self.add_data_key(first_data_key),
        }
    }

    fn add_data_key(&self, row: &DataKeyRow) -> rusqlite::Result<usize> {
        self.execute(
            "INSERT OR IGNORE INTO data_keys (project, epoch, master_key, wrapped) VALUES (?1, ?2, ?3, ?4)",
            (&row.project, row.epoch, row.master_key, &row.wrapped),
        )
    }

    /// `false` when the record does not follow the last one of its chain, or is not the last itself.
    fn append(&self, NewRecord { row, after }: &NewRecord) -> rusqlite::Result<bool> {
        let before = to_sql(row.number.saturating_sub(1));
        if let Some(after) = after
            && !self.is_there(
                "SELECT 1 FROM audit WHERE chain = ?1 AND number = ?2 AND mac = ?3",
                (row.chain, before, after),
            )?
        {
            return Ok(false);
        }
        let appended = self.execute(
            "INSERT OR IGNORE INTO audit (chain, number, content, mac) VALUES (?1, ?2, ?3, ?4)",
            (row.chain, to_sql(row.number), &row.content, row.mac),
        )?;
        Ok(appended == 1)
    }

    fn is_there(&self, sql: &str, params: impl Params) -> rusqlite::Result<bool> {
        let found = self
            .connection
            .prepare_cached(sql)?
            .query_row(params, |_| Ok(()))
            .optional()?;
        Ok(found.is_some())
    }

    fn execute(&self, sql: &str, params: impl Params) -> rusqlite::Result<usize> {
        self.connection.prepare_cached(sql)?.execute(params)
    }
}

impl Commit for SqliteWriter {
    fn commit(&mut self, batch: &mut [Job], audit: &mut dyn Auditor) -> Result<(), StoreError> {
        // A panic may have left a transaction behind.
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("ROLLBACK")?;
        }
        // Twice at most: where its chain does not end as it should, the auditor looks, and continues or begins another.
        for _ in 0..2 {
            let written = self.write(batch, audit);
            if let Ok(true) = written {
                return Ok(());
            }
            // Fails when SQLite has rolled back by itself, which is as good.
            let _ = self.connection.execute_batch("ROLLBACK");
            written?;
            batch.iter_mut().for_each(Job::reset);
        }
        Err(StoreError::Refused(
            "the audit log does not end as it should".into(),
        ))
    }
}

fn columns(code: Option<&SealedCode>) -> (Option<&[u8]>, Option<i64>) {
    (
        code.map(|code| code.sealed.as_slice()),
        code.map(|code| to_sql(code.hour)),
    )
}

/// A block of arrivals has 512 numbers: few enough to look at all, and so many that a new one is rare.
const BLOCK_BITS: u32 = 9;
