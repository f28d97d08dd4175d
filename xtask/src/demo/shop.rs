//! The demo shop's web server: the files of `www/demo`, and of `www/playground` beside them, on another site than the service.

use std::fs;
use std::net::Ipv4Addr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Result, anyhow};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::project;

/// Where the service's address goes in the shop's pages.
const PLACEHOLDER: &str = "%SERVICE%";

/// A running shop; closed when dropped.
pub(super) struct Shop {
    server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
}

impl Shop {
    /// Serves on 127.0.0.1:`port`; `service` is put into the pages.
    pub(super) fn open(port: u16, service: &str) -> Result<Self> {
        let server =
            Server::http((Ipv4Addr::LOCALHOST, port)).map_err(|error| anyhow!("the demo shop: {error}"))?;
        let server = Arc::new(server);
        let (requests, service) = (Arc::clone(&server), service.to_owned());
        let thread = thread::spawn(move || {
            for request in requests.incoming_requests() {
                answer(request, &service);
            }
        });
        Ok(Self {
            server,
            thread: Some(thread),
        })
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(request: Request, service: &str) {
    let path = request.url().split('?').next().unwrap_or_default().to_owned();
    let result = match request.method() {
        Method::Get | Method::Head => file(&path).and_then(|path| Some((fs::read(&path).ok()?, path))),
        _ => None,
    };
    let (status, kind, bytes) = match result {
        Some((bytes, path)) => (200, kind(&path), filled(bytes, kind(&path), service)),
        None => (
            404,
            "text/plain; charset=utf-8",
            b"There is no such page in the demo shop.\n".to_vec(),
        ),
    };
    let mut response = Response::from_data(bytes).with_status_code(status);
    for header in headers([("Content-Type", kind), ("Cache-Control", "no-store")]) {
        response.add_header(header);
    }
    // A visitor who has left is no error.
    let _ = request.respond(response);
}

/// A text with the service's address in it; anything else as it is.
fn filled(bytes: Vec<u8>, kind: &str, service: &str) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) if kind.starts_with("text/") => text.replace(PLACEHOLDER, service).into_bytes(),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// The file behind an address, never outside the two folders.
fn file(path: &str) -> Option<PathBuf> {
    let name = match path {
        "/" => "demo/checkout.html",
        "/payout" => "demo/payout.html",
        "/playground" | "/playground/" => "playground/index.html",
        other => match other.trim_start_matches('/') {
            name if name.starts_with("playground/") => name,
            name => &format!("demo/{name}"),
        },
    };
    let plain = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    plain
        .then(|| project::at("www").join(name))
        .filter(|path| path.is_file())
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

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
    fn pages_are_found_and_nothing_else() {
        for (path, found) in [
            ("/", true),
            ("/payout", true),
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
        ] {
            assert_eq!(file(path).is_some(), found, "{path}");
        }
    }
}
