//! Installment orders: the bank pays the shop at once, and the payer pays the bank in parts.
//!
//! An order is asked of its bank, agreed to by the payer, and confirmed by the shop; from there on its money is like that of a payment that
//! was charged. What the bank is asked for counts as held from the beginning.

mod answer;
mod ask;
mod card;
mod create;
mod info;
pub mod page;
mod payer;
mod record;
pub(crate) mod states;
mod steps;

#[cfg(test)]
mod tests;

pub(crate) use payer::pushes;
pub(crate) use record::{Order, TABLES};
