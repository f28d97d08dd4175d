//! The one thread that writes. Work that waits at the same moment shares one transaction and one flush to the disk; each
//! piece has a savepoint, so that a conflict fails its row and not its batch.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use crate::error::{StoreError, VaultError};

/// Owns the thread. Dropping it finishes what was handed in.
pub(crate) struct Writer {
    handle: Option<WriterHandle>,
    thread: Option<JoinHandle<Connection>>,
}

/// Hands work to the writer.
#[derive(Clone)]
pub(crate) struct WriterHandle(SyncSender<Box<dyn Job>>);

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(connection: Connection) -> Result<Self, VaultError> {
        let (sender, receiver) = sync_channel(QUEUE);
        let thread = thread::Builder::new()
            .name("vault-writer".into())
            .spawn(move || run(connection, &receiver))
            .map_err(|_| StoreError::Closing)?;
        Ok(Self {
            handle: Some(WriterHandle(sender)),
            thread: Some(thread),
        })
    }

    /// A handle to hand in work with.
    pub(crate) fn handle(&self) -> Result<&WriterHandle, StoreError> {
        self.handle.as_ref().ok_or(StoreError::Closing)
    }

    /// Waits for all work and gives the connection back; other handles must be gone by then.
    pub(crate) fn stop(&mut self) -> Option<Connection> {
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
    /// Hands in `work`; `done` hears on the writer's thread when its result is on the disk, or why it is not.
    /// An `Err` of `work` undoes what it wrote and nothing else. `done` must neither wait nor write.
    pub(crate) fn submit<T, E, W, D>(&self, work: W, done: D)
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        W: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        D: FnOnce(Result<T, E>) + Send + 'static,
    {
        let task = Task {
            work: Some(work),
            result: None,
            done,
        };
        match self.0.try_send(Box::new(task)) {
            Ok(()) => {}
            Err(TrySendError::Full(job)) => job.finish(Err(StoreError::Overloaded)),
            Err(TrySendError::Disconnected(job)) => job.finish(Err(StoreError::Closing)),
        }
    }

    /// The same, waiting for the result. Not for the writer's own thread, which would wait for itself.
    pub(crate) fn call<T, E, W>(&self, work: W) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        W: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    {
        let (sender, receiver) = sync_channel(1);
        self.submit(work, move |result| {
            // The other side waits below; it cannot have gone away.
            let _ = sender.send(result);
        });
        receiver
            .recv()
            .unwrap_or_else(|_| Err(StoreError::Closing.into()))
    }
}

/// A piece of work whose types are forgotten.
trait Job: Send {
    /// Does the work. Says whether what it wrote is to be kept.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Tells whoever waits. `committed` is the fate of the whole batch.
    fn finish(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Task<T, E, W, D> {
    work: Option<W>,
    result: Option<Result<T, E>>,
    done: D,
}

impl<T, E, W, D> Job for Task<T, E, W, D>
where
    T: Send,
    E: From<StoreError> + Send,
    W: FnOnce(&Connection) -> Result<T, E> + Send,
    D: FnOnce(Result<T, E>) + Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.work.take() else {
            return false;
        };
        let result = work(connection);
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn finish(self: Box<Self>, committed: Result<(), StoreError>) {
        let result = match (committed, self.result) {
            (Ok(()), Some(result)) => result,
            (Ok(()), None) => Err(StoreError::Refused("the work stopped half-way".into()).into()),
            // Refusals too: they may rest on a row of the same batch, which is gone.
            (Err(error), _) => Err(error.into()),
        };
        (self.done)(result);
    }
}

fn run(connection: Connection, jobs: &Receiver<Box<dyn Job>>) -> Connection {
    while let Ok(first) = jobs.recv() {
        let mut batch = vec![first];
        batch.extend(jobs.try_iter().take(BATCH - 1));
        let committed = write(&connection, &mut batch).map_err(StoreError::from);
        if let Err(error) = &committed {
            tracing::error!(%error, jobs = batch.len(), "a batch was not written");
            // Fails when SQLite has rolled back by itself, which is as good.
            let _ = connection.execute_batch("ROLLBACK");
        }
        for job in batch {
            let committed = committed.clone();
            report(catch_unwind(AssertUnwindSafe(|| job.finish(committed))));
        }
    }
    connection
}

fn write(connection: &Connection, batch: &mut [Box<dyn Job>]) -> rusqlite::Result<()> {
    let execute = |sql| connection.prepare_cached(sql)?.execute(()).map(drop);
    // Takes the write lock at once: other processes write too, if rarely.
    execute("BEGIN IMMEDIATE")?;
    for job in batch {
        execute("SAVEPOINT job")?;
        let keep = catch_unwind(AssertUnwindSafe(|| job.run(connection)));
        let keep = report(keep).unwrap_or(false);
        // After some errors, a full disk among them, SQLite has rolled back everything; then this fails, as it should.
        if !keep {
            execute("ROLLBACK TO job")?;
        }
        execute("RELEASE job")?;
    }
    execute("COMMIT")
}

/// A panic in one piece of work must not end the thread that all others wait for. Its message may quote anything.
fn report<T>(result: Result<T, Box<dyn Any + Send>>) -> Option<T> {
    result
        .inspect_err(|_| tracing::error!("a panic in the vault's writer"))
        .ok()
}

/// Most pieces of work in one transaction.
const BATCH: usize = 256;

/// Most pieces of work that may wait. More means that the disk does not keep up: better to say so.
const QUEUE: usize = 4096;

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn writer() -> Writer {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE t (n INTEGER PRIMARY KEY)")
            .unwrap();
        Writer::start(connection).unwrap()
    }

