//! Around every request: an id, a log line without anything that the caller wrote, and the last touch to the answer.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use aws_lc_rs::rand;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;

use crate::metrics::Metrics;
use crate::{error, headers};

/// Names one request in the log, in `X-Request-Id` and in `error_id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// 64 random bits in hexadecimal. An id from outside is never taken over: it would let strangers write to the log.
    fn make() -> Self {
        let mut bytes = [0; 8];
        // Without randomness nothing else works either; then all requests share one id.
        let _ = rand::fill(&mut bytes);
        Self(format!("{:016x}", u64::from_be_bytes(bytes)))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Middleware of all routes.
pub async fn observe(State(metrics): State<Arc<Metrics>>, mut request: Request, next: Next) -> Response {
    let id = RequestId::make();
    request.extensions_mut().insert(id.clone());
    let method = known_method(request.method());
    // The template of the route. The path itself is the caller's text.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("-", MatchedPath::as_str);
    let started = Instant::now();
    let running = metrics.begin();

    let (mut response, code) = error::complete(next.run(request).await, id.as_str());
    drop(running);

    headers::write_defaults(response.headers_mut());
    // Hexadecimal digits are always a header value.
    if let Ok(value) = HeaderValue::try_from(id.as_str()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let took = started.elapsed();
    metrics.answered(route, method, response.status().as_u16(), took);
    if let Some(code) = code {
        metrics.refused(code);
    }
    tracing::info!(
        request_id = %id,
        method,
        route,
        status = response.status().as_u16(),
        code,
        duration_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        "request"
    );
    response
}

/// A method by a name of ours. Any other word is the caller's.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
