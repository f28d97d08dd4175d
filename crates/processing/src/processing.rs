//! Everything that payments need, put together.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use card::{CardError, Field};
use database::{Database, DatabaseError, Location};
use jiff::{SignedDuration, Timestamp};
use vault::{ClearCard, Clock, IssueError, Vault};
use wire::interface::{StatusCode, Wrong};

use crate::id::{Id, Ids};
use crate::port::Ports;
use crate::port::wallet::WalletCard;
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

/// What a copy of such a store is named.
fn copy_name(store: &Location) -> &'static str {
    match store {
        Location::Postgres(_) => "payments.postgres",
        _ => "payments.sqlite",
    }
}

/// The tables of payments beside a vault, for tools that measure: nothing there keeps what is written in order.
pub fn open_tables(store: &vault::Location) -> Result<Database, DatabaseError> {
    Database::open(&location(store), SCHEMA)
}

/// What all its rooms share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) database: Database,
    pub(crate) registry: Arc<Registry>,
    pub(crate) vault: Arc<Vault>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) public_url: String,
    ids: Arc<Ids>,
    /// How far behind the real time it works: see [`Processing::behind`].
    lag: SignedDuration,
    sandbox: Ports,
    live: Option<Ports>,
    location: Location,
}

impl Processing {
    /// Writes a copy of the store into a folder, while it is used, and says the file's name. Waits for the disk.
    pub fn copy(&self, folder: &Path) -> Result<&'static str, DatabaseError> {
        let name = copy_name(&self.shared.location);
        self.shared.database.copy(&folder.join(name))?;
        Ok(name)
    }

    /// The copy that is in a folder for a store beside that vault's; `None` where there is none. Refuses one that cannot be put back. Changes nothing.
    pub fn find_copy(store: &vault::Location, folder: &Path) -> Result<Option<PathBuf>, DatabaseError> {
        let location = location(store);
        let copy = folder.join(copy_name(&location));
        if !copy.exists() {
            return Ok(None);
        }
        Database::check(&location, SCHEMA, &copy)?;
        Ok(Some(copy))
    }

    /// Puts a copy in the place of the store beside that vault's, which may be in use.
    pub fn put_back(store: &vault::Location, copy: &Path) -> Result<(), DatabaseError> {
        Database::put_back(&location(store), SCHEMA, copy)
    }

    /// Opens the store. Waits for the disk.
    pub fn open(config: ProcessingConfig) -> Result<Self, DatabaseError> {
        let database = Database::open(&config.database, SCHEMA)?;
        let shared = Shared {
            sandbox: sandbox::ports(&database, &config.clock, &config.public_url),
            live: config.live,
            location: config.database,
            database,
            registry: Arc::default(),
            ids: Arc::default(),
            lag: SignedDuration::ZERO,
            vault: config.vault,
            clock: config.clock,
            public_url: config.public_url,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// The same for work that is done late and at its own time: for it, the time is that much earlier.
    pub(crate) fn behind(&self, lag: SignedDuration) -> Self {
        Self {
            shared: Arc::new(Shared {
                lag,
                ..(*self.shared).clone()
            }),
        }
    }

    /// The same with another acquirer for the sandbox.
    #[cfg(test)]
    pub(crate) fn with_acquirer(&self, acquirer: Arc<dyn crate::port::acquirer::Acquirer>) -> Self {
        self.with(Ports {
            acquirer,
            ..self.shared.sandbox.clone()
        })
    }

    /// The same with another bank that sends money for the sandbox.
    #[cfg(test)]
    pub(crate) fn with_payer(&self, payouts: Arc<dyn crate::port::payout::Payer>) -> Self {
        self.with(Ports {
            payouts,
            ..self.shared.sandbox.clone()
        })
    }

    #[cfg(test)]
    fn with(&self, sandbox: Ports) -> Self {
        Self {
            shared: Arc::new(Shared {
                registry: Arc::default(),
                ids: Arc::default(),
                live: None,
                sandbox,
                ..(*self.shared).clone()
            }),
        }
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

    /// An id for something that begins now.
    pub(crate) fn new_id(&self) -> Result<Id, Refusal> {
        self.ids.next(time::of(&*self.clock))
    }

    /// A project that something stored belongs to.
    pub(crate) fn known_project(&self, id: &str) -> Result<Arc<Project>, Refusal> {
        self.project(id)?
            .ok_or_else(|| Refusal::internal("a project is not there"))
    }

    /// Keeps a card that came in clear, and gives a token for it. `param` of a refusal is the card's member.
    pub(crate) fn take_card(&self, project: &Project, json: &str) -> Result<String, Refusal> {
        let wrong =
            |member: &str| Wrong::new(member, "as of a card: digits as text, month and year as numbers");
        let card = ClearCard::read(json).map_err(wrong)?;
        self.take(project, card)
    }

    /// The same of a number alone, to which money is sent; `at` is its path in its body.
    pub(crate) fn take_number(&self, project: &Project, json: &str, at: &str) -> Result<String, Refusal> {
        let wrong = || Wrong::new(at, "text of a card number's digits");
        self.take(project, ClearCard::read_number(json).ok_or_else(wrong)?)
    }

    /// The same of a card that a mobile wallet's token held.
    pub(crate) fn take_wallet_card(&self, project: &Project, card: WalletCard) -> Result<String, Refusal> {
        self.take(project, ClearCard::from_wallet(card.number, card.expiry))
    }

    fn take(&self, project: &Project, card: ClearCard) -> Result<String, Refusal> {
        match self.vault.take(&project.id, project.is_live, card) {
            Ok(issued) => Ok(issued.token.clone()),
            Err(IssueError::Card(error)) => Err(refused_card(error)),
            Err(IssueError::TestNumber) => {
                let message = "a number that is published for tests, and the project is live";
                Err(Refusal::new(StatusCode::WrongCardNumber, message).at("number"))
            }
            Err(error) => Err(Refusal::internal(&error.to_string())),
        }
    }

    /// The real time.
    pub(crate) fn now(&self) -> Timestamp {
        time::after(time::of(&*self.clock), -self.lag)
    }
}

/// What is wrong with a card, by the member that says it.
fn refused_card(error: CardError) -> Refusal {
    let (code, member) = match error {
        CardError::ExpiryPast => (StatusCode::CardExpired, "exp_year"),
        CardError::ExpiryFar => (StatusCode::InvalidRequestBody, "exp_year"),
        CardError::ExpiryMonth | CardError::Missing(Field::Expiry) => {
            (StatusCode::InvalidRequestBody, "exp_month")
        }
        CardError::CodeCharacters | CardError::CodeLength | CardError::Missing(Field::Code) => {
            (StatusCode::WrongCvv, "cvv")
        }
        _ => (StatusCode::WrongCardNumber, "number"),
    };
    Refusal::new(code, error.to_string()).at(member)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Place;

    #[test]
    fn a_live_project_needs_adapters() {
        let place = Place::sqlite();
        let sandbox = place.sandbox();
        let live = Project {
            is_live: true,
            ..(*sandbox).clone()
        };
        let shared = &place.processing.shared;
        assert!(shared.ports(&sandbox).is_ok());
        let refused = shared.ports(&live).unwrap_err();
        assert_eq!(refused.code, StatusCode::AccessNotAllowed);
    }
}
