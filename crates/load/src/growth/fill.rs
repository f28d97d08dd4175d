//! Cards into a store, as fast as the vault takes them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use seal::{Claims, Envelope, Point};
use vault::{Customer, IssueError, IssueRequest, Issued, SealedCard, Source, Vault, VaultConfig};
use wire::payload::CardPayload;

use crate::boot::{SHOP, WIDGET_KEY};
use crate::drive::join;
use crate::envelope::{Sealer, random};
use crate::submission::{CODE, EXPIRY, NUMBERS, idempotency_key};

/// Issues so many tokens, each with a nonce and an idempotency key of its own, and closes the vault.
///
/// Envelopes are sealed under a few key pairs instead of one for each, which only the sealing side could tell.
pub(super) fn fill(config: VaultConfig, rows: usize) -> Result<()> {
    let vault = Vault::open(config)?;
    vault.ensure_sandbox()?;
    let begun = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| issue(&vault, &begun, rows)))
            .collect();
        workers.into_iter().try_for_each(join)
    })
}

fn issue(vault: &Vault, begun: &AtomicUsize, rows: usize) -> Result<()> {
    let (done, answers) = channel();
    let mut waiting = 0;
    let mut sealer = None;
    loop {
        let n = begun.fetch_add(1, Ordering::Relaxed);
        if n >= rows {
            break;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        // Keys may be rotated meanwhile, and then an old one is refused.
        if n.is_multiple_of(PER_SEALER) {
            sealer = None;
        }
        let sealer = match &mut sealer {
            Some(sealer) => sealer,
            none => none.insert(new_sealer(vault, now)?),
        };
        let request = request(sealer, NUMBERS[n % NUMBERS.len()], now)?;
        let done = done.clone();
        vault.issue(request, move |issued| {
            // The other end is held until all were heard.
            let _ = done.send(issued);
        });
        waiting += 1;
        if waiting >= WAITING {
            hear(&answers)?;
            waiting -= 1;
        }
    }
    (0..waiting).try_for_each(|_| hear(&answers))
}

fn new_sealer(vault: &Vault, now: u64) -> Result<Sealer> {
    let key = vault.sealing_key(now)?;
    Sealer::new(&key.kid, Point { x: key.x, y: key.y })
}

fn hear(answers: &Receiver<Result<Issued, IssueError>>) -> Result<()> {
    answers.recv().context("the vault went away")??;
    Ok(())
}

fn request(sealer: &Sealer, number: &str, now: u64) -> Result<IssueRequest> {
    let payload = CardPayload::write(number, Some(EXPIRY), Some(CODE));
    let claims = Claims {
        widget_key: WIDGET_KEY,
        origin: SHOP,
        ticket: "ticket",
        nonce: random()?,
        issued_at: now,
        form: "full_card",
    };
    let envelope = Envelope::parse(&sealer.seal(claims, &payload)?)?;
    Ok(IssueRequest {
        project: "sandbox".to_owned(),
        widget_key: WIDGET_KEY.to_owned(),
        live: false,
        source: Source::Frame(Box::new(SealedCard {
            envelope,
            origin: SHOP.to_owned(),
            ticket_made_at: now,
            ticket_expires_at: now + 3600,
        })),
        idempotency_key: Some(idempotency_key()?.into()),
        body_hash: random()?,
        address: [127, 0, 0, 1].into(),
        customer: Customer::default(),
        watch: None,
    })
}

/// Requests of one thread that wait for the disk at a time. The vault's queue holds some thousands.
const WAITING: usize = 512;

/// Cards under one key pair.
const PER_SEALER: usize = 50_000;
