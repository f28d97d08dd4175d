//! Takes callbacks to shops: many at a time, few to the same receiver, each as `processing` has it.

mod address;
mod client;
mod pace;

use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use processing::{Delivered, Delivery, LONGEST_ATTEMPT, Processing, Sent};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio_rustls::rustls::{self, RootCertStore};
use url::Url;

use self::client::{Clients, Parcel};
use self::pace::{Pace, Turn};
use crate::metrics::Metrics;

/// Who takes callbacks to shops.
pub struct Courier {
    processing: Processing,
    clients: Clients,
    pace: Pace,
    metrics: Arc<Metrics>,
    /// Callbacks that may be on their way at a time.
    ways: Arc<Semaphore>,
    /// Who may wait for the store at a time.
    turns: Semaphore,
}

impl Courier {
    /// One who believes the authorities that this machine believes. Reads files.
    pub fn new(processing: Processing, metrics: Arc<Metrics>) -> Result<Self, rustls::Error> {
        static AUTHORITIES: LazyLock<RootCertStore> = LazyLock::new(|| {
            let mut authorities = RootCertStore::empty();
            let found = rustls_native_certs::load_native_certs();
            authorities.add_parsable_certificates(found.certs);
            authorities
        });
        Ok(Self {
            processing,
            clients: Clients::new(AUTHORITIES.clone())?,
            pace: Pace::default(),
            metrics,
            ways: Arc::new(Semaphore::new(WAYS)),
            turns: Semaphore::new(TURNS),
        })
    }

    /// Sends what is due, as many as there are ways for; `true` when there may be more. They go on behind it.
    pub async fn send_due(self: &Arc<Self>) -> bool {
        let free = self.ways.available_permits().min(AT_A_TIME);
        let most = u32::try_from(free).unwrap_or_default();
        if most == 0 {
            return false;
        }
        let Some(due) = self.ask(move |processing| processing.due_deliveries(most)).await else {
            return false;
        };
        let may_be_more = due.len() == free;
        let mut later = Vec::new();
        for delivery in due {
            match self.pace.begin(&receiver(&delivery), Instant::now()) {
                Turn::Later(pause) => later.push((delivery, pause)),
                Turn::Now => {
                    // Never closed; there are as many as were asked for.
                    let Ok(way) = Arc::clone(&self.ways).acquire_owned().await else {
                        return false;
                    };
                    tokio::spawn(Arc::clone(self).go(delivery, way));
                }
            }
        }
        if !later.is_empty() {
            self.ask(move |processing| processing.postpone(later)).await;
        }
        may_be_more
    }

    /// Waits until nothing is on its way any more.
    pub async fn come_back(&self) {
        // Never closed.
        let _ = self.ways.acquire_many(WAYS as u32).await;
    }

    /// Forgets receivers that nobody has called for a while.
    pub fn tidy(&self) {
        self.pace.forget_idle(Instant::now());
    }

    /// Sends the callbacks of one subject, one after the other. Its receiver has begun with the first one.
    async fn go(self: Arc<Self>, delivery: Delivery, _way: OwnedSemaphorePermit) {
        let mut delivery = delivery;
        loop {
            let receiver = receiver(&delivery);
            // Otherwise it is left to whoever takes the job over.
            let sent = match self.processing.may_send(&delivery) {
                true => Some(self.post(&delivery).await),
                false => None,
            };
            let took = sent.as_ref().map_or(Duration::ZERO, |sent| sent.took);
            let answered = sent.as_ref().is_none_or(|sent| sent.result.is_ok());
            self.pace.end(&receiver, took, answered, Instant::now());
            let Some(sent) = sent else { return };
            let noted = self
                .ask(move |processing| processing.delivered(delivery, sent))
                .await;
            let Some(Delivered {
                next, is_given_up, ..
            }) = noted
            else {
                return;
            };
            if is_given_up {
                self.metrics.callback_given_up();
            }
            let Some(next) = next else { return };
            if let Turn::Later(pause) = self.pace.begin(&self::receiver(&next), Instant::now()) {
                self.ask(move |processing| processing.postpone(vec![(next, pause)]))
                    .await;
                return;
            }
            delivery = next;
        }
    }

    /// For threads that wait. Called on one of the runtime's, which may wait too.
    pub(crate) fn patient(&self) -> Patient<'_> {
        Patient {
            courier: self,
            runtime: Handle::current(),
        }
    }

    async fn post(&self, delivery: &Delivery) -> Sent {
        let begun = Instant::now();
        let limit = LONGEST_ATTEMPT.unsigned_abs();
        let result = match Url::parse(&delivery.url) {
            Ok(url) => {
                let parcel = Parcel {
                    url,
                    body: delivery.body.clone().into(),
                    signature: delivery.signature.clone(),
                    may_be_private: delivery.may_be_private,
                };
                self.clients.post(parcel, limit).await
            }
            // Checked when it was taken in.
            Err(_) => Err("not an address of the web".to_owned()),
        };
        self.metrics.callback_tried(result == Ok(200));
        Sent {
            result,
            took: begun.elapsed(),
        }
    }

    /// Asks the store on a thread that may wait. What goes wrong is logged there, and made good by the end of a lease.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Processing) -> Result<T, processing::Refusal> + Send + 'static,
    ) -> Option<T> {
        // Never closed.
        let _turn = self.turns.acquire().await.ok()?;
        let processing = self.processing.clone();
        spawn_blocking(move || question(&processing)).await.ok()?.ok()
    }
}

/// A courier for callers that wait for it, on whatever threads of theirs.
pub(crate) struct Patient<'a> {
    courier: &'a Courier,
    runtime: Handle,
}

impl processing::Courier for Patient<'_> {
    fn send(&self, delivery: &Delivery) -> Sent {
        self.runtime.block_on(self.courier.post(delivery))
    }
}

impl fmt::Debug for Courier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Courier").finish_non_exhaustive()
    }
}

/// Host and port, which stand for a receiver.
fn receiver(delivery: &Delivery) -> String {
    let url = Url::parse(&delivery.url).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    let port = url
        .as_ref()
        .and_then(Url::port_or_known_default)
        .unwrap_or_default();
    format!("{host}:{port}")
}

/// Most callbacks on their way at a time. Each takes a connection.
const WAYS: usize = 256;

/// Most that are taken from the store at a time.
const AT_A_TIME: usize = 64;

/// So many wait for the store at a time, and share a flush of the disk.
const TURNS: usize = 16;
