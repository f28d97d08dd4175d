//! The interface of shops' servers: payments and all around them, behind the credentials of a project.
//!
//! Each call is a row of `table.rs`: method, path, types and a method of `processing`. What all calls go through is here, once:
//! credentials → rate limit → body → the work, which may wait for the disk → an answer, or a refusal with its status.

mod call;
mod credentials;
mod family;
pub(crate) mod input;
mod report;
mod table;

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{RawPathParams, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode as Status, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, on};
use http_body_util::{BodyExt, Limited};
use processing::{Project, Refusal};
use wire::interface::StatusCode;
pub use wire::interface::call::CUSTOMER_AUTH;

use crate::app::App;
use crate::error::Refused;
use crate::limit::Allowance;
use crate::waiting::Waiting;
use input::Raw;

pub(crate) use call::{Call, DELETE, Done, GET, POST, Schemas};
pub use credentials::Credentials;
pub(crate) use family::Family;
pub(crate) use table::calls;

/// What answers a call.
pub(crate) fn route(call: Arc<Call>) -> MethodRouter<Arc<App>> {
    let method = call.method_filter();
    let answer = async move |State(app): State<Arc<App>>,
                             path: RawPathParams,
                             RawQuery(query): RawQuery,
                             headers: HeaderMap,
                             body: Body| {
        let mut allowance = None;
        let query = query.as_deref().unwrap_or_default();
        let answered = answer(&app, &call, &path, query, &headers, body, &mut allowance).await;
        let mut response = answered.unwrap_or_else(|refusal| refuse(call.family(), refusal));
        if let Some(allowance) = allowance {
            allowance.write(response.headers_mut());
        }
        response
    };
    on(method, answer)
}

async fn answer(
    app: &App,
    call: &Call,
    path: &RawPathParams,
    query: &str,
    headers: &HeaderMap,
    body: Body,
    allowance: &mut Option<Allowance>,
) -> Result<Response, Refusal> {
    let project = authenticate(app, headers).await?;
    // Whoever has used up a limit of the sandbox can turn it off.
    if call.family() == Family::Sandbox {
        let raw = Raw {
            path,
            query,
            body: &read(body).await?,
            headers,
            waiting: &app.waiting,
        };
        let answered = run(&app.waiting, || call.answer(&app.processing, &project, &raw)).await?;
        return Ok(answered?.into_response());
    }
    let left = app.call_limits.count(&project);
    *allowance = Some(left);
    if let Some(refusal) = left.refusal() {
        app.metrics.rate_limited("calls");
        return Err(refusal);
    }
    let body = read(body).await?;
    let raw = Raw {
        path,
        query,
        body: &body,
        headers,
        waiting: &app.waiting,
    };
    let work = || run(&app.waiting, || call.answer(&app.processing, &project, &raw));
    match &app.sandbox {
        Some(sandbox) if !project.is_live => sandbox.amid_faults(app, &project, call, work).await,
        _ => Ok(work().await??.into_response()),
    }
}

/// Whose call it is.
pub(crate) async fn authenticate(app: &App, headers: &HeaderMap) -> Result<Arc<Project>, Refusal> {
    let credentials = Credentials::read(headers).unwrap_or_default();
    let ask = || {
        app.processing
            .authenticate(&credentials.login, &credentials.password)
    };
    match app.processing.is_at_hand(&credentials.login) {
        true => ask(),
        false => run(&app.waiting, ask).await?,
    }
}

/// Work that may wait.
pub(crate) async fn run<T>(waiting: &Waiting, work: impl FnOnce() -> T) -> Result<T, Refusal> {
    let busy = |_| {
        Refusal::new(
            StatusCode::InternalError,
            "The service is busy; nothing was done.",
        )
    };
    waiting.run(work).await.map_err(busy)
}

/// A whole body, whatever its Content-Type says.
async fn read(body: Body) -> Result<Bytes, Refusal> {
    let wrong = |message: &str| Refusal::new(StatusCode::InvalidRequestBody, message);
    let reading = Limited::new(body, BODY_LIMIT).collect();
    match tokio::time::timeout(READ_TIME, reading).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(_)) => Err(wrong("The body must be whole, and at most 1 MiB.")),
        Err(_) => Err(wrong("The body must be sent within ten seconds.")),
    }
}

/// A refusal of a call. Its body is written at the end, where the request's id is known.
pub(crate) fn refuse(family: Family, refusal: Refusal) -> Response {
    let status = family.status(&refusal.code);
    let mut response = status.into_response();
    if status == Status::UNAUTHORIZED {
        let challenge = HeaderValue::from_static("Basic realm=\"card-widget\", charset=\"UTF-8\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    // A shop may have sent a card without leave: the connection's buffers hold it, and go with it.
    if refusal.code == StatusCode::AccessNotAllowed {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response.extensions_mut().insert(Refused(refusal));
    response
}

/// Longest body, in bytes: a thousand products with their names.
const BODY_LIMIT: usize = 1 << 20;

/// How long a body may take to arrive.
const READ_TIME: Duration = Duration::from_secs(10);
