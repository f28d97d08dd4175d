//! Everything that payments need, put together.

use std::fmt;
use std::sync::Arc;

use database::{Database, DatabaseError, Location};
use jiff::Timestamp;
use vault::{Clock, Vault};
use wire::interface::StatusCode;

use crate::port::Ports;
use crate::project::{Project, Registry};
use crate::refusal::Refusal;
use crate::schema::SCHEMA;
use crate::{sandbox, time};

/// Where payments lie, and what they ask the world for.
#[derive(Clone)]
#[non_exhaustive]
pub struct ProcessingConfig {
    /// The store; made where there is none. Not the vault's, though it may lie beside it or on the same server.
    pub database: Location,
    /// Holds the cards.
    pub vault: Arc<Vault>,
    /// The real time.
    pub clock: Arc<dyn Clock>,
    /// Address under which payers reach the service, without a slash at its end.
    pub public_url: String,
    /// Who moves money and makes receipts for projects that are live; `None` where there are none such. The sandbox brings its own.
    pub live: Option<Ports>,
}

impl ProcessingConfig {
    /// Payments beside a vault: in a file of their own with `.payments` behind its name, or in the same PostgreSQL database.
    pub fn beside(
        store: &vault::Location,
        vault: Arc<Vault>,
        clock: Arc<dyn Clock>,
        public_url: String,
    ) -> Self {
        Self {
            database: location(store),
            vault,
            clock,
            public_url,
            live: None,
        }
    }
}

impl fmt::Debug for ProcessingConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessingConfig")
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

/// Payments and all that follows from them. Clones are the same.
#[derive(Clone)]
pub struct Processing {
    pub(crate) shared: Arc<Shared>,
}

/// Where payments lie beside a vault.
fn location(store: &vault::Location) -> Location {
    match store {
        vault::Location::Sqlite(path) => {
            let mut name = path.clone().into_os_string();
            name.push(".payments");
            Location::Sqlite(name.into())
        }
        vault::Location::Postgres(url) => Location::Postgres(url.clone()),
    }
}

/// What all its rooms share.
pub(crate) struct Shared {
    pub(crate) database: Database,
    pub(crate) registry: Registry,
    pub(crate) vault: Arc<Vault>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) public_url: String,
    sandbox: Ports,
    live: Option<Ports>,
}

impl Processing {
    /// Opens the store. Waits for the disk.
    pub fn open(config: ProcessingConfig) -> Result<Self, DatabaseError> {
        let database = Database::open(&config.database, SCHEMA)?;
        let shared = Shared {
            sandbox: sandbox::ports(&database, &config.clock, &config.public_url),
            live: config.live,
            database,
            registry: Registry::default(),
            vault: config.vault,
            clock: config.clock,
            public_url: config.public_url,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }
}

impl Shared {
    /// Who does for a project what is not done here.
    pub(crate) fn ports(&self, project: &Project) -> Result<&Ports, Refusal> {
        match project.is_live {
            false => Ok(&self.sandbox),
            true => self.live.as_ref().ok_or_else(|| {
                Refusal::new(
                    StatusCode::AccessNotAllowed,
                    "no acquirer is connected: only the sandbox is served here",
                )
            }),
        }
    }

    /// The real time.
    pub(crate) fn now(&self) -> Timestamp {
        time::of(&*self.clock)
    }
}
