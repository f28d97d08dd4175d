//! Callbacks that go wrong, because a test of a shop asked the sandbox for it.

use std::time::Duration;

use database::{DatabaseError, Transaction, values};
use wire::interface::sandbox::{FaultKind, SandboxFault};
use wire::interface::values::Whole;

use super::deliver::{Delivery, Front, Sent, front};
use crate::job::Lease;
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::sandbox::fault::CALLBACKS;

impl Processing {
    /// What is to be sent after the next fault has happened, if there is one.
    pub(super) fn or_fault(&self, delivery: Delivery) -> Result<Option<Delivery>, Refusal> {
        let project = self.shared.known_project(&delivery.lease.project)?;
        let Some(fault) = self.take_fault(&project, CALLBACKS, KINDS)? else {
            return Ok(Some(delivery));
        };
        let failed = |result| Sent {
            result,
            took: Duration::ZERO,
        };
        let next = match fault.kind {
            FaultKind::Drop => {
                self.delivered(delivery, failed(Err(asked("nothing was sent"))))?
                    .next
            }
            FaultKind::Error => self.delivered(delivery, failed(Ok(status(&fault))))?.next,
            FaultKind::Reorder => self.let_pass(delivery)?,
            FaultKind::Duplicate | FaultKind::LostAnswer => Some(Delivery {
                fault: Some(fault.kind),
                ..delivery
            }),
            _ => {
                let pause =
                    Duration::from_millis(fault.milliseconds.map_or(1000, |pause| pause.value().into()));
                self.postpone(vec![(delivery, pause)])?;
                None
            }
        };
        Ok(next)
    }

    /// Lets the next callback of the subject pass, or for a while those of others.
    fn let_pass(&self, delivery: Delivery) -> Result<Option<Delivery>, Refusal> {
        let (lease, seq) = (delivery.lease.clone(), delivery.seq);
        let front: Option<Front> =
            self.shared
                .database
                .write(move |tx| match change_places(tx, &lease, seq)? {
                    true => front(tx, lease.clone()),
                    false => Ok(None),
                })?;
        match front {
            Some(front) => Ok(Some(self.sign(front)?)),
            None => {
                self.postpone(vec![(delivery, PASSED_WITHIN)])?;
                Ok(None)
            }
        }
    }
}

/// Puts a callback behind the next one of its subject that waits; `false` where there is none.
fn change_places(tx: &mut dyn Transaction, lease: &Lease, seq: i64) -> Result<bool, DatabaseError> {
    let row = tx.row(
        "SELECT MIN(seq) FROM callbacks WHERE subject = $1 AND seq > $2 AND state = 'waiting'",
        values![lease.key, seq],
    )?;
    let next: Option<i64> = row.map_or(Ok(None), |row| row.get(0))?;
    let Some(next) = next else {
        return Ok(false);
    };
    for (from, to) in [(seq, 0), (next, seq), (0, next)] {
        tx.change(
            "UPDATE callbacks SET seq = $3 WHERE subject = $1 AND seq = $2",
            values![lease.key, from, to],
        )?;
    }
    Ok(true)
}

/// The status that a receiver seems to have answered with.
fn status(fault: &SandboxFault) -> u16 {
    fault
        .status
        .map_or(500, |status| u16::try_from(Whole::value(status)).unwrap_or(500))
}

/// What the journal says.
pub(super) fn asked(what: &str) -> String {
    format!("{what}, as the sandbox was asked")
}

const KINDS: &[FaultKind] = &[
    FaultKind::Delay,
    FaultKind::Drop,
    FaultKind::Duplicate,
    FaultKind::Reorder,
    FaultKind::Error,
    FaultKind::LostAnswer,
];

/// How long a callback without a next one stands aside.
const PASSED_WITHIN: Duration = Duration::from_secs(3);

#[cfg(test)]
mod tests {
    use crate::callback::tests::{bodies, due, journal, none_is_due, payment, sent, tell};
    use crate::testing::{self, Place};

    fn ask(place: &Place, json: &str) {
        let faults = vec![serde_json::from_str(json).unwrap()];
        place.processing.add_faults(&place.sandbox(), faults).unwrap();
    }

    #[test]
    fn what_was_asked_for_goes_wrong_once() {
        testing::in_both(|place| {
            let processing = &place.processing;
            let (one, another) = (payment(place), payment(place));
            tell(place, one, "a");
            for json in [
                r#"{"path": "callbacks", "kind": "drop"}"#,
                r#"{"path": "callbacks", "kind": "error", "status": 418}"#,
                r#"{"path": "callbacks", "kind": "delay", "milliseconds": 2500}"#,
                r#"{"path": "callbacks", "kind": "lost_answer"}"#,
                r#"{"path": "callbacks", "kind": "duplicate"}"#,
            ] {
                ask(place, json);
            }
            // Dropped, and then answered with an error: some 10 and 30 seconds.
            for pause in [12_000, 36_000] {
                none_is_due(processing);
                place.clock.advance(pause);
            }
            none_is_due(processing);
            place.clock.advance(2_499);
            none_is_due(processing);
            place.clock.advance(1);
            let delivery = due(processing);
            assert!(
                processing
                    .delivered(delivery, sent(Ok(200)))
                    .unwrap()
                    .next
                    .is_none()
            );
            place.clock.advance(110_000);
            let again = processing
                .delivered(due(processing), sent(Ok(200)))
                .unwrap()
                .next
                .unwrap();
            assert_eq!(again.body, "a", "twice, though it has arrived");
            assert!(processing.delivered(again, sent(Ok(200))).unwrap().next.is_none());
            let attempts = journal(place).remove(0).attempts;
            let told: Vec<_> = attempts
                .iter()
                .map(|attempt| (attempt.status, attempt.error.as_deref()))
                .collect();
            let expected = [
                (None, Some("nothing was sent, as the sandbox was asked")),
                (Some(418), None),
                (None, Some("status 200 was lost, as the sandbox was asked")),
                (Some(200), None),
                (Some(200), None),
            ];
            assert_eq!(told, expected);
            tell(place, another, "b");
            let delivery = due(processing);
            assert!(
                processing
                    .delivered(delivery, sent(Ok(200)))
                    .unwrap()
                    .next
                    .is_none()
            );
        });
    }

    #[test]
    fn the_next_one_passes() {
        testing::in_both(|place| {
            let (one, processing) = (payment(place), &place.processing);
            for body in ["a", "b", "c"] {
                tell(place, one, body);
            }
            ask(place, r#"{"path": "callbacks", "kind": "reorder"}"#);
            let mut order = Vec::new();
            let mut next = Some(due(processing));
            while let Some(delivery) = next {
                order.push(delivery.body.clone());
                next = processing.delivered(delivery, sent(Ok(200))).unwrap().next;
            }
            assert_eq!(order, ["b", "a", "c"]);
            // Those of other payments pass one that has none behind it.
            ask(place, r#"{"path": "callbacks", "kind": "reorder"}"#);
            tell(place, payment(place), "d");
            none_is_due(processing);
            tell(place, payment(place), "e");
            assert_eq!(bodies(&processing.due_deliveries(10).unwrap()), ["e"]);
            place.clock.advance(3_000);
            assert_eq!(due(processing).body, "d");
        });
    }
}
