//! A stop in the middle of work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use service::server::{self, Server};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::sealing::{full_card, idempotency_key, seal};
use super::service::Service;
use super::socket::{Client, Running, read_answer};

/// Sixteen clients ask without a pause while the service stops. Every token that was made was answered: what the service
/// counts and what the clients have is the same.
#[tokio::test(flavor = "multi_thread")]
async fn no_accepted_request_is_lost() {
    let service = Service::new();
    let boot = service.boot().await;
    let running = Running::start(&service).await;
    let answered = Arc::new(AtomicU32::new(0));
    let clients: Vec<_> = (0..16)
        .map(|_| {
            let (address, boot, answered) = (running.address, boot.clone(), Arc::clone(&answered));
            tokio::spawn(async move {
                let mut client = Client::connect(address).await;
                loop {
                    let envelope = seal(&boot, &full_card());
                    // Between two answers a connection may be closed, before the next request was read.
                    let Some(told) = client.try_tokenize(&envelope, &idempotency_key()).await else {
                        return;
                    };
                    assert_eq!(told.status, 201, "{}", told.body);
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    while answered.load(Ordering::SeqCst) < 32 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running.stop().await;
    for client in clients {
        client.await.unwrap();
    }
    let figures = service.get_from("127.0.0.1", "/metrics").await.text();
    let made = format!(
        "card_widget_tokens_total{{source=\"browser\",repeated=\"no\"}} {}\n",
        answered.load(Ordering::SeqCst)
    );
    assert!(figures.contains(&made), "{made}{figures}");
}

/// Who was let in by the system, and has asked, when the stop came: the service had not taken the connection yet.
#[tokio::test]
async fn who_waits_at_the_door_is_answered() {
    let service = Service::new();
    let listeners = server::bind("127.0.0.1:0").await.unwrap();
    let address = listeners[0].local_addr().unwrap();
    let mut clients = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream
            .write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
            .await
            .unwrap();
        clients.push(stream);
    }
    let server = Server {
        connections: service.app.connections(),
        ..Server::default()
    };
    let router = service::router(Arc::clone(&service.app));
    server.serve(listeners, router, std::future::ready(())).await;
    for mut client in clients {
        assert_eq!(read_answer(&mut client).await.unwrap().status, 200);
    }
    assert!(
        TcpStream::connect(address).await.is_err(),
        "and nobody after them"
    );
}
