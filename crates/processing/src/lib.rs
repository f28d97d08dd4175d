#![doc = include_str!("../README.md")]

mod binding;
mod callback;
mod checkout;
mod fiscal;
mod id;
mod installment;
mod job;
mod ledger;
#[cfg(test)]
mod model;
mod operation;
mod order;
mod owner;
mod payment;
mod payout;
pub mod port;
mod processing;
mod project;
#[cfg(test)]
mod recovery;
mod refund;
mod refusal;
pub mod report;
mod sandbox;
mod saved;
mod schema;
mod secret;
mod states;
#[cfg(test)]
mod stores;
mod subscription;
#[cfg(test)]
mod testing;
mod time;

pub use callback::{Delivered, Delivery, LONGEST_ATTEMPT, Sent};
pub use checkout::page;
pub use database::{DatabaseError, Location};
pub use id::Id;
pub use installment::page as installment_page;
pub use job::Courier;
pub use processing::{Processing, ProcessingConfig, open_tables};
pub use project::{Balances, CustomerToken, FeeRate, Figures, Found, NewProject, Permissions, Project};
pub use refusal::Refusal;
