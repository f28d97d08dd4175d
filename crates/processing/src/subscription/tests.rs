//! Subscriptions from the plan to the last period, on both databases.

mod interruptions;
mod leaving;
mod methods;
mod refusals;
mod year;

use std::sync::Mutex;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use wire::interface::read;
use wire::interface::subscription::{Subscribed, Subscription, SubscriptionCallback, SubscriptionPayment};
use wire::interface::values::ExternalId;

use crate::checkout::tests::{merge, secret};
use crate::port::acquirer::Proof;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};
use crate::{Courier, Delivery, Sent};

/// Pays without a challenge.
const GOOD: &str = "4111111111111111";
/// Pays after a challenge.
const ASKS: &str = "4242424242424242";
/// Is rejected.
const BAD: &str = "4444333322221111";

/// Takes every callback and keeps it: as a line of event, amount, state and next date; then address, body and signature.
#[derive(Default)]
pub(crate) struct Heard(Mutex<Vec<(String, [String; 3])>>);

impl Courier for Heard {
    fn send(&self, delivery: &Delivery) -> Sent {
        let body: SubscriptionCallback = serde_json::from_str(&delivery.body).unwrap();
        let paid = body
            .payment
            .map_or(String::new(), |paid| format!(" {} {}", paid.amount, paid.status));
        let next = body.subscription.next_payment_date.map_or("-".into(), day);
        let line = format!("{}{paid} {} {next}", body.event, body.subscription.state);
        let sent = [&delivery.url, &delivery.body, &delivery.signature].map(String::clone);
        self.0.lock().unwrap().push((line, sent));
        Sent {
            result: Ok(200),
            took: Duration::ZERO,
        }
    }
}

impl Heard {
    /// What was heard since the last look.
    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().drain(..).map(|(line, _)| line).collect()
    }
}

fn day(time: Timestamp) -> String {
    time.to_string()[..10].to_owned()
}

pub(crate) fn customer(name: &str) -> ExternalId {
    ExternalId::new(name).unwrap()
}

impl Place {
    /// A monthly plan of 100 for a year, unless more is said.
    pub(crate) fn plan(&self, more: Value) -> Result<String, Refusal> {
        let mut plan = json!({
            "name": "Coffee", "price": 100, "currency": "UAH", "frequency_type": "monthly", "frequency": 1,
            "duration_periods": 12, "start_date": "2026-01-01T00:00:00Z",
        });
        merge(&mut plan, more);
        let plan = read(plan.to_string().as_bytes())?;
        self.processing
            .create_plan(&self.sandbox(), plan)
            .map(|plan| plan.id)
    }

    /// Anna subscribes.
    pub(crate) fn subscribe(&self, plan: &str, number: &str, more: Value) -> Result<Subscribed, Refusal> {
        let mut body = json!({
            "plan_id": plan, "result_url": "https://shop.example/back", "start_date": "2026-01-01T00:00:00Z",
            "callback_url": "https://shop.example/heard",
            "customer": { "payment_method": { "type": "cc_token", "cc_token": { "token": self.token(number) } } },
        });
        merge(&mut body, more);
        let request = read(body.to_string().as_bytes())?;
        self.processing
            .subscribe(&self.sandbox(), &customer("anna"), request)
    }

    /// Advances the sandbox's clock to a time.
    pub(crate) fn advance_to(&self, time: &str, heard: &Heard) {
        let until = time.parse().unwrap();
        self.processing.advance("sandbox", until, heard).unwrap();
    }

    pub(crate) fn look(&self, id: &str) -> Subscription {
        self.processing
            .subscription(&self.sandbox(), &customer("anna"), id)
            .unwrap()
    }

    pub(crate) fn paid(&self, id: &str) -> Vec<SubscriptionPayment> {
        self.processing
            .subscription_payments(&self.sandbox(), &customer("anna"), id)
            .unwrap()
    }

