//! The states of a payment, as one table: what each event does in each state. Nothing else decides what comes after what.

use wire::interface::StatusCode;

use crate::states;

/// How a payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// Nobody has paid yet.
    Created,
    /// An attempt is at the acquirer.
    Charging,
    /// The payer has to prove who they are.
    Verifying,
    /// The amount is held.
    Held,
    /// It was charged, all or a part of what was held.
    Charged,
    /// The card was verified; there is no money.
    Verified,
    /// All that was held is free again.
    Released,
    /// The last attempt failed and there will be no other.
    Failed,
    /// Nobody paid in time.
    Expired,
}

/// What happens to a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Event {
    /// A card goes to the acquirer, or the payer is back from proving who they are.
    Begin,
    /// The acquirer wants the payer to prove who they are.
    Challenge,
    /// The acquirer holds the amount.
    Hold,
    /// The acquirer has charged the amount.
    Charge,
    /// The acquirer has verified the card.
    Verify,
    /// The attempt failed, and the payer may try again.
    Decline,
    /// The attempt failed for good.
    Fail,
    /// What is held is charged, all of it or less; the rest is free.
    Confirm,
    /// A part of what is held is free.
    ReleasePart,
    /// All of what is held is free.
    ReleaseAll,
    /// Money goes back.
    Refund,
    /// The time to pay is over.
    Expire,
}

use Event as E;
use State as S;

/// The table: every pair that is not here is impossible.
pub(crate) const TABLE: &[(State, Event, State)] = &[
    (S::Created, E::Begin, S::Charging),
    (S::Created, E::Expire, S::Expired),
    (S::Charging, E::Challenge, S::Verifying),
    (S::Charging, E::Hold, S::Held),
    (S::Charging, E::Charge, S::Charged),
    (S::Charging, E::Verify, S::Verified),
    (S::Charging, E::Decline, S::Created),
    (S::Charging, E::Fail, S::Failed),
    (S::Verifying, E::Begin, S::Charging),
    (S::Verifying, E::Decline, S::Created),
    (S::Verifying, E::Fail, S::Failed),
    (S::Verifying, E::Expire, S::Expired),
    (S::Held, E::Confirm, S::Charged),
    (S::Held, E::ReleasePart, S::Held),
    (S::Held, E::ReleaseAll, S::Released),
    (S::Charged, E::Refund, S::Charged),
];

/// The state after an event, or why there is none.
pub(crate) fn step(state: State, event: Event) -> Result<State, StatusCode> {
    states::after(TABLE, &state, &event).ok_or_else(|| impossible(state, event))
}

/// What a shop is told: that it was done before, or that it cannot be done.
fn impossible(state: State, event: Event) -> StatusCode {
    match (state, event) {
        (S::Charged, E::Confirm) | (S::Released, E::ReleasePart | E::ReleaseAll) => {
            StatusCode::ActionAlreadyDone
        }
        (S::Expired, _) => StatusCode::OrderExpired,
        _ => StatusCode::ActionNotAllowed,
    }
}

/// Names in the table of payments.
const NAMES: &[(State, &str)] = &[
    (S::Created, "created"),
    (S::Charging, "charging"),
    (S::Verifying, "verifying"),
    (S::Held, "held"),
    (S::Charged, "charged"),
    (S::Verified, "verified"),
    (S::Released, "released"),
    (S::Failed, "failed"),
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

    /// Whether the order was paid, held or verified under its number.
    pub(crate) fn has_succeeded(self) -> bool {
        matches!(self, S::Held | S::Charged | S::Verified | S::Released)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_is_confirmed_once_and_released_in_parts() {
        assert_eq!(step(S::Held, E::Confirm), Ok(S::Charged));
        assert_eq!(step(S::Charged, E::Confirm), Err(StatusCode::ActionAlreadyDone));
        assert_eq!(step(S::Held, E::ReleasePart), Ok(S::Held));
        assert_eq!(step(S::Held, E::ReleaseAll), Ok(S::Released));
        assert_eq!(
            step(S::Released, E::ReleaseAll),
            Err(StatusCode::ActionAlreadyDone)
        );
        assert_eq!(step(S::Released, E::Confirm), Err(StatusCode::ActionNotAllowed));
        assert_eq!(step(S::Charged, E::ReleaseAll), Err(StatusCode::ActionNotAllowed));
    }

    /// Service interface, "Two-stage payment flow", line by line; of what it does not name, nothing is possible.
    #[test]
    fn two_stages_go_the_ways_of_the_table() {
        let line = [
            (S::Charging, E::Hold, S::Held),
            (S::Held, E::Confirm, S::Charged),
            (S::Held, E::ReleaseAll, S::Released),
            (S::Held, E::ReleasePart, S::Held),
        ];
        for (from, event, to) in line {
            assert_eq!(step(from, event), Ok(to), "{from:?} {event:?}");
        }
        let of_held = TABLE.iter().filter(|(from, ..)| *from == S::Held).count();
        assert_eq!(of_held, 3);
    }

    #[test]
    fn what_is_final_stays() {
        for state in [S::Verified, S::Released, S::Failed, S::Expired] {
            assert!(TABLE.iter().all(|(from, ..)| *from != state), "{state:?}");
        }
    }

    #[test]
    fn every_state_has_a_name_and_can_be_reached() {
        for (state, name) in NAMES {
            assert_eq!(State::named(name), Some(*state));
            assert!(
                *state == S::Created || TABLE.iter().any(|(.., to)| to == state),
                "{state:?}"
            );
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
