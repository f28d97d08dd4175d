//! `POST /api/widget/v1/tokens`: the checks in the order of the design (service §1.2), then the vault.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use seal::Envelope;
use vault::{Customer, IssueRequest, Issued, SealedCard, Source};
use wire::Code;
use wire::token::{TokenRequest, TokenResponse};

use crate::address::{self, Peer};
use crate::admission::{self, Admission};
use crate::app::App;
use crate::error::Failure;
use crate::idempotency::{IdempotencyKey, body_hash};
use crate::ticket::TicketError;
use crate::{body, time};

/// Answers 201 with a token, 200 with the same token on a repeat.
pub async fn issue(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    issue_by(&app, peer, &headers, body, |request| app.issue(request)).await
}

/// The same with somebody else in the vault's place, for whoever measures what the vault costs.
pub async fn issue_by(
    app: &App,
    peer: Peer,
    headers: &HeaderMap,
    body: Body,
    issue: impl AsyncFnOnce(IssueRequest) -> Result<Issued, Failure>,
) -> Result<Response, Failure> {
    let bytes = body::read(headers, body).await?;
    let request = body::parse(&bytes)?;
    let envelope =
        Envelope::parse(&request.envelope).map_err(|_| Failure::of(Code::EnvelopeMalformed, "envelope"))?;
    let claims = &envelope.header().claims;

    let key = admission::known_key(app, &claims.widget_key).await?;
    admission::own_origin(app, headers)?;
    let origin = admission::allowed_origin(app, headers, &key, &claims.origin)?;

    let address = address::client(peer, headers, &app.trusted_proxies);
    let counted = app.count_token(&key, address).await;
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
        None => call.run(app, headers, issue).await,
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
    async fn run(
        self,
        app: &App,
        headers: &HeaderMap,
        issue: impl AsyncFnOnce(IssueRequest) -> Result<Issued, Failure>,
    ) -> Result<Response, Failure> {
        let idempotency_key = IdempotencyKey::read(headers)?;
        let hash = body_hash(&self.body);
        let project = self.admission.key.project.clone();
        let issued = match self.request(app, &idempotency_key, hash).await {
            Ok(request) => issue(request).await,
            Err(refused) => Err(refused),
        };
        let issued = app.or_repeat(issued, &project, &idempotency_key, &hash).await?;
        answer(app, &issued)
    }

    /// What the vault is asked, once the ticket is good.
    async fn request(
        self,
        app: &App,
        idempotency_key: &IdempotencyKey,
        body_hash: [u8; 32],
    ) -> Result<IssueRequest, Failure> {
        let claims = &self.envelope.header().claims;
        let ticket = app
            .tickets
            .check(&claims.ticket, &claims.widget_key, &claims.origin, app.now())
            .map_err(|error| match error {
                TicketError::Foreign => Code::TicketInvalid,
                TicketError::Expired => Code::TicketExpired,
            })?;
        let sealed = SealedCard {
            envelope: self.envelope,
            origin: self.admission.origin.to_string(),
            ticket_made_at: ticket.made_at,
            ticket_expires_at: ticket.expires_at(),
        };
        let watch = app.watch(&self.admission.key).await;
        Ok(IssueRequest {
            project: self.admission.key.project.clone(),
            widget_key: self.admission.key.id.clone(),
            live: self.admission.key.live,
            source: Source::Frame(Box::new(sealed)),
            idempotency_key: Some(idempotency_key.to_inner()),
            body_hash,
            address: self.address,
            customer: customer(self.request),
            watch: Some(watch),
        })
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
