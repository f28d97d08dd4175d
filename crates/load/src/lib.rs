#![doc = include_str!("../README.md")]

pub mod bench;
pub mod boot;
pub mod connection;
mod copies;
pub mod drive;
pub mod envelope;
pub mod figures;
pub mod growth;
pub mod metrics;
pub mod payments;
pub mod place;
pub mod postgresql;
pub mod process;
pub mod reports;
pub mod service;
pub mod soak;
pub mod submission;
pub mod torture;
