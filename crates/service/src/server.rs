//! Sockets: connections that are counted and timed, and a stop that loses no accepted request.

mod bind;
mod connection;
mod connections;
mod tls;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

pub use bind::{BindError, address, bind};
pub use connections::{Connections, Refused};
pub use tls::{Tls, TlsError};

use crate::app;
use crate::metrics::Metrics;

/// What connections are held to.
#[derive(Clone)]
pub struct Server {
    /// How many there may be.
    pub connections: Arc<Connections>,
    /// How long each step may take.
    pub times: Times,
    /// Certificate and key, where the service speaks TLS itself.
    pub tls: Option<Arc<Tls>>,
    /// Where connections are counted.
    pub metrics: Arc<Metrics>,
}

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// To begin a connection: the TLS handshake.
    pub handshake: Duration,
    /// To send the head of a request; also, how long a connection may lie idle.
    pub head: Duration,
    /// To take some part of an answer, after which the time begins anew.
    pub answer: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(30),
            answer: Duration::from_secs(30),
        }
    }
}

impl Default for Server {
    /// Plain HTTP within the usual bounds.
    fn default() -> Self {
        let connections = Connections::new(app::CONNECTIONS, app::CONNECTIONS_OF_ONE, Vec::new());
        Self {
            connections: Arc::new(connections),
            times: Times::default(),
            tls: None,
            metrics: Arc::default(),
        }
    }
}

impl Server {
    /// Answers connections until `stop` is done; then takes no more, finishes what has begun and returns.
    pub async fn serve(self, listeners: Vec<TcpListener>, router: Router, stop: impl Future<Output = ()>) {
        let taking = Arc::new(Taking {
            server: self,
            router,
            running: Arc::default(),
            graceful: GracefulShutdown::new(),
        });
        let (told, stopped) = watch::channel(false);
        let mut loops = JoinSet::new();
        for listener in listeners {
            loops.spawn(Arc::clone(&taking).take(listener, stopped.clone()));
        }
        stop.await;
        // Who has not been waiting by now is refused: the loops close the listening sockets as they end.
        told.send_replace(true);
        let mut late = 0;
        while let Some(taken) = loops.join_next().await {
            late += taken.unwrap_or_default();
        }
        if late > 0 {
            // Time to read what they have sent: a connection that is told of the stop before it has read anything closes.
            sleep(ROUND).await;
        }
        // The loops have ended, and nobody else has it.
        if let Some(Taking {
            running, graceful, ..
        }) = Arc::into_inner(taking)
        {
            drain(graceful, &running).await;
        }
    }
}

/// What each listener's loop needs.
struct Taking {
    server: Server,
    router: Router,
    running: Arc<AtomicUsize>,
    graceful: GracefulShutdown,
}

impl Taking {
    /// Takes connections until it is told to stop, and then those that the system has let in before, whom it counts.
    async fn take(self: Arc<Self>, listener: TcpListener, mut stopped: watch::Receiver<bool>) -> u32 {
        loop {
            let (stream, peer) = tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => break,
                taken = accept(&listener) => taken,
            };
            self.begin(stream, peer);
        }
        // They may have sent their request already.
        let Ok(listener) = listener.into_std() else {
            return 0;
        };
        for late in 0..bind::BACKLOG {
            let Ok((stream, peer)) = listener.accept() else {
                return late;
            };
            let stream = stream
                .set_nonblocking(true)
                .and_then(|()| TcpStream::from_std(stream));
            if let Ok(stream) = stream {
                let _ = stream.set_nodelay(true);
                self.begin(stream, peer);
            }
        }
        bind::BACKLOG
    }

    fn begin(&self, stream: TcpStream, peer: SocketAddr) {
        let place = match self.server.connections.admit(peer.ip()) {
            Ok(place) => place,
            // Closed without a word: whoever opens too many would take an answer for a reason to go on.
            Err(refused) => return self.server.metrics.connection_refused(refused),
        };
        let connection = connection::serve(
            self.server.clone(),
            stream,
            peer,
            self.router.clone(),
            Arc::clone(&self.running),
            self.graceful.watcher(),
        );
        tokio::spawn(async move {
            connection.await;
            drop(place);
        });
    }
}

/// Waits for requests, not for connections: browsers open some that they never use.
async fn drain(graceful: GracefulShutdown, running: &AtomicUsize) {
    let deadline = Instant::now() + DRAIN_TIME;
    let mut finished = std::pin::pin!(graceful.shutdown());
    let mut idle = 0;
    while idle < IDLE_ROUNDS && Instant::now() < deadline {
        if timeout(ROUND, &mut finished).await.is_ok() {
            return;
        }
        idle = if running.load(Ordering::SeqCst) == 0 {
            idle + 1
        } else {
            0
        };
    }
    match running.load(Ordering::SeqCst) {
        0 => {}
        left => tracing::warn!(left, "requests were not finished in time"),
    }
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are small; waiting for more to send would only delay them. Not fatal where refused.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            // The client has gone, or descriptors have run out: others may be served again in a moment.
            Err(error) => {
                tracing::warn!(%error, "connection not accepted");
                sleep(ROUND).await;
            }
        }
    }
}

/// How long a stop may take at most: longer than the longest time a body may take.
const DRAIN_TIME: Duration = Duration::from_secs(15);

/// One look at what still runs.
const ROUND: Duration = Duration::from_millis(100);

/// So many looks without a running request, and what is still open is idle. Answers have long been written by then.
const IDLE_ROUNDS: u32 = 5;
