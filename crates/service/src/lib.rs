#![doc = include_str!("../README.md")]

pub mod address;
pub mod admission;
pub mod alive;
pub mod app;
pub mod apps;
pub mod assets;
pub mod body;
pub mod boot;
pub mod cards;
pub mod config;
pub mod error;
pub mod frame;
pub mod headers;
pub mod idempotency;
pub mod inventory;
pub mod known;
pub mod languages;
pub mod limit;
pub mod metrics;
pub mod observe;
pub mod operator;
pub mod origin;
pub mod query;
pub mod readiness;
pub mod reference;
pub mod router;
pub mod run;
pub mod server;
pub mod texts;
pub mod ticket;
pub mod time;
pub mod tokens;
pub mod waiting;

pub use app::{App, AppConfig};
pub use router::router;
