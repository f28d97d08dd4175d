//! The service's own pages: the payment page, the page that proves who the payer is, and the receipt.
//!
//! Each is HTML that works without scripts, but for the card form. What is asked of them goes to `processing` and comes back as a
//! view; the pages decide nothing. A form is answered by the address of a page, so that loading it again sends nothing.

mod ask;
mod back;
mod challenge;
mod end;
mod installment;
pub(crate) mod key;
mod payment;
mod policy;
mod purpose;
mod receipt;
mod shell;
mod texts;
mod wallet;
mod write;

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode as Status, header};
use axum::response::{IntoResponse, Response};
use processing::page::{OrderView, PageSecret};
use processing::port::acquirer::Proof;
use processing::{Processing, Refusal};
use serde_json::json;
use wire::Code;
use wire::interface::StatusCode;

pub use policy::PagePolicies;

use crate::app::App;
use crate::error::{self, Failure, Told};
use crate::query::Query;
use crate::{admission, body};
use ask::{Payment, Request};
use installment::Answer;
use payment::Asked;
use texts::Texts;

/// Start of a payment page's address; the secret follows.
pub const PAYMENT: &str = "/pay/";

/// Start of the address of the page that proves who the payer is; the secret follows.
pub const CHALLENGE: &str = "/3ds/";

/// Start of a receipt's address; the secret follows.
pub const RECEIPT: &str = "/receipt/";

/// Start of the address of the page on which a payer agrees to an installment order; the secret follows.
pub const INSTALLMENT: &str = "/installment/";

/// In the query of a page that was reached by paying: from there the payer is led on.
const DONE: &str = "done";

/// `GET /pay/{secret}`.
pub async fn payment(State(app): State<Arc<App>>, request: Request) -> Response {
    let shown = payment_page(&app, &request, None).await;
    shown.unwrap_or_else(|code| apology(&app, &request, code))
}

/// `POST /pay/{secret}`: pays.
pub async fn pay(State(app): State<Arc<App>>, request: Request, headers: HeaderMap, body: Body) -> Response {
    let answer = async {
        let secret = request.secret()?;
        let form = read_form(&app, &headers, body).await?;
        let payment = Payment::read(&form).ok_or(Code::InvalidRequestBody)?;
        let paid = ask(&app, |processing| {
            let attempt = payment.attempt;
            let method = payment.method(&processing.page(secret)?);
            let method = method
                .ok_or_else(|| Refusal::new(StatusCode::InvalidData, "the page does not offer this"))?;
            processing.pay_page(secret, attempt, method)
        });
        match paid.await {
            Ok(()) => Ok(see(PAYMENT, secret, &request)),
            // The payer reads why, and may try again.
            Err(Refused::Because(code)) => payment_page(&app, &request, Some(code)).await,
            Err(Refused::Code(code)) => Err(code),
        }
    };
    answer.await.unwrap_or_else(|code| apology(&app, &request, code))
}

/// `GET /pay/{secret}/state`: what a page that is open asks, to be loaded again when it is not true any more.
pub async fn payment_state(State(app): State<Arc<App>>, request: Request) -> Response {
    let version = async {
        let secret = request.secret()?;
        let view = ask(&app, |processing| processing.page(secret)).await?;
        Ok(payment::version(&view))
    };
    state(version.await)
}

/// `GET /3ds/{secret}`.
pub async fn challenge(State(app): State<Arc<App>>, request: Request) -> Response {
    let page = async {
        let secret = request.secret()?;
        let view = ask(&app, |processing| processing.challenge(secret)).await?;
        Ok(challenge::show(
            &view,
            &asked(&request, &view.order),
            &app.page_policies,
        ))
    };
    page.await.unwrap_or_else(|code| apology(&app, &request, code))
}

/// `POST /3ds/{secret}`: what the payer answers to their bank.
pub async fn prove(
    State(app): State<Arc<App>>,
    request: Request,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let answer = async {
        let secret = request.secret()?;
        let form = read_form(&app, &headers, body).await?;
        let proof = match Query::parse(Some(&form)).first("proof") {
            "passed" => Proof::Passed,
            "failed" => Proof::Failed,
            _ => return Err(Code::InvalidRequestBody),
        };
        ask(&app, |processing| processing.answer_challenge(secret, proof)).await?;
        Ok(see(CHALLENGE, secret, &request))
    };
    answer.await.unwrap_or_else(|code| apology(&app, &request, code))
}

/// `GET /3ds/{secret}/state`, as [`payment_state`].
pub async fn challenge_state(State(app): State<Arc<App>>, request: Request) -> Response {
    let version = async {
        let secret = request.secret()?;
        let view = ask(&app, |processing| processing.challenge(secret)).await?;
        Ok(challenge::version(&view))
    };
    state(version.await)
}

/// `GET /installment/{secret}`.
pub async fn installment(State(app): State<Arc<App>>, request: Request) -> Response {
    let shown = installment_page(&app, &request, None).await;
    shown.unwrap_or_else(|code| apology(&app, &request, code))
}

