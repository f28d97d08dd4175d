//! One request, one answer, within a time; over TLS with the authorities that this machine believes.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Method, Request};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use wire::interface::call;

use crate::error::Error;
use crate::prepare::Prepared;

/// The way to the service.
pub(super) struct Transport {
    base: String,
    limit: Duration,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) wait: Option<u64>,
    pub(super) body: Bytes,
}

impl Transport {
    /// Reads the authorities' certificates.
    pub(super) fn new(base: String, limit: Duration) -> Result<Self, Error> {
        let mut authorities = RootCertStore::empty();
        authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let tls = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|_| Error::NotSent("TLS cannot be set up".to_owned()))?
            .with_root_certificates(authorities)
            .with_no_client_auth();
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        // Well before the whole is over: who was not reached has done nothing.
        http.set_connect_timeout(Some(limit / 2));
        let https = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1()
            .wrap_connector(http);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(https);
        Ok(Self { base, limit, client })
    }

    pub(super) async fn send(&self, prepared: &Prepared) -> Result<Answer, Error> {
        let lost = |message: String| Error::Lost {
            message,
            remedy: prepared.remedy.clone(),
        };
        match timeout(self.limit, self.exchange(prepared)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(Trouble::NotSent(why))) => Err(Error::NotSent(why)),
            Ok(Err(Trouble::Lost(why))) => Err(lost(why)),
            Err(_) => Err(lost(format!(
                "there was none within {} ms",
                self.limit.as_millis()
            ))),
        }
    }

    async fn exchange(&self, prepared: &Prepared) -> Result<Answer, Trouble> {
        let not_sent = |_| Trouble::NotSent("a header or the address cannot be written".to_owned());
        let method = match prepared.method() {
            call::Method::Get => Method::GET,
            call::Method::Post => Method::POST,
            call::Method::Patch => Method::PATCH,
            call::Method::Delete => Method::DELETE,
        };
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{}", self.base, prepared.target))
            .header(
                USER_AGENT,
                concat!("card-widget-client/", env!("CARGO_PKG_VERSION")),
            );
        for (name, value) in &prepared.headers {
            let mut value = HeaderValue::from_str(value)
                .map_err(|_| Trouble::NotSent("a header cannot be written".to_owned()))?;
            value.set_sensitive(true);
            request = request.header(*name, value);
        }
        // A copy that is wiped, too: it may hold a card.
        let body = prepared.body.clone().map_or_else(Bytes::new, Bytes::from_owner);
        let request = request.body(Full::new(body)).map_err(not_sent)?;
        let answer = self.client.request(request).await.map_err(|error| {
            let why = innermost(&error);
            match error.is_connect() {
                true => Trouble::NotSent(why),
                false => Trouble::Lost(why),
            }
        })?;
        let (status, wait) = (answer.status().as_u16(), wait(answer.headers()));
        let body = Limited::new(answer.into_body(), LONGEST).collect().await;
        let body = body.map_err(|error| match error.is::<LengthLimitError>() {
            true => Trouble::Lost("it is longer than 256 MiB".to_owned()),
            false => Trouble::Lost("it broke off".to_owned()),
        })?;
        Ok(Answer {
            status,
            wait,
            body: body.to_bytes(),
        })
    }
}

/// Why there is no answer.
enum Trouble {
    NotSent(String),
    Lost(String),
}

/// Seconds until a limit is free again.
fn wait(headers: &HeaderMap) -> Option<u64> {
    let seconds = |name| headers.get(name)?.to_str().ok()?.trim().parse().ok();
    seconds("x-ratelimit-reset").or_else(|| seconds("retry-after"))
}

/// What an error comes from, which says more than what came of it. Names no address and no header.
fn innermost(error: &hyper_util::client::legacy::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string().chars().take(200).collect()
}

/// How long a connection is kept: less than the services and balancers that close them.
const IDLE: Duration = Duration::from_secs(20);

/// Longest answer: a report of two weeks.
const LONGEST: usize = 256 << 20;
