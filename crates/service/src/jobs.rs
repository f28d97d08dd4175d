//! What goes on beside requests: jobs that are due, and callbacks on their way to shops.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep_until};

use crate::app::App;

/// All of it, until it is stopped.
#[derive(Debug)]
pub struct Jobs {
    going: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Jobs {
    /// Begins.
    pub fn start(app: &Arc<App>) -> Self {
        let going = watch::Sender::new(true);
        let mut tasks = JoinSet::new();
        for _ in 0..WORKERS {
            tasks.spawn(work(Arc::clone(app), going.subscribe()));
        }
        tasks.spawn(deliver(Arc::clone(app), going.subscribe()));
        tasks.spawn(tidy(Arc::clone(app), going.subscribe()));
        Self { going, tasks }
    }

    /// Takes up nothing more, and waits until what was begun is done.
    pub async fn stop(self) {
        self.going.send_replace(false);
        self.tasks.join_all().await;
    }
}

/// Does jobs, one after the other.
async fn work(app: Arc<App>, mut going: watch::Receiver<bool>) {
    loop {
        let processing = app.processing.clone();
        let done = spawn_blocking(move || processing.run_job()).await;
        let pause = match done {
            Ok(Ok(true)) => Duration::ZERO,
            Ok(Ok(false)) => LOOK,
            // The store cannot be reached, say, which is logged where it was noticed.
            Ok(Err(_)) | Err(_) => TROUBLE,
        };
        if is_over(&mut going, pause).await {
            return;
        }
    }
}

/// Sends callbacks, and sees them through to the end.
async fn deliver(app: Arc<App>, mut going: watch::Receiver<bool>) {
    loop {
        let pause = match app.courier.send_due().await {
            true => Duration::ZERO,
            false => LOOK_FOR_CALLBACKS,
        };
        if is_over(&mut going, pause).await {
            return app.courier.come_back().await;
        }
    }
}

/// Counts what waits, and removes what is old.
async fn tidy(app: Arc<App>, mut going: watch::Receiver<bool>) {
    let mut round = 0_u32;
    loop {
        let processing = app.processing.clone();
        let is_time = round.is_multiple_of(PRUNED);
        let asked = spawn_blocking(move || {
            if is_time {
                // What fails is logged there, and made good next time.
                let _ = processing.prune_callbacks();
            }
            processing.waiting_deliveries()
        });
        if let Ok(Ok(waiting)) = asked.await {
            app.metrics.set_callbacks_waiting(waiting);
        }
        app.courier.tidy();
        round = round.wrapping_add(1);
        if is_over(&mut going, COUNT).await {
            return;
        }
    }
}

/// Waits for `pause`, or for the end.
async fn is_over(going: &mut watch::Receiver<bool>, pause: Duration) -> bool {
    let until = Instant::now() + pause;
    tokio::select! {
        biased;
        // An error means that nobody can say so any more.
        _ = going.wait_for(|going| !going) => true,
        () = sleep_until(until) => false,
    }
}

/// So many jobs of an instance run at a time.
const WORKERS: usize = 4;

/// How often a worker looks whether a job is due; the workers take turns by themselves.
const LOOK: Duration = Duration::from_millis(250);

/// How often it is looked whether callbacks are.
const LOOK_FOR_CALLBACKS: Duration = Duration::from_millis(100);

/// Pause after something went wrong.
const TROUBLE: Duration = Duration::from_secs(1);

/// How often what waits is counted.
const COUNT: Duration = Duration::from_secs(15);

/// In every so many rounds of counting, old callbacks are removed: once an hour.
const PRUNED: u32 = 240;
