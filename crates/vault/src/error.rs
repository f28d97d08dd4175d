//! Why the vault refuses. No error holds anything of a card, a token, a key or a request.

use std::io;
use std::path::{Path, PathBuf};

use card::{CardError, Field};
use wire::Code;

use crate::config::RandomError;
use crate::crypto::CryptoError;
use crate::keys::master::MasterKeyError;
use crate::watch::TooManyCards;

/// Why the vault cannot be opened or cannot work. Whoever runs the service can act on it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// A file or folder.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others than the owner may read the keys.
    #[error("{path} may be read by others than its owner; set its mode to 0600", path = .0.display())]
    KeysExposed(PathBuf),
    /// There is none, and none was to be made.
    #[error(
        "there is no store there; nothing was made. Look at --database, or start the service, which makes one"
    )]
    NoStore,
    /// There is a store but not its key file.
    #[error("{path} is missing; the store cannot be opened without it, put it back from its backup", path = .0.display())]
    KeysMissing(PathBuf),
    /// The key file is not one, or of a later version.
    #[error(
        "{path} is not a key file of this version, or it was damaged; nothing was changed, put it back from its backup",
        path = .0.display()
    )]
    KeysUnreadable(PathBuf),
    /// The key file belongs to another store.
    #[error("the key file does not belong to this store; nothing was changed, put the store's own one there")]
    WrongKeys,
    /// The master key, which opens the key file.
    #[error(transparent)]
    MasterKey(#[from] MasterKeyError),
    /// The database holds something else.
    #[error("{0} is not a store of this program")]
    NotAVault(String),
    /// The store was written by a later version.
    #[error("the store was written by a later version of this program")]
    LaterVersion,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stored record does not authenticate: it was altered, or moved from another row.
    #[error("a stored record is damaged or was altered")]
    Damaged,
    /// A security code does not open with the key of its hour.
    #[error(
        "a security code does not open with the key of its hour: it was altered, or the instances do not share one folder \
         of hours, see docs/operations/postgresql.md"
    )]
    CodeDamaged,
    /// No sealing key is in use at this time.
    #[error("no sealing key is in use at this time")]
    NoSealingKey,
    /// The project was never added.
    #[error("the project is not known")]
    UnknownProject,
    /// There is a widget key of this id.
    #[error("there is a widget key of this id already")]
    WidgetKeyTaken,
    /// A folder that is no backup, or not all of one.
    #[error("{path} is not a whole backup; nothing was changed", path = .0.display())]
    NotABackup(PathBuf),
    /// A backup or a store that belongs elsewhere.
    #[error(
        "the backup is of another installation than what is there; nothing was changed, restore it into an empty folder"
    )]
    AnotherInstallation,
    /// A backup of a SQLite store for a PostgreSQL one, or the other way.
    #[error("the backup is of another kind of database than this one; nothing was changed")]
    AnotherDatabase,
    /// A backup of an earlier version over a store that has been brought forward.
    #[error(
        "the backup is of an earlier version than the store that is there; nothing was changed, restore it into an empty \
         database"
    )]
    EarlierBackup,
    /// Others do the same at the same moment.
    #[error("others are at the same work; try again")]
    Busy,
    /// An id is empty or longer than its bound.
    #[error("an id is empty or too long")]
    WrongId,
    /// The cryptographic library failed on good input.
    #[error("a cryptographic operation failed")]
    Crypto,
    /// No randomness.
    #[error(transparent)]
    Random(#[from] RandomError),
}

impl VaultError {
    /// What a caller over the network is told.
    pub fn code(&self) -> Code {
        match self {
            Self::Store(_)
            | Self::NoSealingKey
            | Self::Random(_)
            | Self::File { .. }
            | Self::MasterKey(MasterKeyError::Unavailable { .. }) => Code::ServiceUnavailable,
            _ => Code::InternalError,
        }
    }

    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            path: path.to_owned(),
            source,
        }
    }
}

impl From<CryptoError> for VaultError {
    fn from(error: CryptoError) -> Self {
        match error {
            CryptoError::NotAuthentic => Self::Damaged,
            CryptoError::Library => Self::Crypto,
            CryptoError::Random(error) => Self::Random(error),
        }
    }
}

/// What went wrong in the database. Holds the database's words, which name tables and columns but no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database refused this, and will again.
    #[error("the database refused: {0}")]
    Refused(String),
    /// The database takes no work now: it is out of reach, busy, or its disk is full.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// More work waits than the writer can take.
    #[error("too much work waits for the database")]
    Overloaded,
    /// The vault is closing.
    #[error("the vault is closing")]
    Closing,
}

