//! Subscriptions: plans of shops, and what customers pay by them, period after period.
//!
//! A subscription's charges are ordinary payments: the first with the payer's card, which binds it, all others of that binding. What
//! comes of a charge is stored with the payment, in one transaction (`charge.rs`); when the next is due, a job says.

mod change;
mod charge;
mod create;
mod plan;
mod record;
mod schedule;
mod states;
mod telling;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use plan::TABLES as PLANS;
pub(crate) use record::{Subscription, TABLES};
