//! The shop's pages, which are those of `node-shop`.

use std::path::Path;

use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};

use crate::shop::{Failure, Shop};

/// Every file there is, with its type.
const FILES: [(&str, &str); 5] = [
    ("index.html", "text/html; charset=utf-8"),
    ("order.html", "text/html; charset=utf-8"),
    ("checkout.js", "text/javascript"),
    ("order.js", "text/javascript"),
    ("style.css", "text/css"),
];

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../node-shop/public");

/// A page, or a file of one.
pub(crate) async fn page(State(shop): State<Shop>, uri: Uri) -> Result<Response, Failure> {
    let wanted = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let (name, kind) = FILES
        .into_iter()
        .find(|(name, _)| *name == wanted)
        .ok_or(Failure::NoSuchThing)?;
    let text = std::fs::read_to_string(Path::new(FOLDER).join(name))?;
    let text = text
        .replace("%SERVICE%", &shop.service)
        .replace("Node shop", "Rust shop");
    let service = &shop.service;
    // Scripts and frames of the service, and nothing else of strangers.
    let policy = format!(
        "default-src 'none'; script-src 'self' {service}; frame-src {service}; style-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'"
    );
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok((headers, text).into_response())
}
