//! A year of many subscriptions, against a calendar that is counted by hand; and how fast a clock passes over what is due.
//!
//! `SUBSCRIPTIONS` says how many; `cargo xtask bench renewals` measures with a thousand and with ten thousand.

use std::thread;
use std::time::{Duration, Instant};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use wire::interface::plan::FrequencyType;
use wire::interface::read;

use super::{GOOD, customer};
use crate::subscription::schedule::tests::by_hand;
use crate::testing::{Place, in_both};
use crate::{Courier, Delivery, Sent, time};

/// Takes everything.
struct Deaf;

impl Courier for Deaf {
    fn send(&self, _: &Delivery) -> Sent {
        Sent {
            result: Ok(200),
            took: Duration::ZERO,
        }
    }
}

/// What is offered: unit, frequency, duration, price in whole units.
const PLANS: [(FrequencyType, u32, u32, u64); 8] = [
    (FrequencyType::Monthly, 1, 24, 100),
    (FrequencyType::Monthly, 2, 7, 200),
    (FrequencyType::Monthly, 6, 36, 600),
    (FrequencyType::Weekly, 1, 20, 25),
    (FrequencyType::Weekly, 3, 52, 75),
    (FrequencyType::Daily, 9, 100, 15),
    (FrequencyType::Daily, 30, 400, 50),
    (FrequencyType::Yearly, 1, 2, 1000),
];

/// One of the subscriptions, and what is to become of it.
struct Wanted {
    plan: usize,
    /// When it starts; `None`: at once.
    start: Option<Timestamp>,
    trial: u32,
    to_plan_price: bool,
    /// Of its own, in whole units.
    price: Option<u64>,
    leaves: Option<bool>,
}

fn wanted(number: usize, begun: Timestamp) -> Wanted {
    let second = i64::try_from(number).unwrap();
    // Up to 40 days later, at all times of day.
    let later = SignedDuration::from_secs(1 + second * 86_413 % (40 * 86_400));
    Wanted {
        plan: number % PLANS.len(),
        start: (!number.is_multiple_of(3)).then(|| time::after(begun, later)),
        trial: u32::try_from(number % 4).unwrap(),
        to_plan_price: number % 5 < 3,
        price: (number % 6 < 2).then_some(7),
        leaves: match number % 7 {
            3 => Some(false),
            5 => Some(true),
            _ => None,
        },
    }
}

impl Wanted {
    fn body(&self, plan: &str, token: &str) -> String {
        json!({
            "plan_id": plan, "result_url": "https://shop.example/back", "callback_url": "https://shop.example/heard",
            "start_date": self.start.unwrap_or(Timestamp::UNIX_EPOCH.max("2001-01-01T00:00:00Z".parse().unwrap())),
            "trial_periods": self.trial, "price": self.price, "use_plan_price_on_auto_renew": self.to_plan_price,
            "customer": { "payment_method": { "type": "cc_token", "cc_token": { "token": token } } },
        })
        .to_string()
    }

    /// Every charge as `time amount`, until the end of the year.
    fn charges(&self, begun: Timestamp, middle: Timestamp, end: Timestamp) -> Vec<(Timestamp, u64)> {
        let (unit, frequency, duration, price) = PLANS[self.plan];
        let start = self.start.unwrap_or(begun);
        let (first, of_day) = (at(start), at(start).time());
        let mut charges = Vec::new();
        for period in 0.. {
            let day: Date = by_hand(first.date(), unit, period * frequency);
            let time = day
                .to_datetime(of_day)
                .to_zoned(TimeZone::UTC)
                .unwrap()
                .timestamp();
            let is_left = self.leaves.is_some() && time > middle;
            if period * frequency >= duration || time > end || is_left {
                return charges;
            }
            let own = self.price.unwrap_or(price);
            let is_own = period < self.trial || period == 0 || !self.to_plan_price;
            charges.push((time, 100 * if is_own { own } else { price }));
        }
        charges
    }
}

fn at(time: Timestamp) -> jiff::civil::DateTime {
    time.to_zoned(TimeZone::UTC).datetime()
}

fn number_of(name: &str, default: usize) -> usize {
    std::env::var(name)
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(default)
}

