//! The payment page in each of its states.

use askama::Template;
use axum::http::StatusCode as Status;
use axum::response::Response;
use jiff::Timestamp;
use processing::page::{OrderView, PagePurpose, PageState, PageView};
use wire::interface::method::MethodType;
use wire::interface::{Amount, StatusCode};

use super::back::{self, Outcome};
use super::end::{End, Link, Mood};
use super::policy::PagePolicies;
use super::purpose;
use super::shell::{Shell, respond};
use super::texts::Texts;
use super::write::{self, Time};
use crate::assets::{LOADER, VERSION};

/// The page on which somebody can pay.
#[derive(Template)]
#[template(path = "payment.html")]
struct PaymentPage<'a> {
    shell: Shell<'a>,
    order: &'a OrderView,
    total: Option<&'static str>,
    note: Option<&'static str>,
    loader: String,
    key: &'a str,
    attempt: u32,
    left: i64,
    until: Until<'a>,
    problem: Option<Problem<'a>>,
    /// To the shop, without having paid.
    back: Option<String>,
    cards: Vec<Card>,
    wallets: Vec<Wallet>,
    may_save: bool,
    /// What the form's own button says; without it, `submit`.
    shown_amount: Option<Amount>,
    submit: String,
}

/// Why the page is here again.
struct Problem<'a> {
    title: &'a str,
    reason: &'a str,
    next: &'a str,
}

/// A saved card.
struct Card {
    id: String,
    name: String,
    detail: String,
    art: Option<String>,
}

/// A mobile wallet.
struct Wallet {
    value: &'static str,
    name: &'static str,
}

/// A sentence with a time in it.
pub(super) struct Until<'a> {
    pub(super) before: &'a str,
    pub(super) machine: String,
    pub(super) text: String,
    pub(super) after: &'a str,
}

impl<'a> Until<'a> {
    /// `{time}` is filled in.
    pub(super) fn new(time: Timestamp, sentence: &'a str) -> Self {
        let time = Time::new(time);
        let (before, after) = sentence.split_once("{time}").unwrap_or((sentence, ""));
        Self {
            before,
            machine: time.machine,
            text: time.text,
            after,
        }
    }
}

/// What a request adds to the view.
pub(super) struct Asked {
    /// The language that the payer chose, or their browser prefers.
    pub(super) texts: &'static Texts,
    /// Whether they come from paying here, and are led on.
    pub(super) is_done: bool,
    /// Why the last thing that they asked for was refused, if that is not what the page says anyway.
    pub(super) refused: Option<StatusCode>,
}

/// How a page stands, in a word that changes when it has to be shown anew.
pub(super) fn version(view: &PageView) -> String {
    let state = match &view.state {
        PageState::Open { .. } => "open",
        PageState::Challenge { .. } => "challenge",
        PageState::Processing => "processing",
        PageState::Paid { .. } => "paid",
        PageState::Expired => "expired",
        PageState::Closed { .. } => "closed",
    };
    format!("{state}.{}", view.attempt)
}

