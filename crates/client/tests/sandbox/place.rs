//! A service with a store of its own, on a socket, and a client of its sandbox.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::http::Settings;
use client::interface::payment::NewPayment;
use client::retry::Policy;
use client::{Client, Credentials};
use processing::{Processing, ProcessingConfig};
use serde_json::{Value, json};
use service::assets::Assets;
use service::jobs::Jobs;
use service::server::{self, Server, Times, Tls};
use service::{App, AppConfig};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use vault::{SystemClock, Vault, VaultConfig};

/// Pays without a proof.
pub(crate) const GOOD: &str = "4111111111111111";
/// Asks for a proof.
pub(crate) const ASKS: &str = "4242424242424242";
/// Has no money.
pub(crate) const POOR: &str = "4000000000000044";

pub(crate) struct Place {
    pub(crate) url: String,
    pub(crate) client: Client,
    _jobs: Jobs,
    _folder: TempDir,
}

impl Place {
    pub(crate) async fn new() -> Self {
        Self::with(None).await
    }

    pub(crate) async fn with(tls: Option<Arc<Tls>>) -> Self {
        let folder = TempDir::new().unwrap();
        let clock = Arc::new(SystemClock);
        let listeners = server::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", listeners[0].local_addr().unwrap());
        let store = VaultConfig::new(folder.path().join("vault.sqlite"), clock.clone());
        let location = store.database.clone();
        let vault = Arc::new(Vault::open(store).unwrap());
        vault.ensure_sandbox().unwrap();
        let payments = ProcessingConfig::beside(&location, Arc::clone(&vault), clock.clone(), url.clone());
        let processing = Processing::open(payments).unwrap();
        processing.ensure_sandbox().unwrap();
        let config = AppConfig {
            sandbox: true,
            ..AppConfig::default()
        };
        let app = App::new(config, vault, processing, Assets::embedded(), clock).unwrap();
        let app = Arc::new(app);
        let server = Server {
            connections: app.connections(),
            times: Times::default(),
            tls,
            metrics: app.metrics(),
        };
        tokio::spawn(server.serve(
            listeners,
            service::router(Arc::clone(&app)),
            std::future::pending(),
        ));
        Self {
            client: client(&url),
            url,
            _jobs: Jobs::start(&app),
            _folder: folder,
        }
    }

    /// What the sandbox alone understands.
    pub(crate) async fn control(&self, path: &str, body: &Value) -> Value {
        let address: SocketAddr = self.url.strip_prefix("http://").unwrap().parse().unwrap();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let body = body.to_string();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: sandbox\r\nauthorization: Basic c2FuZGJveDpzYW5kYm94LXBhc3N3b3Jk\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len(),
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 2"), "{answer}");
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        serde_json::from_str(body).unwrap_or_default()
    }

    pub(crate) async fn faults(&self, faults: Value) {
        self.control("/sandbox/v1/faults", &faults).await;
    }
}

/// Asks again soon.
pub(crate) fn client(url: &str) -> Client {
    settings(url).client().unwrap()
}

pub(crate) fn settings(url: &str) -> Settings {
    let credentials = Credentials::new("sandbox", "sandbox-password").unwrap();
    Settings::new(url, credentials).policy(Policy {
        first: Duration::from_millis(2),
        ..Policy::default()
    })
}

/// A payment with a card in clear, which the sandbox's project may send.
pub(crate) fn payment(number: &str, card: &str, more: Value) -> NewPayment {
    let cc = json!({ "number": card, "exp_month": 12, "exp_year": 2030, "cvv": "123" });
    let mut body = json!({
        "amount": "100.50", "currency": "UAH", "external_id": number, "mode": "direct",
        "customer": { "external_id": "anna", "payment_method": { "type": "cc", "cc": cc } },
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    client::parameters(body).unwrap()
}

/// A server that answers each connection with bytes and closes it; `None` closes at once. The last one is for all further connections.
pub(crate) async fn answers(told: Vec<Option<String>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for at in 0.. {
            let (mut stream, _) = listener.accept().await.unwrap();
            let told = told[at.min(told.len() - 1)].clone();
            tokio::spawn(async move {
                // The head at least: to close before means another thing.
                let mut head = Vec::new();
                while !head.windows(4).any(|end| end == b"\r\n\r\n") {
                    let mut more = [0; 1024];
                    match stream.read(&mut more).await {
                        Ok(read @ 1..) => head.extend_from_slice(&more[..read]),
                        _ => return,
                    }
                }
                if let Some(told) = told {
                    let _ = stream.write_all(told.as_bytes()).await;
                }
            });
        }
    });
    url
}

/// An answer with its head.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Option<String> {
    let length = body.len();
    Some(format!(
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    ))
}

/// Waits for what others do.
pub(crate) async fn until<T>(mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not happen");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
