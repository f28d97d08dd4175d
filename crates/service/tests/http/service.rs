//! A service with a vault in a folder of its own and a clock that tests set.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use base64ct::{Base64, Encoding};
use http_body_util::BodyExt;
use processing::{Processing, ProcessingConfig};
use serde_json::{Value, json};
use service::address::Peer;
use service::assets::{Assets, File, FrameFiles};
use service::{App, AppConfig};
use tower::ServiceExt;
use vault::{Clock, Location, PostgresUrl, Vault, VaultConfig};
use wire::boot::Boot;

use super::sealing;

/// When tests begin: 2026-09-21T14:13:20Z.
pub(crate) const START: u64 = 1_790_000_000;

/// Where the service seems to be.
pub(crate) const OURS: &str = "http://localhost:8080";

/// Where the shop seems to be.
pub(crate) const SHOP: &str = "http://127.0.0.1:8081";

pub(crate) struct Service {
    pub(crate) clock: Arc<TestClock>,
    pub(crate) app: Arc<App>,
    pub(crate) processing: Processing,
    router: Router,
    folder: Arc<Folder>,
}

impl Service {
    pub(crate) fn new() -> Self {
        Self::with(AppConfig::default())
    }

    pub(crate) fn with(config: AppConfig) -> Self {
        Self::with_assets(config, assets())
    }

    pub(crate) fn with_assets(config: AppConfig, assets: Assets) -> Self {
        let clock = Arc::new(TestClock(AtomicU64::new(START)));
        Self::open(config, assets, Arc::new(Folder::new(None)), clock)
    }

    /// On a PostgreSQL database, with the keys in a folder.
    pub(crate) fn on(url: String, config: AppConfig) -> Self {
        let clock = Arc::new(TestClock(AtomicU64::new(START)));
        Self::open(config, assets(), Arc::new(Folder::new(Some(url))), clock)
    }

    /// The same with keys that are in a folder already, which is removed afterwards.
    pub(crate) fn from(path: PathBuf, url: String) -> Self {
        let clock = Arc::new(TestClock(AtomicU64::new(START)));
        let folder = Folder { path, url: Some(url) };
        Self::open(AppConfig::default(), assets(), Arc::new(folder), clock)
    }

    /// Another instance on the same store.
    pub(crate) fn beside(&self, config: AppConfig) -> Self {
        Self::open(
            config,
            assets(),
            Arc::clone(&self.folder),
            Arc::clone(&self.clock),
        )
    }

    fn open(config: AppConfig, assets: Assets, folder: Arc<Folder>, clock: Arc<TestClock>) -> Self {
        let mut vault = VaultConfig::new(folder.path.join("vault.sqlite"), clock.clone());
        if let Some(url) = &folder.url {
            vault.database = Location::Postgres(PostgresUrl::parse(url).unwrap());
        }
        let store = vault.database.clone();
        let vault = Arc::new(Vault::open(vault).unwrap());
        vault.ensure_sandbox().unwrap();
        let payments = ProcessingConfig::beside(&store, Arc::clone(&vault), clock.clone(), OURS.into());
        let processing = Processing::open(payments).unwrap();
        processing.ensure_sandbox().unwrap();
        let app = App::new(config, vault, processing.clone(), assets, clock.clone()).unwrap();
        let app = Arc::new(app);
        Self {
            router: service::router(Arc::clone(&app)),
            app,
            processing,
            clock,
            folder,
        }
    }

    /// The store, as `--database` names it.
    pub(crate) fn database(&self) -> String {
        let file = || format!("sqlite:{}/vault.sqlite", self.folder.path.display());
        self.folder.url.clone().unwrap_or_else(file)
    }

