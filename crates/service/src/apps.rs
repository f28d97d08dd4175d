//! `POST /api/v2/sdk/tokenize` and `/api/v1/sdk/tokenize`: cards of apps, which have no browser and no frame.
//!
//! The body is a card in clear. It goes from the socket to the vault as bytes; nothing here looks inside.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use vault::{AppCard, AppCardError, IssueRequest, Issued, Source, WidgetKey};
use wire::Code;
use wire::app::{AppError, AppToken, AppTokenV1, Issuer, SIGN, WIDGET_ID};

use crate::address::{self, Peer};
use crate::admission;
use crate::app::App;
use crate::error::{self, Failure};
use crate::idempotency::{IdempotencyKey, body_hash};
use crate::limit::Allowance;
use crate::{body, time};

/// Version 2: the token with its end, mask and issuer.
pub async fn answer(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    call(&app, peer, &headers, body, |issued| {
        let token = AppToken {
            token: issued.token.clone(),
            expires_at: time::without_zone(issued.expires_at)?,
            card_mask: issued.card_mask.clone(),
            issuer: Issuer::default(),
        };
        Some(Json(token).into_response())
    })
    .await
}

/// Version 1: the token alone.
pub async fn answer_v1(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    call(&app, peer, &headers, body, |issued| {
        let token = issued.token.clone();
        Some(Json(AppTokenV1 { token }).into_response())
    })
    .await
}

async fn call(
    app: &App,
    peer: Peer,
    headers: &HeaderMap,
    body: Body,
    write: impl FnOnce(&Issued) -> Option<Response>,
) -> Response {
    let mut allowance = None;
    let issued = tokenize(app, peer, headers, body, &mut allowance).await;
    let answer = issued.and_then(|issued| {
        app.metrics.token("app", issued.repeated);
        let mut response = write(&issued).ok_or(Failure::from(Code::InternalError))?;
        *response.status_mut() = if issued.repeated {
            StatusCode::OK
        } else {
            StatusCode::CREATED
        };
        Ok(response)
    });
    let mut response = answer.unwrap_or_else(refuse);
    if let Some(allowance) = allowance {
        allowance.write(response.headers_mut());
    }
    // The connection's buffers hold what was sent, and go with it.
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

/// The checks of a frame's request, in the same order; a signature stands where the ticket does.
async fn tokenize(
    app: &App,
    peer: Peer,
    headers: &HeaderMap,
    body: Body,
    allowance: &mut Option<Allowance>,
) -> Result<Issued, Failure> {
    let body = body::read(headers, body).await?;
    let key = permitted_key(app, headers).await?;
    // Apps have no origin. What has one is a page, and is held to the key's list.
    if let Some(origin) = headers.get(header::ORIGIN) {
        admission::allowed_origin(app, headers, &key, origin.to_str().unwrap_or_default())?;
    }
    let address = address::client(peer, headers, &app.trusted_proxies);
    let counted = app.count_token(&key, address).await;
    *allowance = counted.allowance;
    if let Some(scope) = counted.refused_by {
        app.metrics.rate_limited(scope);
        return Err(Code::TooManyRequests.into());
    }
    // Beyond the interface, whose clients send none. Those that do may repeat.
    if !headers.contains_key(wire::token::IDEMPOTENCY_KEY) {
        return issue(app, &key, headers, &body, address, None).await;
    }
    let idempotency_key = IdempotencyKey::read(headers)?;
    let issued = issue(app, &key, headers, &body, address, Some(&idempotency_key)).await;
    app.or_repeat(issued, &key.project, &idempotency_key, &body_hash(&body))
        .await
}

/// The widget key of the header, if apps may use it.
async fn permitted_key(app: &App, headers: &HeaderMap) -> Result<Arc<WidgetKey>, Failure> {
    let id = headers.get(WIDGET_ID).and_then(|id| id.to_str().ok());
    let key = admission::known_key(app, id.unwrap_or_default()).await?;
    match key.apps {
        true => Ok(key),
        false => Err(Code::AccessNotAllowed.into()),
    }
}

async fn issue(
    app: &App,
    key: &WidgetKey,
    headers: &HeaderMap,
    body: &Bytes,
    address: IpAddr,
    idempotency_key: Option<&IdempotencyKey>,
) -> Result<Issued, Failure> {
    let sign = headers.get(SIGN).map_or(&[][..], HeaderValue::as_bytes);
    let mut card = AppCard::read(body, &key.id, sign).map_err(|error| match error {
        AppCardError::Signature => Failure::of(Code::SignatureInvalid, SIGN),
        AppCardError::Member(name) => Failure::of(Code::InvalidRequestBody, name),
        _ => Code::InvalidRequestBody.into(),
    })?;
    let request = IssueRequest {
        project: key.project.clone(),
        widget_key: key.id.clone(),
        live: key.live,
        customer: std::mem::take(&mut card.customer),
        source: Source::App(card),
        idempotency_key: idempotency_key.map(IdempotencyKey::to_inner),
        body_hash: body_hash(body),
        address,
        watch: Some(app.watch(key).await),
    };
    app.issue(request).await
}

/// These calls have a shape of error of their own (wire notes §6).
fn refuse(failure: Failure) -> Response {
    let code = failure.code();
    let message = match failure.param() {
        "" => code.message().to_owned(),
        // A name of ours.
        param => format!("{} [{param}]", code.message()),
    };
    let body = AppError {
        id: code.as_str().to_owned(),
        error_message: message,
    };
    let mut response = (error::status(code), Json(body)).into_response();
    response.extensions_mut().insert(error::Told(code));
    if let Some(allowance) = failure.allowance() {
        allowance.write(response.headers_mut());
    }
    response
}
