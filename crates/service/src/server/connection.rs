//! One connection, from its handshake to its last answer.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::{Server, Times};
use crate::address::Peer;
use crate::sandbox::HungUp;

/// Answers requests until the client has no more, takes too long, or the service stops.
pub(super) async fn serve(
    server: Server,
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    running: Arc<AtomicUsize>,
    watcher: Watcher,
) {
    let Server {
        times, tls, metrics, ..
    } = server;
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(times.answer));
    let stream = Box::pin(stream);
    let requests = Requests {
        router,
        running,
        peer,
    };
    match tls {
        None => requests.answer(stream, times, watcher).await,
        Some(tls) => match timeout(times.handshake, tls.accept(stream)).await {
            Ok(Ok(stream)) => requests.answer(stream, times, watcher).await,
            // Scanners and clients of another age. What they sent is not for the log.
            Ok(Err(_)) | Err(_) => metrics.handshake_failed(),
        },
    }
}

struct Requests {
    router: Router,
    running: Arc<AtomicUsize>,
    peer: SocketAddr,
}

impl Requests {
    async fn answer(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        times: Times,
        watcher: Watcher,
    ) {
        let Self {
            router,
            running,
            peer,
        } = self;
        let service = service_fn(move |request| answer(router.clone(), Arc::clone(&running), peer, request));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(times.head)
            .max_buf_size(HEAD_LIMIT)
            .serve_connection(TokioIo::new(stream), service);
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%error, "connection ended");
        }
    }
}

async fn answer(
    router: Router,
    running: Arc<AtomicUsize>,
    peer: SocketAddr,
    request: hyper::Request<Incoming>,
) -> Result<Response, HungUp> {
    let _running = Running::begin(running);
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    let Ok(response) = router.oneshot(request).await;
    // The connection ends with an error, and without a word.
    match response.extensions().get::<HungUp>() {
        Some(hung_up) => Err(*hung_up),
        None => Ok(response),
    }
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

/// Longest head of a request in bytes; ours have one or two thousand.
const HEAD_LIMIT: usize = 32 * 1024;