/// The page. `key` is the widget key of the project's pages.
pub(super) fn show(view: &PageView, key: &str, asked: &Asked, policies: &PagePolicies) -> Response {
    let texts = asked.texts;
    let failed = || back::address(&view.order.back, Outcome::Failure);
    let shop = |address: Option<String>| {
        address.map(|address| Link {
            address,
            text: texts.back,
        })
    };
    let mut end = match &view.state {
        PageState::Open { declined } => {
            let code = asked.refused.as_ref().or(declined.as_ref());
            return open(view, key, code, asked, policies);
        }
        PageState::Challenge { secret } => {
            let link = Link {
                address: format!("{}{}?lang={}", super::CHALLENGE, secret.expose(), texts.lang),
                text: texts.prove_next,
            };
            let mut end = End::new(texts, texts.prove, Mood::Neutral, &view.order);
            end.shell.goes_to = asked.is_done.then(|| link.address.clone());
            end.link = Some(link);
            end
        }
        PageState::Processing => {
            let mut end = End::new(texts, texts.processing, Mood::Neutral, &view.order);
            end.next = texts.processing_next;
            end.shell.waits = true;
            end
        }
        PageState::Paid { receipt, mask } => {
            let mut end = End::new(texts, purpose::done(view.purpose, texts), Mood::Good, &view.order);
            end.reason = mask.as_deref().map(|mask| write::card_name(None, mask));
            end.next = texts.thanks;
            end.receipt = receipt
                .as_ref()
                .map(|secret| super::receipt_address(secret, texts));
            end.link = shop(back::address(&view.order.back, Outcome::Success));
            end.shell.goes_to = leads_on(&end.link, asked.is_done);
            end
        }
        PageState::Expired => {
            let mut end = End::new(texts, texts.expired, Mood::Bad, &view.order);
            end.next = texts.expired_next;
            end.link = shop(failed());
            end
        }
        PageState::Closed { code } => {
            let mut end = End::new(texts, texts.closed, Mood::Bad, &view.order);
            end.reason = Some(texts.reason(code).to_owned());
            end.link = shop(failed());
            end
        }
    };
    end.shell.version = version(view);
    end.of(view.purpose);
    respond(Status::OK, &end, policies.plain())
}

/// Whoever has just paid here goes on without another click; whoever comes back later is not sent away again.
pub(super) fn leads_on(link: &Option<Link>, is_done: bool) -> Option<String> {
    link.as_ref().filter(|_| is_done).map(|link| link.address.clone())
}

fn open(
    view: &PageView,
    key: &str,
    declined: Option<&StatusCode>,
    asked: &Asked,
    policies: &PagePolicies,
) -> Response {
    let texts = asked.texts;
    let order = &view.order;
    let (title, note, submit) = match view.purpose {
        PagePurpose::Pay => (texts.payment, None, None),
        PagePurpose::Hold => (texts.payment, Some(texts.hold_note), None),
        PagePurpose::Verify => (texts.verification, Some(texts.verify_note), Some(texts.verify)),
        PagePurpose::Save => (texts.saving, Some(texts.save_note), Some(texts.save)),
    };
    let mut shell = Shell::new(texts, title, Some(order));
    shell.version = version(view);
    shell.has_order = purpose::has_order(view.purpose);
    let amount = shell.money(&order.amount);
    let page = PaymentPage {
        order,
        total: purpose::total(view.purpose, texts.total),
        note,
        loader: format!("/widget/{VERSION}/{LOADER}"),
        key,
        attempt: view.attempt,
        left: view.expires_at.duration_since(view.now).as_secs().max(0),
        until: Until::new(view.expires_at, texts.until),
        problem: declined.map(|code| Problem {
            title: texts.declined,
            reason: texts.reason(code),
            next: texts.declined_next,
        }),
        back: back::address(&order.back, Outcome::Failure),
        cards: view
            .cards
            .iter()
            .map(|item| Card {
                id: item.option_id.clone(),
                name: write::card_name(item.card.payment_system.as_deref(), &item.card.mask),
                detail: write::card_detail(&item.card, texts),
                art: item.card.card_art_url.clone(),
            })
            .collect(),
        wallets: view.wallets.iter().filter_map(wallet).collect(),
        may_save: view.may_save,
        shown_amount: submit.is_none().then_some(order.amount),
        submit: submit.map_or_else(|| texts.pay.replace("{amount}", &amount), str::to_owned),
        shell,
    };
    respond(Status::OK, &page, policies.payment(&view.cards))
}

fn wallet(kind: &MethodType) -> Option<Wallet> {
    let name = match kind {
        MethodType::MobileAPay => "Mobile A Pay",
        MethodType::MobileBPay => "Mobile B Pay",
        _ => return None,
    };
    Some(Wallet {
        value: kind.as_str(),
        name,
    })
}
