//! The states of a subscription, as one table: what each event does in each state. Nothing else decides what comes after what.

use wire::interface::StatusCode;
use wire::interface::subscription::SubscriptionState;

use crate::states;

/// What happens to a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Event {
    /// Its card is good, or its payer is asked to prove who they are: it waits.
    Wait,
    /// Its first payment goes to the acquirer.
    Begin,
    /// Its first period is paid.
    Pay,
    /// Its first payment has failed, or its card was not good from the beginning.
    Fail,
    /// A further period is paid.
    Renew,
    /// A further period is not paid, and it will be tried again.
    Miss,
    /// It is not to be charged any more, and ends with its period.
    Deactivate,
    /// Its last period is over, or was not paid for too long.
    End,
    /// It ends at once.
    Cancel,
}

use Event as E;
use SubscriptionState as S;

/// The table: every pair that is not here is impossible.
pub(crate) const TABLE: &[(SubscriptionState, Event, SubscriptionState)] = &[
    (S::Init, E::Wait, S::Pending),
    (S::Init, E::Begin, S::Processing),
    (S::Init, E::Fail, S::Inactive),
    (S::Init, E::Cancel, S::Inactive),
    (S::Pending, E::Wait, S::Pending),
    (S::Pending, E::Begin, S::Processing),
    // Its payer has proved who they are.
    (S::Pending, E::Pay, S::Active),
    (S::Pending, E::Fail, S::Inactive),
    (S::Pending, E::End, S::Inactive),
    (S::Pending, E::Cancel, S::Inactive),
    (S::Processing, E::Wait, S::Pending),
    (S::Processing, E::Pay, S::Active),
    (S::Processing, E::Fail, S::Inactive),
    (S::Active, E::Renew, S::Active),
    (S::Active, E::Miss, S::Active),
    (S::Active, E::Deactivate, S::Active),
    (S::Active, E::End, S::Inactive),
    (S::Active, E::Cancel, S::Inactive),
];

/// The state after an event, or why there is none.
pub(crate) fn step(state: &SubscriptionState, event: Event) -> Result<SubscriptionState, StatusCode> {
    states::after(TABLE, state, &event).ok_or(match state {
        S::Inactive => StatusCode::SubscriptionNotActive,
        _ => StatusCode::ActionNotAllowed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Service interface, "Subscription states", line by line. A subscription that is made is `pending` when it is answered, unless it
    /// is paid at once.
    #[test]
    fn subscriptions_go_the_ways_of_the_table() {
        assert_eq!(step(&S::Init, E::Wait), Ok(S::Pending));
        assert_eq!(step(&S::Pending, E::Begin), Ok(S::Processing));
        assert_eq!(step(&S::Processing, E::Pay), Ok(S::Active));
        assert_eq!(step(&S::Pending, E::Pay), Ok(S::Active), "behind a proof");
        assert_eq!(step(&S::Processing, E::Fail), Ok(S::Inactive));
        assert_eq!(step(&S::Active, E::Renew), Ok(S::Active));
        assert_eq!(
            step(&S::Active, E::Deactivate),
            Ok(S::Active),
            "until the next payment date"
        );
        assert_eq!(step(&S::Active, E::End), Ok(S::Inactive), "which is this");
        assert_eq!(step(&S::Active, E::Cancel), Ok(S::Inactive));
    }

    #[test]
    fn what_has_ended_stays() {
        assert!(TABLE.iter().all(|(from, ..)| *from != S::Inactive));
        for event in [E::Cancel, E::Deactivate, E::Renew] {
            assert_eq!(step(&S::Inactive, event), Err(StatusCode::SubscriptionNotActive));
        }
        assert_eq!(step(&S::Processing, E::Cancel), Err(StatusCode::ActionNotAllowed));
    }

    #[test]
    fn every_state_can_be_reached_and_no_pair_stands_twice() {
        for state in S::KNOWN {
            assert!(
                *state == S::Init || TABLE.iter().any(|(.., to)| to == state),
                "{state}"
            );
        }
        for (at, (state, event, _)) in TABLE.iter().enumerate() {
            let twin = TABLE[at + 1..]
                .iter()
                .any(|(other, what, _)| (other, what) == (state, event));
            assert!(!twin, "{state} {event:?}");
        }
    }
}
