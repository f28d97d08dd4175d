//! `GET /widget/v1/alive.js`: whether the service can be reached at all.
//!
//! A page whose frame does not answer cannot see why. It imports this module: one that comes means that the page in the
//! frame was kept out, one that does not means that the service was. An import asks no more of the page's policy than
//! `script-src`, which it needs anyway, and no policy for trusted types.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::headers;

/// Path; the query only keeps browsers from answering out of a map of modules.
pub const PATH: &str = "/widget/v1/alive.js";

/// Answers with a module that has nothing in it.
pub async fn answer() -> Response {
    let mut response = (
        [
            (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
            // An old answer would prove nothing.
            (header::CACHE_CONTROL, "no-store"),
        ],
        MODULE,
    )
        .into_response();
    headers::write_open(response.headers_mut());
    response
}

/// The line that makes it a module.
pub(crate) const MODULE: &str = "export {}\n";
