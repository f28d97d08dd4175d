//! What only a socket can show: both loopback addresses, a busy port, and a stop that loses nothing.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use service::server::{self, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::socket::Running;

/// A server whose one route answers after 400 ms.
async fn start() -> Running {
    let router = Router::new().route(
        "/slow",
        get(async || {
            tokio::time::sleep(Duration::from_millis(400)).await;
            "finished"
        }),
    );
    Running::route(Server::default(), router).await
}

async fn request(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream
        .write_all(b"GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await
        .unwrap();
    stream
}

#[tokio::test]
async fn a_stop_finishes_what_has_begun_and_takes_no_more() {
    let running = start().await;
    let mut begun = request(running.address).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let address = running.address;
    let stopping = tokio::spawn(running.stop());
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(TcpStream::connect(address).await.is_err(), "no new connections");

    let mut answer = String::new();
    begun.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.ends_with("finished"), "{answer}");
    stopping.await.unwrap();
}

/// Browsers open connections in advance and never use some. A stop must not wait for those.
#[tokio::test]
async fn a_stop_does_not_wait_for_silent_connections() {
    let running = start().await;
    let _silent = TcpStream::connect(running.address).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let begun = Instant::now();
    running.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

/// A head is kept in memory until it is whole, for as long as its time lasts, and for each of many connections.
#[tokio::test]
async fn a_head_has_a_bound() {
    let running = start().await;
    for (length, status) in [(20_000, "HTTP/1.1 200"), (100_000, "HTTP/1.1 431")] {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        let head = format!(
            "GET /slow HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: {}\r\n\r\n",
            "x".repeat(length)
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&answer), status, "{length}");
    }
}

#[tokio::test]
async fn localhost_means_both_loopback_addresses() {
    let listeners = server::bind("localhost:0").await.unwrap();
    let ports: Vec<u16> = listeners
        .iter()
        .map(|listener| listener.local_addr().unwrap().port())
        .collect();
    assert!(ports.iter().all(|port| *port == ports[0]), "{ports:?}");
    assert!(listeners[0].local_addr().unwrap().ip().is_loopback());
    // A machine without IPv6 has one.
    let v6 = std::net::TcpListener::bind("[::1]:0").is_ok();
    assert_eq!(listeners.len(), if v6 { 2 } else { 1 });
    assert_eq!(
        server::address("http", "localhost:0", &listeners).unwrap(),
        format!("http://localhost:{}", ports[0])
    );
}

#[tokio::test]
async fn a_busy_port_is_named_with_the_flag() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    for listen in [address.to_string(), format!("localhost:{}", address.port())] {
        let message = server::bind(&listen).await.unwrap_err().to_string();
        assert!(message.contains(&listen), "{message}");
        assert!(message.contains("--listen"), "{message}");
    }
    assert!(server::bind("nonsense").await.is_err());
    assert!(server::bind("localhost:http").await.is_err());
}

/// Nobody takes these connections yet, and still none has to wait.
#[tokio::test]
async fn a_burst_finds_room() {
    let allowed = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap_or_default();
    let room = allowed.trim().parse().unwrap_or(128).min(400);
    let listeners = server::bind("127.0.0.1:0").await.unwrap();
    let address = listeners[0].local_addr().unwrap();
    let connecting = async {
        let mut streams = Vec::new();
        for _ in 0..room {
            streams.push(TcpStream::connect(address).await.unwrap());
        }
        streams
    };
    let connected = tokio::time::timeout(Duration::from_secs(20), connecting).await;
    assert_eq!(connected.unwrap().len(), room);
}
