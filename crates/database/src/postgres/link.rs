//! Connections, what they are set to, and what their errors mean.

use std::collections::HashMap;
use std::future::Future;
use std::io::Cursor;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, CopyInSink, CopyOutStream, NoTls, Row, Socket, Statement};

use super::url::PostgresUrl;
use crate::error::DatabaseError;

/// A connection with the runtime that drives it, for a thread of its own.
pub struct Link {
    /// `None` once it is being dropped.
    runtime: Option<Runtime>,
    session: Session,
}

impl Link {
    /// Connects. Blocks: not for threads of an async runtime.
    pub fn connect(url: &PostgresUrl) -> Result<Self, Trouble> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|_| Trouble::Lost("no runtime for a connection".to_owned()))?;
        let session = runtime.block_on(Session::connect(url))?;
        Ok(Self {
            runtime: Some(runtime),
            session,
        })
    }

    /// The connection.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Drives `work` to its end, or until it has taken too long. After that the connection is of no use.
    pub fn wait<T>(&self, work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
        match &self.runtime {
            Some(runtime) => runtime.block_on(within(LIMIT, work)),
            None => Err(Trouble::Lost("the connection is closing".to_owned())),
        }
    }

    /// Drives `work` to its end, however long that takes.
    pub fn drive<T>(&self, work: impl Future<Output = T>) -> Result<T, Trouble> {
        let closing = || Trouble::Lost("the connection is closing".to_owned());
        let runtime = self.runtime.as_ref().ok_or_else(closing)?;
        Ok(runtime.block_on(work))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Not waited for: a vault may be dropped where waiting is forbidden.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A connection that somebody else drives, with the statements that were prepared on it.
pub struct Session {
    client: Client,
    prepared: Mutex<HashMap<&'static str, Statement>>,
}

/// What a statement is given.
pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Session {
    /// Connects; the runtime in which this is awaited drives the connection from then on.
    pub async fn connect(url: &PostgresUrl) -> Result<Self, Trouble> {
        let mut config = (*url.config).clone();
        config.application_name("card-widget");
        let client = within(CONNECT, async {
            match &url.tls {
                Some(tls) => reach(&config, tls.clone()).await,
                None => reach(&config, NoTls).await,
            }
        })
        .await?;
        within(CONNECT, async { Ok(client.batch_execute(SETTINGS).await?) }).await?;
        Ok(Self {
            client,
            prepared: Mutex::default(),
        })
    }

    /// Whether it can still be used.
    pub fn is_open(&self) -> bool {
        !self.client.is_closed()
    }

    /// Rows of a statement, which is prepared when it is used first.
    pub async fn query(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Trouble> {
        Ok(self.client.query(&self.prepare(sql).await?, params).await?)
    }

    /// The row of a statement that gives one at most.
    pub async fn query_opt(&self, sql: &'static str, params: Params<'_>) -> Result<Option<Row>, Trouble> {
        Ok(self.client.query_opt(&self.prepare(sql).await?, params).await?)
    }

    /// Number of rows that a statement changed.
    pub async fn execute(&self, sql: &'static str, params: Params<'_>) -> Result<u64, Trouble> {
        Ok(self.client.execute(&self.prepare(sql).await?, params).await?)
    }

    /// Several statements without parameters.
    pub async fn batch(&self, sql: &str) -> Result<(), Trouble> {
        Ok(self.client.batch_execute(sql).await?)
    }

    /// What a `COPY … TO STDOUT` writes.
    pub async fn copy_out(&self, sql: &str) -> Result<CopyOutStream, Trouble> {
        Ok(self.client.copy_out(sql).await?)
    }

    /// Where a `COPY … FROM STDIN` reads from.
    pub async fn copy_in(&self, sql: &str) -> Result<CopyInSink<Cursor<Vec<u8>>>, Trouble> {
        Ok(self.client.copy_in(sql).await?)
    }

    /// Makes a statement known to the server, unless it is. That takes a round trip.
    pub async fn prepare(&self, sql: &'static str) -> Result<Statement, Trouble> {
        let known = self.prepared().get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        self.prepared().insert(sql, statement.clone());
        Ok(statement)
    }

    fn prepared(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, Statement>> {
        // The map is whole at any moment, also after a panic elsewhere.
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Connects, and leaves the connection to the runtime.
async fn reach<T>(config: &Config, tls: T) -> Result<Client, Trouble>
where
    T: MakeTlsConnect<Socket>,
    T::Stream: Send + 'static,
    T::TlsConnect: Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    let (client, connection) = config.connect(tls).await.map_err(Trouble::of_connecting)?;
    tokio::spawn(async move {
        // Whoever waits for an answer hears of it too.
        if let Err(error) = connection.await {
            tracing::debug!(error = %Trouble::from(error), "a connection to the database ended");
        }
    });
    Ok(client)
}

/// Awaits `work`, but not longer than `limit`.
pub async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, Trouble>>,
) -> Result<T, Trouble> {
    timeout(limit, work)
        .await
        .unwrap_or_else(|_| Err(Trouble::Lost("no answer in time".to_owned())))
}

/// What an error of the database means for what is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The transaction lost against another one: the same again may succeed.
    Conflict(String),
    /// The connection is gone, or the server takes no work. What was under way may have been done or not.
    Lost(String),
    /// The statement is refused, and will be again.
    Refused(String),
}

impl Trouble {
    /// Before there is a connection nothing is quoted but addresses, and names in certificates, which say what to mend.
    fn of_connecting(error: tokio_postgres::Error) -> Self {
        if error.code().is_some() {
            return error.into();
        }
        let mut told = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            let more = error.to_string();
            if !told.ends_with(&more) {
                told = format!("{told}: {more}");
            }
            cause = error.source();
        }
        Self::Lost(told)
    }
}

impl From<tokio_postgres::Error> for Trouble {
    /// Only the class of an error and PostgreSQL's code are kept: its message and detail quote values.
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(code) = error.code().map(|code| code.code()) else {
            return match error.is_closed() || error.as_db_error().is_none() {
                true => Self::Lost("no connection".to_owned()),
                false => Self::Refused("an answer is not as expected".to_owned()),
            };
        };
        let told = match meaning(code) {
            Some(meaning) => format!("SQLSTATE {code}, {meaning}"),
            None => format!("SQLSTATE {code}"),
        };
        match (code, code.get(..2).unwrap_or_default()) {
            // Serialization failure, deadlock, lock not available; in databases that order transactions, restart.
            ("40001" | "40P01" | "55P03" | "CR000", _) => Self::Conflict(told),
            // A unique index that a conflict clause did not foresee: the same again finds the row. And an audit record that
            // would not follow the last one: the same again looks why.
            ("23505" | "23502", _) => Self::Conflict(told),
            // Connection, resources (disk full among them), operator intervention, system; transactions that may not
            // write, as on a server that is not the first one any more.
            ("25006", _) | (_, "08" | "53" | "57" | "58" | "F0" | "XX") => Self::Lost(told),
            _ => Self::Refused(told),
        }
    }
}

