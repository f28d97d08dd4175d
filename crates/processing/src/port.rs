//! What payments ask of others: acquirers, banks that pay in installments, banks that send money, fiscal offices, mobile wallets and lists
//! of issuers. `docs/adapters.md` says what an implementation must keep to.

use std::fmt;
use std::sync::Arc;

pub mod acquirer;
pub mod bank;
pub mod fiscal;
pub mod issuers;
pub mod payout;
pub mod wallet;

use acquirer::Acquirer;
use bank::Banks;
use fiscal::FiscalOffice;
use issuers::Issuers;
use payout::Payer;
use wallet::WalletKeys;

/// No answer: the other side may have done it or not. The same call comes again later, with the same operation id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there was no answer")]
#[non_exhaustive]
pub struct PortError;

impl PortError {
    /// What happened goes to the log, where the port is; callers need not know.
    pub const fn new() -> Self {
        Self
    }
}

impl Default for PortError {
    fn default() -> Self {
        Self::new()
    }
}

/// All of them, for the projects of one kind. Clones are the same.
#[derive(Clone)]
pub struct Ports {
    /// Moves money.
    pub acquirer: Arc<dyn Acquirer>,
    /// Pay in installments.
    pub banks: Arc<dyn Banks>,
    /// Makes tax receipts.
    pub fiscal: Arc<dyn FiscalOffice>,
    /// Opens what mobile wallets give.
    pub wallets: Arc<dyn WalletKeys>,
    /// Sends money to people.
    pub payouts: Arc<dyn Payer>,
    /// Knows who issued a card.
    pub issuers: Arc<dyn Issuers>,
}

impl fmt::Debug for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ports").finish_non_exhaustive()
    }
}
