//! The page on which a payer agrees to pay in parts: with their card, or in the sandbox with yes or no on a stand-in for a bank's page.

use askama::Template;
use axum::http::StatusCode as Status;
use axum::response::Response;
use processing::installment_page::{Asks, InstallmentState, InstallmentView};
use processing::page::OrderView;

use super::back::{self, Outcome};
use super::end::{End, Link, Mood};
use super::payment::{Asked, Until, leads_on};
use super::policy::PagePolicies;
use super::shell::{Shell, respond};
use crate::assets::{LOADER, VERSION};
use crate::query::Query;

#[derive(Template)]
#[template(path = "installment.html")]
struct InstallmentPage<'a> {
    shell: Shell<'a>,
    order: &'a OrderView,
    total: Option<&'static str>,
    note: Option<&'static str>,
    product: &'a str,
    parts: u32,
    part: String,
    left: i64,
    until: Until<'a>,
    /// Why the last card was not taken.
    declined: Option<&'static str>,
    card: Option<CardForm<'a>>,
    /// To the shop, without having agreed.
    back: Option<String>,
}

/// The form in which a card is given.
struct CardForm<'a> {
    loader: String,
    key: &'a str,
    tries: u32,
}

/// What a payer has sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A card, on the try that the page knew of.
    Card { tries: u32, token: String },
    /// Yes or no.
    Agreed(bool),
}

impl Answer {
    /// `None` where it was not our page that wrote it.
    pub(super) fn read(form: &str) -> Option<Self> {
        let form = Query::parse(Some(form));
        match (form.first("answer"), form.first("token")) {
            ("agreed", "") => Some(Self::Agreed(true)),
            ("refused", "") => Some(Self::Agreed(false)),
            ("", token) if !token.is_empty() => Some(Self::Card {
                tries: form.first("tries").parse().ok()?,
                token: token.to_owned(),
            }),
            _ => None,
        }
    }
}

/// How a page stands, in a word that changes when it has to be shown anew.
pub(super) fn version(view: &InstallmentView) -> String {
    let state = match &view.state {
        InstallmentState::Open { .. } => "open",
        InstallmentState::Processing => "processing",
        InstallmentState::Signed => "signed",
        InstallmentState::Rejected { .. } => "rejected",
        InstallmentState::Expired => "expired",
        InstallmentState::Cancelled => "cancelled",
    };
    format!("{state}.{}", view.tries)
}

/// The page. `key` is the widget key of the project's pages.
pub(super) fn show(view: &InstallmentView, key: &str, asked: &Asked, policies: &PagePolicies) -> Response {
    let texts = asked.texts;
    let end = |title, mood| End::new(texts, title, mood, &view.order);
    let (mut end, outcome) = match &view.state {
        InstallmentState::Open { declined } => {
            let code = asked.refused.as_ref().or(declined.as_ref());
            return open(view, key, code.map(|code| texts.reason(code)), asked, policies);
        }
        InstallmentState::Processing => {
            let mut end = end(texts.asking, Mood::Neutral);
            end.next = texts.asking_next;
            end.shell.waits = true;
            (end, None)
        }
        InstallmentState::Signed => {
            let mut end = end(texts.signed, Mood::Good);
            end.next = texts.thanks;
            (end, Some(Outcome::Success))
        }
        InstallmentState::Rejected { code } => {
            let mut end = end(texts.rejected, Mood::Bad);
            end.reason = Some(texts.reason(code).to_owned());
            end.next = texts.failed_next;
            (end, Some(Outcome::Failure))
        }
        InstallmentState::Expired => {
            let mut end = end(texts.too_late, Mood::Bad);
            end.next = texts.expired_next;
            (end, Some(Outcome::Failure))
        }
        InstallmentState::Cancelled => {
            let mut end = end(texts.withdrawn, Mood::Bad);
            end.next = texts.failed_next;
            (end, Some(Outcome::Failure))
        }
    };
    end.shell.version = version(view);
    end.link = outcome
        .and_then(|outcome| back::address(&view.order.back, outcome))
        .map(|address| Link {
            address,
            text: texts.back,
        });
    end.shell.goes_to = leads_on(&end.link, asked.is_done);
    respond(Status::OK, &end, policies.plain())
}

fn open(
    view: &InstallmentView,
    key: &str,
    declined: Option<&'static str>,
    asked: &Asked,
    policies: &PagePolicies,
) -> Response {
    let texts = asked.texts;
    let mut shell = Shell::new(texts, texts.installment, Some(&view.order));
    shell.version = version(view);
    let page = InstallmentPage {
        order: &view.order,
        total: Some(texts.amount),
        note: None,
        product: &view.product,
        parts: view.parts,
        part: shell.money(&view.part),
        left: view.expires_at.duration_since(view.now).as_secs().max(0),
        until: Until::new(view.expires_at, texts.until_agreed),
        declined,
        card: (view.asks == Asks::Card).then(|| CardForm {
            loader: format!("/widget/{VERSION}/{LOADER}"),
            key,
            tries: view.tries,
        }),
        back: back::address(&view.order.back, Outcome::Failure),
        shell,
    };
    let policy = match page.card {
        Some(_) => policies.payment(&[]),
        None => policies.plain(),
    };
    respond(Status::OK, &page, policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_forms_answer_nothing() {
        for form in [
            "",
            "answer=perhaps",
            "answer=agreed&token=t",
            "token=",
            "token=t",
            "tries=-1&token=t",
            "tries=4294967296&token=t",
        ] {
            assert_eq!(Answer::read(form), None, "{form}");
        }
        assert_eq!(Answer::read("answer=refused&more=x"), Some(Answer::Agreed(false)));
        let card = Answer::Card {
            tries: 2,
            token: "t".to_owned(),
        };
        assert_eq!(Answer::read("tries=2&token=t"), Some(card));
    }
}
