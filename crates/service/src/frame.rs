//! `GET /widget/v1/frame`: the page with the form, or the page that says why there is none.

mod pages;
mod policy;

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use wire::Code;
use wire::widget::{FormType, Scheme, Style, Template};

pub use pages::{FrameView, RefusalView};
pub use policy::Policies;
pub(crate) use policy::hash;

use crate::address::Peer;
use crate::admission::Admission;
use crate::app::App;
use crate::boot;
use crate::error::{self, Failure};
use crate::headers;
use crate::languages::Language;
use crate::observe::RequestId;
use crate::query::Query;

/// Path of the frame; the query holds `key`, `origin`, `lang`, `type`, `template`, `style`, `scheme`, and `theme`, which
/// the page's own script reads.
pub const PATH: &str = "/widget/v1/frame";

/// How the form shall look. Whatever is unknown falls back, as the loader has warned already.
#[derive(Clone, Copy, Debug)]
pub struct FrameParams {
    /// Fields, else all of them.
    pub form: FormType,
    /// Arrangement, else stacked.
    pub template: Template,
    /// Look, else plain.
    pub style: Style,
    /// Colours, else light.
    pub scheme: Scheme,
}

impl FrameParams {
    fn read(query: &Query<'_>) -> Self {
        Self {
            form: FormType::parse(query.first("type")).unwrap_or(FormType::FullCard),
            template: Template::parse(query.first("template")).unwrap_or(Template::Stacked),
            style: Style::parse(query.first("style")).unwrap_or(Style::Plain),
            scheme: Scheme::parse(query.first("scheme")).unwrap_or(Scheme::Light),
        }
    }
}

/// Answers with one of the two pages.
pub async fn answer(
    State(app): State<Arc<App>>,
    Extension(id): Extension<RequestId>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let query = Query::parse(query.as_deref());
    let language = app.languages.find(query.first("lang"));
    match form(&app, &query, language, peer, &headers).await {
        Ok(response) => response,
        Err(failure) => {
            let mut response = refusal(&app, language, failure.code(), &id);
            if let Some(allowance) = failure.allowance() {
                allowance.write(response.headers_mut());
            }
            response
        }
    }
}

async fn form(
    app: &App,
    query: &Query<'_>,
    language: &Language,
    peer: Peer,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    // Browsers say what they want the page for. The inline script refuses too where they do not.
    if headers
        .get("sec-fetch-dest")
        .is_some_and(|dest| dest == "document")
    {
        return Err(Code::FrameOnly.into());
    }
    let admission = Admission::check(app, headers, query.first("key"), query.first("origin")).await?;
    let left = admission.count(app, peer, headers)?;
    let files = app.assets.frame().ok_or(Code::WidgetAssetsMissing)?;
    let boot = boot::make(app, &admission)?;
    let params = FrameParams::read(query);
    let html = pages::frame(language, params, &boot, files).map_err(|error| {
        tracing::error!(%error, "frame not rendered");
        Failure::from(Code::InternalError)
    })?;
    let mut response = page(StatusCode::OK, html, app.policies.frame(&admission.origin));
    if let Some(left) = left {
        left.write(response.headers_mut());
    }
    Ok(response)
}

/// Holds nothing of the request but the language, since anybody may embed it.
fn refusal(app: &App, language: &Language, code: Code, id: &RequestId) -> Response {
    match pages::refusal(language, code, id) {
        Ok(html) => {
            let mut response = page(error::status(code), html, app.policies.refusal());
            response.extensions_mut().insert(error::Told(code));
            response
        }
        Err(error) => {
            tracing::error!(%error, "refusal not rendered");
            Failure::from(Code::InternalError).into_response()
        }
    }
}

fn page(status: StatusCode, html: String, policy: String) -> Response {
    let mut response = (status, html).into_response();
    headers::write_page(response.headers_mut());
    // Hashes, keywords and a checked origin: always a header value.
    if let Ok(policy) = HeaderValue::try_from(policy) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