/// Why no token was issued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IssueError {
    /// The envelope names a sealing key that is unknown, not yet or no longer in use.
    #[error("the envelope's sealing key is not in use")]
    SealingKeyUnknown,
    /// The envelope was altered or sealed for another key.
    #[error("the envelope does not open")]
    EnvelopeUnreadable,
    /// The envelope opens, but what it says of itself is not what the service knows.
    #[error("the envelope's claims do not agree with the request")]
    EnvelopeMismatch,
    /// The ticket has expired.
    #[error("the boot ticket has expired")]
    TicketExpired,
    /// The envelope's nonce was used before.
    #[error("the envelope was sent before")]
    NonceReplayed,
    /// The idempotency key was used with another body.
    #[error("the idempotency key was used with another body")]
    IdempotencyConflict,
    /// What the envelope holds is not the JSON of a card.
    #[error("the envelope does not hold a card")]
    NotACard,
    /// The card is not valid.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The widget key is live and the number is one that is published for tests.
    #[error("the number is a test number, and the widget key is live")]
    TestNumber,
    /// Whoever watches has seen too many different cards.
    #[error("too many different cards; the next may come in {} seconds", .0.wait)]
    TooManyCards(TooManyCards),
    /// The vault itself.
    #[error(transparent)]
    Vault(#[from] VaultError),
}

impl IssueError {
    /// What the caller is told, one code for each kind of refusal.
    pub fn code(&self) -> Code {
        match self {
            Self::SealingKeyUnknown => Code::SealingKeyUnknown,
            Self::EnvelopeUnreadable => Code::EnvelopeUnreadable,
            Self::EnvelopeMismatch => Code::EnvelopeMismatch,
            Self::TicketExpired => Code::TicketExpired,
            Self::NonceReplayed => Code::NonceReplayed,
            Self::IdempotencyConflict => Code::IdempotencyConflict,
            Self::NotACard => Code::WrongCardData,
            Self::TestNumber => Code::WrongCardNumber,
            Self::TooManyCards(_) => Code::TooManyRequests,
            Self::Card(error) => match error {
                CardError::NumberCharacters
                | CardError::NumberLength
                | CardError::NumberCheckDigit
                | CardError::NumberRepeated
                | CardError::Missing(Field::Number) => Code::WrongCardNumber,
                CardError::ExpiryPast => Code::CardExpired,
                CardError::ExpiryMonth | CardError::ExpiryFar => Code::WrongExpiry,
                CardError::CodeCharacters | CardError::CodeLength => Code::WrongCvv,
                // Parts missing or surplus, and what later versions of the rules may add.
                _ => Code::WrongCardData,
            },
            Self::Vault(error) => error.code(),
        }
    }
}

impl From<CryptoError> for IssueError {
    fn from(error: CryptoError) -> Self {
        Self::Vault(error.into())
    }
}

impl From<StoreError> for IssueError {
    fn from(error: StoreError) -> Self {
        Self::Vault(error.into())
    }
}

impl From<RandomError> for IssueError {
    fn from(error: RandomError) -> Self {
        Self::Vault(error.into())
    }
}

/// Why a token cannot be redeemed or an operation not continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedeemError {
    /// Not a token, not of this project, or removed after it expired.
    #[error("the token is not known to this project")]
    UnknownToken,
    /// The token's time is over.
    #[error("the token has expired")]
    Expired,
    /// The token has been used.
    #[error("the token has been used")]
    UsedUp,
    /// Another operation has reserved the token.
    #[error("the token is reserved by another operation")]
    Reserved,
    /// A number alone does not pay; a card that was typed to pay, and not saved, does not receive.
    #[error("the token is not good for this purpose")]
    WrongPurpose,
    /// The operation's id belongs to another token.
    #[error("the operation has another token")]
    OtherToken,
    /// The operation is unknown, was settled, or its hour is over.
    #[error("the operation is not open")]
    NotOpen,
    /// The vault itself.
    #[error(transparent)]
    Vault(#[from] VaultError),
}

impl From<CryptoError> for RedeemError {
    fn from(error: CryptoError) -> Self {
        Self::Vault(error.into())
    }
}

impl From<StoreError> for RedeemError {
    fn from(error: StoreError) -> Self {
        Self::Vault(error.into())
    }
}
