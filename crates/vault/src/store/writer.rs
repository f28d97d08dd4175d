//! The one thread that writes. Changes that wait at the same moment share one transaction and one flush to the disk.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use crate::error::{StoreError, VaultError};
use crate::store::Commit;
use crate::store::change::{Auditor, Change, Entry, Job};

/// Owns the thread. Dropping it finishes what was handed in.
pub(crate) struct Writer {
    handle: Option<WriterHandle>,
    thread: Option<JoinHandle<Box<dyn Commit>>>,
}

/// Hands changes to the writer.
#[derive(Clone)]
pub(crate) struct WriterHandle {
    jobs: SyncSender<Job>,
    counters: Arc<Counters>,
}

/// What a vault has written since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Figures {
    /// Transactions that are on the disk: each waited for it once.
    pub batches: u64,
    /// Changes in them, refused ones included.
    pub changes: u64,
    /// Transactions that failed.
    pub failed: u64,
    /// Saved cards that were put under a newer data key.
    pub resealed: u64,
    /// Saved cards still under an old one, as last counted.
    pub to_reseal: u64,
}

#[derive(Default)]
struct Counters {
    batches: AtomicU64,
    changes: AtomicU64,
    failed: AtomicU64,
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(store: Box<dyn Commit>, audit: Box<dyn Auditor>) -> Result<Self, VaultError> {
        let (sender, receiver) = sync_channel(QUEUE);
        let counters = Arc::<Counters>::default();
        let counting = Arc::clone(&counters);
        let thread = thread::Builder::new()
            .name("vault-writer".into())
            .spawn(move || run(store, audit, &receiver, &counting))
            .map_err(|_| StoreError::Closing)?;
        Ok(Self {
            handle: Some(WriterHandle {
                jobs: sender,
                counters,
            }),
            thread: Some(thread),
        })
    }

    /// A handle to hand in changes with.
    pub(crate) fn handle(&self) -> Result<&WriterHandle, StoreError> {
        self.handle.as_ref().ok_or(StoreError::Closing)
    }

    /// Waits for all changes and gives the store back; other handles must be gone by then.
    pub(crate) fn stop(&mut self) -> Option<Box<dyn Commit>> {
        self.handle = None;
        let thread = self.thread.take()?;
        // A vault may be dropped by the last `done` that held it. The thread then ends by itself.
        if thread.thread().id() == thread::current().id() {
            return None;
        }
        thread.join().ok()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl WriterHandle {
    /// Hands in a change; `done` hears on the writer's thread when its verdict is on the disk, or why there is none.
    /// `done` must neither wait nor write.
    pub(crate) fn submit<C: Change>(
        &self,
        change: C,
        done: impl FnOnce(Result<C::Verdict, StoreError>) + Send + 'static,
    ) {
        let job = C::into_job(Entry {
            change,
            verdict: None,
            done: Box::new(done),
        });
        match self.jobs.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(job)) => job.finish(Err(StoreError::Overloaded)),
            Err(TrySendError::Disconnected(job)) => job.finish(Err(StoreError::Closing)),
        }
    }

    /// The same, waiting for the verdict. Not for the writer's own thread, which would wait for itself.
    pub(crate) fn call<C: Change>(&self, change: C) -> Result<C::Verdict, StoreError>
    where
        C::Verdict: 'static,
    {
        let (sender, receiver) = sync_channel(1);
        self.submit(change, move |result| {
            // The other side waits below; it cannot have gone away.
            let _ = sender.send(result);
        });
        receiver.recv().unwrap_or(Err(StoreError::Closing))
    }

    /// What was written so far.
    pub(crate) fn figures(&self) -> Figures {
        Figures {
            batches: self.counters.batches.load(Ordering::Relaxed),
            changes: self.counters.changes.load(Ordering::Relaxed),
            failed: self.counters.failed.load(Ordering::Relaxed),
            ..Figures::default()
        }
    }
}

