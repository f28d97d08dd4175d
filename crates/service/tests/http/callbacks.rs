//! Callbacks on their whole way: from a payment to a shop's receiver, over real sockets.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use processing::Project;
use serde_json::{Value, json};
use service::AppConfig;
use service::jobs::Jobs;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};
use wire::interface::callback::{CallbackState, JournalEntry, signature};

use super::cluster;
use super::service::{Service, call};

/// A shop that notes what it is told.
struct Shop {
    url: String,
    noted: Arc<Noted>,
}

struct Noted {
    /// What it answers with.
    status: AtomicU16,
    /// Signature and body of each callback.
    told: Mutex<Vec<(String, String)>>,
}

impl Shop {
    async fn new() -> Self {
        let noted = Arc::new(Noted {
            status: AtomicU16::new(200),
            told: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/callback", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/callback", post(note))
            .with_state(Arc::clone(&noted));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, noted }
    }

    fn answers(&self, status: u16) {
        self.noted.status.store(status, Ordering::SeqCst);
    }

    fn told(&self) -> Vec<Value> {
        let told = self.noted.told.lock().unwrap();
        told.iter()
            .map(|(_, body)| serde_json::from_str(body).unwrap())
            .collect()
    }

    async fn is_told(&self, times: usize) -> Vec<Value> {
        until(|| self.noted.told.lock().unwrap().len() >= times).await;
        let told = self.told();
        assert_eq!(told.len(), times);
        told
    }
}

async fn note(State(noted): State<Arc<Noted>>, headers: HeaderMap, body: String) -> StatusCode {
    let signature = headers["x-service-signature"].to_str().unwrap().to_owned();
    noted.told.lock().unwrap().push((signature, body));
    StatusCode::from_u16(noted.status.load(Ordering::SeqCst)).unwrap()
}

async fn until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "it does not come to that"
        );
        sleep(Duration::from_millis(10)).await;
    }
}

