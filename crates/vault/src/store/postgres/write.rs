//! Writing, batch by batch: a batch of issues is two round trips, however many there are.

use std::thread;
use std::time::Duration;

use tokio::join;

use super::to_sql;
use crate::config::PostgresUrl;
use crate::error::StoreError;
use crate::store::change::Entry;
use crate::store::rows::NewToken;
use crate::store::{Act, AuditRow, Auditor, Commit, Job, NewRecord};
use database::link::{Link, Params, Session, Trouble};

mod issue;
mod lasting;
mod rare;

/// The connection that writes, and how to make another.
pub(super) struct PostgresWriter {
    url: PostgresUrl,
    link: Option<Link>,
    /// Audit records that were sent with a commit whose answer was never heard. All have the same place in the chain: one
    /// of them is there, or none is.
    doubtful: Vec<AuditRow>,
    /// From which of these on they are of the batch that is being written.
    own: usize,
}

impl PostgresWriter {
    pub(super) fn new(url: PostgresUrl, link: Link) -> Self {
        Self {
            url,
            link: Some(link),
            doubtful: Vec::new(),
            own: 0,
        }
    }

    /// One attempt.
    fn attempt(&mut self, batch: &mut [Job], audit: &mut dyn Auditor) -> Result<(), Trouble> {
        let link = match self.link.take() {
            Some(link) if link.session().is_open() => self.link.insert(link),
            _ => {
                let made = Link::connect(&self.url).map_err(|error| Trouble::Lost(error.to_string()))?;
                self.link.insert(made)
            }
        };
        let session = link.session();
        if let Some(found) = link.wait(find(session, &mut self.doubtful))? {
            audit.committed();
            let own = std::mem::take(&mut self.own);
            // The verdicts of that attempt still stand.
            if found >= own {
                return Ok(());
            }
        }
        batch.iter_mut().for_each(Job::reset);
        let doubtful = &mut self.doubtful;
        let before = doubtful.len();
        match link.wait(write(session, batch, audit, doubtful)) {
            Ok(recorded) => {
                self.doubtful.clear();
                if recorded {
                    audit.committed();
                }
                Ok(())
            }
            Err(trouble) => {
                // The server has said that it is not there.
                if !matches!(trouble, Trouble::Lost(_)) {
                    doubtful.truncate(before);
                }
                // A connection that is dropped is rolled back by the server. A lost one is not asked: who does not answer a
                // commit does not answer this either, and callers wait.
                if matches!(trouble, Trouble::Lost(_)) || link.wait(session.batch("ROLLBACK")).is_err() {
                    self.link = None;
                }
                Err(trouble)
            }
        }
    }
}

impl Commit for PostgresWriter {
    fn commit(&mut self, batch: &mut [Job], audit: &mut dyn Auditor) -> Result<(), StoreError> {
        self.own = self.doubtful.len();
        let mut lost = 0;
        for attempt in 0.. {
            let trouble = match self.attempt(batch, audit) {
                Ok(()) => return Ok(()),
                Err(trouble) => trouble,
            };
            lost += u32::from(matches!(trouble, Trouble::Lost(_)));
            // Every change may be tried twice, see `Change`. Who waits will not do so for ever.
            if matches!(trouble, Trouble::Refused(_)) || lost > 1 || attempt >= ATTEMPTS {
                return Err(trouble.into());
            }
            tracing::debug!(%trouble, attempt, "a batch is tried again");
            thread::sleep(Duration::from_millis(1 << attempt));
        }
        Err(StoreError::Closing)
    }
}

