//! A page with one message and one way on.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use processing::page::{OrderView, PagePurpose};

use super::policy::PagePolicies;
use super::purpose;
use super::shell::{Shell, respond};
use super::texts::Texts;

/// The page.
#[derive(Template)]
#[template(path = "end.html")]
pub(super) struct End<'a> {
    pub(super) shell: Shell<'a>,
    mood: Mood,
    /// What happened, beyond the title.
    pub(super) reason: Option<String>,
    /// What the payer can do.
    pub(super) next: &'static str,
    pub(super) link: Option<Link>,
    /// Address of the receipt.
    pub(super) receipt: Option<String>,
    total: Option<&'static str>,
    note: Option<&'static str>,
}

/// A way on.
pub(super) struct Link {
    pub(super) address: String,
    pub(super) text: &'static str,
}

/// What kind of message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Good,
    Bad,
    Neutral,
}

impl<'a> End<'a> {
    /// About an order.
    pub(super) fn new(
        texts: &'static Texts,
        title: &'static str,
        mood: Mood,
        order: impl Into<Option<&'a OrderView>>,
    ) -> Self {
        Self {
            shell: Shell::new(texts, title, order.into()),
            mood,
            reason: None,
            next: "",
            link: None,
            receipt: None,
            total: Some(texts.amount),
            note: None,
        }
    }

    /// What it was for.
    pub(super) fn of(&mut self, purpose: PagePurpose) {
        self.shell.has_order = purpose::has_order(purpose);
        self.total = purpose::total(purpose, self.shell.texts.amount);
    }
}

/// A page about nothing that the payer may see: it is not there, or something went wrong.
pub(super) fn apology(
    status: StatusCode,
    texts: &'static Texts,
    title: &'static str,
    next: &'static str,
    policies: &PagePolicies,
) -> Response {
    let mut end = End::new(texts, title, Mood::Bad, None);
    end.next = next;
    respond(status, &end, policies.plain())
}

impl std::fmt::Display for Mood {
    /// As the style names it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Neutral => "neutral",
        })
    }
}
