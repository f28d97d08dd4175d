//! The demo shop's web server: the files of `www/demo`, and of `www/playground` beside them, on another site than the service; and the
//! shop's side of payments.

mod orders;
mod payouts;
mod service;
mod subscriptions;

use std::fs;
use std::io::Read as _;
use std::net::Ipv4Addr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};
use tiny_http::{Header, Method, Request, Response, Server};
use wire::interface::callback::SIGNATURE;

use orders::Orders;
use payouts::Payouts;
use subscriptions::Subscriptions;

use crate::{project, site};

/// Where the service's address goes in the shop's pages.
const PLACEHOLDER: &str = "%SERVICE%";

/// Requests at a time: a page that pays waits for the service, which meanwhile calls back.
const THREADS: usize = 4;

/// Longest body that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// What the shop's server knows.
struct Back {
    orders: Orders,
    payouts: Payouts,
    subscriptions: Subscriptions,
}

/// A running shop; closed when dropped.
pub(crate) struct Shop {
    server: Arc<Server>,
    threads: Vec<JoinHandle<()>>,
}

impl Shop {
    /// Serves on 127.0.0.1:`port`; the service is at `service`, on port `service_port`.
    pub(crate) fn open(port: u16, service: &str, service_port: u16) -> Result<Self> {
        let server =
            Server::http((Ipv4Addr::LOCALHOST, port)).map_err(|error| anyhow!("the demo shop: {error}"))?;
        let server = Arc::new(server);
        let address = format!("http://127.0.0.1:{port}");
        let back = Arc::new(Back {
            orders: Orders::new(service_port, address.clone()),
            payouts: Payouts::new(service_port, address.clone()),
            subscriptions: Subscriptions::new(service_port, address),
        });
        let serve = |_| {
            let (requests, service, back) = (Arc::clone(&server), service.to_owned(), Arc::clone(&back));
            thread::spawn(move || {
                for request in requests.incoming_requests() {
                    answer(request, &service, &back);
                }
            })
        };
        Ok(Self {
            threads: (0..THREADS).map(serve).collect(),
            server,
        })
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        // Each wakes one of them.
        for _ in &self.threads {
            self.server.unblock();
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn answer(mut request: Request, service: &str, back: &Back) {
    let path = request.url().split('?').next().unwrap_or_default().to_owned();
    if path == "/docs" {
        // Its pages name each other from their folder on.
        let mut there = Response::empty(308);
        for header in headers([("Location", "/docs/")]) {
            there.add_header(header);
        }
        let _ = request.respond(there);
        return;
    }
    let (status, kind, bytes) = match spoken(&mut request, &path, back) {
        Some(Ok(value)) => (200, JSON, value.to_string().into_bytes()),
        Some(Err(error)) => (
            400,
            JSON,
            json!({ "error": format!("{error:#}") }).to_string().into_bytes(),
        ),
        None => page(request.method(), &path, service),
    };
    let mut response = Response::from_data(bytes).with_status_code(status);
    for header in headers([("Content-Type", kind), ("Cache-Control", "no-store")]) {
        response.add_header(header);
    }
    // A visitor who has left is no error.
    let _ = request.respond(response);
}

/// What the shop's own scripts and the service ask for; nothing where it is a page.
fn spoken(request: &mut Request, path: &str, back: &Back) -> Option<Result<Value>> {
    let Back {
        orders,
        payouts,
        subscriptions,
    } = back;
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let answer = match (request.method(), parts.as_slice()) {
        (Method::Get, ["api", "cards"]) => orders.cards(),
        (Method::Get, ["api", "banks"]) => orders.banks(),
        (Method::Get, ["api", "orders"]) => Ok(orders.list()),
        (Method::Get, ["api", "orders", number]) => orders
            .find(number)
            .ok_or_else(|| anyhow!("there is no such order")),
        (Method::Post, ["api", "orders"]) if is_own(request) => {
            body(request).and_then(|body| orders.pay(&serde_json::from_slice(&body)?))
        }
        (Method::Post, ["api", "orders", number, action]) if is_own(request) => {
            orders.change(number, action).map(|()| Value::Null)
        }
        (Method::Get, ["api", "payouts", number]) => payouts
            .find(number)
            .ok_or_else(|| anyhow!("there is no such payout")),
        (Method::Post, ["api", "payouts"]) if is_own(request) => {
            body(request).and_then(|body| payouts.pay(&serde_json::from_slice(&body)?))
        }
        (Method::Get, ["api", "subscription"]) => subscriptions.look(),
        (Method::Post, ["api", "subscription"]) if is_own(request) => {
            body(request).and_then(|body| subscriptions.begin(&serde_json::from_slice(&body)?))
        }
        (Method::Post, ["api", "subscription", action]) if is_own(request) => {
            subscriptions.change(action).map(|()| Value::Null)
        }
        (Method::Post, ["callbacks"]) => {
            let signature = header(request, SIGNATURE).unwrap_or_default();
            body(request)
                .and_then(|body| back.hear(&signature, &body))
                .map(|()| Value::Null)
        }
        _ => return None,
    };
    Some(answer)
}

impl Back {
    /// A callback. One with a wrong signature is refused and changes nothing.
    fn hear(&self, signature: &str, body: &[u8]) -> Result<()> {
        if !service::is_signed(signature, body) {
            bail!("the signature is not the service's");
        }
        let told = serde_json::from_slice(body)?;
        match self.payouts.hear(&told) || self.subscriptions.hear(&told) {
            true => Ok(()),
            false => self.orders.hear(&told),
        }
    }
}

/// Whether the shop's own page asks: other sites' forms can post here too.
fn is_own(request: &Request) -> bool {
    let [origin, host] = ["Origin", "Host"].map(|name| header(request, name).unwrap_or_default());
    origin == format!("http://{host}")
}

fn header(request: &Request, name: &'static str) -> Option<String> {
    let mut found = request.headers().iter().filter(|header| header.field.equiv(name));
    let value = found.next()?.value.as_str().to_owned();
    // Two are as good as none: nobody knows which one is meant.
    found.next().is_none().then_some(value)
}

fn body(request: &mut Request) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    request.as_reader().take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn page(method: &Method, path: &str, service: &str) -> (u16, &'static str, Vec<u8>) {
    let found = match method {
        Method::Get | Method::Head => file(path).and_then(|path| Some((fs::read(&path).ok()?, path))),
        _ => None,
    };
    match found {
        Some((bytes, path)) => (200, kind(&path), filled(bytes, kind(&path), service)),
        None => (
            404,
            "text/plain; charset=utf-8",
            b"There is no such page in the demo shop.\n".to_vec(),
        ),
    }
}

/// A text with the service's address in it; anything else as it is.
fn filled(bytes: Vec<u8>, kind: &str, service: &str) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) if kind.starts_with("text/") => text.replace(PLACEHOLDER, service).into_bytes(),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// The file behind an address, never outside the folders of the shop, the playground and the documents.
fn file(path: &str) -> Option<PathBuf> {
    let (folder, name) = match path.strip_prefix("/docs/") {
        Some(name) if name.is_empty() || name.ends_with('/') => (site::folder(), format!("{name}index.html")),
        Some(name) => (site::folder(), name.to_owned()),
        None => (project::at("www"), shop_file(path)),
    };
    let plain = Path::new(&name)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| folder.join(name)).filter(|path| path.is_file())
}

/// The name of a file of the shop or the playground.
fn shop_file(path: &str) -> String {
    let name = match path {
        "/" => "demo/checkout.html",
        "/payout" => "demo/payout.html",
        "/order" => "demo/order.html",
        "/subscription" => "demo/subscription.html",
        "/office" => "demo/office.html",
        "/playground" | "/playground/" => "playground/index.html",
        other => match other.trim_start_matches('/') {
            name if name.starts_with("playground/") => name,
            name => &format!("demo/{name}"),
        },
    };
    name.to_owned()
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => JSON,
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

const JSON: &str = "application/json";

/// A header of constants in this file.
fn headers<const N: usize>(pairs: [(&str, &str); N]) -> Vec<Header> {
    pairs
        .into_iter()
        .filter_map(|(name, value)| Header::from_bytes(name, value).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_signed_changes_nothing() {
        let address = "http://127.0.0.1:2".to_owned();
        let back = Back {
            orders: Orders::new(1, address.clone()),
            payouts: Payouts::new(1, address.clone()),
            subscriptions: Subscriptions::new(1, address),
        };
        let number = back.orders.open(true, false).expect("opens");
        let told =
            json!({ "external_id": number, "operation": "payment", "details": { "status": "success" } });
        let body = told.to_string();
        let good = wire::interface::callback::signature(b"sandbox-password", body.as_bytes());
        let state = || back.orders.find(&number).expect("is there")["state"].clone();
        for wrong in ["", "=", &good[1..], &format!("{good}="), &good.to_lowercase()] {
            assert!(back.hear(wrong, body.as_bytes()).is_err(), "{wrong}");
        }
        assert_eq!(state(), "waiting");
        back.hear(&good, body.as_bytes()).expect("is signed");
        assert_eq!(state(), "paid");
    }

    #[test]
    fn pages_are_found_and_nothing_else() {
        for (path, found) in [
            ("/", true),
            ("/payout", true),
            ("/order", true),
            ("/subscription", true),
            ("/office", true),
            ("/checkout.html", true),
            ("/playground", true),
            ("/playground/", true),
            ("/playground/playground.js", true),
            ("/playground/../demo/checkout.html", false),
            ("/demo/checkout.html", false),
            ("/../../Cargo.toml", false),
            ("/..%2f..%2fCargo.toml", false),
            ("//etc/passwd", false),
            ("/nothing.html", false),
            ("/docs/../npm/package.json", false),
            ("/docs//etc/passwd", false),
        ] {
            assert_eq!(file(path).is_some(), found, "{path}");
        }
    }
}
