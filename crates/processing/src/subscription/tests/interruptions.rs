//! Processes that end in the midst of a charge, and instances that share the work.

use std::thread;

use serde_json::json;

use super::{GOOD, customer};
use crate::recovery::until;
use crate::testing::{Place, in_both};

const DAY: u64 = 86_400_000;

/// Lets the time pass after which jobs take up what was interrupted.
fn recover(place: &Place) {
    for _ in 0..3 {
        place.clock.advance(121_000);
        while place.processing.run_job().unwrap() {}
    }
}

#[test]
fn a_renewal_that_is_cut_off_anywhere_is_charged_once_and_told_once() {
    in_both(|place| {
        let daily = json!({ "frequency_type": "daily", "duration_periods": 100 });
        for looks in 0.. {
            let plan = place.plan(daily.clone()).unwrap();
            let id = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription.id;
            place.clock.advance(DAY);
            let was_done = until(Some(looks), || while place.processing.run_job().unwrap() {}).is_some();
            recover(place);
            let statuses: Vec<_> = place
                .paid(&id)
                .iter()
                .map(|paid| paid.details.status.to_string())
                .collect();
            assert_eq!(statuses, ["success", "success"], "cut at {looks}");
            assert_eq!(
                place.count("SELECT COUNT(*) FROM subscriptions WHERE charging IS NOT NULL"),
                0
            );
            assert_eq!(
                place.count("SELECT COUNT(*) FROM orders WHERE holder IS NOT NULL"),
                0
            );
            let told = place.count("SELECT COUNT(*) FROM callbacks");
            assert_eq!(told, 3 + 4 * looks as u64, "cut at {looks}");
            place
                .processing
                .cancel_subscription(&place.sandbox(), &customer("anna"), &id, false)
                .unwrap();
            if was_done {
                assert!(looks > 5, "a renewal looks at the clock more often");
                break;
            }
        }
    });
}

#[test]
fn instances_share_renewals_and_do_none_twice() {
    in_both(|place| {
        let plan = place.plan(json!({})).unwrap();
        let ids: Vec<_> = (0..12)
            .map(|number| {
                let token = json!({ "type": "cc_token", "cc_token": { "token": place.token(GOOD) } });
                let body = json!({
                    "plan_id": plan, "result_url": "https://shop.example/back", "start_date": "2026-01-01T00:00:00Z",
                    "customer": { "payment_method": token },
                });
                let request = wire::interface::read(body.to_string().as_bytes()).unwrap();
                let holder = customer(&format!("customer {number}"));
                place.processing.subscribe(&place.sandbox(), &holder, request).unwrap().subscription.id
            })
            .collect();
        place.clock.advance(31 * DAY);
        let instances = [place.processing.clone(), place.beside()];
        thread::scope(|scope| {
            for instance in instances.iter().cycle().take(6) {
                scope.spawn(|| while instance.run_job().unwrap() {});
            }
        });
        recover(place);
        let charged = place.count("SELECT COUNT(*) FROM payments WHERE charged > 0");
        assert_eq!(charged, 2 * ids.len() as u64);
        assert_eq!(place.count("SELECT COUNT(*) FROM subscription_payments"), charged);
    });
}
