//! Deliveries as those see them who make them.

use std::sync::Mutex;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use wire::interface::StatusCode;
use wire::interface::callback::{CallbackState, JournalEntry, Resource, signature};

use super::*;
use crate::job::Courier;
use crate::processing::Processing;
use crate::testing::{self, Place};

pub(super) fn payment(place: &Place) -> Id {
    Id::new(place.processing.shared.now()).unwrap()
}

/// A callback of `sandbox` whose body is `body`.
pub(super) fn tell(place: &Place, payment: Id, body: &'static str) {
    tell_of(place, payment, "payment", "sandbox", body);
}

fn tell_of(place: &Place, payment: Id, operation: &'static str, signer: &'static str, body: &'static str) {
    let (project, now) = (place.sandbox(), place.processing.shared.now());
    let write = place.processing.shared.database.write(move |tx| {
        let callback = NewCallback {
            project: &project,
            signer,
            resource: Resource::Payment,
            subject: payment,
            external_id: &format!("order {payment}"),
            operation,
            url: "http://127.0.0.1:1/callback",
            body,
        };
        enqueue(tx, &callback, now)
    });
    write.unwrap();
}

pub(super) fn sent(result: Result<u16, &str>) -> Sent {
    Sent {
        result: result.map_err(str::to_owned),
        took: Duration::from_millis(7),
    }
}

/// The bodies of what is to be sent now.
pub(super) fn bodies(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| &*delivery.body).collect()
}

/// The one callback that is to be sent now.
pub(super) fn due(processing: &Processing) -> Delivery {
    let mut due = processing.due_deliveries(10).unwrap();
    assert_eq!(due.len(), 1, "{:?}", bodies(&due));
    due.remove(0)
}

pub(super) fn none_is_due(processing: &Processing) {
    assert_eq!(
        bodies(&processing.due_deliveries(10).unwrap()),
        <[&str; 0]>::default()
    );
}

pub(super) fn journal(place: &Place) -> Vec<JournalEntry> {
    place.processing.journal(&place.sandbox(), None, 100).unwrap()
}

fn jobs(place: &Place) -> u64 {
    place.processing.waiting_deliveries().unwrap()
}

#[test]
fn callbacks_of_a_payment_go_one_after_the_other() {
    testing::in_both(|place| {
        let (one, processing) = (payment(place), &place.processing);
        tell(place, one, "a");
        tell(place, one, "b");
        let first = due(processing);
        assert_eq!(first.body, "a");
        none_is_due(processing);
        assert!(processing.delivered(first, sent(Ok(500))).unwrap().next.is_none());
        none_is_due(processing);
        // 10 seconds, a fifth more at most.
        place.clock.advance(12_000);
        let again = due(processing);
        assert_eq!(again.body, "a", "what failed holds back what came behind it");
        let second = processing.delivered(again, sent(Ok(200))).unwrap().next.unwrap();
        assert_eq!(second.body, "b");
        // While it is under way, there is one more to tell of.
        tell(place, one, "c");
        none_is_due(processing);
        let third = processing.delivered(second, sent(Ok(200))).unwrap().next.unwrap();
        assert_eq!(third.body, "c");
        assert!(processing.delivered(third, sent(Ok(200))).unwrap().next.is_none());
        // Its own telling remains as a job that finds nothing.
        none_is_due(processing);
        assert_eq!(jobs(place), 0);
        let told: Vec<_> = journal(place)
            .into_iter()
            .map(|entry| (entry.seq, entry.body, entry.state, entry.attempts.len()))
            .collect();
        let delivered = CallbackState::Delivered;
        let expected = [(3, "c", 1), (2, "b", 1), (1, "a", 2)];
        assert_eq!(
            told,
            expected.map(|(seq, body, attempts)| (seq, body.to_owned(), delivered, attempts))
        );
    });
}

#[test]
fn instances_share_payments_and_lose_none() {
    testing::in_both(|place| {
        let other = place.beside();
        for body in ["a", "b", "c"] {
            tell(place, payment(place), body);
        }
        let mine = place.processing.due_deliveries(2).unwrap();
        let theirs = other.due_deliveries(2).unwrap();
        let mut all = [bodies(&mine), bodies(&theirs)].concat();
        all.sort_unstable();
        assert_eq!(all, ["a", "b", "c"]);
        assert!(mine.iter().all(|delivery| place.processing.may_send(delivery)));
        for delivery in mine {
            place.processing.delivered(delivery, sent(Ok(200))).unwrap();
        }
        // The other one has crashed with what it had.
        let lost = theirs.into_iter().next().unwrap();
        place.clock.advance(29_000);
        none_is_due(&place.processing);
        assert!(!other.may_send(&lost), "it is too late to begin");
        place.clock.advance(2_000);
        let taken = due(&place.processing);
        assert_eq!(taken.body, lost.body);
        // It has not crashed after all, and was only slow: what it did is written down and nothing else.
        assert!(other.delivered(lost, sent(Err("late"))).unwrap().next.is_none());
        none_is_due(&other);
        place.processing.delivered(taken, sent(Ok(200))).unwrap();
        assert_eq!(jobs(place), 0);
        let attempts: usize = journal(place).iter().map(|entry| entry.attempts.len()).sum();
        assert_eq!(attempts, 4);
        assert!(
            journal(place)
                .iter()
                .all(|entry| entry.state == CallbackState::Delivered)
        );
    });
}

