//! `GET /api/openapi.json` and `GET /api/reference`: every address, as the router has it.
//!
//! A route cannot be added without an `Operation`: the router takes its path from there, and examples are values of the
//! types that travel. So the document says what the code does.

mod document;
mod members;
pub(crate) mod of_pages;
mod operation;
mod page;
pub(crate) mod table;

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};

pub(crate) use operation::Operation;

/// Path of the OpenAPI document.
pub const PATH: &str = "/api/openapi.json";

/// Path of the page for people.
pub const PAGE: &str = "/api/reference";

/// Both, written once.
#[derive(Clone)]
pub(crate) struct Reference {
    document: Bytes,
    page: Bytes,
}

impl Reference {
    /// `definitions` are the schemas that operations refer to.
    pub(crate) fn new(operations: &[Operation], definitions: &Map<String, Value>) -> Self {
        Self {
            document: document::write(operations, definitions).to_string().into(),
            page: page::write(operations, definitions).into(),
        }
    }

    pub(crate) fn document(&self) -> Response {
        let json = HeaderValue::from_static("application/json");
        ([(header::CONTENT_TYPE, json), CACHE], self.document.clone()).into_response()
    }

    pub(crate) fn page(&self) -> Response {
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        let policy = HeaderValue::from_static(page::POLICY);
        let headers = [
            (header::CONTENT_TYPE, html),
            (header::CONTENT_SECURITY_POLICY, policy),
            CACHE,
        ];
        (headers, self.page.clone()).into_response()
    }
}

/// The next version may say something else.
const CACHE: (header::HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
