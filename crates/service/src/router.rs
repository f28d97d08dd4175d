//! Addresses and who answers them.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router, middleware};
use serde_json::{Value, json};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use wire::Code;

use crate::api::{self, Schemas};
use crate::app::App;
use crate::assets::{Asset, LOADER, VERSION};
use crate::error::{self, Failure};
use crate::metrics::{self, Metrics};
use crate::observe::observe;
use crate::reference::{self, Operation, Reference, of_pages, table};
use crate::{alive, apps, boot, frame, inventory, pages, readiness, sandbox, texts, tokens};

/// The whole service as one router. Requests need a [`crate::address::Peer`] among their extensions.
pub fn router(app: Arc<App>) -> Router {
    let loader = match app.assets.find(LOADER) {
        Some(loader) => serve(loader, Asset::evergreen),
        // A script that cannot work would be worse than one that says why it is not there.
        None => get(|| async { Failure::from(Code::WidgetAssetsMissing) }),
    };
    let mut schemas = Schemas::new();
    let mut described = Described::default()
        .route(table::tokens(), post(tokens::issue))
        .route(table::app_tokens(), post(apps::answer))
        .route(table::app_tokens_v1(), post(apps::answer_v1))
        .route(table::boot(), get(boot::answer))
        .route(table::frame(), get(frame::answer).layer(compression()))
        .route(table::loader(), loader)
        .described(table::files())
        .route(table::texts(), get(texts::answer).layer(compression()))
        .route(table::alive(), get(alive::answer))
        .route(table::inventory(), get(inventory::answer).layer(compression()))
        .route(of_pages::payment(), get(pages::payment).layer(compression()))
        .route(of_pages::pay(), post(pages::pay).layer(compression()))
        .route(of_pages::payment_state(), get(pages::payment_state))
        .route(of_pages::challenge(), get(pages::challenge).layer(compression()))
        .route(of_pages::prove(), post(pages::prove))
        .route(of_pages::challenge_state(), get(pages::challenge_state))
        .route(of_pages::receipt(), get(pages::receipt).layer(compression()))
        .route(
            of_pages::installment(),
            get(pages::installment).layer(compression()),
        )
        .route(of_pages::sign(), post(pages::sign).layer(compression()))
        .route(of_pages::installment_state(), get(pages::installment_state))
        .route(table::health(), get(healthy))
        .route(table::ready(), get(readiness::answer))
        .route(table::metrics(), get(metrics::answer))
        .described(table::document())
        .described(table::page());
    let of_sandbox = app
        .sandbox
        .as_ref()
        .map(|sandbox| sandbox::calls(sandbox, &app.courier));
    for call in api::calls().into_iter().chain(of_sandbox.into_iter().flatten()) {
        let operation = call.operation(&mut schemas);
        described = described.route(operation, api::route(Arc::new(call)));
    }
    let Described {
        mut router,
        operations,
    } = described;
    let reference = Reference::new(&operations, &schemas.into_definitions());
    let page = reference.clone();
    router = router
        .route(
            reference::PATH,
            get(|| async move { reference.document() }).layer(compression()),
        )
        .route(
            reference::PAGE,
            get(|| async move { page.page() }).layer(compression()),
        );
    // One route per file, so that an absent file is 404 for every method and a log line names the file.
    for name in app.assets.names() {
        let Some(asset) = app.assets.find(name) else {
            continue;
        };
        router = router.route(
            &format!("/widget/{VERSION}/{name}"),
            serve(asset, Asset::versioned),
        );
    }
    if app.sandbox.is_some() {
        router = router.merge(sandbox::routes());
    }
    surround(router, app.metrics()).with_state(app)
}

/// Routes, each with what is said of it.
#[derive(Default)]
struct Described {
    router: Router<Arc<App>>,
    operations: Vec<Operation>,
}

impl Described {
    fn route(mut self, operation: Operation, handler: MethodRouter<Arc<App>>) -> Self {
        self.router = self.router.route(operation.path(), handler);
        self.described(operation)
    }

    /// For what gets its route elsewhere.
    fn described(mut self, operation: Operation) -> Self {
        self.operations.push(operation);
        self
    }
}

/// What every request passes through, known address or not. A panic is an answer like others: with an id, and logged.
pub fn surround<S: Clone + Send + Sync + 'static>(router: Router<S>, metrics: Arc<Metrics>) -> Router<S> {
    router
        .layer(CatchPanicLayer::custom(error::from_panic))
        .layer(middleware::from_fn_with_state(metrics, observe))
}

fn serve(asset: Arc<Asset>, answer: fn(&Asset, &HeaderMap) -> Response) -> MethodRouter<Arc<App>> {
    get(move |headers: HeaderMap| async move { answer(&asset, &headers) })
}

/// The page differs per request, so it is compressed while it is sent; files were compressed when they were built.
fn compression() -> CompressionLayer {
    CompressionLayer::new().quality(CompressionLevel::Precise(HTML_QUALITY))
}

/// The process runs.
async fn healthy() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// The current script.
pub(crate) const LOADER_PATH: &str = "/widget/v1/card-widget.js";

/// Level for the HTML of the frame. Measured on 7.7 KB: 4 gives 3,387 bytes, 5 to 9 give 3,111, 11 gives 2,735 and
/// costs more time than the bytes save.
const HTML_QUALITY: i32 = 5;

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_answer_that_tells_nothing_of_it() {
        let broken = async || -> Response { panic!("seventeen") };
        let router = surround(Router::new().route("/", get(broken)), Arc::default());
        let response = router
            .oneshot(Request::get("/").body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(response.status(), 500);
        let id = response.headers()["x-request-id"].clone();
        let body = to_bytes(response.into_body(), 1024).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["code"], "internal_error");
        assert_eq!(body["error_id"], id.to_str().unwrap());
        assert!(!body.to_string().contains("seventeen"));
    }
}
