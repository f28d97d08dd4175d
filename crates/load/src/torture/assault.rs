//! A load that goes on until the service is dead.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
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
    thread::scope(|scope| {
        let workers: Vec<_> = (0..connections)
            .map(|_| scope.spawn(|| load(address, &boot)))
            .collect();
        thread::sleep(delay);
        victim.kill()?;
        let mut record = Record::default();
        for worker in workers {
            record.extend(join(worker)?);
        }
        Ok(record)
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
        let number = NUMBERS[n % NUMBERS.len()];
        let submission = Arc::new(Submission::make(address, boot, number)?);
        let mut answers = Vec::new();
        let twice = n % TWICE == 0;
        let sent = first.send(submission.bytes());
        let sent_again = twice.then(|| second.send(submission.bytes()));
        answers.push(sent.and_then(|()| read_token(&mut first)));
        answers.extend(sent_again.map(|sent| sent.and_then(|()| read_token(&mut second))));

        let is_over = answers.iter().any(Result::is_err);
        let mut tokens: Vec<String> = answers.into_iter().filter_map(Result::ok).collect();
        tokens.dedup();
        match (tokens.pop(), tokens.is_empty()) {
            (Some(token), true) => record.answered.push((submission, token)),
            (Some(_), false) => bail!("two requests with one idempotency key gave two tokens"),
            (None, _) => record.cut.push(submission),
        }
        if is_over {
            break;
        }
    }
    Ok(record)
}

/// The token of an answer. Every other answer counts as none: what became of the request is asked again later.
fn read_token(connection: &mut Connection) -> io::Result<String> {
    let answer = connection.receive()?;
    if !matches!(answer.status, 200 | 201) {
        return Err(io::Error::other(format!("answered with {}", answer.status)));
    }
    submission::token(answer.body).map_err(io::Error::other)
}

/// One request in so many is sent twice at once.
const TWICE: usize = 8;

/// Longest wait for an answer.
const LIMIT: Duration = Duration::from_secs(10);
