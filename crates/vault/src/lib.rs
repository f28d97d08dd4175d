#![doc = include_str!("../README.md")]

mod app;
mod audit;
mod backup;
mod cleaning;
mod clear;
mod config;
mod crypto;
mod envelope;
mod error;
mod issue;
mod keys;
mod lasting;
mod recognise;
mod record;
mod redeem;
mod registry;
mod replay;
mod rotation;
mod secret;
mod store;
mod token;
mod vault;
mod watch;

pub use app::{AppCard, AppCardError};
pub use audit::verify::{AuditChain, AuditFinding, AuditReport};
pub use audit::{AuditHead, AuditHeadError};
pub use backup::{BackupInfo, RestoreParams};
pub use cleaning::Cleaned;
pub use clear::ClearCard;
pub use config::{
    Clock, Location, PostgresUrl, PostgresUrlError, Random, RandomError, SystemClock, SystemRandom,
    VaultConfig,
};
pub use error::{IssueError, RedeemError, StoreError, VaultError};
pub use issue::{IssueRequest, SealedCard, Source};
pub use keys::PublicSealingKey;
pub use keys::master::{MasterKey, MasterKeyError, MasterKeySource, Wrapped};
pub use lasting::{Purpose, SavedCard};
pub use recognise::{Recognised, TokenInfo, TokenState};
pub use record::{Customer, Issued};
pub use redeem::{OpenCard, OperationId, Outcome, Redeemed};
pub use registry::WidgetKey;
pub use replay::Replay;
pub use rotation::SealingKeyInfo;
pub use rotation::data::DataKeyInfo;
pub use rotation::master::Rewrapped;
pub use store::Figures;
pub use token::TokenKind;
pub use vault::Vault;
pub use watch::{Seen, TooManyCards, Watch};