fn run(
    mut store: Box<dyn Commit>,
    mut audit: Box<dyn Auditor>,
    jobs: &Receiver<Job>,
    counters: &Counters,
) -> Box<dyn Commit> {
    let mut commit = |store: &mut dyn Commit, batch: &mut [Job]| {
        // A panic in it must not end the thread that all others wait for.
        let committed = report(catch_unwind(AssertUnwindSafe(|| {
            store.commit(batch, &mut *audit)
        })))
        .unwrap_or_else(|| Err(StoreError::Refused("the work stopped half-way".into())));
        match &committed {
            Ok(()) => {
                counters.batches.fetch_add(1, Ordering::Relaxed);
                counters.changes.fetch_add(batch.len() as u64, Ordering::Relaxed);
            }
            Err(error) => {
                counters.failed.fetch_add(1, Ordering::Relaxed);
                tracing::error!(%error, changes = batch.len(), "a batch was not written");
            }
        }
        committed
    };
    while let Ok(first) = jobs.recv() {
        let mut batch = vec![first];
        batch.extend(jobs.try_iter().take(BATCH - 1));
        match commit(&mut *store, &mut batch) {
            // One change that cannot be written must not take others with it: each has a transaction of its own then.
            Err(StoreError::Refused(_)) if batch.len() > 1 => {
                for mut job in batch {
                    job.reset();
                    let committed = commit(&mut *store, std::slice::from_mut(&mut job));
                    finish(job, committed);
                }
            }
            committed => batch.into_iter().for_each(|job| finish(job, committed.clone())),
        }
    }
    store
}

fn finish(job: Job, committed: Result<(), StoreError>) {
    report(catch_unwind(AssertUnwindSafe(|| job.finish(committed))));
}

/// The message of a panic may quote anything.
fn report<T>(result: Result<T, Box<dyn Any + Send>>) -> Option<T> {
    result
        .inspect_err(|_| tracing::error!("a panic in the vault's writer"))
        .ok()
}

/// Most changes in one transaction.
const BATCH: usize = 256;

