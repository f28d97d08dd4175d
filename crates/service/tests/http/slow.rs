//! Clients that take their time, and too many of them. Each time-out is a fraction of a second here.

use std::num::NonZeroUsize;
use std::time::Duration;

use service::AppConfig;
use service::assets::{Assets, File};
use service::server::Times;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::service::Service;
use super::socket::{Client, Running, read_answer};

const SHORT: Duration = Duration::from_millis(200);

fn short() -> Times {
    Times {
        head: SHORT,
        answer: SHORT,
        handshake: SHORT,
    }
}

/// Whether the other side closes, before a test loses its patience.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    timeout(Duration::from_secs(10), stream.read_to_end(&mut rest))
        .await
        .is_ok()
}

#[tokio::test]
async fn a_client_that_says_nothing_is_left() {
    let service = Service::new();
    let running = Running::with(&service, short(), None).await;
    let mut silent = TcpStream::connect(running.address).await.unwrap();
    assert!(is_closed(&mut silent).await);

    // One that was answered before may lie idle no longer.
    let mut idle = Client::connect(running.address).await;
    idle.stream
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .unwrap();
    assert_eq!(read_answer(&mut idle.stream).await.unwrap().status, 200);
    assert!(is_closed(&mut idle.stream).await);
    running.stop().await;
}

/// Slowloris: a byte now and then, for ever.
#[tokio::test]
async fn a_head_that_drips_is_not_waited_for() {
    let service = Service::new();
    let running = Running::with(&service, short(), None).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    let dripping = async {
        for byte in b"GET /healthz HTTP/1.1\r\nhost: "
            .iter()
            .chain([b'a'].iter().cycle())
        {
            if stream.write_all(&[*byte]).await.is_err() {
                return;
            }
            sleep(SHORT / 10).await;
        }
    };
    timeout(Duration::from_secs(10), dripping).await.unwrap();
    running.wait_for_connections(0).await;
    running.stop().await;
}

/// Asks for much, again and again, and reads nothing of it.
#[tokio::test]
async fn a_client_that_never_reads_is_left() {
    static LARGE: [u8; 1 << 20] = [b' '; 1 << 20];
    let file = File {
        name: "card-widget.js",
        bytes: &LARGE,
        brotli: None,
    };
    let service = Service::with_assets(AppConfig::default(), Assets::new(&[file], None));
    let running = Running::with(&service, short(), None).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    for _ in 0..20 {
        let request = b"GET /widget/v1/card-widget.js HTTP/1.1\r\nhost: a\r\n\r\n";
        // Refused as soon as the service has left.
        let _ = stream.write_all(request).await;
    }
    running.wait_for_connections(1).await;
    running.wait_for_connections(0).await;
    running.stop().await;
}

#[tokio::test]
async fn connections_are_bounded_and_free_again() {
    let [most, most_of_one] = [10, 3].map(|count| NonZeroUsize::new(count).unwrap());
    let service = Service::with(AppConfig {
        connections: Some((most, most_of_one)),
        ..AppConfig::default()
    });
    let running = Running::start(&service).await;
    let mut kept = Vec::new();
    for _ in 0..3 {
        kept.push(TcpStream::connect(running.address).await.unwrap());
    }
    running.wait_for_connections(3).await;
    let mut surplus = TcpStream::connect(running.address).await.unwrap();
    assert!(is_closed(&mut surplus).await);
    kept.pop();
    running.wait_for_connections(2).await;
    let mut client = Client::connect(running.address).await;
    client
        .stream
        .write_all(b"GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .unwrap();
    let told = read_answer(&mut client.stream).await.unwrap();
    assert_eq!(told.status, 200);
    for line in [
        "card_widget_connections 3",
        r#"card_widget_connections_refused_total{scope="address"} 1"#,
    ] {
        assert!(told.body.contains(line), "{line}\n{}", told.body);
    }
    drop((kept, client));
    running.stop().await;
}
