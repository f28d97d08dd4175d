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

#[cfg(test)]
mod tests {
    use wire::interface::call::CALLS;

    use super::*;

    #[test]
    fn every_call_of_the_interface_is_answered_and_no_other() {
        let answered: Vec<_> = calls().iter().map(Call::address).collect();
        let told: Vec<_> = CALLS
            .iter()
            .map(|call| (call.method.as_str().to_owned(), call.path))
            .collect();
        assert_eq!(answered, told);
    }
}
