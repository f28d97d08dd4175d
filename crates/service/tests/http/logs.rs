use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use tracing::Level;

use super::sealing::{VISA, full_card, idempotency_key, seal};
use super::service::{SHOP, Service, token_request};

/// What the service and the vault have logged, in whatever test, with the thread that did.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<Line>>>);

struct Line {
    writer: ThreadId,
    text: Vec<u8>,
}

impl Lines {
    fn of(&self, thread: Option<ThreadId>) -> String {
        let lines = self.0.lock().unwrap();
        let chosen = lines
            .iter()
            .filter(|line| thread.is_none_or(|thread| thread == line.writer));
        chosen.map(|line| String::from_utf8_lossy(&line.text)).collect()
    }
}

impl Write for Lines {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().push(Line {
            writer: thread::current().id(),
            text: text.to_vec(),
        });
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Even at the finest level, which the service itself never sets.
#[tokio::test]
async fn a_line_tells_who_answered_what_and_nothing_that_was_sent() {
    let lines = Lines::default();
    let writer = lines.clone();
    let log = tracing_subscriber::fmt()
        .json()
        .with_max_level(Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // For all threads: the vault has its own, and a log of one thread is lost where another came first to a line.
    tracing::subscriber::set_global_default(log).unwrap();

    let service = Service::new();
    let boot = service.boot().await;
    let envelope = seal(&boot, &full_card());
    let key = idempotency_key();
    let body =
        json!({"envelope": envelope, "customer_id": "customer-17", "customer_email": "a@shop.example"});
    let created = service.send(token_request(&body.to_string(), &key)).await;
    assert_eq!(created.status, 201);
    service
        .send(token_request(&format!("{{\"envelope\":{VISA}}}"), &key))
        .await;
    service.get("/4242424242424242?cvv=123").await;
    service
        .get("/widget/v1/frame?key=wk_sandbox&theme=%7B%22accent%22%3A%22magenta%22%7D")
        .await;
    let odd = Request::builder()
        .method("SEVENTEEN")
        .uri("/healthz")
        .body(Body::empty())
        .unwrap();
    service.send(odd).await;

    let text = lines.of(None);
    let token = created.json()["token"].as_str().unwrap().to_owned();
    for secret in [
        VISA,
        "cvv",
        &envelope,
        &boot.ticket,
        &key,
        &token,
        "customer-17",
        "a@shop.example",
        SHOP,
        "SEVENTEEN",
        "magenta",
        "wk_sandbox",
    ] {
        assert!(!text.contains(secret), "{secret}");
    }
    let requests: Vec<Value> = lines
        .of(Some(thread::current().id()))
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| line["fields"]["message"] == "request")
        .map(|line| line["fields"].clone())
        .collect();
    let told: Vec<_> = requests
        .iter()
        .map(|line| {
            (
                line["method"].as_str().unwrap(),
                line["route"].as_str().unwrap(),
                line["status"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("GET", "/widget/v1/boot", 200),
            ("POST", "/api/widget/v1/tokens", 201),
            ("POST", "/api/widget/v1/tokens", 400),
            ("GET", "-", 404),
            ("GET", "/widget/v1/frame", 403),
            ("other", "/healthz", 405),
        ]
    );
    assert_eq!(requests[1]["request_id"], created.header("x-request-id"));
}
