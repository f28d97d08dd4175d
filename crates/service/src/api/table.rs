//! Every call, in the order of the interface: a file for each family.

mod baskets;
mod payments;
mod saved_cards;

use super::call::Call;

pub(crate) fn calls() -> Vec<Call> {
    let all = payments::calls().into_iter().chain(baskets::calls());
    all.chain(saved_cards::calls()).collect()
}
