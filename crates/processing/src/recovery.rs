//! Interruptions: whatever ends a process, and whenever an acquirer says nothing, jobs bring every payment to one end.

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

use database::DatabaseError;
use serde_json::json;
use vault::{OpenCard, OperationId};
use wire::interface::answer::{Payment, Status};
use wire::interface::method::PaymentMethod;
use wire::interface::steps::Step;
use wire::interface::{StatusCode, read};

use crate::checkout::attempt::unguard;
use crate::checkout::tests::{ended, secret};
use crate::id::Id;
use crate::port::PortError;
use crate::port::acquirer::{Acquirer, Authorization, Decision, Follow, Proof};
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};

/// Pays without a challenge.
const GOOD: &str = "4111111111111111";

/// What becomes of one call to the acquirer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    /// It does what is asked and says so.
    Answers,
    /// It declines.
    Declines,
    /// It does it, and the answer is lost.
    Loses,
    /// Nothing comes there.
    Deaf,
    /// It does it, and whoever asked is gone before they hear of it.
    Outlives,
}

/// An acquirer that does each operation once, however often it is asked.
#[derive(Default)]
struct Moody {
    /// What becomes of the next calls; later ones are answered.
    moods: Mutex<Vec<Mood>>,
    done: Mutex<HashMap<Id, Decision>>,
    asked: Mutex<HashMap<Id, usize>>,
}

impl Moody {
    fn with(moods: &[Mood]) -> Arc<Self> {
        let moody = Self::default();
        moody.moods.lock().unwrap().extend(moods.iter().rev());
        Arc::new(moody)
    }

    fn decide(&self, operation: Id, decision: Decision) -> Result<Decision, PortError> {
        *self.asked.lock().unwrap().entry(operation).or_default() += 1;
        let mood = self.moods.lock().unwrap().pop().unwrap_or(Mood::Answers);
        if mood == Mood::Deaf {
            return Err(PortError::new());
        }
        if mood == Mood::Declines {
            return Ok(Decision::Declined(StatusCode::TransactionRejected));
        }
        let decision = self
            .done
            .lock()
            .unwrap()
            .entry(operation)
            .or_insert(decision)
            .clone();
        match mood {
            Mood::Loses => Err(PortError::new()),
            Mood::Outlives => die(),
            _ => Ok(decision),
        }
    }

    fn times_done(&self) -> usize {
        self.done.lock().unwrap().len()
    }
}

fn approved() -> Decision {
    Decision::Approved {
        auth_code: "123456".to_owned(),
        rrn: "123456789012".to_owned(),
    }
}

impl Acquirer for Moody {
    fn authorize(&self, request: &Authorization<'_>, _: &OpenCard<'_>) -> Result<Decision, PortError> {
        self.decide(request.operation, approved())
    }

    fn complete(&self, request: &Authorization<'_>, _: Proof) -> Result<Decision, PortError> {
        self.decide(request.operation, approved())
    }

    fn capture(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.decide(follow.operation, approved())
    }

    fn release(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.decide(follow.operation, approved())
    }

    fn refund(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.decide(follow.operation, approved())
    }
}

/// The end of a process, as far as one of its threads can have one.
struct Killed;

pub(crate) fn die() -> ! {
    resume_unwind(Box::new(Killed))
}

