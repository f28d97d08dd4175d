//! A load that goes on until the service is dead, or until it is told to end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use wire::boot::Boot;

use super::record::Record;
use crate::boot;
use crate::connection::Connection;
use crate::drive::join;
use crate::process::Process;
use crate::submission::{self, NUMBERS, Submission};

/// Loads the victim over so many connections and kills it after `delay`.
pub(super) fn until_killed(victim: Process, connections: usize, delay: Duration) -> Result<Record> {
    let address = victim.address;
    let boot = boot::fetch(address)?;
    let (record, killed) = under_load(
        connections,
        || load(address, &boot),
        || {
            thread::sleep(delay);
            victim.kill()
        },
    )?;
    killed?;
    Ok(record)
}

/// Loads the service over so many connections while `happens` goes on. The service is to live through it: every request
/// must be answered, with a token or a refusal for the moment.
pub(super) fn during<T: Send>(
    service: SocketAddr,
    connections: usize,
    happens: impl FnOnce() -> Result<T>,
) -> Result<(Record, T)> {
    let boot = boot::fetch(service)?;
    let over = AtomicBool::new(false);
    let (record, outcome) = under_load(
        connections,
        || steady_load(service, &boot, &over),
        || {
            let outcome = happens();
            over.store(true, Ordering::Relaxed);
            outcome
        },
    )?;
    Ok((record, outcome?))
}

/// Runs `load` on so many threads and `happens` on this one.
fn under_load<T>(
    connections: usize,
    load: impl Fn() -> Result<Record> + Sync,
    happens: impl FnOnce() -> T,
) -> Result<(Record, T)> {
    thread::scope(|scope| {
        let workers: Vec<_> = (0..connections).map(|_| scope.spawn(&load)).collect();
        let outcome = happens();
        let mut record = Record::default();
        for worker in workers {
            record.extend(join(worker)?);
        }
        Ok((record, outcome))
    })
}

/// Sends until the service is gone. Some requests go out twice at once, as from a person who is impatient.
fn load(address: SocketAddr, boot: &Boot) -> Result<Record> {
    let mut record = Record::default();
    let (Ok(mut first), Ok(mut second)) =
        (Connection::open(address, LIMIT), Connection::open(address, LIMIT))
    else {
        // It was killed before it could take this connection.
        return Ok(record);
    };
    for n in 0.. {
        let submission = Arc::new(Submission::make(address, boot, NUMBERS[n % NUMBERS.len()])?);
        // An error means that it is dead, and another answer counts as none: what became of the request is asked later.
        let heard = exchange(&submission, n, &mut first, &mut second);
        let is_over = heard.iter().any(Result::is_err);
        record.add(submission, heard.into_iter().flatten())?;
        if is_over {
            break;
        }
    }
    Ok(record)
}

/// Sends until it is told to end.
fn steady_load(address: SocketAddr, boot: &Boot, over: &AtomicBool) -> Result<Record> {
    let mut record = Record::default();
    let mut first = Connection::open(address, LIMIT)?;
    let mut second = Connection::open(address, LIMIT)?;
    for n in 0.. {
        let submission = Arc::new(Submission::make(address, boot, NUMBERS[n % NUMBERS.len()])?);
        let mut tokens = Vec::new();
        let mut refused = false;
        for heard in exchange(&submission, n, &mut first, &mut second) {
            match heard.context("the service lives, and does not answer")? {
                Heard::Token(token) => tokens.push(Heard::Token(token)),
                Heard::Status(503) => refused = true,
                Heard::Status(status) => bail!("answered with {status} instead of 503"),
            }
        }
        record.add(submission, tokens)?;
        if over.load(Ordering::Relaxed) {
            break;
        }
        if refused {
            thread::sleep(PAUSE);
        }
    }
    Ok(record)
}

/// What was heard of one request.
pub(super) enum Heard {
    /// Its token.
    Token(String),
    /// Another answer.
    Status(u16),
}

/// Sends a request, and now and then on both connections at once.
fn exchange(
    submission: &Submission,
    n: usize,
    first: &mut Connection,
    second: &mut Connection,
) -> Vec<io::Result<Heard>> {
    let sent = first.send(submission.bytes());
    let sent_again = n.is_multiple_of(TWICE).then(|| second.send(submission.bytes()));
    let mut heard = vec![sent.and_then(|()| receive(first))];
    heard.extend(sent_again.map(|sent| sent.and_then(|()| receive(second))));
    heard
}

fn receive(connection: &mut Connection) -> io::Result<Heard> {
    let answer = connection.receive()?;
    if !matches!(answer.status, 200 | 201) {
        return Ok(Heard::Status(answer.status));
    }
    submission::token(answer.body)
        .map(Heard::Token)
        .map_err(io::Error::other)
}

impl Record {
    /// Adds what was heard of a request, which may have gone out twice.
    fn add(&mut self, submission: Arc<Submission>, heard: impl IntoIterator<Item = Heard>) -> Result<()> {
        let mut tokens = heard.into_iter().filter_map(|heard| match heard {
            Heard::Token(token) => Some(token),
            Heard::Status(_) => None,
        });
        match tokens.next() {
            Some(token) => {
                ensure!(
                    tokens.all(|other| other == token),
                    "two requests with one idempotency key gave two tokens"
                );
                self.answered.push((submission, token));
            }
            None => self.cut.push(submission),
        }
        Ok(())
    }
}

/// One request in so many is sent twice at once.
const TWICE: usize = 8;

/// Longest wait for an answer: more than the service waits for its store.
const LIMIT: Duration = Duration::from_secs(60);

/// Between a refusal and the next request.
const PAUSE: Duration = Duration::from_millis(100);
