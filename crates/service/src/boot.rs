//! `GET /widget/v1/boot`: what a frame needs to seal a card. The frame's HTML carries the same.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use base64ct::{Base64UrlUnpadded, Encoding};
use vault::PublicSealingKey;
use wire::boot::{Boot, SealingKey};

use crate::address::Peer;
use crate::admission::Admission;
use crate::app::App;
use crate::error::Failure;
use crate::query::Query;

/// Renews the ticket of a form that stood open for an hour.
pub async fn answer(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let query = Query::parse(query.as_deref());
    let admission = Admission::check(&app, &headers, query.first("key"), query.first("origin")).await?;
    let left = admission.count(&app, peer, &headers)?;
    let mut response = Json(make(&app, &admission)?).into_response();
    if let Some(left) = left {
        left.write(response.headers_mut());
    }
    Ok(response)
}

/// Boot data for an admitted key and origin.
pub fn make(app: &App, admission: &Admission) -> Result<Boot, Failure> {
    let now = app.now();
    let origin = admission.origin.to_string();
    let PublicSealingKey { kid, x, y } = app.vault.sealing_key(now)?;
    Ok(Boot {
        ticket: app.tickets.make(&admission.key.id, &origin, now),
        key: admission.key.id.clone(),
        origin,
        sealing_key: SealingKey {
            kid,
            x: Base64UrlUnpadded::encode_string(&x),
            y: Base64UrlUnpadded::encode_string(&y),
        },
        now,
        live: admission.key.live,
    })
}
