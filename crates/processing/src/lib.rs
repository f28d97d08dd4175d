#![doc = include_str!("../README.md")]

mod callback;
mod checkout;
mod id;
mod job;
mod ledger;
pub mod port;
mod processing;
mod project;
mod refusal;
mod sandbox;
mod schema;
#[cfg(test)]
mod stores;
#[cfg(test)]
mod testing;
mod time;

pub use callback::{Delivered, Delivery, LONGEST_ATTEMPT, Sent};
pub use checkout::page;
pub use database::{DatabaseError, Location};
pub use id::Id;
pub use job::Courier;
pub use processing::{Processing, ProcessingConfig};
pub use project::{CustomerToken, NewProject, Permissions, Project};
pub use refusal::Refusal;
