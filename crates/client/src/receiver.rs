//! Callbacks as axum takes them.

use axum::body::Body;
use axum::extract::{FromRef, FromRequest, Request};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};
use wire::interface::callback::SIGNATURE;

use crate::callback::{Callback, Callbacks};
use crate::error::{Error, Fault};

/// A callback that is the service's: an argument of a handler, whose state has [`Callbacks`]. What is not is answered with 401, what cannot
/// be read with 400, and the handler does not run. Answer with 200, as `()` and `StatusCode::OK` do, and do the work afterwards.
///
/// ```
/// use axum::{Router, routing::post};
/// use client::callback::{Callbacks, Event};
/// use client::receiver::Signed;
///
/// async fn hear(Signed(callback): Signed) {
///     if let Event::Payment(payment) = callback.event {
///         // Remember `callback.key`, and look up the order.
///         let _ = payment.external_id;
///     }
/// }
///
/// let callbacks = Callbacks::signed_with(["password"])?;
/// let router: Router = Router::new().route("/callbacks", post(hear)).with_state(callbacks);
/// # Ok::<(), client::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Signed(pub Callback);

impl<S: Send + Sync> FromRequest<S> for Signed
where
    Callbacks: FromRef<S>,
{
    type Rejection = Rejected;

    async fn from_request(request: Request, state: &S) -> Result<Self, Rejected> {
        let (parts, body) = request.into_parts();
        if parts.method != Method::POST {
            return Err(Rejected(StatusCode::METHOD_NOT_ALLOWED, "A callback is a POST."));
        }
        let body = whole(body).await?;
        let signatures = parts
            .headers
            .get_all(SIGNATURE)
            .into_iter()
            .map(|value| value.as_bytes());
        let read = Callbacks::from_ref(state).read(&body, signatures);
        read.map(Self).map_err(|error| match error {
            Error::Callback {
                fault: Fault::Unreadable,
            } => Rejected(StatusCode::BAD_REQUEST, "The callback cannot be read."),
            _ => Rejected(
                StatusCode::UNAUTHORIZED,
                "The callback is not signed as it must be.",
            ),
        })
    }
}

async fn whole(body: Body) -> Result<Vec<u8>, Rejected> {
    let body = Limited::new(body, LONGEST).collect().await;
    let body =
        body.map_err(|_| Rejected(StatusCode::BAD_REQUEST, "The callback is not whole, or too long."))?;
    Ok(body.to_bytes().into())
}

/// Why a handler did not run.
#[derive(Clone, Copy, Debug)]
pub struct Rejected(StatusCode, &'static str);

impl IntoResponse for Rejected {
    fn into_response(self) -> Response {
        (self.0, self.1).into_response()
    }
}

/// Longest callback, in bytes.
const LONGEST: usize = 1 << 20;
