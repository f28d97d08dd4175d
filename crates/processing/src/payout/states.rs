//! The states of a payout, as one table: what each event does in each state. Nothing else decides what comes after what.

use wire::interface::StatusCode;
use wire::interface::answer::Status;

use crate::states;

/// How a payout stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// The money is reserved; whoever sends it has not answered yet.
    Created,
    /// It is on its way.
    Pending,
    /// It is on its way, and the shop wants it back.
    Cancelling,
    /// The recipient has it.
    Paid,
    /// It has come to nothing; the money is free again.
    Failed,
}

/// What happens to a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Event {
    /// It is on its way, or still is.
    Accept,
    /// The recipient has it.
    Pay,
    /// It has come to nothing.
    Fail,
    /// The shop wants it back.
    Cancel,
    /// It was taken back.
    Withdraw,
}

use Event as E;
use State as S;

/// The table: every pair that is not here is impossible.
pub(crate) const TABLE: &[(State, Event, State)] = &[
    (S::Created, E::Accept, S::Pending),
    (S::Created, E::Pay, S::Paid),
    (S::Created, E::Fail, S::Failed),
    (S::Created, E::Withdraw, S::Failed),
    (S::Pending, E::Accept, S::Pending),
    (S::Pending, E::Pay, S::Paid),
    (S::Pending, E::Fail, S::Failed),
    (S::Pending, E::Withdraw, S::Failed),
    (S::Pending, E::Cancel, S::Cancelling),
    (S::Cancelling, E::Accept, S::Pending),
    (S::Cancelling, E::Pay, S::Paid),
    (S::Cancelling, E::Fail, S::Failed),
    (S::Cancelling, E::Withdraw, S::Failed),
];

/// The state after an event, or why there is none.
pub(crate) fn step(state: State, event: Event) -> Result<State, StatusCode> {
    states::after(TABLE, &state, &event).ok_or(StatusCode::ActionNotAllowed)
}

/// Names in the table of payouts.
const NAMES: &[(State, &str)] = &[
    (S::Created, "created"),
    (S::Pending, "pending"),
    (S::Cancelling, "cancelling"),
    (S::Paid, "paid"),
    (S::Failed, "failed"),
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

    /// What shops are told.
    pub(crate) fn status(self) -> Status {
        match self {
            S::Created => Status::Init,
            S::Pending | S::Cancelling => Status::Pending,
            S::Paid => Status::Success,
            S::Failed => Status::Failure,
        }
    }

    /// Whether nothing comes after it.
    pub(crate) fn is_final(self) -> bool {
        matches!(self, S::Paid | S::Failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Service interface, "Payout statuses", line by line.
    #[test]
    fn statuses_are_those_of_the_interface() {
        for (state, status, means) in [
            (S::Created, "init", "Payout created"),
            (S::Pending, "pending", "In processing"),
            (S::Cancelling, "pending", "In processing"),
            (S::Paid, "success", "Payout succeeded"),
            (S::Failed, "failure", "Payout failed"),
        ] {
            assert_eq!(state.status().as_str(), status, "{means}");
            assert_eq!(State::named(state.name()), Some(state));
        }
    }

    #[test]
    fn every_way_ends_and_what_has_ended_stays() {
        for state in [S::Paid, S::Failed] {
            assert!(state.is_final());
            assert!(TABLE.iter().all(|(from, ..)| *from != state), "{state:?}");
        }
        for state in [S::Created, S::Pending, S::Cancelling] {
            assert!(!state.is_final());
            // Whatever a bank says, it is understood.
            for (event, end) in [(E::Pay, S::Paid), (E::Fail, S::Failed), (E::Withdraw, S::Failed)] {
                assert_eq!(step(state, event), Ok(end), "{state:?}");
            }
        }
    }

    #[test]
    fn a_shop_takes_back_only_what_is_on_its_way() {
        for (state, event, to) in [
            (S::Created, E::Cancel, None),
            (S::Pending, E::Cancel, Some(S::Cancelling)),
            (S::Cancelling, E::Cancel, None),
            (S::Cancelling, E::Withdraw, Some(S::Failed)),
            (S::Cancelling, E::Accept, Some(S::Pending)),
        ] {
            assert_eq!(step(state, event).ok(), to, "{state:?} {event:?}");
        }
    }

    #[test]
    fn no_pair_stands_twice() {
        for (at, (state, event, _)) in TABLE.iter().enumerate() {
            let twin = TABLE[at + 1..]
                .iter()
                .any(|(other, what, _)| (other, what) == (state, event));
            assert!(!twin, "{state:?} {event:?}");
        }
    }
}
