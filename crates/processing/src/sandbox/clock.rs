//! A project's own clock, and the balances that depend on its days.

use database::{Transaction, values};
use jiff::{SignedDuration, Timestamp};
use wire::interface::StatusCode;
use wire::interface::sandbox::{SandboxAdvance, SandboxBalance, SandboxClock};

use crate::job::{self, Courier};
use crate::ledger::{self, Account};
use crate::processing::Processing;
use crate::project::Project;
use crate::refund;
use crate::refusal::Refusal;
use crate::time;

impl Processing {
    /// What the project's clock shows.
    pub fn sandbox_clock(&self, project: &Project) -> Result<SandboxClock, Refusal> {
        super::only(project)?;
        let (id, real) = (project.id.clone(), self.shared.now());
        let now = self.shared.database.read(move |tx| shown(tx, &id, real))?;
        Ok(SandboxClock { now })
    }

    /// Sets the project's clock. Forward, everything that is due on the way is done first, in order; back, everything that waits is due
    /// later by that much. Waits for the disk, and for shops.
    pub fn set_sandbox_clock(
        &self,
        project: &Project,
        clock: SandboxClock,
        courier: &dyn Courier,
    ) -> Result<SandboxClock, Refusal> {
        super::only(project)?;
        check(clock.now, "now")?;
        let (id, real) = (project.id.clone(), self.shared.now());
        let is_behind = self.shared.database.write(move |tx| {
            let ahead = clock.now.duration_since(shown(tx, &id, real)?);
            if ahead.is_negative() {
                job::jump(tx, &id, ahead)?;
            }
            Ok::<_, Refusal>(!ahead.is_negative())
        })?;
        if is_behind {
            self.advance(&project.id, clock.now, courier)?;
        }
        self.shared.registry.forget(&project.id);
        self.sandbox_clock(project)
    }

    /// Sets the project's clock forward, and does everything that is due on the way, in order. Waits for the disk, and for shops.
    pub fn advance_sandbox_clock(
        &self,
        project: &Project,
        advance: SandboxAdvance,
        courier: &dyn Courier,
    ) -> Result<SandboxClock, Refusal> {
        let SandboxClock { now } = self.sandbox_clock(project)?;
        let until = time::after(now, SignedDuration::from_secs(advance.seconds.value().into()));
        check(until, "seconds")?;
        let now = self.advance(&project.id, until, courier)?;
        Ok(SandboxClock { now })
    }

    /// Sets the balances of refunds (of today, by the project's clock) and of payouts. Refunds that wait for them are looked at again.
    pub fn set_sandbox_balance(
        &self,
        project: &Project,
        balance: SandboxBalance,
    ) -> Result<SandboxBalance, Refusal> {
        super::only(project)?;
        let (id, real) = (project.id.clone(), self.shared.now());
        self.shared.database.write(move |tx| {
            let now = shown(tx, &id, real)?;
            for account in [Account::Refunds, Account::Payouts] {
                ledger::set(tx, &id, account, balance.currency, now, balance.amount)?;
            }
            refund::wake(tx, &id, balance.currency, real)
        })?;
        Ok(balance)
    }
}

/// By the store: what is remembered of a project may be two seconds old.
fn shown(tx: &mut dyn Transaction, project: &str, real: Timestamp) -> Result<Timestamp, Refusal> {
    let row = tx.row(
        "SELECT clock_offset FROM projects WHERE id = $1",
        values![project],
    )?;
    let row = row.ok_or_else(|| Refusal::internal("a project is gone"))?;
    Ok(time::after(real, SignedDuration::from_millis(row.get(0)?)))
}

/// So that everything that is counted from it stays within what a time can be.
fn check(now: Timestamp, param: &str) -> Result<(), Refusal> {
    match (FIRST..END).contains(&now.as_second()) {
        true => Ok(()),
        false => Err(Refusal::new(
            StatusCode::InvalidRequestBody,
            "the clock can show the years 2024 to 2199",
        )
        .at(param)),
    }
}

/// 2024-01-01T00:00:00Z.
const FIRST: i64 = 1_704_067_200;

/// 2200-01-01T00:00:00Z.
const END: i64 = 7_258_118_400;

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use wire::interface::callback::Resource;

    use super::*;
    use crate::callback::{self, Delivery, NewCallback, Sent};
    use crate::id::Id;
    use crate::testing::{Place, in_both};

    /// Notes what is sent, and when by the real clock.
    struct Notes<'a>(&'a Place, Mutex<Vec<(String, Timestamp)>>);

    impl Courier for Notes<'_> {
        fn send(&self, delivery: &Delivery) -> Sent {
            let Self(place, sent) = self;
            let project = place.sandbox();
            let shown = place.processing.sandbox_clock(&project).unwrap().now;
            sent.lock().unwrap().push((delivery.body.clone(), shown));
            Sent {
                result: Ok(200),
                took: Duration::ZERO,
            }
        }
    }

    fn enqueue(place: &Place, body: &'static str, after: i64) {
        let (project, now) = (place.sandbox(), place.processing.shared.now());
        let due = time::after(now, SignedDuration::from_secs(after));
        let payment = Id::new(now).unwrap();
        let queued = place.processing.shared.database.write(move |tx| {
            let callback = NewCallback {
                project: &project,
                signer: &project.id,
                resource: Resource::Payment,
                subject: payment,
                external_id: body,
                operation: "payment",
                url: "https://shop.example/",
                body,
            };
            callback::enqueue(tx, &callback, due)
        });
        queued.unwrap();
    }

    #[test]
    fn what_is_due_on_the_way_is_done_at_its_time() {
        in_both(|place| {
            let (project, processing) = (place.sandbox(), &place.processing);
            let courier = Notes(place, Mutex::default());
            let start = processing.sandbox_clock(&project).unwrap().now;
            let at = |seconds| time::after(start, SignedDuration::from_secs(seconds));
            for (body, after) in [("second", 7200), ("first", 3600), ("third", 90_000)] {
                enqueue(place, body, after);
            }
            let advance = serde_json::from_str(r#"{"seconds": 7200}"#).unwrap();
            let shown = processing.advance_sandbox_clock(&project, advance, &courier);
            assert_eq!(shown.unwrap().now, at(7200));
            let sent = courier.1.lock().unwrap().clone();
            assert_eq!(
                sent,
                [("first".to_owned(), at(3600)), ("second".to_owned(), at(7200))]
            );

            // Back by two hours: the third one is due when the clock shows its time.
            let back = processing.set_sandbox_clock(&project, SandboxClock { now: start }, &courier);
            assert_eq!(back.unwrap().now, start);
            let clock = |now| processing.set_sandbox_clock(&project, SandboxClock { now }, &courier);
            clock(at(89_999)).unwrap();
            assert_eq!(courier.1.lock().unwrap().len(), 2);
            assert_eq!(clock(at(90_000)).unwrap().now, at(90_000));
            assert_eq!(courier.1.lock().unwrap().len(), 3);
            place.clock.advance(5000);
            assert_eq!(
                processing.sandbox_clock(&project).unwrap().now,
                at(90_005),
                "it runs on"
            );

            for now in ["2023-12-31T23:59:59Z", "2200-01-01T00:00:00Z"] {
                assert_eq!(clock(now.parse().unwrap()).unwrap_err().param, "now");
            }
        });
    }
}
