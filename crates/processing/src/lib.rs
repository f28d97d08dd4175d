#![doc = include_str!("../README.md")]

mod checkout;
mod id;
mod processing;
mod project;
mod refusal;
mod schema;
mod time;

pub use checkout::page;
pub use id::Id;
pub use processing::{Processing, ProcessingConfig};
pub use project::Project;
pub use refusal::Refusal;
