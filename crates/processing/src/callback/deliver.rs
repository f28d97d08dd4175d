//! Delivery: which callbacks are sent now, and what follows from how that went.

use std::fmt;
use std::time::Duration;

use database::{DatabaseError, Transaction, values};
use jiff::{SignedDuration, Timestamp};
use wire::interface::callback::{Attempt, signature};
use wire::interface::sandbox::FaultKind;

use super::fault::asked;
use crate::job::{self, Courier, DELIVERIES, Lease};
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::time;

/// A callback that is to be sent now, by whoever holds this.
pub struct Delivery {
    pub(super) lease: Lease,
    pub(super) seq: i64,
    /// What is to go wrong with it.
    pub(super) fault: Option<FaultKind>,
    /// Where it goes.
    pub url: String,
    /// What is sent, to the byte.
    pub body: String,
    /// The header [`SIGNATURE`](wire::interface::callback::SIGNATURE).
    pub signature: String,
    /// Whether it may go to a private or loopback address.
    pub may_be_private: bool,
}

impl fmt::Debug for Delivery {
    /// Without the body, which holds tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("subject", &self.lease.key)
            .field("seq", &self.seq)
            .finish_non_exhaustive()
    }
}

/// How an attempt went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The HTTP status that came back, or why none did, for people.
    pub result: Result<u16, String>,
    /// How long it took.
    pub took: Duration,
}

/// What follows from an attempt.
#[derive(Debug)]
pub struct Delivered {
    /// The callback that is to be sent next.
    pub next: Option<Delivery>,
    /// Whether this one is not tried any more.
    pub is_given_up: bool,
}

impl Processing {
    /// Callbacks that are to be sent now, `most` at most and one of each subject. They are whoever's asks, for as long as an attempt
    /// takes: each is to be sent at once and handed to [`Processing::delivered`], or to [`Processing::postpone`]. One that is lost is
    /// sent again. Waits for the disk.
    pub fn due_deliveries(&self, most: u32) -> Result<Vec<Delivery>, Refusal> {
        let now = self.shared.now();
        let database = &self.shared.database;
        if !database.read(move |tx| DELIVERIES.is_any(tx, now))? {
            return Ok(Vec::new());
        }
        let fronts = database.write(move |tx| {
            let leases = DELIVERIES.claim(tx, most, now, LEASE)?;
            let fronts = leases.into_iter().map(|lease| front(tx, lease));
            fronts.collect::<Result<Vec<_>, _>>()
        })?;
        Ok(fronts
            .into_iter()
            .flatten()
            .filter_map(|front| self.prepare(front))
            .collect())
    }

    /// Whether there is time enough to send it: otherwise another instance may be sending it too.
    pub fn may_send(&self, delivery: &Delivery) -> bool {
        delivery
            .lease
            .lasts(time::after(self.shared.now(), LONGEST_ATTEMPT))
    }

    /// Writes down how an attempt went, and says what is to be sent next. Waits for the disk.
    pub fn delivered(&self, delivery: Delivery, mut sent: Sent) -> Result<Delivered, Refusal> {
        if let (Some(FaultKind::LostAnswer), Ok(status)) = (delivery.fault, &sent.result) {
            sent.result = Err(asked(&format!("status {status} was lost")));
        }
        let now = self.shared.now();
        let due = time::after(now, job::pause(delivery.lease.failures, LONGEST_PAUSE));
        let (front, is_given_up) = self
            .shared
            .database
            .write(move |tx| record(tx, &delivery, &sent, now, due))?;
        Ok(Delivered {
            next: front.and_then(|front| self.prepare(front)),
            is_given_up,
        })
    }

    /// Leaves callbacks for later that were not tried, each for as long as is said. Waits for the disk.
    pub fn postpone(&self, deliveries: Vec<(Delivery, Duration)>) -> Result<(), Refusal> {
        let now = self.shared.now();
        self.shared.database.write(move |tx| {
            for (delivery, pause) in &deliveries {
                let pause = SignedDuration::try_from(*pause).unwrap_or(LONGEST_PAUSE);
                delivery.lease.postpone(tx, time::after(now, pause))?;
            }
            Ok(())
        })
    }

    /// Sends the callbacks of a job, one after the other, until one fails.
    pub(crate) fn deliver(&self, lease: Lease, courier: &dyn Courier) -> Result<(), Refusal> {
        let front = self.shared.database.write(move |tx| front(tx, lease.clone()))?;
        let mut next = front.and_then(|front| self.prepare(front));
        while let Some(delivery) = next {
            let sent = courier.send(&delivery);
            next = self.delivered(delivery, sent)?.next;
        }
        Ok(())
    }

