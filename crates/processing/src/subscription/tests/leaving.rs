//! Customers who leave, or change their mind.

use serde_json::json;
use wire::interface::{StatusCode, read};

use super::{ASKS, GOOD, customer};
use crate::checkout::tests::secret;
use crate::port::acquirer::Proof;
use crate::testing::{Place, in_both};

fn renews(place: &Place, id: &str, auto_renew: bool) -> Result<(), StatusCode> {
    let change = read(json!({ "auto_renew": auto_renew }).to_string().as_bytes()).unwrap();
    let changed = place
        .processing
        .change_subscription(&place.sandbox(), &customer("anna"), id, change);
    changed.map(drop).map_err(|refusal| refusal.code)
}

fn deactivate(place: &Place, id: &str) -> Result<(), StatusCode> {
    let done = place
        .processing
        .deactivate_subscription(&place.sandbox(), &customer("anna"), id);
    done.map(drop).map_err(|refusal| refusal.code)
}

fn cancel(place: &Place, id: &str, refund: bool) -> Result<(), StatusCode> {
    let done = place
        .processing
        .cancel_subscription(&place.sandbox(), &customer("anna"), id, refund);
    done.map(drop).map_err(|refusal| refusal.code)
}

#[test]
fn deactivated_it_lasts_until_its_period_is_over() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        let plan = place.plan(json!({})).unwrap();
        let id = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription.id;
        assert_eq!(deactivate(place, &id), Ok(()));
        assert_eq!(deactivate(place, &id), Ok(()), "again");
        place.advance_to("2027-02-28T09:00:00Z", &heard);
        let still = place.look(&id);
        assert_eq!((still.state.as_str(), still.auto_renew), ("active", false));
        place.advance_to("2027-04-01T00:00:00Z", &heard);
        assert_eq!(
            heard.lines(),
            [
                "payment_success 100.00 success active 2027-02-28",
                "subscription_deactivated active 2027-02-28",
                "subscription_deactivated inactive -",
            ]
        );
        assert_eq!(place.days(&id).len(), 1);
        assert_eq!(deactivate(place, &id), Err(StatusCode::SubscriptionNotActive));
        assert_eq!(renews(place, &id, true), Err(StatusCode::SubscriptionNotActive));
        assert_eq!(cancel(place, &id, true), Err(StatusCode::SubscriptionNotActive));
    });
}

#[test]
fn whoever_renews_again_goes_on() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        let plan = place.plan(json!({})).unwrap();
        let id = place
            .subscribe(&plan, GOOD, json!({ "auto_renew": false }))
            .unwrap()
            .subscription
            .id;
        assert_eq!(renews(place, &id, true), Ok(()));
        place.advance_to("2027-03-01T00:00:00Z", &heard);
        assert_eq!(place.days(&id).len(), 2);
        assert_eq!(renews(place, &id, false), Ok(()));
        place.processing.delete_plan(&place.sandbox(), &plan).unwrap();
        assert_eq!(renews(place, &id, true), Err(StatusCode::PlanNotActive));
        place.advance_to("2027-05-01T00:00:00Z", &heard);
        assert_eq!(
            (place.days(&id).len(), place.look(&id).state.as_str()),
            (2, "inactive")
        );
    });
}

#[test]
fn subscriptions_of_a_deleted_plan_go_on() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        let plan = place.plan(json!({})).unwrap();
        let id = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription.id;
        place.processing.delete_plan(&place.sandbox(), &plan).unwrap();
        place.advance_to("2027-03-01T00:00:00Z", &heard);
        assert_eq!(place.days(&id).len(), 2);
    });
}

#[test]
fn cancelled_it_ends_at_once_and_its_period_may_be_given_back() {
    in_both(|place| {
        for refund in [false, true] {
            let heard = place.on_the_last_of_january();
            let plan = place.plan(json!({})).unwrap();
            let id = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription.id;
            place.advance_to("2027-02-28T12:00:00Z", &heard);
            let _ = heard.lines();
            assert_eq!(cancel(place, &id, refund), Ok(()));
            assert_eq!(place.look(&id).state.as_str(), "inactive");
            place.advance_to("2027-06-01T00:00:00Z", &heard);
            let mut expected = vec!["subscription_cancelled inactive -"];
            if refund {
                expected.push("subscription_refunded 100.00 success inactive -");
            }
            assert_eq!(heard.lines(), expected);
            let given_back: Vec<_> = place
                .paid(&id)
                .iter()
                .map(|paid| paid.details.amount_refunded.minor())
                .collect();
            assert_eq!(given_back, [0, if refund { 10_000 } else { 0 }]);
        }
    });
}

#[test]
fn a_refund_that_cannot_be_leaves_the_subscription_as_it_is() {
    in_both(|place| {
        let _ = place.on_the_last_of_january();
        let plan = place.plan(json!({})).unwrap();
        let id = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription.id;
        place
            .step(crate::Processing::refund, &format!("{id}-1"), None)
            .unwrap();
        assert!(cancel(place, &id, true).is_err());
        assert_eq!(place.look(&id).state.as_str(), "active");
        assert_eq!(cancel(place, &id, false), Ok(()));
    });
}

#[test]
fn nobody_pays_for_what_was_left_before_it_began() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        // Left while the payer is to prove who they are.
        let plan = place.plan(json!({})).unwrap();
        let asked = place.subscribe(&plan, ASKS, json!({})).unwrap();
        assert_eq!(cancel(place, &asked.subscription.id, false), Ok(()));
        let secret = secret(&asked.payment.user_action.unwrap().value);
        place.processing.answer_challenge(&secret, Proof::Passed).unwrap();
        // Left before its start.
        let later = json!({ "start_date": "2027-03-01T00:00:00Z" });
        let waits = place.subscribe(&plan, GOOD, later).unwrap();
        assert_eq!(deactivate(place, &waits.subscription.id), Ok(()));
        place.advance_to("2027-06-01T00:00:00Z", &heard);
        for id in [&asked.subscription.id, &waits.subscription.id] {
            assert_eq!(place.look(id).state.as_str(), "inactive");
            assert!(
                place
                    .paid(id)
                    .iter()
                    .all(|paid| paid.details.amount.is_zero() || paid.details.status.as_str() == "failure")
            );
        }
        assert_eq!(place.count("SELECT COUNT(*) FROM payments WHERE charged > 0"), 0);
    });
}
