//! A service on a socket, and a client that does what it is told, byte by byte if need be.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use serde_json::json;
use service::server::{self, Server, Times, Tls};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::service::Service;

/// A server on a free port.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) server: Server,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    /// The service, with the bounds of its own configuration.
    pub(crate) async fn start(service: &Service) -> Self {
        Self::with(service, Times::default(), None).await
    }

    pub(crate) async fn with(service: &Service, times: Times, tls: Option<Arc<Tls>>) -> Self {
        let server = Server {
            connections: service.app.connections(),
            times,
            tls,
            metrics: service.app.metrics(),
        };
        Self::route(server, service::router(Arc::clone(&service.app))).await
    }

    pub(crate) async fn route(server: Server, router: Router) -> Self {
        let listeners = server::bind("127.0.0.1:0").await.unwrap();
        let address = listeners[0].local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.clone().serve(listeners, router, async {
            stopped.await.unwrap();
        }));
        Self {
            address,
            server,
            stop,
            task,
        }
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) async fn stop(self) {
        self.stop.send(()).unwrap();
        self.task.await.unwrap();
    }

    /// Waits until there are so many connections.
    pub(crate) async fn wait_for_connections(&self, count: usize) {
        for _ in 0..500 {
            if self.server.connections.count() == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{} connections, not {count}", self.server.connections.count());
    }
}

/// One connection that is used again and again.
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    address: SocketAddr,
}

pub(crate) struct Told {
    pub(crate) status: u16,
    headers: HashMap<String, String>,
    pub(crate) body: String,
}

impl Told {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        Self { stream, address }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Told {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.address);
        self.stream.write_all(request.as_bytes()).await.unwrap();
        read_answer(&mut self.stream).await.unwrap()
    }

    pub(crate) async fn tokenize(&mut self, envelope: &str, idempotency_key: &str) -> Told {
        self.try_tokenize(envelope, idempotency_key).await.unwrap()
    }

    /// `None` when the connection ends before the answer has begun.
    pub(crate) async fn try_tokenize(&mut self, envelope: &str, idempotency_key: &str) -> Option<Told> {
        let body = json!({ "envelope": envelope }).to_string();
        let address = self.address;
        let request = format!(
            "POST /api/widget/v1/tokens HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n\
             idempotency-key: {idempotency_key}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await.ok()?;
        read_answer(&mut self.stream).await
    }
}

/// Reads one answer that tells its length.
pub(crate) async fn read_answer(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> Option<Told> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers
        .get("content-length")
        .map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.unwrap();
    Some(Told {
        status,
        headers,
        body: String::from_utf8(body).unwrap(),
    })
}
