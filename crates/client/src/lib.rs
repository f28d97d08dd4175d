#![cfg_attr(feature = "http", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "http"),
    doc = "The client of shops' servers, without a network."
)]

pub mod callback;
pub mod credentials;
pub mod error;
pub mod hosted;
#[cfg(feature = "http")]
pub mod http;
pub mod parameters;
pub mod prepare;
pub mod read;
#[cfg(feature = "axum")]
pub mod receiver;
pub mod refund;
pub mod retry;
pub mod wallets;

pub use credentials::{Credentials, Customer};
pub use error::{Error, Refused, Remedy};
#[cfg(feature = "http")]
pub use http::Client;
pub use parameters::parameters;
pub use refund::{InstallmentRefundRequest, RefundAmount, RefundRequest};
/// What travels: requests, answers, callbacks.
pub use wire::interface;
