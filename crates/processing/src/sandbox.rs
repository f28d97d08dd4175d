//! The sandbox: a world in which payments come to an end without money. `docs/sandbox.md` says what it does.

use std::sync::Arc;

use database::Database;
use vault::Clock;
use wire::interface::StatusCode;

use crate::port::Ports;
use crate::project::Project;
use crate::refusal::Refusal;

mod acquirer;
pub(crate) mod answers;
mod bank;
mod banks;
mod cards;
mod clock;
pub(crate) mod fault;
mod fiscal;
mod issuers;
mod limits;
mod overview;
mod payer;
pub(crate) mod state;
mod tables;
mod wallet;

/// Its ports. They keep what they must remember in `database`.
pub(crate) fn ports(database: &Database, clock: &Arc<dyn Clock>, public_url: &str) -> Ports {
    Ports {
        acquirer: Arc::new(acquirer::SandboxAcquirer {
            database: database.clone(),
            clock: Arc::clone(clock),
        }),
        banks: Arc::new(bank::SandboxBanks {
            database: database.clone(),
            clock: Arc::clone(clock),
            public_url: public_url.to_owned(),
        }),
        fiscal: Arc::new(fiscal::SandboxFiscalOffice {
            database: database.clone(),
            clock: Arc::clone(clock),
            public_url: public_url.to_owned(),
        }),
        payouts: Arc::new(payer::SandboxPayer {
            database: database.clone(),
            clock: Arc::clone(clock),
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

/// Nobody plays with real money.
fn only(project: &Project) -> Result<(), Refusal> {
    match project.is_live {
        false => Ok(()),
        true => Err(Refusal::new(
            StatusCode::AccessNotAllowed,
            "this project is live: only projects of the sandbox can be controlled",
        )),
    }
}