thread_local! {
    /// So often this thread may look at the clock before its process ends.
    static LOOKS_LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Called by the tests' clock: payments and vault look at it before and after each of their steps.
pub(crate) fn look() {
    LOOKS_LEFT.with(|left| match left.get() {
        Some(0) => {
            left.set(None);
            die();
        }
        Some(looks) => left.set(Some(looks - 1)),
        None => {}
    });
}

/// Does it until the process ends at the so-many-th look at the clock; `None` where it did.
pub(crate) fn until<T>(looks: Option<usize>, work: impl FnOnce() -> T) -> Option<T> {
    LOOKS_LEFT.set(looks);
    let done = catch_unwind(AssertUnwindSafe(work));
    LOOKS_LEFT.set(None);
    match done {
        Ok(done) => Some(done),
        Err(end) if end.is::<Killed>() => None,
        Err(end) => resume_unwind(end),
    }
}

fn pay(
    place: &Place,
    processing: &Processing,
    number: &str,
    token: &str,
    holds: bool,
) -> Result<Payment, Refusal> {
    let method = json!({ "type": "cc_token", "cc_token": { "token": token } });
    let more = json!({ "confirm": !holds, "customer": { "payment_method": method } });
    processing.create_payment(&place.sandbox(), place.request(number, more))
}

/// Lets the time pass after which jobs take up what was interrupted.
fn recover(place: &Place, processing: &Processing) {
    for _ in 0..3 {
        place.clock.advance(121_000);
        while processing.run_job().unwrap() {}
    }
}

/// What holds whatever was interrupted.
fn all_is_well(place: &Place, context: &str) {
    for (sql, what) in [
        (
            "SELECT COUNT(*) FROM payments WHERE busy IS NOT NULL OR state = 'charging'",
            "busy",
        ),
        ("SELECT COUNT(*) FROM orders WHERE holder IS NOT NULL", "held"),
        (
            "SELECT COUNT(*) FROM operations WHERE processed_at IS NULL",
            "open",
        ),
    ] {
        assert_eq!(place.count(sql), 0, "{what}: {context}");
    }
    place.has_no_work(context);
    let told = place.count("SELECT COUNT(*) FROM callbacks");
    assert_eq!(
        told,
        place.count("SELECT COUNT(*) FROM operations"),
        "told once: {context}"
    );
}

#[test]
fn a_payment_that_is_cut_off_anywhere_is_charged_once_or_not_at_all() {
    in_both(|place| {
        let (mut looks, mut unsettled) = (0, 0);
        loop {
            let moody = Moody::with(&[]);
            let processing = place.processing.with_acquirer(moody.clone());
            let (token, number) = (place.token(GOOD), format!("cut at {looks}"));
            let paid = until(Some(looks), || pay(place, &processing, &number, &token, false));
            // Cut between the second transaction and the vault's end of it.
            unsettled += u32::from(paid.is_none() && is_over(place) && is_open_in_vault(place));
            recover(place, &processing);
            all_is_well(place, &number);
            assert!(!is_open_in_vault(place), "{number}");
            let charged = moody.times_done();
            let info = processing.info(&place.sandbox(), &number);
            let confirmed = info.map_or(0, |info| info.amount_confirmed.minor());
            assert_eq!(confirmed, charged as u64 * 10_050, "{number}");
            // The token is used up by its success, and free otherwise.
            let again = pay(place, &processing, &format!("{number} again"), &token, false);
            match charged {
                0 => assert_eq!(ended(again.unwrap()).0, Status::Success, "{number}"),
                _ => assert_eq!(again.unwrap_err().code, StatusCode::InvalidCardToken, "{number}"),
            }
            if let Some(paid) = paid {
                assert_eq!(ended(paid.unwrap()).0, Status::Success);
                assert!(looks > 5, "a try looks at the clock more often");
                assert!(unsettled > 0, "one cut is between the two stores");
                break;
            }
            looks += 1;
        }
    });
}

/// Whether the newest try has ended.
fn is_over(place: &Place) -> bool {
    place.count(
        "SELECT COUNT(*) FROM operations WHERE processed_at IS NOT NULL AND id = (SELECT MAX(id) FROM operations)",
    ) == 1
}

/// Whether the vault has the card of the newest try still.
fn is_open_in_vault(place: &Place) -> bool {
    let newest = place.processing.shared.database.read(|tx| {
        let row = tx.row("SELECT attempt FROM operations ORDER BY id DESC LIMIT 1", &[])?;
        row.map(|row| row.get::<Id>(0)).transpose()
    });
    let newest = newest.unwrap().and_then(|id| OperationId::new(&id.to_string()));
    newest.is_some_and(|id| place.vault.resume("sandbox", &id).is_ok())
}

/// On PostgreSQL the job of a try that is over may be cancelled while the next try begins, or after.
#[test]
fn a_job_that_is_cancelled_late_is_not_the_next_trys() {
    in_both(|place| {
        for round in 0..8 {
            let moody = Moody::with(&[Mood::Declines, Mood::Outlives]);
            let processing = place.processing.with_acquirer(moody.clone());
            let number = format!("page {round}");
            let request = place.request(&number, json!({ "mode": "hosted" }));
            let opened = processing.create_payment(&place.sandbox(), request).unwrap();
            let page = secret(&opened.action.unwrap().value);
            let (first, second) = (place.token(GOOD), place.token(GOOD));
            let pay = |attempt: u32, token: &str| {
                let method =
                    json!({ "type": "cc_token", "cc_token": { "token": token, "use_3ds_flow": false } });
                let method: PaymentMethod = read(method.to_string().as_bytes()).unwrap();
                processing.pay_page(&page, attempt, method.named("").unwrap())
            };
            pay(0, &first).unwrap();
            let over = processing.shared.database.read(|tx| {
                let row = tx.row("SELECT id, attempt FROM checkouts ORDER BY id DESC LIMIT 1", &[])?;
                let row = row.unwrap();
                Ok::<_, DatabaseError>((row.get::<Id>(0)?, row.get::<Option<Id>>(1)?))
            });
            let (checkout, over) = over.unwrap();
            let late = || {
                processing
                    .shared
                    .database
                    .write(move |tx| unguard(tx, checkout, over, true))
            };
            thread::scope(|scope| {
                scope.spawn(late);
                assert!(
                    until(None, || pay(1, &second)).is_none(),
                    "cut off at the acquirer"
                );
            });
            late().unwrap();
            recover(place, &processing);
            let info = processing.info(&place.sandbox(), &number).unwrap();
            assert_eq!(info.amount_confirmed, info.amount, "{number}");
            assert_eq!(moody.times_done(), 1, "{number}");
            // Its page would have ended later; nothing else is left to be done.
            let left = "SELECT COUNT(*) FROM jobs WHERE kind NOT IN ('deliver', 'expire')";
            assert_eq!(place.count(left), 0, "{number}");
        }
    });
}

#[test]
fn an_acquirer_that_says_nothing_is_asked_again_and_does_nothing_twice() {
    use Mood::{Answers, Deaf, Loses, Outlives};
    in_both(|place| {
        let moods: &[&[Mood]] = &[
            &[Loses],
            &[Deaf],
            &[Outlives],
            &[Deaf, Loses, Answers],
            &[Outlives, Deaf, Loses],
        ];
        for (at, moods) in moods.iter().enumerate() {
            let number = format!("{at}");
            for first in [true, false] {
                // The moods meet the try itself, or what follows it: a confirmation and a refund.
                let moody = Moody::with(if first { moods } else { &[] });
                let processing = place.processing.with_acquirer(moody.clone());
                let number = format!("{number}-{first}");
                let token = place.token(GOOD);
                if let Some(paid) = until(None, || pay(place, &processing, &number, &token, true))
                    && first
                {
                    let paid = paid.unwrap();
                    assert!(paid.action_required, "the payer is not told that it failed");
                    assert_eq!(ended(paid).1, StatusCode::TransactionInProgress);
                }
                recover(place, &processing);
                let again = pay(place, &processing, &number, &place.token(GOOD), true);
                assert_eq!(again.unwrap_err().code, StatusCode::TransactionAlreadyPaid);
                for call in [Processing::confirm, Processing::refund] {
                    if !first {
                        moody.moods.lock().unwrap().extend(moods.iter().rev());
                    }
                    let request: Step =
                        read(json!({ "external_id": number }).to_string().as_bytes()).unwrap();
                    let _ = until(None, || call(&processing, &place.sandbox(), &request));
                    recover(place, &processing);
                }
                assert_eq!(moody.times_done(), 3, "{number}");
                let info = processing.info(&place.sandbox(), &number).unwrap();
                assert_eq!(
                    (info.amount_confirmed, info.amount_refunded),
                    (info.amount, info.amount),
                    "{number}"
                );
                all_is_well(place, &number);
            }
        }
    });
}

#[test]
fn what_follows_a_payment_may_be_cut_off_anywhere() {
    in_both(|place| {
        let moody = Moody::with(&[]);
        let processing = place.processing.with_acquirer(moody.clone());
        for (name, call) in [
            (
                "confirm",
                Processing::confirm as fn(&Processing, &crate::Project, &Step) -> Result<Payment, Refusal>,
            ),
            ("cancel", Processing::cancel),
        ] {
            let mut looks = 0;
            loop {
                let number = format!("{name} at {looks}");
                pay(place, &processing, &number, &place.token(GOOD), true).unwrap();
                let before = moody.times_done();
                let request: Step = read(json!({ "external_id": number }).to_string().as_bytes()).unwrap();
                let done = until(Some(looks), || call(&processing, &place.sandbox(), &request));
                recover(place, &processing);
                all_is_well(place, &number);
                let info = processing.info(&place.sandbox(), &number).unwrap();
                let moved = info.amount_confirmed.minor() + info.amount_canceled.minor();
                assert_eq!(moved, (moody.times_done() - before) as u64 * 10_050, "{number}");
                if done.is_some() {
                    break;
                }
                looks += 1;
            }
        }
    });
}

#[test]
fn two_instances_do_no_job_twice() {
    in_both(|place| {
        let moody = Moody::with(&[Mood::Deaf; 12]);
        let one = place.processing.with_acquirer(moody.clone());
        let other = place.beside().with_acquirer(moody.clone());
        for at in 0..12 {
            pay(place, &one, &at.to_string(), &place.token(GOOD), false).unwrap();
        }
        place.clock.advance(121_000);
        thread::scope(|scope| {
            for processing in [&one, &other, &one, &other] {
                scope.spawn(|| while processing.run_job().unwrap() {});
            }
        });
        let asked = moody.asked.lock().unwrap().values().copied().collect::<Vec<_>>();
        assert_eq!(asked, [2; 12], "once in vain, and once by a job");
        recover(place, &one);
        all_is_well(place, "two instances");
    });
}

#[test]
fn of_fifty_at_once_from_two_instances_one_succeeds() {
    in_both(|place| {
        let moody = Moody::with(&[]);
        let instances = [
            place.processing.with_acquirer(moody.clone()),
            place.beside().with_acquirer(moody.clone()),
        ];
        let tokens: Vec<_> = (0..50).map(|_| place.token(GOOD)).collect();
        let paid: usize = thread::scope(|scope| {
            let payers: Vec<_> = tokens
                .iter()
                .zip(instances.iter().cycle())
                .map(|(token, instance)| scope.spawn(move || pay(place, instance, "one", token, false)))
                .collect();
            payers
                .into_iter()
                .map(|payer| match payer.join().unwrap() {
                    Ok(paid) => usize::from(ended(paid).0 == Status::Success),
                    Err(refused) => {
                        assert_eq!(refused.code, StatusCode::TransactionAlreadyPaid);
                        0
                    }
                })
                .sum()
        });
        assert_eq!((paid, moody.times_done()), (1, 1));
    });
}
