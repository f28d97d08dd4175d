//! The running job: what has expired goes, whether or not anybody reads it.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::error::{StoreError, VaultError};
use crate::keys::hours::oldest;
use crate::rotation::{data, lasting};
use crate::store::{CleanStep, WriterHandle};
use crate::vault::{Shared, Vault};

/// What one cleaning removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cleaned {
    /// Tokens, with their nonces.
    pub tokens: usize,
    /// Answers that were kept for repeats.
    pub answers: usize,
    /// Security codes of operations whose hour's key is gone. A token goes as a whole before that.
    pub codes: usize,
    /// Operations.
    pub operations: usize,
    /// Cards that an operation would have saved, had it succeeded in its time.
    pub cards: usize,
    /// Data keys of old epochs.
    pub data_keys: usize,
    /// Keys of hours.
    pub hour_keys: usize,
}

impl Vault {
    /// Removes everything whose time is over. The vault does this by itself every half minute.
    pub fn clean(&self) -> Result<Cleaned, VaultError> {
        clean(&self.shared, self.writer()?)
    }

    /// Seals all saved cards anew that are under an old data key, and gives how many. The vault does this by itself, some at
    /// a time.
    pub fn reseal(&self) -> Result<u64, VaultError> {
        let mut sum = 0;
        loop {
            match lasting::step(&self.shared, self.writer()?)? {
                0 => break,
                count => sum += count as u64,
            }
        }
        lasting::look(&self.shared)?;
        Ok(sum)
    }
}

/// Owns the thread that cleans.
pub(crate) struct Cleaner {
    thread: Option<(JoinHandle<()>, Sender<()>)>,
}

impl Cleaner {
    pub(crate) fn start(shared: Arc<Shared>, writer: WriterHandle) -> Result<Self, VaultError> {
        let (stop, stopped) = channel::<()>();
        let thread = thread::Builder::new()
            .name("vault-cleaner".into())
            .spawn(move || {
                let (mut next, mut wait) = (Instant::now() + EVERY, EVERY);
                while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    if Instant::now() >= next {
                        match clean(&shared, &writer) {
                            Ok(cleaned) if cleaned != Cleaned::default() => {
                                tracing::debug!(?cleaned, "cleaned");
                            }
                            Ok(_) => {}
                            Err(error) => tracing::error!(%error, "cleaning failed"),
                        }
                        shared.publish_head();
                        next = Instant::now() + EVERY;
                    }
                    // Some saved cards at a time, so that stopping does not wait for millions.
                    wait = match lasting::step(&shared, &writer) {
                        Ok(1..) => PAUSE,
                        Ok(0) => next.saturating_duration_since(Instant::now()),
                        Err(error) => {
                            tracing::error!(%error, "saved cards could not be sealed anew");
                            next.saturating_duration_since(Instant::now())
                        }
                    };
                }
            })
            .map_err(|_| StoreError::Closing)?;
        Ok(Self {
            thread: Some((thread, stop)),
        })
    }

    /// Ends the thread, after the cleaning that it may be at.
    pub(crate) fn stop(&mut self) {
        if let Some((thread, stop)) = self.thread.take() {
            drop(stop);
            // An error is a panic there, which is over.
            let _ = thread.join();
        }
    }
}

fn clean(shared: &Shared, writer: &WriterHandle) -> Result<Cleaned, VaultError> {
    let now = shared.now();
    let mut sum = Cleaned::default();
    loop {
        let cleaned = writer.call(CleanStep {
            now,
            oldest_hour: oldest(now),
            limit: STEP,
        })?;
        sum.tokens += cleaned.tokens;
        sum.answers += cleaned.answers;
        sum.codes += cleaned.codes;
        sum.operations += cleaned.operations;
        sum.cards += cleaned.cards;
        let most = [
            cleaned.tokens,
            cleaned.answers,
            cleaned.codes,
            cleaned.operations,
            cleaned.cards,
        ];
        // In steps, so that requests in between do not wait long.
        if most.iter().all(|&count| count < STEP) {
            break;
        }
    }
    lasting::look(shared)?;
    sum.data_keys = data::retire(shared, writer, now)?;
    sum.hour_keys = shared.hours.destroy_old(now)?;
    // Of rows that were settled too, which are not counted here.
    shared.store.tidy()?;
    Ok(sum)
}

/// How often to look.
const EVERY: Duration = Duration::from_secs(30);

/// How long requests have the writer to themselves between two steps of sealing anew.
const PAUSE: Duration = Duration::from_millis(20);

/// Rows of each kind removed at once.
const STEP: usize = 500;
