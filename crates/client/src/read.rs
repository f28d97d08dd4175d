//! From what came back to an answer, or to why there is none.

use std::time::Duration;

use serde::Deserialize;
use wire::interface::StatusCode;
use wire::interface::call::{Call, Failure};

use crate::error::{Error, Family, Refused, Remedy};

/// What came back.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// The HTTP status.
    pub status: u16,
    /// Seconds of the header `X-RATELIMIT-RESET`, or of `Retry-After`.
    pub wait: Option<u64>,
    /// The whole body.
    pub body: &'a [u8],
}

/// Reads what came back. `remedy` is that of the request.
pub fn read<C: Call>(response: Response<'_>, remedy: Option<&Remedy>) -> Result<C::Answer, Error> {
    let Response { status, body, .. } = response;
    let unreadable = |message: String| Error::Unreadable {
        status,
        message,
        remedy: remedy.cloned(),
    };
    if !(200..300).contains(&status) {
        return Err(refusal(response, remedy).unwrap_or_else(|| unreadable(what_it_is(status, body))));
    }
    if !C::ENTRY.has_answer {
        // Whatever else stands there.
        return wire::interface::read_answer(b"{}").map_err(|wrong| unreadable(wrong.to_string()));
    }
    // Serde would take a list for an object with its members in order. What takes an empty list is a list.
    let begins = match serde_json::from_slice::<C::Answer>(b"[]") {
        Ok(_) => b'[',
        Err(_) => b'{',
    };
    if body.trim_ascii_start().first() != Some(&begins) {
        return Err(unreadable(what_it_is(status, body)));
    }
    wire::interface::read_answer(body).map_err(|wrong| {
        let of = match &*wrong.param {
            "" => "it is no whole JSON".to_owned(),
            param => format!("`{param}` is not {}", wrong.expected),
        };
        unreadable(format!(
            "{of}; is there a proxy in between, or an older version of this library"
        ))
    })
}

/// The service's own words, where they are these.
fn refusal(response: Response<'_>, remedy: Option<&Remedy>) -> Option<Error> {
    /// Members beyond the first two may be missing: proxies write such bodies, too.
    #[derive(Deserialize)]
    struct Body {
        code: String,
        message: String,
        #[serde(default)]
        param: String,
        #[serde(default)]
        payment_id: String,
        #[serde(default, rename = "type")]
        family: String,
        #[serde(default)]
        error_id: String,
    }

    let body: Body = wire::interface::read(response.body).ok()?;
    let known = serde_json::from_value(body.family.clone().into());
    Some(Error::Refused(Box::new(Refused {
        status: response.status,
        family: known.map_or(Family::Other(body.family), Family::Known),
        code: StatusCode::from(&*body.code),
        message: body.message,
        param: body.param,
        payment_id: body.payment_id,
        error_id: body.error_id,
        retry_after: (response.status == 429)
            .then(|| response.wait.map(Duration::from_secs))
            .flatten(),
        remedy: remedy
            .filter(|_| Failure::Status(response.status).may_be_done())
            .cloned(),
    })))
}

/// What stands where an answer belongs, without a word of it.
fn what_it_is(status: u16, body: &[u8]) -> String {
    let body = body.trim_ascii_start();
    let what = match body.first() {
        None => "it is empty",
        Some(b'<') => "it is a page in HTML",
        Some(b'{' | b'[') => "it is JSON of another kind",
        Some(_) => "it is no JSON",
    };
    let why = match status {
        502..=504 => "a proxy did not reach the service",
        300..=499 => "check the service's address",
        _ => "is there a proxy in between",
    };
    format!("{what}; {why}")
}