    /// Where the keys are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder.path
    }

    pub(crate) async fn send(&self, mut request: Request<Body>) -> Answer {
        if request.extensions().get::<Peer>().is_none() {
            request
                .extensions_mut()
                .insert(Peer("192.0.2.1:50000".parse().unwrap()));
        }
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: body.collect().await.unwrap().to_bytes().to_vec(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// The same from another address.
    pub(crate) async fn get_from(&self, address: &str, path: &str) -> Answer {
        let request = Request::get(path).body(Body::empty()).unwrap();
        self.send(from_address(request, address)).await
    }

    pub(crate) async fn boot(&self) -> Boot {
        self.boot_for("wk_sandbox").await
    }

    pub(crate) async fn boot_for(&self, key: &str) -> Boot {
        let answer = self
            .get(&format!("/widget/v1/boot?key={key}&origin={SHOP}"))
            .await;
        assert_eq!(answer.status, StatusCode::OK);
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Sends an envelope as the frame does, under a fresh idempotency key.
    pub(crate) async fn tokenize(&self, envelope: &str) -> Answer {
        self.send(token_request(
            &json!({ "envelope": envelope }).to_string(),
            &sealing::idempotency_key(),
        ))
        .await
    }
}

/// The frame's request.
pub(crate) fn token_request(body: &str, idempotency_key: &str) -> Request<Body> {
    Request::builder()
        .method(Method::POST)
        .uri("/api/widget/v1/tokens")
        .header("host", "localhost:8080")
        .header("origin", OURS)
        .header("content-type", "text/plain;charset=UTF-8")
        .header("idempotency-key", idempotency_key)
        .body(Body::from(body.to_owned()))
        .unwrap()
}

/// The same from another address.
pub(crate) fn from_address(mut request: Request<Body>, address: &str) -> Request<Body> {
    request
        .extensions_mut()
        .insert(Peer(SocketAddr::new(address.parse().unwrap(), 50000)));
    request
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Status and code of a refusal, after checking that its body is what the interface says.
    pub(crate) fn refusal(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), "application/json");
        let body = self.json();
        for name in [
            "code",
            "message",
            "param",
            "payment_id",
            "type",
            "error_id",
            "actor",
        ] {
            assert!(body[name].is_string(), "{name}");
        }
        assert_eq!(body["error_id"], self.header("x-request-id"));
        (self.status.as_u16(), body["code"].as_str().unwrap().to_owned())
    }
}

/// Stands in for what `cargo xtask web` builds.
pub(crate) fn assets() -> Assets {
    let file = |name, bytes: &'static [u8], brotli| File { name, bytes, brotli };
    Assets::new(
        &[
            file("card-widget.js", b"/* script */", Some(b"br of script")),
            file("frame-0a1b2c3d.js", b"/* frame */", None),
            file("frame-0a1b2c3d.wasm", b"\0asm", Some(b"br of wasm")),
            file("fallback-0a1b2c3d.js", b"/* fallback */", None),
            file("main.js", b"/* not hashed */", None),
            file("manifest.json", b"{}", None),
        ],
        Some(FrameFiles {
            script: "frame-0a1b2c3d.js",
            wasm: "frame-0a1b2c3d.wasm",
            glue: None,
            fallback: Some("fallback-0a1b2c3d.js"),
        }),
    )
}

pub(crate) struct TestClock(AtomicU64);

impl TestClock {
    pub(crate) fn set(&self, now: u64) {
        self.0.store(now, Ordering::SeqCst);
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

struct Folder {
    path: PathBuf,
    /// Where the store is, if not in the folder.
    url: Option<String>,
}

impl Folder {
    fn new(url: Option<String>) -> Self {
        let name = format!("card-widget-service-test-{}", sealing::idempotency_key());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self { path, url }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Best effort: a file left behind must not hide a test's own failure.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A call of a shop's server, with the sandbox's credentials.
pub(crate) fn call(method: &str, path: &str, body: &str) -> Request<Body> {
    call_as("sandbox:sandbox-password", method, path, body)
}

/// The same with other credentials: `login:password`.
pub(crate) fn call_as(credentials: &str, method: &str, path: &str, body: &str) -> Request<Body> {
    let basic = format!("Basic {}", Base64::encode_string(credentials.as_bytes()));
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", "localhost:8080")
        .header("authorization", basic)
        .header("content-type", "application/json")
        .body(Body::from(body.to_owned()))
        .unwrap()
}