#[test]
fn after_three_days_the_next_one_has_its_turn() {
    testing::in_both(|place| {
        let (one, processing) = (payment(place), &place.processing);
        tell(place, one, "a");
        let begun = processing.shared.now();
        let mut pauses = Vec::new();
        let mut last = begun;
        loop {
            let delivery = due(processing);
            let now = processing.shared.now();
            pauses.push(now.duration_since(last).as_secs());
            last = now;
            let after = processing
                .delivered(delivery, sent(Err("nobody listens")))
                .unwrap();
            if after.is_given_up {
                assert!(after.next.is_none());
                break;
            }
            // To the second at which it is due.
            let job = processing
                .shared
                .database
                .read(|tx| tx.row("SELECT due_at FROM jobs", &[]));
            let due_at: i64 = job.unwrap().unwrap().get(0).unwrap();
            place
                .clock
                .advance(u64::try_from(due_at - crate::time::to_sql(now)).unwrap());
        }
        let lasted = last.duration_since(begun);
        let three_days = SignedDuration::from_hours(72);
        assert!(
            lasted <= three_days && lasted > three_days - SignedDuration::from_hours(8),
            "{lasted:?}"
        );
        assert!((15..30).contains(&pauses.len()), "{pauses:?}");
        for (pause, expected) in pauses.iter().skip(1).zip([10, 30, 90, 270, 810]) {
            assert!(
                pause * 10 >= expected * 8 - 10 && pause * 10 <= expected * 12,
                "{pauses:?}"
            );
        }
        let entry = journal(place).remove(0);
        assert_eq!(entry.state, CallbackState::GivenUp);
        let attempt = entry.attempts.last().unwrap();
        assert_eq!(
            (attempt.status, attempt.error.as_deref()),
            (None, Some("nobody listens"))
        );
        tell(place, one, "b");
        assert_eq!(due(processing).body, "b");
    });
}

#[test]
fn who_is_busy_is_asked_later() {
    testing::in_both(|place| {
        let processing = &place.processing;
        tell(place, payment(place), "a");
        let delivery = due(processing);
        processing
            .postpone(vec![(delivery, Duration::from_secs(3))])
            .unwrap();
        none_is_due(processing);
        place.clock.advance(3_000);
        assert_eq!(due(processing).body, "a");
        assert!(journal(place)[0].attempts.is_empty(), "that was no attempt");
    });
}

#[test]
fn a_callback_is_signed_with_the_password_of_its_login() {
    testing::in_both(|place| {
        tell_of(place, payment(place), "payment", "sandbox-2", "{}");
        let delivery = due(&place.processing);
        let expected = signature(b"sandbox-2-password", b"{}");
        assert_eq!(delivery.signature, expected);
        assert!(delivery.may_be_private, "the sandbox may call this machine");
        assert!(!format!("{delivery:?}").contains("{}"), "bodies hold tokens");
        place.processing.delivered(delivery, sent(Ok(200))).unwrap();
        assert_eq!(journal(place)[0].attempts[0].signature, expected);
    });
}

#[test]
fn a_callback_can_be_sent_again() {
    testing::in_both(|place| {
        let (one, processing) = (payment(place), &place.processing);
        let order = format!("order {one}");
        let resend = |operation: Option<&str>| {
            processing.resend(&place.sandbox(), Resource::Payment, &order, operation)
        };
        let refused = resend(None).unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::TransactionNotFound, "external_id")
        );
        tell(place, one, "paid");
        tell_of(place, one, "refund", "sandbox-2", "refunded");
        let mut next = Some(due(processing));
        while let Some(delivery) = next {
            next = processing.delivered(delivery, sent(Ok(200))).unwrap().next;
        }
        resend(None).unwrap();
        let again = due(processing);
        assert_eq!(
            (&*again.body, &*again.url),
            ("refunded", "http://127.0.0.1:1/callback")
        );
        assert_eq!(again.signature, signature(b"sandbox-2-password", b"refunded"));
        processing.delivered(again, sent(Ok(200))).unwrap();
        resend(Some("payment")).unwrap();
        assert_eq!(due(processing).body, "paid");
        let refused = resend(Some("confirm")).unwrap_err();
        assert_eq!(
            (refused.code, &*refused.param),
            (StatusCode::OperationNotFound, "operation")
        );
        let other = place.processing.shared.project("sandbox-2").unwrap().unwrap();
        let refused = processing
            .resend(&other, Resource::Payment, &order, None)
            .unwrap_err();
        assert_eq!(
            refused.code,
            StatusCode::TransactionNotFound,
            "another project's order"
        );
        let refused = processing
            .resend(&place.sandbox(), Resource::Payout, &order, None)
            .unwrap_err();
        assert_eq!(
            refused.code,
            StatusCode::TransactionNotFound,
            "no payout's number"
        );
    });
}

