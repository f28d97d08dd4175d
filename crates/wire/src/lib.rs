#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod app;
pub mod boot;
pub mod code;
pub mod error;
#[cfg(feature = "interface")]
pub mod interface;
pub mod payload;
pub mod text;
pub mod token;
pub mod widget;

pub use code::Code;
pub use error::ErrorBody;
