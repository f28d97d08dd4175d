//! `GET /widget/<version>/texts`: the texts of another language, for a form that is open.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use wire::widget::FormType;

use crate::app::App;
use crate::assets::{IMMUTABLE, VERSION};
use crate::query::Query;

/// Path under this version, whose texts never change. The query holds `lang` and `type`, read as those of the frame are.
pub fn path() -> String {
    format!("/widget/{VERSION}/texts")
}

/// Answers `{"lang","texts"}`: the members of the page's boot data, and those that stand in the HTML.
pub async fn answer(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    let query = Query::parse(query.as_deref());
    let language = app.languages.find(query.first("lang"));
    let form = FormType::parse(query.first("type")).unwrap_or(FormType::FullCard);
    let body = json!({ "lang": language.tag, "texts": language.for_change(form) });
    let mut response = Json(body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(IMMUTABLE));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}
