//! `GET /widget/v1/inventory.json`: every script that this service serves to a payment page, what it is for, where it runs
//! and its hash, and the content policies that a shop can paste. `docs/security/inventory.md` explains it to an assessor.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::alive;
use crate::app::App;
use crate::assets::{self, Assets, LOADER, VERSION, embedded};
use crate::headers;
use crate::origin::Origin;
use crate::router::LOADER_PATH;

/// Its path.
pub const PATH: &str = "/widget/v1/inventory.json";

/// Everything, as it is answered.
#[derive(Debug, Serialize)]
struct Inventory {
    /// Version of the package, which stands in the addresses.
    version: &'static str,
    files: Vec<Entry>,
    policies: Policies,
}

/// One file, or one element inside the frame's page.
#[derive(Debug, Serialize)]
struct Entry {
    /// Absolute; none for what stands inside the page of the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// The same file at an address that stays while versions change.
    #[serde(skip_serializing_if = "Option::is_none")]
    evergreen: Option<String>,
    purpose: &'static str,
    /// `shop` or `frame`: the document that it runs in.
    runs: &'static str,
    /// Whether every start needs it, or only some.
    always: bool,
    bytes: usize,
    /// `sha384-` and base64 (W3C SRI §3.1).
    integrity: String,
}

/// Content policies of the shop's page, as far as the widget needs them.
#[derive(Debug, Serialize)]
struct Policies {
    /// What a page that has a policy has to add to it.
    minimal: String,
    /// A whole policy for a page that loads nothing else, with the exact version of the script.
    strict: String,
}

/// Answers with it.
pub async fn answer(State(app): State<Arc<App>>, request: HeaderMap) -> Response {
    let inventory = Inventory::of(&app.assets, &service_origin(&app, &request));
    let body = serde_json::to_string(&inventory).unwrap_or_default();
    let mut response = Json(inventory).into_response();
    let headers = response.headers_mut();
    headers::write_open(headers);
    assets::revalidate(&request, response, &body)
}

/// Our own origin as browsers see it; plain HTTP unless the settings say otherwise. A `Host` that is none names nobody.
fn service_origin(app: &App, request: &HeaderMap) -> String {
    let asked = || {
        let host = request.get(header::HOST)?.to_str().ok()?;
        Origin::parse(&format!("http://{host}")).ok()
    };
    let origin = app.public_origin.clone().or_else(asked);
    origin.map_or_else(String::new, |origin| origin.to_string())
}

impl Inventory {
    fn of(assets: &Assets, origin: &str) -> Self {
        let mut files = Vec::new();
        for name in assets.names() {
            let (Some(asset), Some((runs, always, purpose))) = (assets.find(name), role(assets, name)) else {
                continue;
            };
            files.push(Entry {
                address: Some(format!("{origin}/widget/{VERSION}/{name}")),
                evergreen: (name == LOADER).then(|| format!("{origin}{LOADER_PATH}")),
                purpose,
                runs,
                always,
                bytes: asset.len(),
                integrity: asset.integrity().to_owned(),
            });
        }
        files.push(Entry {
            address: Some(format!("{origin}{}", alive::PATH)),
            evergreen: None,
            purpose: "An empty module. Imported by the loader when the frame does not answer, to tell a service out of reach from a frame kept out.",
            runs: "shop",
            always: false,
            bytes: alive::MODULE.len(),
            integrity: assets::integrity(alive::MODULE.as_bytes()),
        });
        for (text, always, purpose) in [
            (
                embedded::inline_js(),
                true,
                "Inside the frame's page: keeps what happens before the module runs. Allowed by its hash.",
            ),
            (
                embedded::refusal_js(),
                false,
                "Inside the page of a refusal: tells the shop why there is no form. Allowed by its hash.",
            ),
        ] {
            files.push(Entry {
                address: None,
                evergreen: None,
                purpose,
                runs: "frame",
                always,
                bytes: text.len(),
                integrity: assets::integrity(text.as_bytes()),
            });
        }
        // The shop's own first, in an order that does not change from answer to answer.
        files.sort_by(|a, b| (b.runs, &a.address).cmp(&(a.runs, &b.address)));
        let script = format!("{origin}/widget/{VERSION}/{LOADER}");
        let alive = format!("{origin}{}", alive::PATH);
        Self {
            version: VERSION,
            files,
            policies: Policies {
                minimal: format!("script-src {origin}; frame-src {origin}"),
                strict: format!(
                    "default-src 'none'; script-src {script} {alive}; frame-src {origin}; base-uri 'none'; \
                     form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
                     trusted-types 'none'"
                ),
            },
        }
    }
}

/// Where a file runs, whether always, and what for. Nothing for what runs nowhere.
fn role(assets: &Assets, name: &str) -> Option<(&'static str, bool, &'static str)> {
    if name == LOADER {
        return Some((
            "shop",
            true,
            "The loader: checks what the shop asks for, puts the frame into the page, passes tokens and errors on.",
        ));
    }
    if !name.ends_with(".js") && !name.ends_with(".wasm") {
        return None;
    }
    Some(match assets.frame() {
        Some(frame) if frame.script == name => (
            "frame",
            true,
            "The frame's script: starts the module and lends it what only a browser can do.",
        ),
        Some(frame) if frame.wasm == name => (
            "frame",
            true,
            "The WebAssembly module: card rules, the form, the sealing of the card.",
        ),
        Some(frame) if frame.glue == Some(name) => ("frame", true, "Calls between script and module."),
        Some(frame) if frame.fallback == Some(name) => (
            "frame",
            false,
            "The same module as JavaScript, loaded instead where WebAssembly does not run.",
        ),
        _ => ("frame", false, "A part of the frame."),
    })
}