/// Most changes that may wait. More means that the disk does not keep up: better to say so.
const QUEUE: usize = 4096;

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::store::{KeyChange, Unaudited};

    /// A store of widget keys' names that does what the names say.
    #[derive(Default)]
    struct Names {
        batches: Batches,
        /// Held by who wants changes to pile up behind "wait".
        gate: Arc<Mutex<()>>,
    }

    impl Commit for Names {
        fn commit(&mut self, batch: &mut [Job], _: &mut dyn Auditor) -> Result<(), StoreError> {
            let mut written = Vec::new();
            for job in batch {
                let Job::Keys(entry) = job else {
                    panic!("not a key")
                };
                let KeyChange::RemoveWidgetKey(name) = &entry.change else {
                    panic!("not a name")
                };
                match name.as_str() {
                    "refused" => return Err(StoreError::Refused("on purpose".into())),
                    "unavailable" => return Err(StoreError::Unavailable("on purpose".into())),
                    "panic" => panic!("on purpose"),
                    "wait" => drop(self.gate.lock()),
                    "undecided" => continue,
                    _ => {}
                }
                entry.verdict = Some(true);
                written.push(name.clone());
            }
            self.batches.lock().unwrap().push(written);
            Ok(())
        }
    }

    type Batches = Arc<Mutex<Vec<Vec<String>>>>;

    fn writer(names: Names) -> (Writer, Batches) {
        let batches = names.batches.clone();
        let writer = Writer::start(Box::new(names), Box::new(Unaudited)).unwrap();
        (writer, batches)
    }

    /// Hands in names that pile up behind one that waits, and gives what each was told.
    fn together(names: &[&str]) -> (Vec<Result<bool, StoreError>>, Vec<Vec<String>>) {
        let store = Names::default();
        let gate = store.gate.clone();
        let closed = gate.lock().unwrap();
        let (mut writer, batches) = writer(store);
        let (sender, results) = channel();
        let handle = writer.handle().unwrap();
        handle.submit(KeyChange::RemoveWidgetKey("wait".into()), |_| {});
        for (index, &name) in names.iter().enumerate() {
            let sender = sender.clone();
            handle.submit(KeyChange::RemoveWidgetKey(name.into()), move |result| {
                sender.send((index, result)).unwrap();
            });
        }
        drop(closed);
        assert!(writer.stop().is_some());
        let mut told: Vec<_> = results.try_iter().collect();
        told.sort_by_key(|&(index, _)| index);
        let batches = batches.lock().unwrap().clone();
        (told.into_iter().map(|(_, result)| result).collect(), batches)
    }

    #[test]
    fn what_waits_shares_a_batch() {
        let (told, batches) = together(&["a", "b", "c"]);
        assert_eq!(told, [Ok(true), Ok(true), Ok(true)]);
        // The first may have been taken before the others came, or not.
        assert!(batches.len() <= 2, "{batches:?}");
        assert!(
            batches
                .last()
                .unwrap()
                .ends_with(&["a".into(), "b".into(), "c".into()])
        );
    }

    #[test]
    fn one_that_is_refused_or_panics_takes_no_other_with_it() {
        for bad in ["refused", "panic"] {
            let (told, _) = together(&["a", bad, "b"]);
            assert_eq!((&told[0], &told[2]), (&Ok(true), &Ok(true)), "{bad}");
            assert!(matches!(told[1], Err(StoreError::Refused(_))), "{bad}");
        }
    }

    #[test]
    fn an_unavailable_store_is_told_to_all_at_once() {
        let (told, batches) = together(&["a", "unavailable", "b"]);
        assert!(
            told.iter()
                .all(|told| matches!(told, Err(StoreError::Unavailable(_))))
        );
        assert!(batches.len() <= 1, "nothing was tried one by one: {batches:?}");
    }

    #[test]
    fn a_change_without_a_verdict_is_no_success() {
        assert!(matches!(
            together(&["undecided"]).0[0],
            Err(StoreError::Refused(_))
        ));
    }

    #[test]
    fn a_panic_of_who_waits_ends_neither_thread_nor_batch() {
        let (mut writer, batches) = writer(Names::default());
        let handle = writer.handle().unwrap().clone();
        handle.submit(KeyChange::RemoveWidgetKey("a".into()), |_| panic!("on purpose"));
        assert_eq!(handle.call(KeyChange::RemoveWidgetKey("b".into())), Ok(true));
        let figures = handle.figures();
        assert_eq!((figures.changes, figures.failed), (2, 0));
        drop(handle);
        assert!(writer.stop().is_some());
        assert_eq!(batches.lock().unwrap().concat(), ["a", "b"]);
    }

    #[test]
    fn changes_handed_in_are_finished_before_the_end() {
        let names: Vec<_> = (0..1000).map(|n| n.to_string()).collect();
        let (told, _) = together(&names.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(told.len(), 1000);
        assert!(told.iter().all(|told| *told == Ok(true)));
    }

    #[test]
    fn too_much_waiting_work_is_refused_at_once() {
        let store = Names::default();
        let gate = store.gate.clone();
        let closed = gate.lock().unwrap();
        let (mut writer, _) = writer(store);
        let handle = writer.handle().unwrap();
        let (sender, results) = channel();
        for _ in 0..QUEUE + 2 * BATCH + 2 {
            let sender = sender.clone();
            handle.submit(KeyChange::RemoveWidgetKey("wait".into()), move |result| {
                sender.send(result).unwrap();
            });
            if let Ok(Err(error)) = results.try_recv() {
                assert_eq!(error, StoreError::Overloaded);
                drop(closed);
                assert!(writer.stop().is_some());
                return;
            }
        }
        panic!("nothing was refused");
    }
}
