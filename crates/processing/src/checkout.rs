//! What a payer pays at once: one order, or a basket of them.

pub(crate) mod attempt;
mod basket;
mod conclusion;
mod create;
mod instrument;
pub mod page;
mod payer;
pub(crate) mod record;
mod telling;

#[cfg(test)]
mod tests;