    /// `day amount status`, of all payments.
    fn days(&self, id: &str) -> Vec<String> {
        let paid = self.paid(id);
        let line = |paid: &SubscriptionPayment| {
            let details = &paid.details;
            format!(
                "{} {} {}",
                day(details.created_at),
                details.amount,
                details.status
            )
        };
        paid.iter().map(line).collect()
    }

    /// The clock shows 31 January 2027, and nothing is left of what was before.
    fn on_the_last_of_january(&self) -> Heard {
        let heard = Heard::default();
        self.processing.reset(&self.sandbox()).unwrap();
        self.advance_to("2027-01-31T10:00:00Z", &heard);
        heard
    }
}

#[test]
fn a_month_is_paid_at_once_and_each_further_one_on_its_day() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        let plan = place.plan(json!({ "duration_periods": 4 })).unwrap();
        let made = place.subscribe(&plan, GOOD, json!({})).unwrap();
        let (payment, subscription) = (made.payment, made.subscription);
        assert_eq!(
            (
                payment.details.status.as_str(),
                payment.details.status_code.as_str()
            ),
            ("success", "subscription_successful")
        );
        assert_eq!(payment.user_action, None);
        assert_eq!(subscription.state.as_str(), "active");
        assert_eq!(
            subscription.next_payment_date.map(day).as_deref(),
            Some("2027-02-28")
        );
        place.advance_to("2027-02-28T09:59:00Z", &heard);
        assert_eq!(
            heard.lines(),
            ["payment_success 100.00 success active 2027-02-28"]
        );
        assert_eq!(place.days(&subscription.id).len(), 1);
        place.advance_to("2027-12-31T00:00:00Z", &heard);
        assert_eq!(
            place.days(&subscription.id),
            [
                "2027-01-31 100.00 success",
                "2027-02-28 100.00 success",
                "2027-03-31 100.00 success",
                "2027-04-30 100.00 success"
            ]
        );
        assert_eq!(
            heard.lines(),
            [
                "payment_success 100.00 success active 2027-03-31",
                "subscription_renewed 100.00 success active 2027-03-31",
                "payment_success 100.00 success active 2027-04-30",
                "subscription_renewed 100.00 success active 2027-04-30",
                "payment_success 100.00 success active 2027-05-31",
                "subscription_renewed 100.00 success active 2027-05-31",
                "subscription_deactivated inactive -",
            ]
        );
        let ended = place.look(&subscription.id);
        assert_eq!(
            (ended.state.as_str(), ended.next_payment_date),
            ("inactive", None)
        );
        // The payments are ordinary ones.
        let info = place
            .processing
            .info(&place.sandbox(), &format!("{}-3", subscription.id))
            .unwrap();
        assert_eq!((info.amount.minor(), info.purchased), (10_000, true));
    });
}

#[test]
fn what_a_period_costs_depends_on_trial_and_plan() {
    in_both(|place| {
        for (terms, expected) in [
            (json!({}), ["100.00"; 4]),
            (json!({ "price": 0 }), ["100.00"; 4]),
            (json!({ "price": 7.5 }), ["7.50"; 4]),
            (json!({ "price": 1, "trial_periods": 2 }), ["1.00"; 4]),
            (
                json!({ "price": 1, "trial_periods": 2, "use_plan_price_on_auto_renew": true }),
                ["1.00", "1.00", "100.00", "100.00"],
            ),
            (
                json!({ "price": "1.00", "use_plan_price_on_auto_renew": true }),
                ["1.00", "100.00", "100.00", "100.00"],
            ),
            (
                json!({ "trial_periods": 3, "use_plan_price_on_auto_renew": false }),
                ["100.00"; 4],
            ),
        ] {
            let heard = place.on_the_last_of_january();
            let plan = place.plan(json!({ "duration_periods": 4 })).unwrap();
            let made = place.subscribe(&plan, GOOD, terms.clone()).unwrap();
            place.advance_to("2027-12-31T00:00:00Z", &heard);
            let paid = place.paid(&made.subscription.id);
            let amounts: Vec<_> = paid.iter().map(|paid| paid.details.amount.to_string()).collect();
            assert_eq!(amounts, expected, "{terms}");
        }
    });
}

