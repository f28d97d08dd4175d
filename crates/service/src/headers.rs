//! Header values that more than one route sends.

use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue};

/// Sets what every answer carries, unless the route has set its own.
///
/// An API answer is nobody's document, frame or script.
pub fn write_defaults(headers: &mut HeaderMap) {
    for (name, value) in DEFAULTS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Sets what a page inside a frame carries, its content policy aside.
pub fn write_page(headers: &mut HeaderMap) {
    for (name, value) in PAGE {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Sets what lets any page take the answer, also one with `require-corp`. Nothing of it is about anybody.
pub fn write_open(headers: &mut HeaderMap) {
    for (name, value) in OPEN {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Whether `Accept-Encoding` takes `coding` (RFC 9110 §12.5.3). Without the header: no.
pub fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let mut wildcard = false;
    let listed = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    for item in listed {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let wanted = !parts.any(is_zero_weight);
        if name.eq_ignore_ascii_case(coding) {
            return wanted;
        }
        wildcard |= name == "*" && wanted;
    }
    wildcard
}

/// `q=0`, `q=0.0`, `q=0.00`, `q=0.000`.
fn is_zero_weight(parameter: &str) -> bool {
    let weight = parameter
        .strip_prefix("q=")
        .or_else(|| parameter.strip_prefix("Q="));
    weight.is_some_and(|weight| weight.trim().parse::<f32>() == Ok(0.0))
}

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const CROSS_ORIGIN_EMBEDDER_POLICY: HeaderName = HeaderName::from_static("cross-origin-embedder-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const ORIGIN_AGENT_CLUSTER: HeaderName = HeaderName::from_static("origin-agent-cluster");

const DEFAULTS: [(HeaderName, &str); 5] = [
    (header::CACHE_CONTROL, "no-store"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    ),
    (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

const PAGE: [(HeaderName, &str); 6] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CACHE_CONTROL, "no-store"),
    // A shop's page with `require-corp` embeds only frames that ask the same of themselves and allow it.
    (CROSS_ORIGIN_EMBEDDER_POLICY, "require-corp"),
    (CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"),
    (
        PERMISSIONS_POLICY,
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    // A process of its own where the browser has one to give: the shop's page shares no memory with the form.
    (ORIGIN_AGENT_CLUSTER, "?1"),
];

const OPEN: [(HeaderName, &str); 2] = [
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_encoding() {
        for (value, coding, accepted) in [
            ("gzip, deflate, br", "br", true),
            ("gzip", "br", false),
            ("br;q=0", "br", false),
            ("br; q=0.000, *", "br", false),
            ("br;q=0.1", "br", true),
            ("*", "br", true),
            ("*;q=0", "br", false),
            ("BR", "br", true),
            ("", "br", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            assert_eq!(accepts(&headers, coding), accepted, "{value}");
        }
        assert!(!accepts(&HeaderMap::new(), "br"));
    }
}
