//! Refusals on their way out: from a [`Code`] to a response.

use std::any::Any;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use processing::Refusal;
use vault::{IssueError, TooManyCards, VaultError};
use wire::{Code, ErrorBody};

use crate::limit::Allowance;

/// A refusal. The body is written at the very end, where the request id is known (see `observe`).
#[derive(Clone, Debug)]
pub struct Failure {
    code: Code,
    /// The member or query parameter that is wrong; a name of ours, never input.
    param: &'static str,
    /// What is left, where that is the reason.
    allowance: Option<Allowance>,
}

impl Failure {
    /// A refusal that names the wrong member.
    pub const fn of(code: Code, param: &'static str) -> Self {
        Self {
            code,
            param,
            allowance: None,
        }
    }

    /// One request too many.
    pub fn limited(allowance: Allowance) -> Self {
        Self {
            allowance: Some(allowance),
            ..Code::TooManyRequests.into()
        }
    }

    /// Its code.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The wrong member, or nothing.
    pub const fn param(&self) -> &'static str {
        self.param
    }
}

/// The code of a refusal that has its body already, for those who count.
#[derive(Clone, Copy, Debug)]
pub struct Told(pub Code);

impl Failure {
    /// What is left, where that is the reason.
    pub const fn allowance(&self) -> Option<Allowance> {
        self.allowance
    }
}

impl From<Code> for Failure {
    fn from(code: Code) -> Self {
        Self::of(code, "")
    }
}

impl From<VaultError> for Failure {
    /// The vault's words go to the log: they name files and tables, never values.
    fn from(error: VaultError) -> Self {
        tracing::error!(%error, "vault");
        error.code().into()
    }
}

impl From<TooManyCards> for Failure {
    fn from(TooManyCards { limit, wait }: TooManyCards) -> Self {
        Self::limited(Allowance {
            limit,
            remaining: 0,
            reset: wait,
            retry_after: Some(wait),
        })
    }
}

impl From<IssueError> for Failure {
    fn from(error: IssueError) -> Self {
        match error {
            IssueError::TooManyCards(refused) => refused.into(),
            IssueError::Vault(error) => error.into(),
            refusal => refusal.code().into(),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = status(self.code).into_response();
        if let Some(allowance) = self.allowance {
            allowance.write(response.headers_mut());
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The status that carries `code`.
pub fn status(code: Code) -> StatusCode {
    // Every row of the table is between 400 and 599, which a test of `wire` proves; 500 is never reached.
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A refusal of the interface beyond tokenization, whose status is set. Its body is written at the very end, too.
#[derive(Clone, Debug)]
pub struct Refused(pub Refusal);

/// Gives an error answer its JSON body, and tells its code; successes and pages pass unchanged.
///
/// Answers that the router made by itself (404, 405) get the code of their status.
pub fn complete(mut response: Response, request_id: &str) -> (Response, Option<&'static str>) {
    let extensions = response.extensions_mut();
    let told = extensions.remove::<Told>().map(|Told(code)| code.as_str());
    let refused = extensions.remove::<Refused>();
    let failure = extensions.remove::<Failure>();
    if let Some(Refused(refusal)) = refused {
        let code = refusal.code.known();
        let body = ErrorBody {
            payment_id: refusal.payment_id,
            ..ErrorBody::of_interface(&refusal.code, refusal.message, refusal.param, request_id)
        };
        return (with_body(response, &body), Some(code));
    }
    let failure = match (failure, response.status()) {
        (Some(failure), _) => failure,
        (None, _) if response.headers().contains_key(header::CONTENT_TYPE) => return (response, told),
        (None, StatusCode::NOT_FOUND) => Code::NotFound.into(),
        (None, StatusCode::METHOD_NOT_ALLOWED) => Code::MethodNotAllowed.into(),
        (None, other) if other.is_client_error() || other.is_server_error() => Code::InternalError.into(),
        (None, _) => return (response, None),
    };
    *response.status_mut() = status(failure.code);
    let body = ErrorBody::new(failure.code, failure.param, request_id);
    (with_body(response, &body), Some(failure.code.as_str()))
}

fn with_body(response: Response, body: &ErrorBody) -> Response {
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts
        .headers
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(parts, json(body))
}

/// What a panic becomes. Its message may hold anything, so nobody gets to see it.
pub fn from_panic(_: Box<dyn Any + Send + 'static>) -> Response {
    Failure::from(Code::InternalError).into_response()
}

fn json(body: &ErrorBody) -> Body {
    // Strings and one boolean always serialize; an empty body would still carry the status.
    serde_json::to_vec(body).unwrap_or_default().into()
}
