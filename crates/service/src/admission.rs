//! The question that frame, boot data and tokens all ask: may this origin use this widget key?

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use vault::WidgetKey;
use wire::Code;

use crate::address::{self, Peer};
use crate::app::App;
use crate::error::Failure;
use crate::limit::Allowance;
use crate::origin::{Origin, OriginError, Pattern};
use crate::pages;

/// A widget key together with an origin that it allows.
pub struct Admission {
    /// What is known about the key.
    pub key: Arc<WidgetKey>,
    /// The shop's origin.
    pub origin: Origin,
}

impl Admission {
    /// Checks the key first, then the origin, as the design orders them.
    ///
    /// An origin is asked again with every request: it may have been taken off the key's list since.
    pub async fn check(app: &App, headers: &HeaderMap, key: &str, origin: &str) -> Result<Self, Failure> {
        let key = known_key(app, key).await?;
        let origin = allowed_origin(app, headers, &key, origin)?;
        Ok(Self { key, origin })
    }

    /// Counts a form or boot data that is asked for, and says what is left; a limit of its own, as neither brings a token.
    pub fn count(&self, app: &App, peer: Peer, headers: &HeaderMap) -> Result<Option<Allowance>, Failure> {
        let address = address::client(peer, headers, &app.trusted_proxies);
        let counted = app.frame_limits.count(&self.key.id, self.key.live, address);
        match (counted.refused_by, counted.allowance) {
            (Some(scope), Some(allowance)) => {
                app.metrics.rate_limited(match scope {
                    "address" => "frame_address",
                    _ => "frame_key_and_address",
                });
                Err(Failure::limited(allowance))
            }
            (_, allowance) => Ok(allowance),
        }
    }
}

/// The widget key of that id.
pub async fn known_key(app: &App, id: &str) -> Result<Arc<WidgetKey>, Failure> {
    if id.is_empty() || id.len() > MAX_KEY {
        return Err(Failure::of(Code::WidgetKeyUnknown, "key"));
    }
    if pages::key::is_one(id) {
        let found = pages::key::find(app, id).await?;
        return found
            .map(Arc::new)
            .ok_or(Failure::of(Code::WidgetKeyUnknown, "key"));
    }
    app.known_keys
        .find(&app.vault, &app.waiting, id, app.now())
        .await?
        .ok_or(Failure::of(Code::WidgetKeyUnknown, "key"))
}

/// `text` as an origin, if `key` allows it; that of a payment page allows our own.
pub fn allowed_origin(
    app: &App,
    headers: &HeaderMap,
    key: &WidgetKey,
    text: &str,
) -> Result<Origin, Failure> {
    let refused = Failure::of(Code::OriginNotAllowed, "origin");
    let origin = Origin::parse(text).map_err(|error| match error {
        OriginError::Opaque => Failure::of(Code::OriginOpaque, "origin"),
        OriginError::Malformed => refused.clone(),
    })?;
    if pages::key::is_one(&key.id) {
        return if is_ours(app, headers, &origin) {
            Ok(origin)
        } else {
            Err(refused)
        };
    }
    // A pattern that cannot be read allows nothing; it was checked when it was written.
    let mut patterns = key
        .origins
        .iter()
        .filter_map(|pattern| Pattern::parse(pattern).ok());
    match patterns.any(|pattern| pattern.allows(&origin)) {
        true => Ok(origin),
        false => Err(refused),
    }
}

/// The frame's requests come from our own origin, and so do our pages' forms. Anything else is somebody else's page, or no browser
/// at all.
pub fn own_origin(app: &App, headers: &HeaderMap) -> Result<(), Failure> {
    let refused = || Failure::of(Code::OriginNotAllowed, "Origin");
    let mut values = headers.get_all(header::ORIGIN).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(refused());
    };
    let origin = value.to_str().ok().and_then(|text| Origin::parse(text).ok());
    match origin {
        Some(origin) if is_ours(app, headers, &origin) => Ok(()),
        _ => Err(refused()),
    }
}

fn is_ours(app: &App, headers: &HeaderMap, origin: &Origin) -> bool {
    match &app.public_origin {
        Some(public) => origin == public,
        // Without a configured origin, and so without TLS of our own, the address that the browser used must do.
        None => headers
            .get(header::HOST)
            .is_some_and(|host| host.as_bytes() == origin.authority().as_bytes()),
    }
}

/// Longest widget key, in bytes; the same bound as inside an envelope.
const MAX_KEY: usize = 128;
