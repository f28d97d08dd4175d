//! Work that waits for the store, on the threads of requests.
//!
//! The runtime gives a waiting thread a substitute, of which there are some hundred. Were all of them waiting, for a
//! database that says nothing, nobody would be left to answer that the service is alive. So few wait at a time, and the
//! others wait for their turn, without a thread and not for ever.

use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;
use tokio::task::block_in_place;
use tokio::time::timeout;
use wire::Code;

use crate::error::Failure;

/// Turns.
#[derive(Debug)]
pub struct Waiting(Semaphore);

impl Waiting {
    /// Does what may wait for the store, while other requests go on on other threads. The store is busy beyond bearing when
    /// no turn comes.
    pub async fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Failure> {
        let busy = || Failure::from(Code::ServiceUnavailable);
        let turn = timeout(LIMIT, self.0.acquire()).await.map_err(|_| busy())?;
        // Never closed.
        let _turn = turn.map_err(|_| busy())?;
        let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
        Ok(match flavor {
            Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
            // In tests there is one thread, and nowhere to go.
            _ => work(),
        })
    }
}

impl Default for Waiting {
    fn default() -> Self {
        Self(Semaphore::new(TURNS))
    }
}

/// So many wait for the store at a time: some times what its connections read at once.
const TURNS: usize = 32;

/// Longest wait for a turn.
const LIMIT: Duration = Duration::from_secs(3);

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_gets_no_turn_is_refused() {
        let waiting = Waiting::default();
        assert_eq!(waiting.run(|| 7).await.unwrap(), 7);
        let turns = waiting.0.acquire_many(TURNS as u32).await.unwrap();
        let refused = waiting.run(|| panic!("there is no turn")).await.unwrap_err();
        assert_eq!(refused.code(), Code::ServiceUnavailable);
        drop(turns);
        assert_eq!(waiting.run(|| 8).await.unwrap(), 8);
    }
}
