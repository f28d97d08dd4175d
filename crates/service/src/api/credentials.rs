//! HTTP Basic authentication (RFC 7617).

use std::fmt;

use axum::http::{HeaderMap, header};
use base64ct::{Base64, Encoding};
use zeroize::Zeroizing;

/// A login and a password as they were sent.
#[derive(Default)]
pub struct Credentials {
    /// The project's id.
    pub login: String,
    /// Its password: bytes, as a header may hold any.
    pub password: Zeroizing<Vec<u8>>,
}

impl Credentials {
    /// Those of the header `Authorization`; `None` where there is not exactly one, or none of this kind.
    pub fn read(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return None;
        };
        let (scheme, encoded) = value.to_str().ok()?.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("basic") {
            return None;
        }
        let decoded = Zeroizing::new(Base64::decode_vec(encoded.trim()).ok()?);
        let at = decoded.iter().position(|byte| *byte == b':')?;
        Some(Self {
            login: std::str::from_utf8(decoded.get(..at)?).ok()?.to_owned(),
            password: Zeroizing::new(decoded.get(at + 1..)?.to_vec()),
        })
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(values: &[&str]) -> Option<(String, Vec<u8>)> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        Credentials::read(&headers).map(|read| (read.login, read.password.to_vec()))
    }

    #[test]
    fn one_header_of_this_kind_is_read() {
        let shop = || Some(("shop".to_owned(), b"pass:word".to_vec()));
        assert_eq!(read(&["Basic c2hvcDpwYXNzOndvcmQ="]), shop());
        assert_eq!(read(&["bASIC c2hvcDpwYXNzOndvcmQ="]), shop());
        let empty = Some(("shop".to_owned(), Vec::new()));
        assert_eq!(read(&["Basic c2hvcDo="]), empty);
        for values in [
            &[][..],
            &[""],
            &["Basic"],
            &["Basic "],
            &["Basic c2hvcA=="],
            &["Basic c2hvcDpwYXNzOndvcmQ"],
            &["Basic //8="],
            &["Bearer c2hvcDpwYXNzOndvcmQ="],
            &["Basic c2hvcDpwYXNzOndvcmQ=", "Basic c2hvcDpwYXNzOndvcmQ="],
        ] {
            assert_eq!(read(values), None, "{values:?}");
        }
    }
}
