//! The service interface beyond tokenization: what shops' servers send and get.
//!
//! Each resource is one file. A type that comes from a shop reads leniently where running clients need it (`null` and
//! empty text for "absent", unknown members, amounts as numbers or text) and strictly everywhere else; what it lets
//! through is within its limits. JSON Schemas, and so the OpenAPI document and TypeScript, are derived from the same types.

pub mod amount;
pub mod answer;
pub mod basket;
pub mod call;
pub mod callback;
pub mod code;
pub mod customer;
pub mod info;
pub mod installment;
pub mod lenient;
pub mod metadata;
pub mod method;
pub mod moment;
pub mod payment;
pub mod payout;
pub mod plan;
pub mod product;
pub mod query;
pub mod read;
pub mod recipient;
pub mod report;
pub mod sandbox;
pub mod saved;
pub mod steps;
pub mod subscription;
pub mod values;
mod words;

pub use amount::{Amount, Currency};
pub use code::StatusCode;
pub use read::{Wrong, read, read_answer};
pub use words::Word;
