//! `POST /api/widget/v1/tokens`: the checks in the order of the design (service §1.2), then the vault.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use seal::Envelope;
use tokio::sync::oneshot;
use vault::{Customer, IssueRequest, Issued, Replay};
use wire::Code;
use wire::token::{TokenRequest, TokenResponse};

use crate::address::{self, Peer};
use crate::admission::{self, Admission};
use crate::app::App;
use crate::error::Failure;
use crate::idempotency::{IdempotencyKey, body_hash};
use crate::origin::Origin;
use crate::ticket::TicketError;
use crate::{body, time};

/// Answers 201 with a token, 200 with the same token on a repeat.
pub async fn issue(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let bytes = body::read(&headers, body).await?;
    let request = body::parse(&bytes)?;
    let envelope =
        Envelope::parse(&request.envelope).map_err(|_| Failure::of(Code::EnvelopeMalformed, "envelope"))?;
    let claims = &envelope.header().claims;

    let key = admission::known_key(&app, &claims.widget_key)?;
    own_origin(&app, &headers)?;
    let origin = admission::allowed_origin(&key, &claims.origin)?;

    let address = address::client(peer, &headers, &app.trusted_proxies);
    let counted = app.limits.count(&key.id, key.live, address);
    let call = Call {
        admission: Admission { key, origin },
        address,
        request,
        envelope,
        body: bytes,
    };
    let answer = match counted.refused_by {
        Some(scope) => {
            app.metrics.rate_limited(scope);
            Err(Code::TooManyRequests.into())
        }
        None => call.run(&app, &headers).await,
    };
    let mut response = answer.unwrap_or_else(Failure::into_response);
    if let Some(allowance) = counted.allowance {
        allowance.write(response.headers_mut());
    }
    Ok(response)
}

/// A request that may be worked on: key and origin are good and the limit is not used up.
struct Call {
    admission: Admission,
    address: IpAddr,
    request: TokenRequest,
    envelope: Envelope,
    body: Bytes,
}

impl Call {
    async fn run(self, app: &App, headers: &HeaderMap) -> Result<Response, Failure> {
        let idempotency_key = IdempotencyKey::read(headers)?;
        let hash = body_hash(&self.body);
        match app
            .vault
            .replay(&self.admission.key.project, idempotency_key.as_str(), &hash)?
        {
            Replay::Answer(issued) => return answer(app, &issued),
            Replay::Conflict => return Err(Code::IdempotencyConflict.into()),
            Replay::None => {}
        }

        let claims = &self.envelope.header().claims;
        let ticket = app
            .tickets
            .check(&claims.ticket, &claims.widget_key, &claims.origin, app.now())
            .map_err(|error| match error {
                TicketError::Foreign => Code::TicketInvalid,
                TicketError::Expired => Code::TicketExpired,
            })?;
        let request = IssueRequest {
            project: self.admission.key.project,
            widget_key: self.admission.key.id,
            live: self.admission.key.live,
            origin: self.admission.origin.to_string(),
            ticket_made_at: ticket.made_at,
            ticket_expires_at: ticket.expires_at(),
            envelope: self.envelope,
            idempotency_key: idempotency_key.into_inner(),
            body_hash: hash,
            address: self.address,
            customer: customer(self.request),
        };
        let issued = ask_vault(app, request).await?;
        answer(app, &issued)
    }
}

/// Waits until the token is on the disk.
async fn ask_vault(app: &App, request: IssueRequest) -> Result<Issued, Failure> {
    let (done, issued) = oneshot::channel();
    app.vault.issue(request, move |result| {
        // Nobody listens when the client has gone. The token is stored; a repeat gets it.
        let _ = done.send(result);
    });
    match issued.await {
        Ok(result) => Ok(result?),
        // The vault dropped its answer, which it does only while it closes.
        Err(_) => Err(Code::ServiceUnavailable.into()),
    }
}

/// 201 for a new token, 200 for one that was told before.
fn answer(app: &App, issued: &Issued) -> Result<Response, Failure> {
    let status = if issued.repeated {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    let body = TokenResponse {
        token: issued.token.clone(),
        expires_at: time::without_zone(issued.expires_at).ok_or(Code::InternalError)?,
        card_mask: issued.card_mask.clone(),
    };
    app.metrics.token("browser", issued.repeated);
    Ok((status, Json(body)).into_response())
}

/// An empty text means absent (wire notes §2.3).
fn customer(request: TokenRequest) -> Customer {
    let present = |text: Option<String>| text.filter(|text| !text.is_empty());
    Customer {
        ip: present(request.customer_ip),
        id: present(request.customer_id),
        email: present(request.customer_email),
    }
}

/// The frame's requests come from our own origin. Anything else is somebody else's page, or no browser at all.
fn own_origin(app: &App, headers: &HeaderMap) -> Result<(), Failure> {
    let refused = || Failure::of(Code::OriginNotAllowed, "Origin");
    let mut values = headers.get_all(header::ORIGIN).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(refused());
    };
    let origin = value
        .to_str()
        .ok()
        .and_then(|text| Origin::parse(text).ok())
        .ok_or_else(refused)?;
    let ours = match &app.public_origin {
        Some(public) => origin == *public,
        // Without a configured origin, and so without TLS of our own, the address that the browser used must do.
        None => headers
            .get(header::HOST)
            .is_some_and(|host| host.as_bytes() == origin.authority().as_bytes()),
    };
    if ours { Ok(()) } else { Err(refused()) }
}
