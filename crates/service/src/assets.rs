//! The widget's files: embedded, answered from memory, compressed when they were built.

use std::collections::HashMap;
use std::sync::Arc;

use aws_lc_rs::digest;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64ct::{Base64, Base64UrlUnpadded, Encoding};

use crate::headers;

/// Version in the addresses of immutable files: that of the whole package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The script that shops load.
pub const LOADER: &str = "card-widget.js";

/// One file as it was built.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Name, which ends its address.
    pub name: &'static str,
    /// Content.
    pub bytes: &'static [u8],
    /// The same under brotli 11.
    pub brotli: Option<&'static [u8]>,
}

/// Names of the files that make a frame work.
#[derive(Clone, Copy, Debug)]
pub struct FrameFiles {
    /// The module script.
    pub script: &'static str,
    /// The WebAssembly module.
    pub wasm: &'static str,
    /// The generated glue, where it is not bundled into the script.
    pub glue: Option<&'static str>,
    /// What runs where WebAssembly does not; none where the build could not make it.
    pub fallback: Option<&'static str>,
}

/// Everything that browsers load, by name.
#[derive(Clone, Debug)]
pub struct Assets {
    files: HashMap<&'static str, Arc<Asset>>,
    frame: Option<FrameFiles>,
}

impl Assets {
    /// What the build put into this binary.
    pub fn embedded() -> Self {
        Self::new(embedded::FILES, embedded::FRAME)
    }

    /// Other files, for tests.
    pub fn new(files: &[File], frame: Option<FrameFiles>) -> Self {
        Self {
            files: files
                .iter()
                .map(|file| (file.name, Arc::new(Asset::new(file))))
                .collect(),
            frame,
        }
    }

    /// The frame's files; none when the service was built without wasm.
    pub const fn frame(&self) -> Option<FrameFiles> {
        self.frame
    }

    /// The file of that name.
    pub fn find(&self, name: &str) -> Option<Arc<Asset>> {
        self.files.get(name).cloned()
    }

    /// All names, in no order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.keys().copied()
    }
}

/// One file with the headers that never change.
#[derive(Debug)]
pub struct Asset {
    bytes: Bytes,
    brotli: Option<Bytes>,
    content_type: &'static str,
    integrity: String,
    /// Entity tags differ per representation (RFC 9110 §8.8.3.3).
    tag: String,
    immutable: bool,
}

impl Asset {
    fn new(file: &File) -> Self {
        let hash = digest::digest(&digest::SHA256, file.bytes);
        Self {
            bytes: Bytes::from_static(file.bytes),
            brotli: file.brotli.map(Bytes::from_static),
            content_type: content_type(file.name),
            integrity: integrity(file.bytes),
            tag: Base64UrlUnpadded::encode_string(&hash.as_ref()[..12]),
            immutable: file.name == LOADER || carries_hash(file.name),
        }
    }

    /// Size in bytes.
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is nothing in it.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Subresource integrity value.
    pub fn integrity(&self) -> &str {
        &self.integrity
    }

    /// Answers under an address with a version. Names that change with the content may be kept for good.
    pub fn versioned(&self, request: &HeaderMap) -> Response {
        let cache = if self.immutable { IMMUTABLE } else { REVALIDATE };
        self.answer(request, cache)
    }

    /// Answers under an address that stays while the content changes.
    pub fn evergreen(&self, request: &HeaderMap) -> Response {
        self.answer(request, REVALIDATE)
    }

    fn answer(&self, request: &HeaderMap, cache: &'static str) -> Response {
        let compressed = self.brotli.as_ref().filter(|_| headers::accepts(request, "br"));
        let tag = match compressed {
            Some(_) => format!("\"{}-br\"", self.tag),
            None => format!("\"{}\"", self.tag),
        };
        let body = match matches(request, &tag) {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => Body::from(compressed.unwrap_or(&self.bytes).clone()).into_response(),
        };
        let mut response = body;
        let out = response.headers_mut();
        out.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        out.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers::write_open(out);
        // Base64 and quotes: always a header value.
        if let Ok(tag) = HeaderValue::try_from(tag) {
            out.insert(header::ETAG, tag);
        }
        if compressed.is_some() {
            out.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        }
        response
    }
}

/// Subresource integrity value: `sha384-` and base64 (W3C SRI §3.1).
pub(crate) fn integrity(bytes: &[u8]) -> String {
    let hash = digest::digest(&digest::SHA384, bytes);
    format!("sha384-{}", Base64::encode_string(hash.as_ref()))
}

/// An answer that is asked about again before it is used: with an entity tag of `body`, and empty where that is known.
pub(crate) fn revalidate(request: &HeaderMap, answer: Response, body: &str) -> Response {
    // Weak: the same for every compression of it (RFC 9110 §8.8.3.3).
    let hash = digest::digest(&digest::SHA256, body.as_bytes());
    let tag = format!("W/\"{}\"", Base64UrlUnpadded::encode_string(&hash.as_ref()[..12]));
    let mut response = answer;
    if matches(request, &tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    let out = response.headers_mut();
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(REVALIDATE));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // Base64 and quotes: always a header value.
    if let Ok(tag) = HeaderValue::try_from(tag) {
        out.insert(header::ETAG, tag);
    }
    response
}

/// `If-None-Match` by weak comparison (RFC 9110 §13.1.2).
fn matches(request: &HeaderMap, tag: &str) -> bool {
    request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|candidate| candidate == "*" || opaque(candidate) == opaque(tag))
}

/// An entity tag without the mark of a weak one.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// Whether the name ends in a dash and eight hexadecimal digits before its extension.
fn carries_hash(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.rsplit_once('-')
        .is_some_and(|(_, hash)| hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

pub(crate) const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const REVALIDATE: &str = "no-cache";

/// What the build script wrote.
pub(crate) mod embedded {
    use super::{File, FrameFiles};

    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

    /// Inside the frame's HTML.
    pub(crate) fn inline_js() -> &'static str {
        INLINE_JS
    }

    /// Inside the HTML of a refusal.
    pub(crate) fn refusal_js() -> &'static str {
        REFUSAL_JS
    }

    /// Inside both.
    pub(crate) fn frame_css() -> &'static str {
        FRAME_CSS
    }

    /// Tag of the language of a form whose page asks for one that there is not; it is among [`texts`].
    pub(crate) fn default_language() -> &'static str {
        DEFAULT_LANGUAGE
    }

    /// Tag and content of each `www/texts/<tag>.json`, by tag; the build script has checked them.
    pub(crate) fn texts() -> &'static [(&'static str, &'static str)] {
        TEXTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_hash() {
        for (name, hashed) in [
            ("frame-0a1b2c3d.js", true),
            ("frame-0a1b2c3d.wasm", true),
            ("card-widget.js", false),
            ("main.js", false),
            ("frame-0a1b2c3.js", false),
            ("frame-something.js", false),
        ] {
            assert_eq!(carries_hash(name), hashed, "{name}");
        }
    }
}
