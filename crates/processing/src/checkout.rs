//! What a payer pays at once: one order, or a basket of them.

pub(crate) mod attempt;
mod basket;
mod conclusion;
pub(crate) mod create;
pub(crate) mod instrument;
pub mod page;
mod payer;
pub(crate) mod record;
mod telling;
pub(crate) mod whole;

#[cfg(test)]
pub(crate) mod tests;
