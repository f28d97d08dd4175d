//! Projects: who calls.

mod customer;
mod fee;
mod figures;
mod find;
mod registry;

use std::num::NonZeroU32;

use jiff::{SignedDuration, Timestamp};

pub use customer::CustomerToken;
pub use fee::FeeRate;
pub use figures::{Balances, Figures};
pub use find::Found;
pub(crate) use registry::Registry;
pub use registry::{NewProject, Permissions};

/// A project of a partner, under whose credentials calls come.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Project {
    /// Its id, which is its login too, and `api_key` in baskets.
    pub id: String,
    /// The partner that it belongs to, with other projects.
    pub partner: String,
    /// Its name for people.
    pub name: String,
    /// Whether real money is meant. Other projects belong to the sandbox.
    pub is_live: bool,
    /// Whether it may send cards in clear.
    pub may_send_cards: bool,
    /// Whether callbacks may go to private and loopback addresses.
    pub may_call_private: bool,
    /// How far its clock is ahead of the real one; zero outside the sandbox.
    pub clock_offset: SignedDuration,
    /// What its charges cost it.
    pub fee_rate: FeeRate,
    /// Calls per minute, where they are not those of the installation.
    pub rate_limit: Option<NonZeroU32>,
    /// Tokens per minute of one of its widget keys; the sandbox's alone.
    pub token_limit: Option<NonZeroU32>,
    /// Different cards per hour of one of its widget keys; the sandbox's alone.
    pub card_limit: Option<NonZeroU32>,
}

impl Project {
    /// What time it is for the project.
    pub fn now(&self, real: Timestamp) -> Timestamp {
        real.saturating_add(self.clock_offset).unwrap_or(real)
    }
}

/// `password` is sealed by the vault.
pub(crate) const TABLES: &str = "
CREATE TABLE projects (
    id               TEXT PRIMARY KEY,
    partner          TEXT NOT NULL,
    name             TEXT NOT NULL,
    password         BLOB NOT NULL,
    is_live          INTEGER NOT NULL,
    may_send_cards   INTEGER NOT NULL,
    may_call_private INTEGER NOT NULL,
    clock_offset     INTEGER NOT NULL, -- milliseconds
    rate_limit       INTEGER,          -- calls per minute
    token_limit      INTEGER,          -- tokens per minute and widget key
    card_limit       INTEGER,          -- different cards per hour and widget key
    created_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Hundredths of a percent.
pub(crate) const FEES: &str = "
ALTER TABLE projects ADD COLUMN fee_rate INTEGER;
";

#[cfg(test)]
mod tests;