    fn insert(n: i64) -> impl FnOnce(&Connection) -> Result<i64, VaultError> + Send {
        move |connection| {
            connection.execute("INSERT INTO t VALUES (?1)", [n])?;
            Ok(n)
        }
    }

    fn rows(connection: &Connection) -> Vec<i64> {
        let mut statement = connection.prepare("SELECT n FROM t ORDER BY n").unwrap();
        let rows = statement.query_map((), |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// Lets work pile up behind a piece that waits, so that it becomes one batch.
    fn in_one_batch(writer: &Writer, work: impl FnOnce(&WriterHandle)) {
        let (open, gate) = channel();
        let handle = writer.handle().unwrap();
        handle.submit(
            move |_| {
                gate.recv().unwrap();
                Ok::<_, VaultError>(())
            },
            |_| {},
        );
        work(handle);
        open.send(()).unwrap();
    }

    #[test]
    fn a_conflict_fails_its_row_and_not_its_batch() {
        let mut writer = writer();
        let (sender, results) = channel();
        in_one_batch(&writer, |handle| {
            for n in [1, 2, 1, 3, 2] {
                let sender = sender.clone();
                handle.submit(insert(n), move |result| sender.send(result.ok()).unwrap());
            }
        });
        let connection = writer.stop().unwrap();
        let results: Vec<_> = results.try_iter().collect();
        assert_eq!(results, [Some(1), Some(2), None, Some(3), None]);
        assert_eq!(rows(&connection), [1, 2, 3]);
    }

    #[test]
    fn an_error_undoes_what_its_work_wrote() {
        let mut writer = writer();
        let result = writer.handle().unwrap().call(|connection| {
            insert(1)(connection)?;
            Err::<(), _>(VaultError::Damaged)
        });
        assert!(matches!(result, Err(VaultError::Damaged)));
        assert!(rows(&writer.stop().unwrap()).is_empty());
    }

    #[test]
    fn a_panic_ends_neither_the_thread_nor_the_batch() {
        let mut writer = writer();
        let handle = writer.handle().unwrap().clone();
        let result = handle.call(|_| -> Result<(), VaultError> { panic!("on purpose") });
        assert!(matches!(result, Err(VaultError::Store(_))));
        handle.submit(insert(1), |_| panic!("on purpose"));
        assert_eq!(handle.call(insert(2)).unwrap(), 2);
        drop(handle);
        assert_eq!(rows(&writer.stop().unwrap()), [1, 2]);
    }

    #[test]
    fn a_lost_batch_is_told_to_all_in_it() {
        let writer = writer();
        let (sender, results) = channel();
        let told = || {
            let sender = sender.clone();
            move |result: Result<i64, VaultError>| sender.send(result).unwrap()
        };
        in_one_batch(&writer, |handle| {
            handle.submit(insert(1), told());
            // A refusal for the sake of a row that will be gone, as that of a repeat.
            handle.submit(|_| Err(VaultError::WidgetKeyTaken), told());
            let lost = |connection: &Connection| {
                connection.execute_batch("ROLLBACK")?;
                Ok(0)
            };
            handle.submit(lost, told());
        });
        for result in results.iter().take(3) {
            assert!(matches!(result, Err(VaultError::Store(_))), "{result:?}");
        }
        // The thread goes on with the next batch.
        assert_eq!(writer.handle().unwrap().call(insert(7)).unwrap(), 7);
    }

    #[test]
    fn work_handed_in_is_finished_before_the_end() {
        let mut writer = writer();
        in_one_batch(&writer, |handle| {
            for n in 0..1000 {
                handle.submit(insert(n), |result| assert!(result.is_ok()));
            }
        });
        assert_eq!(rows(&writer.stop().unwrap()).len(), 1000);
    }
}