#[test]
fn a_year_of_subscriptions_is_charged_on_the_days_of_the_calendar() {
    let many = std::cell::Cell::new(number_of("SUBSCRIPTIONS", 24));
    in_both(|place| {
        // Fewer on the second database, where each takes longer.
        let many = many.replace(many.get().div_ceil(3));
        let project = place.sandbox();
        let begun = project.now(place.processing.shared.now());
        let [middle, end] = [180, 365].map(|days| time::after(begun, SignedDuration::from_hours(24 * days)));
        let plans = PLANS.map(|(unit, frequency, duration, price)| {
            let body = json!({ "frequency_type": unit, "frequency": frequency, "duration_periods": duration, "price": price });
            place.plan(body).unwrap()
        });
        let mut made = Vec::new();
        for number in 0..many {
            let wanted = wanted(number, begun);
            let body = wanted.body(&plans[wanted.plan], &place.token(GOOD));
            let holder = customer(&format!("customer {number}"));
            let subscribed = place
                .processing
                .subscribe(&project, &holder, read(body.as_bytes()).unwrap());
            made.push((holder, subscribed.unwrap().subscription.id, wanted));
        }
        let watch = Instant::now();
        let of = &place.processing;
        of.advance("sandbox", middle, &Deaf).unwrap();
        let project = place.sandbox();
        for (holder, id, wanted) in &made {
            // Some have ended by then.
            let _ = match wanted.leaves {
                Some(true) => of.cancel_subscription(&project, holder, id, true),
                Some(false) => of.deactivate_subscription(&project, holder, id),
                None => continue,
            };
        }
        of.advance("sandbox", end, &Deaf).unwrap();
        let took = watch.elapsed();
        let mut count = 0;
        for (holder, id, wanted) in &made {
            let paid = of.subscription_payments(&project, holder, id).unwrap();
            // Cards that were verified for a later start are not charges; a charge begins within the second that is meant.
            let charges: Vec<_> = paid
                .iter()
                .filter(|paid| !paid.details.amount.is_zero())
                .map(|paid| {
                    (
                        Timestamp::from_second(paid.details.created_at.as_second()).unwrap(),
                        paid.details.amount.minor(),
                    )
                })
                .collect();
            let expected = wanted.charges(begun, middle, end);
            count += charges.len();
            assert_eq!(
                charges.len(),
                expected.len(),
                "{id}: {charges:?} instead of {expected:?}"
            );
            for ((time, amount), (meant, price)) in charges.iter().zip(&expected) {
                let late = time.duration_since(*meant).as_secs();
                assert!((0..=1).contains(&late), "{id}: {time} instead of {meant}");
                assert_eq!(amount, price, "{id} at {time}");
            }
            assert!(paid.iter().all(|paid| paid.details.status.as_str() == "success"));
        }
        println!("a year of {many} subscriptions: {count} charges in {took:.1?}");
    });
}

#[test]
#[ignore = "a measurement, of `cargo xtask bench renewals`"]
fn so_many_renewals_a_second() {
    let many = number_of("RENEWALS", 10_000);
    for hears in [false, true] {
        let place = Place::sqlite();
        let plan = place.plan(json!({})).unwrap();
        let project = place.sandbox();
        let url = hears.then_some("https://shop.example/heard");
        thread::scope(|scope| {
            for worker in 0..32 {
                let (place, plan, project) = (&place, &plan, &project);
                scope.spawn(move || {
                    for number in (worker..many).step_by(32) {
                        let body = json!({
                            "plan_id": plan, "result_url": "https://shop.example/back", "start_date": "2026-01-01T00:00:00Z",
                            "callback_url": url,
                            "customer": { "payment_method": { "type": "cc_token", "cc_token": { "token": place.token(GOOD) } } },
                        });
                        let request = read(body.to_string().as_bytes()).unwrap();
                        let holder = customer(&format!("customer {number}"));
                        place.processing.subscribe(project, &holder, request).unwrap();
                    }
                });
            }
        });
        let shown = project.now(place.processing.shared.now());
        // The first payments' callbacks are out of the way.
        let before = time::after(shown, SignedDuration::from_hours(24));
        place.processing.advance("sandbox", before, &Deaf).unwrap();
        let watch = Instant::now();
        let until = time::after(shown, SignedDuration::from_hours(24 * 32));
        place.processing.advance("sandbox", until, &Deaf).unwrap();
        let took = watch.elapsed();
        let charged = place.count("SELECT COUNT(*) FROM payments WHERE charged > 0");
        assert_eq!(charged, 2 * u64::try_from(many).unwrap());
        let rate = many as f64 / took.as_secs_f64();
        println!("{many} renewals in {took:.2?}: {rate:.0} a second, callbacks {hears}");
    }
}