#[test]
fn a_changed_price_and_an_end_hold_from_the_next_charge_on() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        let plan = place.plan(json!({})).unwrap();
        let made = place.subscribe(&plan, GOOD, json!({})).unwrap();
        let change = |change: Value| {
            let change = read(change.to_string().as_bytes()).unwrap();
            place
                .processing
                .change_plan(&place.sandbox(), &plan, change)
                .unwrap();
        };
        change(json!({ "price": 120, "frequency_type": "daily", "name": "" }));
        place.advance_to("2027-03-01T00:00:00Z", &heard);
        change(json!({ "end_date": "2027-03-20" }));
        place.advance_to("2027-06-01T00:00:00Z", &heard);
        assert_eq!(
            place.days(&made.subscription.id),
            ["2027-01-31 100.00 success", "2027-02-28 120.00 success"]
        );
        assert_eq!(
            heard.lines().last().unwrap(),
            "subscription_deactivated inactive -"
        );
        assert_eq!(
            place.processing.plan(&place.sandbox(), &plan).unwrap().name,
            "Coffee"
        );
    });
}

#[test]
fn a_start_that_is_yet_to_come_is_waited_for() {
    in_both(|place| {
        for (number, asks) in [(GOOD, false), (ASKS, true)] {
            let heard = place.on_the_last_of_january();
            let plan = place
                .plan(json!({ "duration_periods": 2, "start_date": "2027-02-10T08:00:00+02:00" }))
                .unwrap();
            let later = json!({ "start_date": "2027-02-05T00:00:00Z" });
            let made = place.subscribe(&plan, number, later).unwrap();
            let id = made.subscription.id;
            assert_eq!(made.payment.details.amount.minor(), 0);
            assert_eq!(made.payment.user_action.is_some(), asks);
            if let Some(action) = made.payment.user_action {
                let secret = secret(&action.value);
                place.processing.answer_challenge(&secret, Proof::Passed).unwrap();
            }
            let waits = place.look(&id);
            assert_eq!(waits.state.as_str(), "pending");
            assert_eq!(
                waits.next_payment_date,
                Some("2027-02-10T06:00:00Z".parse().unwrap())
            );
            place.advance_to("2027-02-10T05:59:59Z", &heard);
            assert_eq!(heard.lines(), Vec::<String>::new());
            place.advance_to("2027-02-10T06:00:01Z", &heard);
            assert_eq!(
                heard.lines(),
                ["payment_success 100.00 success active 2027-03-10"]
            );
            assert_eq!(
                place.days(&id),
                ["2027-01-31 0.00 success", "2027-02-10 100.00 success"]
            );
        }
    });
}

#[test]
fn a_first_payment_may_need_a_proof_and_is_final() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        for (number, proof, state) in [
            (ASKS, Some(Proof::Passed), "active"),
            (ASKS, Some(Proof::Failed), "inactive"),
            (BAD, None, "inactive"),
        ] {
            let plan = place.plan(json!({})).unwrap();
            let made = place.subscribe(&plan, number, json!({})).unwrap();
            if let Some(proof) = proof {
                assert_eq!(made.subscription.state.as_str(), "pending");
                let action = made.payment.user_action.unwrap();
                let secret = secret(&action.value);
                assert!(place.processing.challenge(&secret).is_ok());
                place.processing.answer_challenge(&secret, proof).unwrap();
            } else {
                assert_eq!(made.payment.details.status_code.as_str(), "transaction_rejected");
            }
            assert_eq!(
                place.look(&made.subscription.id).state.as_str(),
                state,
                "{number} {proof:?}"
            );
        }
        place.advance_to("2027-01-31T11:00:00Z", &heard);
        let mut lines = heard.lines();
        lines.sort();
        assert_eq!(
            lines,
            [
                "payment_failed 100.00 failure inactive -",
                "payment_failed 100.00 failure inactive -",
                "payment_success 100.00 success active 2027-02-28"
            ]
        );
    });
}

