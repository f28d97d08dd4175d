//! The states of an installment order, as one table: what each event does in each state. Nothing else decides what comes after what.

use wire::interface::StatusCode;

use crate::states;

/// How an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// The bank has not heard of it, or not answered yet.
    Created,
    /// The bank waits for the payer, in its app or on a page.
    Waiting,
    /// The payer has agreed, and the shop has yet to confirm.
    Signed,
    /// The bank pays.
    Confirmed,
    /// The shop has taken it back.
    Cancelled,
    /// The bank or the payer said no.
    Rejected,
    /// The payer did not agree in time.
    Expired,
}

/// What happens to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Event {
    /// The bank asks the payer.
    Ask,
    /// The payer has agreed.
    Sign,
    /// The bank or the payer says no.
    Reject,
    /// The time to agree is over.
    Expire,
    /// The shop confirms.
    Confirm,
    /// The shop takes it back.
    Cancel,
    /// Money goes back.
    Refund,
}

use Event as E;
use State as S;

/// The table: every pair that is not here is impossible.
pub(crate) const TABLE: &[(State, Event, State)] = &[
    (S::Created, E::Ask, S::Waiting),
    (S::Created, E::Sign, S::Signed),
    (S::Created, E::Reject, S::Rejected),
    (S::Waiting, E::Sign, S::Signed),
    (S::Waiting, E::Reject, S::Rejected),
    (S::Waiting, E::Expire, S::Expired),
    (S::Waiting, E::Cancel, S::Cancelled),
    (S::Signed, E::Confirm, S::Confirmed),
    (S::Signed, E::Cancel, S::Cancelled),
    (S::Confirmed, E::Refund, S::Confirmed),
];

/// The state after an event, or why there is none.
pub(crate) fn step(state: State, event: Event) -> Result<State, StatusCode> {
    states::after(TABLE, &state, &event).ok_or_else(|| impossible(state, event))
}

/// What a shop is told: that it was done before, or that it cannot be done.
fn impossible(state: State, event: Event) -> StatusCode {
    match (state, event) {
        (S::Confirmed, E::Confirm) | (S::Cancelled, E::Cancel) => StatusCode::ActionAlreadyDone,
        (S::Expired, _) => StatusCode::OrderExpired,
        _ => StatusCode::ActionNotAllowed,
    }
}

/// Names in the table of installment orders.
const NAMES: &[(State, &str)] = &[
    (S::Created, "created"),
    (S::Waiting, "waiting"),
    (S::Signed, "signed"),
    (S::Confirmed, "confirmed"),
    (S::Cancelled, "cancelled"),
    (S::Rejected, "rejected"),
    (S::Expired, "expired"),
];

impl State {
    /// Its name in the store.
    pub(crate) fn name(self) -> &'static str {
        states::name(NAMES, self)
    }

    /// The state of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        states::named(NAMES, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Service interface, "Installment order", line by line; of what it does not name, nothing is possible.
    #[test]
    fn orders_go_the_ways_of_the_table() {
        for (from, event, to) in [
            (S::Signed, E::Confirm, Ok(S::Confirmed)),
            (S::Confirmed, E::Confirm, Err(StatusCode::ActionAlreadyDone)),
            (S::Waiting, E::Confirm, Err(StatusCode::ActionNotAllowed)),
            (S::Waiting, E::Cancel, Ok(S::Cancelled)),
            (S::Signed, E::Cancel, Ok(S::Cancelled)),
            (S::Confirmed, E::Cancel, Err(StatusCode::ActionNotAllowed)),
            (S::Cancelled, E::Cancel, Err(StatusCode::ActionAlreadyDone)),
            (S::Confirmed, E::Refund, Ok(S::Confirmed)),
            (S::Signed, E::Refund, Err(StatusCode::ActionNotAllowed)),
            (S::Expired, E::Confirm, Err(StatusCode::OrderExpired)),
        ] {
            assert_eq!(step(from, event), to, "{from:?} {event:?}");
        }
    }

    #[test]
    fn what_is_final_stays() {
        for state in [S::Cancelled, S::Rejected, S::Expired] {
            assert!(TABLE.iter().all(|(from, ..)| *from != state), "{state:?}");
        }
    }

    #[test]
    fn every_state_has_a_name_and_can_be_reached() {
        for (state, name) in NAMES {
            assert_eq!(State::named(name), Some(*state));
            let is_reached = TABLE.iter().any(|(.., to)| to == state);
            assert!(*state == S::Created || is_reached, "{state:?}");
        }
    }
}