/// What an operator can mend, in words.
fn meaning(code: &str) -> Option<&'static str> {
    Some(match code {
        "28P01" => "the user or the password is refused",
        "28000" => "this user may not connect from here in this way",
        "3D000" => "there is no such database",
        "42501" => "the user may not do this",
        "53100" => "its disk is full",
        "53300" => "it has too many connections already",
        "55P03" => "others keep a table busy, try again",
        "57P03" => "it is starting or stopping",
        _ => return None,
    })
}

impl From<Trouble> for DatabaseError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Conflict(told) | Trouble::Lost(told) => Self::Unavailable(told),
            Trouble::Refused(told) => Self::Refused(told),
        }
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Conflict(told) | Self::Lost(told) | Self::Refused(told)) = self;
        f.write_str(told)
    }
}

/// An answered token survives power loss, whatever the server's default. Nobody waits for a lock, and no transaction stays
/// open, longer than a caller would wait.
const SETTINGS: &str = "
    SET synchronous_commit = on;
    SET default_transaction_isolation = 'read committed';
    SET lock_timeout = '5s';
    SET statement_timeout = '8s';
    SET idle_in_transaction_session_timeout = '10s'";

/// Longest time for a connection.
const CONNECT: Duration = Duration::from_secs(3);

/// Longest time for one transaction or one reading.
pub const LIMIT: Duration = Duration::from_secs(10);
