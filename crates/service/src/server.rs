//! Sockets: binding, connections with time limits, and a stop that loses no accepted request.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tower::ServiceExt;

use crate::address::Peer;

/// Listens on everything that `listen` means.
///
/// `localhost` means 127.0.0.1 and, where the machine has it, ::1: browsers take either. Port 0 means one free port.
pub async fn bind(listen: &str) -> Result<Vec<TcpListener>, BindError> {
    let in_vain = |source| BindError::Listen {
        address: listen.to_owned(),
        source,
    };
    let Some(port) = listen.strip_prefix("localhost:") else {
        let addresses: Vec<SocketAddr> = lookup_host(listen).await.map_err(in_vain)?.collect();
        return Ok(vec![TcpListener::bind(&addresses[..]).await.map_err(in_vain)?]);
    };
    let port: u16 = port
        .parse()
        .map_err(|_| in_vain(io::ErrorKind::InvalidInput.into()))?;
    let v4 = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(in_vain)?;
    let port = v4.local_addr().map_err(in_vain)?.port();
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
        Ok(v6) => Ok(vec![v4, v6]),
        // Somebody else would answer the browsers that prefer IPv6.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(in_vain(error)),
        Err(_) => Ok(vec![v4]),
    }
}

/// The address that people type for `listeners`.
pub fn address(listen: &str, listeners: &[TcpListener]) -> Option<String> {
    let bound = listeners.first()?.local_addr().ok()?;
    let host = match listen.rsplit_once(':') {
        Some(("localhost", _)) => "localhost".to_owned(),
        _ => match bound.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        },
    };
    Some(format!("http://{host}:{}", bound.port()))
}

/// Answers connections until `stop` is done; then takes no more, finishes what has begun and returns.
pub async fn serve(listeners: Vec<TcpListener>, router: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let running = Arc::new(AtomicUsize::new(0));
    let mut incoming = JoinSet::new();
    for listener in listeners {
        incoming.spawn(accept(listener));
    }
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            Some(accepted) = incoming.join_next() => accepted,
        };
        // A task here neither panics nor is aborted while the loop runs.
        let Ok((listener, stream, peer)) = accepted else {
            continue;
        };
        incoming.spawn(accept(listener));
        let service = service_fn({
            let (router, running) = (router.clone(), Arc::clone(&running));
            move |request| answer(router.clone(), Arc::clone(&running), peer, request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .max_buf_size(HEAD_LIMIT)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection ended");
            }
        });
    }
    // Closes the listening sockets: new connections are refused from here on.
    incoming.shutdown().await;
    drain(graceful, &running).await;
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

async fn accept(listener: TcpListener) -> (TcpListener, TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are small; waiting for more to send would only delay them. Not fatal where refused.
                let _ = stream.set_nodelay(true);
                return (listener, stream, peer);
            }
            // The client has gone, or descriptors have run out: others may be served again in a moment.
            Err(error) => {
                tracing::warn!(%error, "connection not accepted");
                sleep(ROUND).await;
            }
        }
    }
}

async fn answer(
    router: Router,
    running: Arc<AtomicUsize>,
    peer: SocketAddr,
    request: hyper::Request<Incoming>,
) -> Result<Response, Infallible> {
    let _running = Running::begin(running);
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    router.oneshot(request).await
}

/// Counts a request from its head to its answer, also when its client goes away in between.
struct Running(Arc<AtomicUsize>);

impl Running {
    fn begin(count: Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Why the service does not listen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// The address is taken, not ours, or not an address.
    #[error(
        "cannot listen on {address}: {source}. Is another program using it? Choose another with --listen"
    )]
    Listen {
        /// As it was given.
        address: String,
        /// What the system said.
        source: io::Error,
    },
}

/// How long the head of a request may take, and how long a connection may lie idle.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// Longest head of a request in bytes; ours have one or two thousand.
const HEAD_LIMIT: usize = 32 * 1024;

/// How long a stop may take at most: longer than the longest time a body may take.
const DRAIN_TIME: Duration = Duration::from_secs(15);

/// One look at what still runs.
const ROUND: Duration = Duration::from_millis(100);

/// So many looks without a running request, and what is still open is idle. Answers have long been written by then.
const IDLE_ROUNDS: u32 = 5;
