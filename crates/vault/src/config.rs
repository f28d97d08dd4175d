//! What a vault is given from outside: where it lies, what time it is, where randomness comes from.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::rand;

pub use database::{PostgresUrl, PostgresUrlError};

use crate::keys::master::MasterKeySource;

/// Where a vault lies and what it asks the world for.
#[derive(Clone)]
#[non_exhaustive]
pub struct VaultConfig {
    /// The store.
    pub database: Location,
    /// The file of lasting keys, mode 0600; made at first start. The keys of hours lie in a folder of the same name
    /// with `-hours` behind it.
    pub keys: PathBuf,
    /// What opens the key file.
    pub master_key: MasterKeySource,
    /// Whether a store and its keys are made where there are none. Otherwise that is [`VaultError::NoStore`](crate::VaultError).
    pub create: bool,
    /// Who opens the vault, for the audit log: program, user, machine. At most some hundred letters.
    pub who: String,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Tokens, keys and initialization vectors. Key pairs for sealing come from the cryptographic library itself.
    pub random: Arc<dyn Random>,
}

impl VaultConfig {
    /// A store at `database`. Its keys lie beside it, in `<database>.keys`, and their master key in `<database>.master`.
    pub fn new(database: impl Into<Location>, clock: Arc<dyn Clock>) -> Self {
        let database = database.into();
        Self {
            keys: database.default_keys(),
            master_key: MasterKeySource::File(database.default_master_key()),
            database,
            create: true,
            who: String::new(),
            clock,
            random: Arc::new(SystemRandom),
        }
    }
}

impl fmt::Debug for VaultConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VaultConfig")
            .field("database", &self.database)
            .field("keys", &self.keys)
            .finish_non_exhaustive()
    }
}

/// Where a store lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// In a file; made at first start together with its folder.
    Sqlite(PathBuf),
    /// In a PostgreSQL database, which several instances may share.
    Postgres(PostgresUrl),
}

impl Location {
    /// Where the keys lie unless told otherwise.
    fn default_keys(&self) -> PathBuf {
        self.beside(".keys")
    }

    /// Where the master key lies unless told otherwise.
    fn default_master_key(&self) -> PathBuf {
        self.beside(".master")
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        match self {
            Self::Sqlite(path) => {
                let mut name = path.clone().into_os_string();
                name.push(suffix);
                name.into()
            }
            // There is no place beside it: where the service's own default is.
            Self::Postgres(_) => format!("data/card-widget{suffix}").into(),
        }
    }
}

impl From<PathBuf> for Location {
    fn from(path: PathBuf) -> Self {
        Self::Sqlite(path)
    }
}

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    fn now(&self) -> u64;

    /// The same in milliseconds, as exactly as the clock knows it. Only orders what is made within one second.
    fn millis(&self) -> u64 {
        self.now().saturating_mul(1000)
    }
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        // A clock before 1970 counts as 1970: every ticket is then from the future and refused.
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs())
    }

    fn millis(&self) -> u64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

/// Gives random bytes that nobody can guess.
pub trait Random: Send + Sync {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError>;
}

/// There is no randomness to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no random bytes could be had")]
pub struct RandomError;

/// The random generator of the cryptographic library, seeded by the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        rand::fill(bytes).map_err(|_| RandomError)
    }
}
