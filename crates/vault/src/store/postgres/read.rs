//! Reading. One thread drives the connections; callers wait for it on threads of their own, whatever these are.

use std::future::Future;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::Row;

use super::lasting;
use super::row::{code, exact, exact_or_none, small, unexpected};
use super::to_sql;
use super::{COPY_NAME, apart, copy, from_sql};
use crate::config::PostgresUrl;
use crate::error::{StoreError, VaultError};
use crate::registry::WidgetKey;
use crate::store::rows::{AnswerRow, DataKeyRow, LastingRow, OperationRow, State, TokenRow};
use crate::store::{AuditRow, IdOrder, SealedUnder, Store};
use crate::token::TokenKind;
use database::link::{LIMIT, Session, Trouble, within};

/// Connections for reading, made when needed and kept.
pub(super) struct PostgresReader {
    url: Arc<PostgresUrl>,
    /// `None` once it is being dropped.
    runtime: Option<Runtime>,
    sessions: Arc<[Slot; SESSIONS]>,
    next: AtomicUsize,
}

/// A connection that is kept, and whoever makes it: one at a time, however many wait for it.
#[derive(Default)]
struct Slot {
    session: Mutex<Option<Arc<Session>>>,
    /// When no connection could be made, and why.
    failed: tokio::sync::Mutex<Option<(Instant, StoreError)>>,
}

impl PostgresReader {
    pub(super) fn new(url: PostgresUrl) -> Result<Self, VaultError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("vault-reader")
            .enable_all()
            .build()
            .map_err(|_| StoreError::Closing)?;
        Ok(Self {
            url: Arc::new(url),
            runtime: Some(runtime),
            sessions: Arc::default(),
            next: AtomicUsize::new(0),
        })
    }

    /// Reads on one of the connections, once more on a new one where that has gone.
    fn read<T, F>(&self, work: impl Fn(Arc<Session>) -> F + Send + 'static) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Trouble>> + Send,
    {
        let runtime = self.runtime.as_ref().ok_or(StoreError::Closing)?;
        let slot = self.next.fetch_add(1, Ordering::Relaxed) % SESSIONS;
        let (sessions, url) = (Arc::clone(&self.sessions), Arc::clone(&self.url));
        let (sender, receiver) = sync_channel(1);
        runtime.spawn(async move {
            let mut again = true;
            let result = loop {
                let session = match sessions[slot].open(&url).await {
                    Ok(session) => session,
                    Err(error) => break Err(error),
                };
                match within(LIMIT, work(Arc::clone(&session))).await {
                    Err(Trouble::Lost(_)) if again => sessions[slot].forget(&session),
                    Err(Trouble::Conflict(_)) if again => {}
                    result => break result.map_err(StoreError::from),
                }
                again = false;
            };
            // The other side waits below; it cannot have gone away.
            let _ = sender.send(result);
        });
        receiver.recv().unwrap_or(Err(StoreError::Closing))
    }
}

