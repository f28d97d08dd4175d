#![doc = include_str!("../README.md")]

pub mod address;
pub mod body;
pub mod error;
pub mod headers;
pub mod idempotency;
pub mod limit;
pub mod observe;
pub mod origin;
pub mod query;
pub mod server;
pub mod ticket;
pub mod time;
