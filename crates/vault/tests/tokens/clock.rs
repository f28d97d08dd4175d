//! A clock that jumps back, as when somebody sets it or a machine wakes with another time.

use vault::{Cleaned, IssueError, OperationId, Purpose, Replay};

use super::support::*;

/// Seconds. The sealing key of a new store takes no more than an hour before its start.
const BACK: u64 = 1800;

#[test]
fn what_was_answered_outlives_a_clock_that_jumps_back() {
    let place = Place::new();
    let vault = place.open();
    let submit = Submit::new(&vault, place.now());
    let issued = submit.send(&vault).unwrap();
    // Half an hour, so into the hour before; the clock's addition wraps.
    place.advance(0_u64.wrapping_sub(BACK));

    assert_eq!(vault.clean().unwrap(), Cleaned::default(), "nothing is old");
    // The envelope is of the future now, so the request would be refused; the service then asks for the answer.
    let again = submit.send(&vault);
    assert!(matches!(again, Err(IssueError::EnvelopeMismatch)));
    match vault.replay(PROJECT, &submit.key, &submit.body_hash) {
        Ok(Replay::Answer(again)) => assert_eq!(again.token, issued.token, "one request, one token"),
        other => panic!("{other:?}"),
    }
    let other_body = vault.replay(PROJECT, &submit.key, &random());
    assert!(matches!(other_body, Ok(Replay::Conflict)));
    drop(vault);

    // Also where the service is started again in that earlier hour.
    let vault = place.open();
    let operation = OperationId::new("op").unwrap();
    let redeemed = vault
        .redeem(PROJECT, &issued.token, &operation, Purpose::PAY)
        .unwrap();
    assert!(redeemed.has_code, "the key of its hour is not old either");
    let number = vault
        .use_card(&redeemed, |card| card.number.expose().to_owned())
        .unwrap();
    assert_eq!(number, VISA);

    // And new tokens are issued, before their time as it were.
    let new = Submit::new(&vault, place.now()).send(&vault).unwrap();
    assert!(vault.recognise(PROJECT, &new.token).unwrap().is_some());
    place.advance(BACK);
    assert!(vault.recognise(PROJECT, &issued.token).unwrap().is_some());
}