#[test]
fn a_renewal_that_fails_is_tried_for_three_days_more() {
    in_both(|place| {
        for (failures, ends) in [(1, false), (3, false), (4, true)] {
            let heard = place.on_the_last_of_january();
            let plan = place.plan(json!({})).unwrap();
            let id = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription.id;
            let fault = json!({
                "path": "/api/subscriptions/v1/subscriptions", "kind": "forced_result", "times": failures,
                "code": "insufficient_funds",
            });
            let fault = serde_json::from_value(fault).unwrap();
            place
                .processing
                .add_faults(&place.sandbox(), vec![fault])
                .unwrap();
            place.advance_to("2027-03-30T00:00:00Z", &heard);
            let mut days = vec!["2027-01-31 100.00 success".to_owned()];
            let tries = ["2027-02-28", "2027-03-01", "2027-03-02", "2027-03-03"];
            days.extend(
                tries
                    .iter()
                    .take(failures)
                    .map(|day| format!("{day} 100.00 failure")),
            );
            if !ends {
                days.push(format!("{} 100.00 success", tries[failures]));
            }
            assert_eq!(place.days(&id), days);
            let lines = heard.lines();
            let failed = lines
                .iter()
                .filter(|line| line.starts_with("payment_failed"))
                .count();
            assert_eq!(failed, failures);
            let last = if ends {
                "subscription_deactivated inactive -"
            } else {
                // The calendar does not move.
                "subscription_renewed 100.00 success active 2027-03-31"
            };
            assert_eq!(lines.last().unwrap(), last);
        }
    });
}

#[test]
fn those_of_the_plan_hear_of_it_too_in_their_own_words() {
    in_both(|place| {
        let heard = place.on_the_last_of_january();
        let callbacks = json!([
            { "api_key": "sandbox-2", "url": "https://two.example/" },
            { "api_key": "sandbox", "url": "https://one.example/" },
        ]);
        let plan = place.plan(json!({ "callbacks": callbacks })).unwrap();
        place.subscribe(&plan, GOOD, json!({})).unwrap();
        place.advance_to("2027-01-31T11:00:00Z", &heard);
        let sent = heard.0.lock().unwrap();
        let mut signed: Vec<_> = sent
            .iter()
            .map(|(_, [url, _, signature])| (url.as_str(), signature.clone()))
            .collect();
        signed.sort();
        let sign = |password: &[u8]| wire::interface::callback::signature(password, sent[0].1[1].as_bytes());
        assert_eq!(
            signed,
            [
                ("https://one.example/", sign(b"sandbox-password")),
                ("https://shop.example/heard", sign(b"sandbox-password")),
                ("https://two.example/", sign(b"sandbox-2-password")),
            ]
        );
    });
}

#[test]
fn nothing_goes_through_all_subscriptions() {
    let place = Place::sqlite();
    let whole_life = || {
        let heard = Heard::default();
        let (of, anna) = (&place.processing, customer("anna"));
        let plan = place.plan(json!({})).unwrap();
        let id = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription.id;
        place.clock.advance(1000);
        let now = place.sandbox().now(of.shared.now());
        let until = crate::time::after(now, jiff::SignedDuration::from_hours(24 * 70));
        of.advance("sandbox", until, &heard).unwrap();
        assert_eq!(place.paid(&id).len(), 3);
        of.subscriptions(&place.sandbox(), &anna).unwrap();
        of.plans(&place.sandbox()).unwrap();
        of.cancel_subscription(&place.sandbox(), &anna, &id, true)
            .unwrap();
    };
    whole_life();
    for _ in 0..12 {
        whole_life();
    }
    // What was planned with the first rows is planned anew with all of them.
    let before = place.processing.shared.database.scanned().unwrap();
    whole_life();
    let scanned = place.processing.shared.database.scanned().unwrap() - before;
    assert_eq!(scanned, 0, "rows were read without an index");
}
