//! `GET /readyz`: whether the service takes work.
//!
//! It does when it is not about to stop, has a key that frames can seal for, and its store answers. The store is asked at
//! most once a second, however often this is, by one thread at a time, and waited for no longer than a probe would wait.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, timeout};
use wire::Code;

use crate::app::App;
use crate::error::Failure;

/// What the store said last.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Asked>);

#[derive(Debug, Default)]
struct Asked {
    /// When, and whether it answered in time.
    last: Option<(Instant, bool)>,
    /// A question that was not answered in time.
    pending: Option<JoinHandle<bool>>,
}

/// 200, or 503 for those who send clients here.
pub async fn answer(State(app): State<Arc<App>>) -> Result<Json<Value>, Failure> {
    let usable = !app.is_stopping() && app.vault.sealing_key(app.now()).is_ok();
    let asked = Arc::clone(&app);
    match usable && app.readiness.ask(move || asked.vault.reach().is_ok()).await {
        true => Ok(Json(json!({ "status": "ok" }))),
        false => Err(Code::ServiceUnavailable.into()),
    }
}

impl Readiness {
    /// Whether the store answers. Who comes while it is being asked waits for the same answer.
    async fn ask(&self, reach: impl FnOnce() -> bool + Send + 'static) -> bool {
        let mut asked = self.0.lock().await;
        if let Some((_, answered)) = asked.last.filter(|(at, _)| at.elapsed() < KEPT) {
            return answered;
        }
        // An answer to an earlier question tells nothing of this moment. But while nobody knows it, no thread more waits.
        let pending = asked.pending.take().filter(|pending| !pending.is_finished());
        let mut pending = pending.unwrap_or_else(|| spawn_blocking(reach));
        let answered = match timeout(LIMIT, &mut pending).await {
            Ok(answered) => answered.unwrap_or(false),
            Err(_) => {
                asked.pending = Some(pending);
                false
            }
        };
        asked.last = Some((Instant::now(), answered));
        answered
    }
}

/// How long an answer holds.
const KEPT: Duration = Duration::from_secs(1);

/// Longest wait for the store. Probes wait for some seconds.
const LIMIT: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_answer_holds_for_a_second() {
        let readiness = Readiness::default();
        assert!(readiness.ask(|| true).await);
        assert!(readiness.ask(|| panic!("asked again")).await);
        tokio::time::advance(KEPT).await;
        assert!(!readiness.ask(|| false).await);
        tokio::time::advance(KEPT).await;
        assert!(!readiness.ask(|| panic!("a broken store is none")).await);
        tokio::time::advance(KEPT).await;
        assert!(readiness.ask(|| true).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_store_is_asked_by_one_thread_and_not_waited_for() {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let (answer, silence) = channel();
        let readiness = Arc::new(Readiness::default());
        let ask = |silence: Receiver<()>| {
            let readiness = Arc::clone(&readiness);
            tokio::spawn(async move {
                let reach = move || {
                    ASKED.fetch_add(1, Ordering::SeqCst);
                    silence.recv().is_ok()
                };
                readiness.ask(reach).await
            })
        };
        let first = ask(silence);
        while ASKED.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        tokio::time::advance(LIMIT).await;
        assert!(!first.await.unwrap());
        tokio::time::advance(KEPT).await;
        let second = ask(channel().1);
        tokio::task::yield_now().await;
        tokio::time::advance(LIMIT).await;
        assert!(!second.await.unwrap(), "the first question still waits");
        assert_eq!(ASKED.load(Ordering::SeqCst), 1);
        // What it says in the end is of no use any more, and the next question is a new one.
        answer.send(()).unwrap();
        while !readiness.0.lock().await.pending.as_ref().unwrap().is_finished() {
            tokio::task::yield_now().await;
        }
        tokio::time::advance(KEPT).await;
        assert!(!readiness.ask(|| false).await);
        tokio::time::advance(KEPT).await;
        assert!(readiness.ask(|| true).await);
    }
}
