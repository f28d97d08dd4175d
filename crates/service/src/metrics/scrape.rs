//! `GET /metrics`, and who may read it.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use wire::Code;

use crate::address::{self, Peer};
use crate::app::App;
use crate::error::Failure;

/// Path, on whatever address.
pub const PATH: &str = "/metrics";

/// Who may read the figures at the service's own address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// Programs on this machine, unless a proxy on it asks for somebody else.
    #[default]
    ThisMachine,
    /// Nobody: they have an address of their own.
    Nobody,
}

/// The figures, to whoever may read them; to all others there is nothing here.
pub async fn answer(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let forwarded = FORWARDED.iter().any(|name| headers.contains_key(*name));
    let client = address::client(peer, &headers, &app.trusted_proxies);
    let local =
        client.is_loopback() && (!forwarded || app.trusted_proxies.contains(&peer.0.ip().to_canonical()));
    match app.audience {
        Audience::ThisMachine if local => text(&app),
        _ => Err(Code::NotFound.into()),
    }
}

/// The figures alone, to everybody: for an address that only the right ones reach.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route(PATH, get(|State(app): State<Arc<App>>| async move { text(&app) }))
        .with_state(app)
}

fn text(app: &App) -> Result<Response, Failure> {
    app.metrics.set_connections(app.connections.count());
    let (of_addresses, of_keys) = app.cards.most(app.now());
    app.metrics.set_most_cards("address", of_addresses);
    app.metrics.set_most_cards("key", of_keys);
    app.metrics.set_vault(app.vault.figures());
    let mut text = String::with_capacity(16 * 1024);
    encode(&mut text, &app.metrics.registry).map_err(|_| Failure::from(Code::InternalError))?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response())
}

/// What proxies add.
const FORWARDED: [&str; 3] = ["x-forwarded-for", "forwarded", "via"];

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
