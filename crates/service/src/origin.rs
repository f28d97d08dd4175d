//! Origins as browsers write them, and the patterns that a widget key allows.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// A web origin in the one form in which `self.origin` and the HTTP header `Origin` write it (RFC 6454 §6.2):
/// lower case, no default port, nothing behind the port.
///
/// Only such text ever reaches a `Content-Security-Policy`, so it can hold no space, quote or semicolon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    /// `None` is the scheme's default port.
    port: Option<u16>,
}

impl Origin {
    /// Reads an origin. Anything but the canonical form of an `http` or `https` origin is refused.
    pub fn parse(text: &str) -> Result<Self, OriginError> {
        if text == "null" {
            return Err(OriginError::Opaque);
        }
        let (scheme, authority) = split(text)?;
        let (host, port) = split_port(authority);
        let port = match port {
            None => None,
            Some(digits) => Some(read_port(digits).ok_or(OriginError::Malformed)?),
        };
        if port == Some(scheme.default_port()) || !is_host(host) {
            return Err(OriginError::Malformed);
        }
        Ok(Self {
            scheme,
            host: host.to_owned(),
            port,
        })
    }

    /// Host and port as the header `Host` writes them, without the scheme.
    pub fn authority(&self) -> String {
        match self.port {
            Some(port) => format!("{}:{port}", self.host),
            None => self.host.clone(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.scheme.prefix(), self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// What a widget key allows: one origin, or with `*` for the port, one host on every port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    origin: Origin,
    any_port: bool,
}

impl Pattern {
    /// Reads `https://shop.example`, `https://shop.example:8443` or `http://localhost:*`.
    pub fn parse(text: &str) -> Result<Self, OriginError> {
        let stem = text.strip_suffix(":*");
        Ok(Self {
            origin: Origin::parse(stem.unwrap_or(text))?,
            any_port: stem.is_some(),
        })
    }

    /// Whether `origin` is meant.
    pub fn allows(&self, origin: &Origin) -> bool {
        self.origin.scheme == origin.scheme
            && self.origin.host == origin.host
            && (self.any_port || self.origin.port == origin.port)
    }
}

/// Why a text is not an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OriginError {
    /// The word `null`: a sandboxed frame, a file, a data address.
    #[error("the origin is opaque")]
    Opaque,
    /// Not the canonical form of an `http` or `https` origin.
    #[error("not an origin such as https://shop.example")]
    Malformed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Http => "http://",
            Self::Https => "https://",
        }
    }

    const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

fn split(text: &str) -> Result<(Scheme, &str), OriginError> {
    [Scheme::Https, Scheme::Http]
        .into_iter()
        .find_map(|scheme| Some((scheme, text.strip_prefix(scheme.prefix())?)))
        .ok_or(OriginError::Malformed)
}

/// Splits at the colon of the port; colons inside an IPv6 address stand in brackets.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

fn read_port(digits: &str) -> Option<u16> {
    let canonical = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    canonical.then(|| digits.parse().ok()).flatten()
}

fn is_host(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner
            .parse::<Ipv6Addr>()
            .is_ok_and(|address| address.to_string() == inner);
    }
    if let Ok(IpAddr::V4(address)) = host.parse() {
        return address.to_string() == host;
    }
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_'))
    };
    host.len() <= MAX_HOST && host.split('.').all(label)
}

/// Longest host name, RFC 1035 §2.3.4.
const MAX_HOST: usize = 253;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_origins_are_read_and_written_alike() {
        for text in [
            "https://shop.example",
            "https://shop.example:8443",
            "http://localhost:8081",
            "http://127.0.0.1:8081",
            "http://[::1]:8081",
            "https://xn--e1afmkfd.xn--j1amh",
        ] {
            assert_eq!(Origin::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for (text, why) in [
            ("", "empty"),
            ("https://", "no host"),
            ("shop.example", "no scheme"),
            ("ftp://shop.example", "another scheme"),
            ("file://", "a file"),
            ("HTTPS://shop.example", "upper-case scheme"),
            ("https://Shop.example", "upper-case host"),
            ("https://shop.example/", "path"),
            ("https://shop.example:443", "default port"),
            ("https://shop.example:", "empty port"),
            ("https://shop.example:0443", "leading zero"),
            ("https://shop.example:65536", "port too large"),
            ("https://shop.example:+80", "sign"),
            ("https://user@shop.example", "user"),
            ("https://shop.example https://other.example", "two"),
            ("https://shop.example;script-src *", "policy injection"),
            ("https://*.example", "wildcard"),
            ("https://*", "everything"),
            ("https://shop..example", "empty label"),
            ("https://shop.example.", "trailing dot"),
            ("https://магазин.укр", "not ASCII"),
            ("http://[::0001]", "IPv6 not canonical"),
            ("http://[::1", "open bracket"),
        ] {
            assert_eq!(Origin::parse(text), Err(OriginError::Malformed), "{why}");
        }
        assert_eq!(Origin::parse("null"), Err(OriginError::Opaque));
    }

    #[test]
    fn patterns() {
        for (pattern, origin, allowed) in [
            ("https://shop.example", "https://shop.example", true),
            ("https://shop.example", "http://shop.example", false),
            ("https://shop.example", "https://shop.example:8443", false),
            ("https://shop.example", "https://evil-shop.example", false),
            ("https://shop.example", "https://shop.example.evil.example", false),
            ("http://localhost:*", "http://localhost:8081", true),
            ("http://localhost:*", "http://localhost", true),
            ("http://localhost:*", "https://localhost:8081", false),
            ("http://localhost:*", "http://localhost.evil.example:1", false),
            ("http://127.0.0.1:*", "http://127.0.0.1:3000", true),
        ] {
            let allows = Pattern::parse(pattern)
                .unwrap()
                .allows(&Origin::parse(origin).unwrap());
            assert_eq!(allows, allowed, "{pattern} {origin}");
        }
        for text in ["*", "https://*", "https://:*", "null", "https://shop.example:*:*"] {
            assert!(Pattern::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_authority_is_what_host_carries() {
        let origin = Origin::parse("http://localhost:8080").unwrap();
        assert_eq!(origin.authority(), "localhost:8080");
        assert_eq!(
            Origin::parse("https://pay.example").unwrap().authority(),
            "pay.example"
        );
    }
}
