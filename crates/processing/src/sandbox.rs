//! The sandbox: a world in which payments come to an end without money. `docs/sandbox.md` says what it does.

use std::sync::Arc;

use database::Database;
use vault::Clock;

use crate::port::Ports;

mod acquirer;
mod cards;
mod fiscal;
mod issuers;
mod wallet;

pub(crate) use acquirer::TABLES;

/// Its ports. They keep what they must remember in `database`.
pub(crate) fn ports(database: &Database, clock: &Arc<dyn Clock>, public_url: &str) -> Ports {
    Ports {
        acquirer: Arc::new(acquirer::SandboxAcquirer {
            database: database.clone(),
            clock: Arc::clone(clock),
        }),
        fiscal: Arc::new(fiscal::SandboxFiscalOffice {
            clock: Arc::clone(clock),
            public_url: public_url.to_owned(),
        }),
        wallets: Arc::new(wallet::SandboxWallets {
            clock: Arc::clone(clock),
        }),
        issuers: Arc::new(issuers::SandboxIssuers {
            clock: Arc::clone(clock),
            public_url: public_url.to_owned(),
        }),
    }
}