async fn pay(service: &Service, external_id: &str, url: &str) {
    let body = json!({
        "amount": 100, "currency": "UAH", "external_id": external_id, "mode": "direct", "callback_url": url,
        "customer": { "payment_method": { "type": "cc", "cc": {
            "number": "4111111111111111", "exp_month": 12, "exp_year": 2030, "cvv": "123",
        } } },
    });
    let answer = service
        .send(call("POST", "/api/payments/v1/new", &body.to_string()))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

async fn step(service: &Service, name: &str, external_id: &str) {
    let body = json!({ "external_id": external_id }).to_string();
    let answer = service
        .send(call("POST", &format!("/api/payments/v1/{name}"), &body))
        .await;
    assert!(answer.status.is_success(), "{}", answer.text());
}

fn sandbox(service: &Service) -> Arc<Project> {
    service
        .processing
        .authenticate("sandbox", b"sandbox-password")
        .unwrap()
}

fn journal(service: &Service) -> Vec<JournalEntry> {
    service.processing.journal(&sandbox(service), None, 1000).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_is_told_in_order_until_it_has_understood() {
    let (service, shop) = (Service::new(), Shop::new().await);
    shop.answers(503);
    pay(&service, "order-1", &shop.url).await;
    step(&service, "refund", "order-1").await;
    let jobs = Jobs::start(&service.app);
    shop.is_told(1).await;
    until(|| journal(&service)[1].attempts.len() == 1).await;
    shop.answers(200);
    sleep(Duration::from_millis(300)).await;
    shop.is_told(1).await;
    service.clock.advance(12);
    let told = shop.is_told(3).await;
    let operations: Vec<_> = told
        .iter()
        .map(|body| body["operation"].as_str().unwrap())
        .collect();
    assert_eq!(operations, ["payment", "payment", "refund"]);
    assert_eq!(told[0], told[1]);
    assert_eq!(told[2]["details"]["method"], "refund");
    for (sent, body) in &*shop.noted.told.lock().unwrap() {
        assert_eq!(*sent, signature(b"sandbox-password", body.as_bytes()));
    }
    step(&service, "callback/resend", "order-1").await;
    assert_eq!(shop.is_told(4).await[3], told[2]);
    jobs.stop().await;
    let entries = journal(&service);
    assert!(
        entries
            .iter()
            .all(|entry| entry.state == CallbackState::Delivered)
    );
    let statuses: Vec<_> = entries[2].attempts.iter().map(|attempt| attempt.status).collect();
    assert_eq!(statuses, [Some(503), Some(200)]);
    let figures = service.get_from("127.0.0.1", "/metrics").await.text();
    for line in [
        "card_widget_callback_attempts_total{delivered=\"yes\"} 3\n",
        "card_widget_callback_attempts_total{delivered=\"no\"} 1\n",
        "card_widget_callbacks_given_up_total 0\n",
    ] {
        assert!(figures.contains(line), "{line}{figures}");
    }
}

/// Ninety callbacks for a receiver that says nothing, and one for another shop behind them.
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_receiver_holds_up_nobody_else() {
    let (service, shop) = (Service::new(), Shop::new().await);
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nowhere = format!("http://{}/", silent.local_addr().unwrap());
    for number in 0..90 {
        pay(&service, &format!("order-{number}"), &nowhere).await;
    }
    pay(&service, "order-90", &shop.url).await;
    let begun = Instant::now();
    let _jobs = Jobs::start(&service.app);
    shop.is_told(1).await;
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "before an attempt is over"
    );
    // Eight are being tried; the others wait without having been.
    let tried = || {
        let entries = journal(&service);
        entries.iter().filter(|entry| !entry.attempts.is_empty()).count()
    };
    until(|| tried() == 1).await;
}

/// Callbacks of one payment must not pass each other, whoever sends them.
#[tokio::test(flavor = "multi_thread")]
async fn two_instances_share_the_work() {
    let Some(url) = cluster::database() else { return };
    let first = Service::on(url, AppConfig::default());
    let second = first.beside(AppConfig::default());
    let shop = Shop::new().await;
    let both = [&first, &second];
    let jobs = both.map(|service| Jobs::start(&service.app));
    for number in 0..20 {
        let external_id = format!("order-{number}");
        pay(both[number % 2], &external_id, &shop.url).await;
        step(both[(number + 1) % 2], "refund", &external_id).await;
    }
    let told = shop.is_told(40).await;
    // A job whose callbacks have gone with another is still there for a moment.
    until(|| first.processing.waiting_deliveries() == Ok(0)).await;
    for jobs in jobs {
        jobs.stop().await;
    }
    assert_eq!(shop.told().len(), 40, "each once");
    let mut orders: HashMap<String, Vec<String>> = HashMap::new();
    for body in told {
        let [order, operation] =
            ["external_id", "operation"].map(|name| body[name].as_str().unwrap().to_owned());
        orders.entry(order).or_default().push(operation);
    }
    assert_eq!(orders.len(), 20);
    assert!(
        orders
            .values()
            .all(|operations| operations == &["payment", "refund"]),
        "{orders:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_may_not_calls_no_private_address() {
    let (service, shop) = (Service::new(), Shop::new().await);
    let permissions = processing::Permissions {
        may_send_cards: true,
        may_call_private: false,
    };
    service.processing.permit("sandbox", permissions).unwrap();
    pay(&service, "order-1", &shop.url).await;
    let jobs = Jobs::start(&service.app);
    until(|| !journal(&service)[0].attempts.is_empty()).await;
    jobs.stop().await;
    let attempt = journal(&service)[0].attempts[0].clone();
    assert_eq!(attempt.status, None);
    assert!(attempt.error.unwrap().contains("private"));
    assert!(shop.told().is_empty());
}

/// Callbacks of different payments go out side by side, on threads that the clock's advance has for itself.
#[tokio::test(flavor = "multi_thread")]
async fn an_advanced_clock_takes_several_callbacks_to_shops_at_once() {
    let config = AppConfig {
        sandbox: true,
        ..AppConfig::default()
    };
    let (service, shop) = (Service::with(config), Shop::new().await);
    for number in 0..3 {
        pay(&service, &format!("order-{number}"), &shop.url).await;
    }
    let answer = service
        .send(call("POST", "/sandbox/v1/clock/advance", r#"{"seconds":10}"#))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    shop.is_told(3).await;
}
