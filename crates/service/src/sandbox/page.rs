//! The page that shows a project of the sandbox, and what else browsers load from the sandbox: pictures of cards, tax receipts.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use wire::Code;

use crate::app::App;
use crate::error::Failure;
use crate::headers;

/// Their addresses.
pub(crate) fn routes() -> Router<Arc<App>> {
    let file = |kind: &'static str, bytes: &'static [u8]| get(async move || answer(kind, bytes.to_vec()));
    Router::new()
        .route(
            "/sandbox",
            file(HTML, include_bytes!("../../../../www/sandbox/page.html")),
        )
        .route(
            "/sandbox/page.css",
            file(
                "text/css; charset=utf-8",
                include_bytes!("../../../../www/sandbox/page.css"),
            ),
        )
        .route(
            "/sandbox/page.js",
            file(
                "text/javascript; charset=utf-8",
                include_bytes!("../../../../www/sandbox/page.js"),
            ),
        )
        .route(
            "/sandbox/plot.js",
            file(
                "text/javascript; charset=utf-8",
                include_bytes!("../../../../www/sandbox/plot.js"),
            ),
        )
        .route(
            "/sandbox/art/blue.png",
            picture(include_bytes!("../../../../www/sandbox/blue.png")),
        )
        .route(
            "/sandbox/art/green.png",
            picture(include_bytes!("../../../../www/sandbox/green.png")),
        )
        .route("/sandbox/banks/{file}", get(logo))
        .route("/sandbox/fiscal/{number}", get(receipt))
}

/// A picture of a card, which shops show on their own pages.
fn picture(bytes: &'static [u8]) -> MethodRouter<Arc<App>> {
    get(async move || {
        let mut response = answer("image/png", bytes.to_vec());
        headers::write_open(response.headers_mut());
        response
    })
}

/// A bank's picture: its letter on a colour of its own.
async fn logo(Path(file): Path<String>) -> Response {
    let known = LOGOS
        .iter()
        .find(|(name, ..)| file.strip_suffix(".svg") == Some(name));
    let Some((_, letter, colour)) = known else {
        return Failure::from(Code::NotFound).into_response();
    };
    let picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 48 48\" width=\"48\" height=\"48\"><rect width=\"48\" height=\"48\" rx=\"10\" \
         fill=\"{colour}\"/><text x=\"24\" y=\"33\" font-family=\"sans-serif\" font-size=\"26\" font-weight=\"700\" text-anchor=\"middle\" \
         fill=\"#fff\">{letter}</text></svg>"
    );
    let mut response = answer("image/svg+xml", picture.into_bytes());
    headers::write_open(response.headers_mut());
    response
}

const LOGOS: [(&str, &str, &str); 9] = [
    ("bank_service", "S", "#2f4b8f"),
    ("bank_a", "A", "#1b7a4b"),
    ("bank_b", "B", "#8a3a2b"),
    ("bank_c", "C", "#5c3d8f"),
    ("bank_d", "D", "#0f6a7a"),
    ("bank_e", "E", "#7a5a0f"),
    ("bank_f", "F", "#3d5c1b"),
    ("bank_g", "G", "#8f2f5c"),
    ("stub", "•", "#5a5a5a"),
];

/// What a tax receipt's link leads to. It tells nothing that its address does not tell.
async fn receipt(Path(number): Path<String>) -> Response {
    if number.len() != 18 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Failure::from(Code::NotFound).into_response();
    }
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Tax receipt {number}</title><h1>Tax receipt {number}</h1>\
         <p>A receipt of the sandbox, for trying things out. No tax office knows of it.</p></html>"
    );
    answer(HTML, page.into_bytes())
}

fn answer(kind: &'static str, bytes: Vec<u8>) -> Response {
    let headers = [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, bytes).into_response()
}

const HTML: &str = "text/html; charset=utf-8";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; \
                      base-uri 'none'; frame-ancestors 'none'";