    /// What is to be sent, where something is. What goes wrong is logged where it does; the lease ends, and it is tried again.
    fn prepare(&self, front: Front) -> Option<Delivery> {
        let delivery = self.sign(front).ok()?;
        self.or_fault(delivery).ok()?
    }

    /// Signs with the password that holds at this moment.
    pub(super) fn sign(&self, front: Front) -> Result<Delivery, Refusal> {
        let password = self.password(&front.signer)?;
        Ok(Delivery {
            signature: signature(&password, front.body.as_bytes()),
            lease: front.lease,
            seq: front.seq,
            fault: None,
            url: front.url,
            body: front.body,
            may_be_private: front.may_be_private,
        })
    }
}

/// The first callback of a subject that waits.
pub(super) struct Front {
    lease: Lease,
    seq: i64,
    signer: String,
    url: String,
    body: String,
    may_be_private: bool,
}

/// What is to be sent under a lease; where nothing is, its job is done.
pub(super) fn front(tx: &mut dyn Transaction, lease: Lease) -> Result<Option<Front>, DatabaseError> {
    let row = tx.row(
        "SELECT seq, signer, url, body, may_call_private FROM callbacks JOIN projects ON projects.id = callbacks.project
         WHERE subject = $1 AND state = 'waiting' ORDER BY seq LIMIT 1",
        values![lease.key],
    )?;
    let Some(row) = row else {
        lease.finish(tx)?;
        return Ok(None);
    };
    Ok(Some(Front {
        lease,
        seq: row.get(0)?,
        signer: row.get(1)?,
        url: row.get(2)?,
        body: row.get(3)?,
        may_be_private: row.get(4)?,
    }))
}

/// Writes an attempt down. `due` is when another one follows if it has failed. Tells what is to be sent next, and whether this was
/// given up.
fn record(
    tx: &mut dyn Transaction,
    delivery: &Delivery,
    sent: &Sent,
    now: Timestamp,
    due: Timestamp,
) -> Result<(Option<Front>, bool), Refusal> {
    let mut lease = delivery.lease.clone();
    // First, as whoever adds a callback does. Another instance may have the job by now; the attempt was made all the same.
    let is_ours = lease.renew(tx, now, LEASE)?;
    let row = tx.row(
        "SELECT state, attempts, created_at FROM callbacks WHERE subject = $1 AND seq = $2 FOR UPDATE",
        values![lease.key, delivery.seq],
    )?;
    let offset = tx.row(
        "SELECT clock_offset FROM projects WHERE id = $1",
        values![&lease.project],
    )?;
    // Its project was emptied meanwhile.
    let (Some(row), Some(offset)) = (row, offset) else {
        return Ok((None, false));
    };
    let by_its_clock =
        |time| Ok::<_, Refusal>(time::after(time, SignedDuration::from_millis(offset.get(0)?)));
    let mut attempts: Vec<Attempt> = serde_json::from_str(&row.get::<String>(1)?)
        .map_err(|_| Refusal::internal("attempts cannot be read"))?;
    attempts.push(Attempt {
        at: by_its_clock(now)?,
        milliseconds: u64::try_from(sent.took.as_millis()).unwrap_or(u64::MAX),
        status: sent.result.as_ref().ok().copied(),
        error: sent.result.as_ref().err().cloned(),
        signature: delivery.signature.clone(),
    });
    let is_taken = sent.result == Ok(200);
    let state: String = row.get(0)?;
    let gives_up_at = time::after(time::from_sql(row.get(2)?)?, TRIED_FOR);
    let state = match (is_taken, state.as_str()) {
        (true, "waiting") if delivery.fault == Some(FaultKind::Duplicate) => "waiting",
        (true, _) => "delivered",
        (false, "waiting") if by_its_clock(due)? > gives_up_at => "given_up",
        (false, state) => state,
    };
    let attempts =
        serde_json::to_string(&attempts).map_err(|_| Refusal::internal("attempts cannot be written"))?;
    tx.change(
        "UPDATE callbacks SET state = $3, attempts = $4 WHERE subject = $1 AND seq = $2",
        values![lease.key, delivery.seq, state, attempts],
    )?;
    let is_given_up = state == "given_up";
    if !is_ours {
        return Ok((None, is_given_up));
    }
    if state == "waiting" && !is_taken {
        lease.fail(tx, due)?;
        return Ok((None, false));
    }
    lease.failures = 0;
    Ok((front(tx, lease)?, is_given_up))
}

/// Longest time for one attempt.
pub const LONGEST_ATTEMPT: SignedDuration = SignedDuration::from_secs(10);

/// Longer than an attempt and writing it down take.
const LEASE: SignedDuration = SignedDuration::from_secs(30);

/// Longest pause between two attempts.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_hours(6);

/// For how long a callback is tried, by the project's clock.
const TRIED_FOR: SignedDuration = SignedDuration::from_hours(72);
