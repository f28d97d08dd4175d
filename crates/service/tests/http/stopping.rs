//! A stop in the middle of work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::sealing::{full_card, idempotency_key, seal};
use super::service::Service;
use super::socket::{Client, Running};

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
