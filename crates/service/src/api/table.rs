//! Every call, in the order of the interface: a file for each family.

mod baskets;
mod installments;
mod payments;
mod payouts;
mod reports;
mod saved_cards;
mod subscriptions;

use super::call::Call;

pub(crate) fn calls() -> Vec<Call> {
    let all = payments::calls().into_iter().chain(baskets::calls());
    let all = all.chain(saved_cards::calls());
    let all = all.chain(payouts::calls());
    let all = all.chain(subscriptions::calls());
    let all = all.chain(reports::calls());
    all.chain(installments::calls()).collect()
}
