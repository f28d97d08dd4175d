#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod base64;
mod draft;
#[cfg(feature = "open")]
mod envelope;
mod error;
mod header;
pub mod kdf;

pub use draft::Draft;
#[cfg(feature = "open")]
pub use envelope::Envelope;
pub use error::EnvelopeError;
pub use header::{Claims, Header, Point};