#[test]
fn the_journal_has_pages_and_thirty_days() {
    testing::in_both(|place| {
        let (processing, sandbox) = (&place.processing, place.sandbox());
        for _ in 0..5 {
            let one = payment(place);
            tell(place, one, "a");
            tell(place, one, "b");
            place.clock.advance(1);
        }
        let all = journal(place);
        let mut pages = Vec::new();
        loop {
            let last = pages
                .last()
                .map(|entry: &JournalEntry| (entry.id.parse().unwrap(), entry.seq));
            let page = processing.journal(&sandbox, last, 3).unwrap();
            if page.is_empty() {
                break;
            }
            pages.extend(page);
        }
        assert_eq!((all.len(), &pages), (10, &all));
        assert!(all.windows(2).all(|two| two[0].created_at >= two[1].created_at));
        let other = processing.shared.project("sandbox-2").unwrap().unwrap();
        assert_eq!(processing.journal(&other, None, 10).unwrap(), []);

        let delivery = processing.due_deliveries(1).unwrap().remove(0);
        processing.delivered(delivery, sent(Ok(200))).unwrap();
        let day = 24 * 3_600_000;
        place.clock.advance(29 * day);
        assert_eq!(processing.prune_callbacks(), Ok(0));
        place.clock.advance(2 * day);
        assert_eq!(processing.prune_callbacks(), Ok(1), "those that wait stay");
        assert_eq!(journal(place).len(), 9);
    });
}

/// Notes what it is to send and when, and has it that nobody takes it until a time.
struct Notes<'a> {
    place: &'a Place,
    taken_from: Timestamp,
    noted: Mutex<Vec<(String, Timestamp)>>,
}

impl Courier for Notes<'_> {
    fn send(&self, delivery: &Delivery) -> Sent {
        let now = self.place.sandbox().now(self.place.processing.shared.now());
        self.noted.lock().unwrap().push((delivery.body.clone(), now));
        let busy = self.place.processing.advance("sandbox", Timestamp::MAX, self);
        assert_eq!(
            busy.unwrap_err().code,
            StatusCode::ActionNotAllowed,
            "one at a time"
        );
        none_is_due(&self.place.beside());
        sent(if now < self.taken_from { Ok(503) } else { Ok(200) })
    }
}

#[test]
fn a_clock_that_is_advanced_passes_through_all_attempts() {
    testing::in_both(|place| {
        let (one, processing) = (payment(place), &place.processing);
        let begun = processing.shared.now();
        let [minute, hour] =
            [60, 3600].map(|seconds| crate::time::after(begun, SignedDuration::from_secs(seconds)));
        tell(place, one, "a");
        tell(place, one, "b");
        let courier = Notes {
            place,
            taken_from: minute,
            noted: Mutex::default(),
        };
        assert_eq!(processing.advance("sandbox", hour, &courier), Ok(hour));
        let noted = courier.noted.lock().unwrap().clone();
        let bodies: Vec<_> = noted.iter().map(|(body, _)| &**body).collect();
        // After some 0, 10 and 40 seconds in vain, and then after 130.
        assert_eq!(bodies, ["a", "a", "a", "a", "b"]);
        let times: Vec<_> = noted
            .iter()
            .map(|(_, at)| at.duration_since(begun).as_secs())
            .collect();
        assert_eq!(times[0], 0);
        assert!(
            (8..=12).contains(&times[1]) && (32..=48).contains(&times[2]),
            "{times:?}"
        );
        assert!(
            (104..=156).contains(&times[3]) && times[4] == times[3],
            "{times:?}"
        );
        assert_eq!(place.sandbox().now(processing.shared.now()), hour);
        assert_eq!(processing.shared.now(), begun, "the real clock stands still here");
        let entries = journal(place);
        assert_eq!(entries[1].attempts.len(), 4);
        assert_eq!(
            entries[1].attempts[3].at.duration_since(begun).as_secs(),
            times[3]
        );
        // Back is not a direction.
        assert_eq!(processing.advance("sandbox", begun, &courier), Ok(hour));
        // Others are left alone, and the project's jobs are done by everybody again.
        tell(place, one, "c");
        assert_eq!(due(processing).body, "c");
    });
}
