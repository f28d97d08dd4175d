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
    /// `every`: how often to look.
    pub(crate) fn start(
        shared: Arc<Shared>,
        writer: WriterHandle,
        every: Duration,
    ) -> Result<Self, VaultError> {
        let (stop, stopped) = channel::<()>();
        let thread = thread::Builder::new()
            .name("vault-cleaner".into())
            .spawn(move || {
                let (mut next, mut wait) = (Instant::now() + every, every);
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
                        next = Instant::now() + every;
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

/// How often the vault cleans.
pub(crate) const EVERY: Duration = Duration::from_secs(30);

/// How long requests have the writer to themselves between two steps of sealing anew.
const PAUSE: Duration = Duration::from_millis(20);

/// Rows of each kind removed at once.
const STEP: usize = 500;

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use wire::payload::CardPayload;

    use super::*;
    use crate::{
        AppCard, Customer, IssueRequest, Issued, OperationId, Outcome, Purpose, Source, SystemClock,
        VaultConfig,
    };

    fn issue(vault: &Vault) -> Issued {
        let payload = CardPayload {
            number: "4242424242424242".to_owned(),
            exp_month: Some(12),
            exp_year: Some(2040),
            cvv: Some("123".to_owned()),
        };
        let request = IssueRequest {
            project: "sandbox".into(),
            widget_key: "wk_sandbox".into(),
            live: false,
            source: Source::App(AppCard {
                payload,
                customer: Customer::default(),
            }),
            idempotency_key: None,
            body_hash: [0; 32],
            address: [127, 0, 0, 1].into(),
            customer: Customer::default(),
            watch: None,
        };
        let (sender, told) = channel();
        vault.issue(request, move |issued| sender.send(issued).unwrap());
        told.recv().unwrap().unwrap()
    }

    #[test]
    fn saved_cards_are_sealed_anew_without_being_asked() {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::open(VaultConfig::new(folder.path().join("v"), Arc::new(SystemClock))).unwrap();
        vault.ensure_sandbox().unwrap();
        let id = OperationId::new("op").unwrap();
        let save = Purpose::save(None);
        let redeemed = vault.redeem("sandbox", &issue(&vault).token, &id, save).unwrap();
        vault.settle(&redeemed, Outcome::UsedUp).unwrap();
        vault.rotate_data_key("sandbox").unwrap();
        let left = || {
            vault
                .data_keys()
                .unwrap()
                .iter()
                .map(|key| key.cards_left)
                .sum::<u64>()
        };
        assert_eq!(left(), 1);
        let writer = vault.writer().unwrap().clone();
        let every = Duration::from_millis(5);
        let mut cleaner = Cleaner::start(Arc::clone(&vault.shared), writer, every).unwrap();
        let begun = Instant::now();
        while left() > 0 {
            assert!(begun.elapsed() < Duration::from_secs(30));
            thread::sleep(every);
        }
        cleaner.stop();
        assert!(
            vault
                .recognise("sandbox", &redeemed.saved.unwrap())
                .unwrap()
                .is_some()
        );
    }
}