/// Which of the records is in the audit log; then it is in doubt no more. They share their place.
///
/// Another record in that place means that somebody else writes this chain, and that none of these is there.
async fn find(session: &Session, records: &mut Vec<AuditRow>) -> Result<Option<usize>, Trouble> {
    let Some(AuditRow { chain, number, .. }) = records.first() else {
        return Ok(None);
    };
    let row = session
        .query_opt(
            "SELECT mac FROM card_widget_vault.audit WHERE chain = $1 AND number = $2",
            &[&chain.as_slice(), &to_sql(*number)],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let mac: &[u8] = row.try_get(0)?;
    let found = records.iter().position(|record| record.mac == mac);
    records.clear();
    found
        .map(Some)
        .ok_or_else(|| Trouble::Refused("the audit log has another record here".to_owned()))
}

/// The transaction. Says whether an audit record is in it.
async fn write(
    session: &Session,
    batch: &mut [Job],
    audit: &mut dyn Auditor,
    doubtful: &mut Vec<AuditRow>,
) -> Result<bool, Trouble> {
    let mut issues: Vec<&mut Entry<NewToken>> = Vec::new();
    let mut others = Vec::new();
    for job in &mut *batch {
        match job {
            Job::Issue(entry) => issues.push(entry),
            other => others.push(other),
        }
    }
    // Known before the first commit of a connection: one that is sent behind it would overtake the record.
    session.prepare(APPEND).await?;
    // In one order everywhere, so that two instances that are sent the same requests do not wait for each other.
    issues.sort_by_key(|entry| entry.change.nonce);
    // Both are on their way before the first is answered.
    let (begun, issued) = join!(session.batch("BEGIN"), issue::insert(session, &mut issues));
    begun?;
    issued?;
    issue::explain(session, issues).await?;
    for job in others {
        match job {
            // Above.
            Job::Issue(_) => {}
            Job::Reserve(entry) => entry.verdict = Some(rare::reserve(session, &entry.change).await?),
            Job::Settle(entry) => entry.verdict = Some(rare::settle(session, &entry.change).await?),
            Job::Forget(entry) => entry.verdict = Some(lasting::forget(session, &entry.change).await?),
            Job::Reseal(entry) => entry.verdict = Some(lasting::reseal(session, &entry.change).await?),
            Job::Clean(entry) => entry.verdict = Some(rare::clean(session, &entry.change).await?),
            Job::Keys(entry) => entry.verdict = Some(rare::change_keys(session, &entry.change).await?),
        }
    }
    let acts: Vec<Act<'_>> = batch.iter().filter_map(Job::act).collect();
    let record = if acts.is_empty() {
        None
    } else {
        audit
            .record(&acts)
            .map_err(|error| Trouble::Refused(error.to_string()))?
    };
    let Some(NewRecord { row, after }) = record else {
        session.batch("COMMIT").await?;
        return Ok(false);
    };
    // In another place than those that were sent before: none of them is there, as the auditor has looked.
    if doubtful
        .first()
        .is_some_and(|sent| (sent.chain, sent.number) != (row.chain, row.number))
    {
        doubtful.clear();
    }
    doubtful.push(row.clone());
    let number = to_sql(row.number);
    let (chain, content, mac) = (row.chain.as_slice(), &row.content, row.mac.as_slice());
    let after = after.as_ref().map(<[u8; 32]>::as_slice);
    let params: Params<'_> = &[&chain, &number, content, &mac, &after];
    let (appended, committed) = join!(session.execute(APPEND, params), session.batch("COMMIT"));
    // After an error, what is called a commit is a rollback.
    appended?;
    committed?;
    Ok(true)
}

/// Where the chain does not end with the record before this one, the MAC is NULL, which the table refuses: the commit
/// behind it then is a rollback.
const APPEND: &str = "INSERT INTO card_widget_vault.audit (chain, number, content, mac)
     VALUES ($1::bytea, $2::bigint, $3, CASE WHEN $5::bytea IS NULL OR EXISTS
         (SELECT 1 FROM card_widget_vault.audit WHERE chain = $1::bytea AND number = $2::bigint - 1 AND mac = $5::bytea)
         THEN $4::bytea END)";

/// Attempts after the first. They wait 1, 2, 4, 8, 16 and 32 ms.
const ATTEMPTS: u32 = 6;
