//! What must be true after a kill.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use vault::{OperationId, Purpose, Vault, VaultConfig};

use super::record::Record;
use crate::connection::Connection;
use crate::drive::join;
use crate::submission;

/// What the repeats found.
#[derive(Default)]
pub(super) struct Found {
    /// Requests of that life that had been answered.
    pub(super) answered: usize,
    /// Requests whose answer had been cut off.
    pub(super) cut: usize,
    /// Of those, how many had been stored.
    pub(super) kept: usize,
    /// All of them: by now, everything has its token.
    pub(super) record: Record,
}

/// Sends everything twice more.
pub(super) fn repeat(address: SocketAddr, life: Record) -> Result<Found> {
    let mut found = Found {
        answered: life.answered.len(),
        cut: life.cut.len(),
        ..Found::default()
    };
    for part in at_once(life.split(THREADS), |part| repeat_some(address, part))? {
        found.kept += part.kept;
        found.record.extend(part.record);
    }
    Ok(found)
}

fn repeat_some(address: SocketAddr, life: Record) -> Result<Found> {
    let mut connection = Connection::open(address, LIMIT)?;
    let mut send = |bytes: &[u8]| -> Result<(u16, String)> {
        let answer = connection.exchange(bytes)?;
        let text = String::from_utf8_lossy(answer.body);
        ensure!(
            matches!(answer.status, 200 | 201),
            "a repeat was answered with {}: {text}",
            answer.status
        );
        Ok((answer.status, submission::token(answer.body)?))
    };
    for (submission, token) in &life.answered {
        let again = send(submission.bytes())?;
        ensure!(again == (200, token.clone()), "an answered token was lost");
    }
    let mut found = Found::default();
    found.record.answered = life.answered;
    for submission in life.cut {
        let (status, token) = send(submission.bytes())?;
        // 200: it had been stored, and nobody heard of it. 201: it had not.
        found.kept += usize::from(status == 200);
        let again = send(submission.bytes())?;
        ensure!(again == (200, token.clone()), "one request has two tokens");
        found.record.answered.push((submission, token));
    }
    Ok(found)
}

/// Opens the vault where the service has left it and takes the card out from behind every token that was not looked at
/// before. A token opens its card once: each operation reserves it.
pub(super) fn open(vault: VaultConfig, record: Record) -> Result<()> {
    let vault = Vault::open(vault)?;
    let mut tokens = HashSet::new();
    for (_, token) in &record.answered {
        ensure!(tokens.insert(token), "two requests have one token");
    }
    drop(tokens);
    at_once(record.split(THREADS), |part| {
        for (submission, token) in &part.answered {
            let operation = OperationId::new(&make_id()?).context("an operation's id")?;
            let redeemed = vault.redeem(PROJECT, token, &operation, Purpose::PAY)?;
            let same = vault.use_card(&redeemed, |card| card.number.expose() == submission.number)?;
            ensure!(same, "a token opens another card");
        }
        Ok(())
    })?;
    Ok(())
}

/// Does the same with each part, on a thread for each.
fn at_once<T: Send>(parts: Vec<Record>, work: impl Fn(Record) -> Result<T> + Sync) -> Result<Vec<T>> {
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = parts
            .into_iter()
            .map(|part| scope.spawn(move || work(part)))
            .collect();
        workers.into_iter().map(join).collect()
    })
}

fn make_id() -> Result<String> {
    let bytes: [u8; 16] = crate::envelope::random()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Project of the widget key.
const PROJECT: &str = "sandbox";

/// Commits are shared by those who wait for them.
const THREADS: usize = 16;

/// Longest wait for an answer.
const LIMIT: Duration = Duration::from_secs(10);
