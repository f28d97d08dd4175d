//! A clock that jumps back, as when somebody sets it or a machine wakes with another time.

use vault::{Cleaned, IssueError, OperationId};

use super::support::*;

#[test]
fn what_was_answered_outlives_a_clock_that_jumps_back() {
    let place = Place::new();
    let vault = place.open();
    let submit = Submit::new(&vault, place.now());
    let issued = submit.send(&vault).unwrap();
    // Two hours back: the clock's addition wraps.
    place.advance(0_u64.wrapping_sub(7200));

    assert_eq!(vault.clean().unwrap(), Cleaned::default(), "nothing is old");
    let again = submit.send(&vault).unwrap();
    assert!(
        again.repeated && again.token == issued.token,
        "one request, one token"
    );
    let mut other_body = Submit::new(&vault, NOW);
    other_body.key = submit.key.clone();
    assert!(matches!(
        other_body.send(&vault),
        Err(IssueError::IdempotencyConflict | IssueError::EnvelopeMismatch)
    ));
    drop(vault);

    // Also where the service is started again in that earlier hour.
    let vault = place.open();
    let operation = OperationId::new("op").unwrap();
    let redeemed = vault.redeem(PROJECT, &issued.token, &operation).unwrap();
    assert!(redeemed.has_code, "the key of its hour is not old either");
    let number = vault
        .use_card(&redeemed, |card| card.number.expose().to_owned())
        .unwrap();
    assert_eq!(number, VISA);

    // And new tokens are issued, before their time as it were.
    let new = Submit::new(&vault, place.now()).send(&vault).unwrap();
    assert!(vault.recognise(PROJECT, &new.token).unwrap().is_some());
    place.advance(7200);
    assert!(vault.recognise(PROJECT, &issued.token).unwrap().is_some());
}
