//! The page on which a payer proves who they are: the sandbox's stand-in for their bank's.

use askama::Template;
use axum::http::StatusCode as Status;
use axum::response::Response;
use processing::page::{ChallengeState, ChallengeView, OrderView};

use super::back::{self, Outcome};
use super::end::{End, Link, Mood};
use super::payment::{Asked, leads_on};
use super::policy::PagePolicies;
use super::purpose;
use super::shell::{Shell, respond};

#[derive(Template)]
#[template(path = "challenge.html")]
struct ChallengePage<'a> {
    shell: Shell<'a>,
    order: &'a OrderView,
    total: Option<&'static str>,
    mask: &'a str,
}

/// How a page stands, in a word that changes when it has to be shown anew.
pub(super) fn version(view: &ChallengeView) -> String {
    let state = match &view.state {
        ChallengeState::Open => "open",
        ChallengeState::Processing => "processing",
        ChallengeState::Paid { .. } => "paid",
        ChallengeState::Failed { .. } => "failed",
    };
    state.to_owned()
}

/// The page.
pub(super) fn show(view: &ChallengeView, asked: &Asked, policies: &PagePolicies) -> Response {
    let texts = asked.texts;
    let order = &view.order;
    let (mut end, outcome) = match &view.state {
        ChallengeState::Open => {
            let mut page = ChallengePage {
                shell: Shell::new(texts, texts.prove, Some(order)),
                order,
                total: purpose::total(view.purpose, texts.total),
                mask: &view.mask,
            };
            page.shell.version = version(view);
            return respond(Status::OK, &page, policies.plain());
        }
        ChallengeState::Processing => {
            let mut end = End::new(texts, texts.processing, Mood::Neutral, order);
            end.next = texts.processing_next;
            end.shell.waits = true;
            (end, None)
        }
        ChallengeState::Paid { receipt } => {
            let mut end = End::new(texts, purpose::done(view.purpose, texts), Mood::Good, order);
            end.next = texts.thanks;
            end.receipt = receipt
                .as_ref()
                .map(|secret| super::receipt_address(secret, texts));
            (end, Some(Outcome::Success))
        }
        ChallengeState::Failed { code } => {
            let mut end = End::new(texts, texts.failed, Mood::Bad, order);
            end.reason = Some(texts.reason(code).to_owned());
            end.next = texts.failed_next;
            (end, Some(Outcome::Failure))
        }
    };
    end.shell.version = version(view);
    end.of(view.purpose);
    end.link = match &view.page {
        // The payment page says how it stands, and leads on.
        Some(page) if outcome.is_some() => Some(Link {
            address: format!(
                "{}{}?{}=1&lang={}",
                super::PAYMENT,
                page.expose(),
                super::DONE,
                texts.lang
            ),
            text: texts.payment,
        }),
        _ => outcome
            .and_then(|outcome| back::address(&order.back, outcome))
            .map(|address| Link {
                address,
                text: texts.back,
            }),
    };
    end.shell.goes_to = leads_on(&end.link, asked.is_done);
    respond(Status::OK, &end, policies.plain())
}