impl Slot {
    /// The connection, or a new one. A server that is away is asked by one caller; those who waited meanwhile hear what that
    /// one has heard.
    async fn open(&self, url: &PostgresUrl) -> Result<Arc<Session>, StoreError> {
        if let Some(session) = self.held() {
            return Ok(session);
        }
        let mut failed = self.failed.lock().await;
        if let Some(session) = self.held() {
            return Ok(session);
        }
        if let Some((_, error)) = failed.as_ref().filter(|(at, _)| at.elapsed() < FAILED) {
            return Err(error.clone());
        }
        match Session::connect(url).await {
            Ok(session) => {
                let session = Arc::new(session);
                *failed = None;
                *self.session() = Some(Arc::clone(&session));
                Ok(session)
            }
            Err(trouble) => {
                let error = StoreError::from(trouble);
                *failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    fn held(&self) -> Option<Arc<Session>> {
        self.session().clone().filter(|session| session.is_open())
    }

    /// Gives up a connection, unless somebody has made another since.
    fn forget(&self, lost: &Arc<Session>) {
        let mut session = self.session();
        if session.as_ref().is_some_and(|held| Arc::ptr_eq(held, lost)) {
            session.take();
        }
    }

    fn session(&self) -> MutexGuard<'_, Option<Arc<Session>>> {
        // An option is whole at any moment, also after a panic elsewhere.
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for PostgresReader {
    fn reach(&self) -> Result<(), StoreError> {
        self.read(|session| async move {
            let row = session
                .query_opt("SELECT version FROM card_widget_vault.store", &[])
                .await?;
            row.map(drop).ok_or_else(unexpected)
        })
    }

    fn token(&self, project: &str, id: &[u8; 16]) -> Result<Option<TokenRow>, StoreError> {
        let (project, id) = (project.to_owned(), id.to_vec());
        self.read(move |session| {
            let (project, id) = (project.clone(), id.clone());
            async move {
                let row = session
                    .query_opt(
                        "SELECT hash, epoch, state, operation, facts, card, code, code_hour
                         FROM card_widget_vault.tokens WHERE id = $1 AND project = $2",
                        &[&id, &project],
                    )
                    .await?;
                row.map(|row| {
                    let state: i16 = row.try_get(2)?;
                    Ok(TokenRow {
                        hash: row.try_get(0)?,
                        epoch: small(&row, 1)?,
                        state: State::of(state.into()).ok_or_else(unexpected)?,
                        operation: row.try_get(3)?,
                        facts: row.try_get(4)?,
                        card: row.try_get(5)?,
                        code: code(&row, 6)?,
                    })
                })
                .transpose()
            }
        })
    }

    fn answer(&self, index: &[u8; 32], now: u64) -> Result<Option<AnswerRow>, StoreError> {
        let index = index.to_vec();
        self.read(move |session| {
            let index = index.clone();
            async move {
                let row = session
                    .query_opt(
                        "SELECT epoch, answer FROM card_widget_vault.tokens
                         WHERE idempotency = $1 AND answer_until > $2 AND answer IS NOT NULL",
                        &[&index, &to_sql(now)],
                    )
                    .await?;
                row.map(|row| {
                    Ok(AnswerRow {
                        epoch: small(&row, 0)?,
                        answer: row.try_get(1)?,
                    })
                })
                .transpose()
            }
        })
    }

    fn operation(&self, project: &str, id: &str, now: u64) -> Result<Option<OperationRow>, StoreError> {
        let (project, id) = (project.to_owned(), id.to_owned());
        self.read(move |session| {
            let (project, id) = (project.clone(), id.clone());
            async move {
                let row = session
                    .query_opt(
                        "SELECT epoch, card, code, code_hour, token, source, saved
                         FROM card_widget_vault.operations
                         WHERE project = $1 AND id = $2 AND outcome IS NULL AND card IS NOT NULL AND expires_at > $3",
                        &[&project, &id, &to_sql(now)],
                    )
                    .await?;
                row.map(|row| {
                    let source: i16 = row.try_get(5)?;
                    Ok(OperationRow {
                        token: exact(&row, 4)?,
                        source: TokenKind::of(source.into()).ok_or_else(unexpected)?,
                        epoch: small(&row, 0)?,
                        card: row.try_get(1)?,
                        code: code(&row, 2)?,
                        saved: exact_or_none(&row, 6)?,
                    })
                })
                .transpose()
            }
        })
    }

    fn lasting(&self, project: &str, id: &[u8; 16]) -> Result<Option<LastingRow>, StoreError> {
        let (project, id) = (project.to_owned(), *id);
        self.read(move |session| {
            let project = project.clone();
            async move { lasting::one(&session, &project, &id).await }
        })
    }

    fn lasting_under(
        &self,
        project: &str,
        epoch: u32,
        from: &[u8; 16],
        limit: usize,
    ) -> Result<Vec<LastingRow>, StoreError> {
        let (project, from) = (project.to_owned(), *from);
        self.read(move |session| {
            let project = project.clone();
            async move { lasting::under(&session, &project, epoch, &from, limit).await }
        })
    }

    fn widget_key(&self, id: &str) -> Result<Option<WidgetKey>, StoreError> {
        let id = id.to_owned();
        self.read(move |session| {
            let id = id.clone();
            async move {
                let row = session
                    .query_opt(
                        "SELECT id, project, live, origins, apps FROM card_widget_vault.widget_keys WHERE id = $1",
                        &[&id],
                    )
                    .await?;
                row.map(|row| widget_key(&row)).transpose()
            }
        })
    }

    fn widget_keys(&self) -> Result<Vec<WidgetKey>, StoreError> {
        self.read(|session| async move {
            let rows = session
                .query(
                    // By bytes, as everywhere, whatever the database's language.
                    "SELECT id, project, live, origins, apps FROM card_widget_vault.widget_keys
                     ORDER BY project COLLATE \"C\", id COLLATE \"C\"",
                    &[],
                )
                .await?;
            rows.iter().map(widget_key).collect()
        })
    }

    fn data_keys(&self, project: Option<&str>) -> Result<Vec<DataKeyRow>, StoreError> {
        let project = project.map(str::to_owned);
        self.read(move |session| {
            let project = project.clone();
            async move {
                let rows = session
                    .query(
                        "SELECT project, epoch, master_key, wrapped FROM card_widget_vault.data_keys
                         WHERE $1::text IS NULL OR project = $1 ORDER BY project COLLATE \"C\", epoch",
                        &[&project],
                    )
                    .await?;
                let read = |row: &Row| {
                    Ok(DataKeyRow {
                        project: row.try_get(0)?,
                        epoch: small(row, 1)?,
                        master_key: small(row, 2)?,
                        wrapped: row.try_get(3)?,
                    })
                };
                rows.iter().map(read).collect()
            }
        })
    }

    fn lasting_count(&self, project: &str, epoch: u32) -> Result<u64, StoreError> {
        let project = project.to_owned();
        self.read(move |session| {
            let project = project.clone();
            async move { lasting::count(&session, &project, epoch).await }
        })
    }

    fn sealed_under(&self, project: &str, epoch: u32) -> Result<SealedUnder, StoreError> {
        let lasting = self.lasting_count(project, epoch)?;
        let project = project.to_owned();
        let passing = self.read(move |session| {
            let project = project.clone();
            async move {
                let row = session
                    .query_opt(
                        "SELECT (SELECT count(*) FROM card_widget_vault.tokens WHERE project = $1 AND epoch = $2)
                              + (SELECT count(*) FROM card_widget_vault.operations WHERE project = $1 AND epoch = $2)",
                        &[&project, &i64::from(epoch)],
                    )
                    .await?;
                Ok(from_sql(row.ok_or_else(unexpected)?.try_get(0)?))
            }
        })?;
        Ok(SealedUnder { passing, lasting })
    }

    fn audit(&self, chain: &[u8; 16], number: u64, limit: usize) -> Result<Vec<AuditRow>, StoreError> {
        let chain = *chain;
        self.read(move |session| async move {
            let rows = session
                .query(
                    "SELECT number, content, mac FROM card_widget_vault.audit WHERE chain = $1 AND number >= $2
                     ORDER BY number LIMIT $3",
                    &[&chain.as_slice(), &to_sql(number), &to_sql(limit as u64)],
                )
                .await?;
            let read = |row: &Row| {
                Ok(AuditRow {
                    chain,
                    number: from_sql(row.try_get(0)?),
                    content: row.try_get(1)?,
                    mac: exact(row, 2)?,
                })
            };
            rows.iter().map(read).collect()
        })
    }

    fn audit_chains(&self) -> Result<Vec<([u8; 16], u64)>, StoreError> {
        self.read(|session| async move {
            let rows = session
                .query(
                    "SELECT chain, max(number) FROM card_widget_vault.audit GROUP BY chain ORDER BY chain",
                    &[],
                )
                .await?;
            let read = |row: &Row| Ok((exact(row, 0)?, from_sql(row.try_get(1)?)));
            rows.iter().map(read).collect()
        })
    }

    fn copy_name(&self) -> &'static str {
        COPY_NAME
    }

    fn copy_to(&self, to: &Path) -> Result<(), VaultError> {
        apart(|| copy::copy(&self.url, to))
    }

    fn id_order(&self) -> IdOrder {
        IdOrder::Spread
    }

    /// What the server keeps of deleted rows is its own: dead rows until they are vacuumed, journals until they are
    /// archived. Both hold sealed values only, and the codes among these lie under keys that are destroyed.
    fn tidy(&self) -> Result<(), VaultError> {
        Ok(())
    }

    fn close(&self) {
        for slot in &*self.sessions {
            slot.session().take();
        }
    }
}

impl Drop for PostgresReader {
    fn drop(&mut self) {
        // Not waited for: a vault may be dropped where waiting is forbidden.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn widget_key(row: &Row) -> Result<WidgetKey, Trouble> {
    let origins: String = row.try_get(3)?;
    Ok(WidgetKey {
        id: row.try_get(0)?,
        project: row.try_get(1)?,
        live: row.try_get(2)?,
        // A list that cannot be read allows no origin.
        origins: serde_json::from_str(&origins).unwrap_or_default(),
        apps: row.try_get(4)?,
    })
}

/// How long a failed attempt stands for those who come after it: less than anybody notices of a server that is back.
const FAILED: Duration = Duration::from_millis(200);

/// Connections. Requests follow each other on one without waiting, so a few are enough.
const SESSIONS: usize = 3;