/// `POST /installment/{secret}`: gives a card, or says yes or no.
pub async fn sign(State(app): State<Arc<App>>, request: Request, headers: HeaderMap, body: Body) -> Response {
    let answer = async {
        let secret = request.secret()?;
        let form = read_form(&app, &headers, body).await?;
        let answer = Answer::read(&form).ok_or(Code::InvalidRequestBody)?;
        let signed = ask(&app, |processing| match &answer {
            Answer::Card { tries, token } => processing.sign_installment(secret, *tries, token),
            Answer::Agreed(agrees) => processing.answer_installment_page(secret, *agrees),
        });
        match signed.await {
            Ok(()) => Ok(see(INSTALLMENT, secret, &request)),
            Err(Refused::Because(code)) => installment_page(&app, &request, Some(code)).await,
            Err(Refused::Code(code)) => Err(code),
        }
    };
    answer.await.unwrap_or_else(|code| apology(&app, &request, code))
}

/// `GET /installment/{secret}/state`, as [`payment_state`].
pub async fn installment_state(State(app): State<Arc<App>>, request: Request) -> Response {
    let version = async {
        let secret = request.secret()?;
        let view = ask(&app, |processing| processing.installment_page(secret)).await?;
        Ok(installment::version(&view))
    };
    state(version.await)
}

/// `GET /receipt/{secret}`.
pub async fn receipt(State(app): State<Arc<App>>, request: Request) -> Response {
    let page = async {
        let secret = request.secret()?;
        let view = ask(&app, |processing| processing.receipt_page(secret)).await?;
        Ok(receipt::show(
            &view,
            request.texts(&view.order),
            &app.page_policies,
        ))
    };
    page.await.unwrap_or_else(|code| apology(&app, &request, code))
}

async fn payment_page(app: &App, request: &Request, refused: Option<StatusCode>) -> Result<Response, Code> {
    let secret = request.secret()?;
    let view = ask(app, |processing| processing.page(secret)).await?;
    let asked = Asked {
        refused,
        ..asked(request, &view.order)
    };
    let key = key::of(&view.order.project);
    Ok(payment::show(&view, &key, &asked, &app.page_policies))
}

async fn installment_page(
    app: &App,
    request: &Request,
    refused: Option<StatusCode>,
) -> Result<Response, Code> {
    let secret = request.secret()?;
    let view = ask(app, |processing| processing.installment_page(secret)).await?;
    let asked = Asked {
        refused,
        ..asked(request, &view.order)
    };
    let key = key::of(&view.order.project);
    Ok(installment::show(&view, &key, &asked, &app.page_policies))
}

fn asked(request: &Request, order: &OrderView) -> Asked {
    Asked {
        texts: request.texts(order),
        is_done: request.is_done,
        refused: None,
    }
}

/// Why something was not done.
enum Refused {
    /// For a reason that the payer can read on the page.
    Because(StatusCode),
    /// For one that leaves no page to show.
    Code(Code),
}

impl From<Refused> for Code {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Because(_) => Self::InvalidRequestBody,
            Refused::Code(code) => code,
        }
    }
}

/// Asks what may wait for the store and for the acquirer.
async fn ask<T>(app: &App, question: impl FnOnce(&Processing) -> Result<T, Refusal>) -> Result<T, Refused> {
    let answer = app.waiting.run(|| question(&app.processing)).await;
    let answer = answer.map_err(|failure| Refused::Code(failure.code()))?;
    answer.map_err(|refusal| match refusal.code {
        StatusCode::DataNotFound => Refused::Code(Code::NotFound),
        StatusCode::InternalError => Refused::Code(Code::InternalError),
        code => Refused::Because(code),
    })
}

/// The form that our own page has sent. Browsers say where a form comes from.
async fn read_form(app: &App, headers: &HeaderMap, body: Body) -> Result<String, Code> {
    if headers.contains_key(header::ORIGIN) && admission::own_origin(app, headers).is_err() {
        return Err(Code::OriginNotAllowed);
    }
    let bytes = body::read(headers, body)
        .await
        .map_err(|failure| failure.code())?;
    String::from_utf8(bytes.to_vec()).map_err(|_| Code::InvalidRequestBody)
}

/// Sends the browser to the page that a form has changed.
fn see(start: &str, secret: &PageSecret, request: &Request) -> Response {
    let address = format!("{start}{}?{}", secret.expose(), request.done());
    (Status::SEE_OTHER, [(header::LOCATION, address)]).into_response()
}

fn state(version: Result<String, Code>) -> Response {
    match version {
        Ok(version) => Json(json!({ "version": version })).into_response(),
        Err(code) => Failure::from(code).into_response(),
    }
}

/// A page that says that there is none.
fn apology(app: &App, request: &Request, code: Code) -> Response {
    let texts = request.any_texts();
    let (title, next) = match code {
        Code::NotFound => (texts.not_found, texts.not_found_next),
        Code::ServiceUnavailable | Code::TooManyRequests => (texts.busy, texts.busy_next),
        _ => (texts.wrong, texts.wrong_next),
    };
    let mut response = end::apology(error::status(code), texts, title, next, &app.page_policies);
    response.extensions_mut().insert(Told(code));
    response
}

fn receipt_address(secret: &PageSecret, texts: &Texts) -> String {
    format!("{RECEIPT}{}?lang={}", secret.expose(), texts.lang)
}

#[cfg(test)]
mod tests;
