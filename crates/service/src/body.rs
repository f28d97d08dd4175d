//! Reading a request's body: bounded in size and time before anything looks at it.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use wire::Code;
use wire::token::{BODY_LIMIT, TokenRequest};

use crate::error::Failure;

/// Reads at most [`BODY_LIMIT`] bytes within ten seconds.
pub async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Failure> {
    // Said beforehand: nothing needs to be read.
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok());
    if declared
        .and_then(|length| length.parse::<u64>().ok())
        .is_some_and(|length| length > BODY_LIMIT as u64)
    {
        return Err(Code::BodyTooLarge.into());
    }
    let reading = Limited::new(body, BODY_LIMIT).collect();
    match tokio::time::timeout(READ_TIME, reading).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Code::BodyTooLarge.into()),
        // The connection broke, or its framing is wrong.
        Ok(Err(_)) => Err(Code::InvalidRequestBody.into()),
        Err(_) => Err(Code::RequestTimeout.into()),
    }
}

/// Parses a token request, whatever its Content-Type says (wire notes §2.1).
pub fn parse(body: &[u8]) -> Result<TokenRequest, Failure> {
    // Serde would take an array for an object with its members in order.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(Code::InvalidRequestBody.into());
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let request: TokenRequest = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // Broken JSON is not the fault of the member in which it broke.
        let path = if error.inner().is_data() {
            error.path().to_string()
        } else {
            String::new()
        };
        let missing = error.inner().to_string().starts_with("missing field");
        Failure::of(Code::InvalidRequestBody, known_member(&path, missing))
    })?;
    json.end().map_err(|_| Failure::from(Code::InvalidRequestBody))?;
    for (name, text) in [
        ("customer_id", &request.customer_id),
        ("customer_email", &request.customer_email),
        ("customer_ip", &request.customer_ip),
    ] {
        if text
            .as_ref()
            .is_some_and(|text| text.chars().count() > ADVICE_LIMIT)
        {
            return Err(Failure::of(Code::InvalidRequestBody, name));
        }
    }
    Ok(request)
}

/// The wrong member by a name of ours: a path could hold the caller's text.
fn known_member(path: &str, missing: bool) -> &'static str {
    // `envelope` is the one member that can be missing.
    let path = if missing { "envelope" } else { path };
    let names = ["envelope", "customer_ip", "customer_id", "customer_email"];
    names.into_iter().find(|name| *name == path).unwrap_or_default()
}

/// Longest customer id, e-mail or address, in characters.
const ADVICE_LIMIT: usize = 255;

/// How long a body may take to arrive.
const READ_TIME: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrong_member_is_named() {
        let long = format!(r#"{{"envelope":"e","customer_id":"{}"}}"#, "x".repeat(256));
        let deep = format!(r#"{{"envelope":"e","later":{}}}"#, "[".repeat(15_000));
        for (body, param) in [
            ("", ""),
            ("   ", ""),
            ("null", ""),
            ("42", ""),
            (r#"["e",null,null,null]"#, ""),
            (r#"{"envelope":"e""#, ""),
            (r#"{"envelope":"e"} {}"#, ""),
            ("{}", "envelope"),
            (r#"{"envelope":null}"#, "envelope"),
            (r#"{"envelope":1}"#, "envelope"),
            (r#"{"envelope":{"a":"b"}}"#, "envelope"),
            (r#"{"envelope":"e","customer_id":7}"#, "customer_id"),
            (r#"{"envelope":"e","customer_email":[]}"#, "customer_email"),
            (long.as_str(), "customer_id"),
            (deep.as_str(), ""),
            ("\u{feff}{}", ""),
        ] {
            let failure = parse(body.as_bytes()).unwrap_err();
            assert_eq!(failure.code(), Code::InvalidRequestBody);
            assert_eq!(failure.param(), param, "{:.40}", body);
        }
        assert_eq!(
            parse(b"{\"envelope\":\"\xff\"}").unwrap_err().code(),
            Code::InvalidRequestBody
        );
    }

    #[test]
    fn unknown_members_are_ignored_however_deep_they_nest() {
        let deep = format!(
            r#"{{"later":{}{},"envelope":"e"}}"#,
            "[".repeat(8_000),
            "]".repeat(8_000)
        );
        assert_eq!(parse(deep.as_bytes()).unwrap().envelope, "e");
        assert_eq!(
            parse(br#" {"envelope":"e","customer_ip":null,"x":{}} "#)
                .unwrap()
                .customer_ip,
            None
        );
    }
}
