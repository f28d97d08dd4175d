#![doc = include_str!("../README.md")]
#![no_std]
extern crate alloc;

mod buffer;
mod card;
mod edit;
mod error;
mod format;
mod history;
mod test_numbers;

pub mod brand;
pub mod code;
pub mod digits;
pub mod expiry;
pub mod form;
pub mod number;

pub use brand::{Brand, Brands};
pub use card::{Card, CardError, Field, FormKind};
pub use code::{Code, CodeLength};
pub use edit::{Edit, difference};
pub use error::{ErrorId, State, Verdict};
pub use expiry::{Expiry, UnixSeconds};
pub use form::{FieldView, Form};
pub use number::Pan;
