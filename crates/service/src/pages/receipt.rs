//! The receipt.

use askama::Template;
use axum::http::StatusCode as Status;
use axum::response::Response;
use processing::page::{OrderView, ReceiptView};

use super::policy::PagePolicies;
use super::shell::{Shell, respond};
use super::texts::Texts;
use super::write::{Time, card_name};

#[derive(Template)]
#[template(path = "receipt.html")]
struct ReceiptPage<'a> {
    shell: Shell<'a>,
    order: &'a OrderView,
    total: Option<&'static str>,
    note: Option<&'static str>,
    rows: Vec<Row>,
    paid_at: Time,
    tax_receipt: Option<&'a str>,
    tax_number: &'a str,
}

struct Row {
    name: &'static str,
    value: String,
    is_main: bool,
}

/// The page.
pub(super) fn show(view: &ReceiptView, texts: &'static Texts, policies: &PagePolicies) -> Response {
    let shell = Shell::new(texts, texts.receipt, Some(&view.order));
    let mut rows = Vec::new();
    let mut row = |name, value: Option<String>| {
        let is_main = rows.is_empty();
        rows.extend(value.map(|value| Row { name, value, is_main }));
    };
    for (name, amount) in [
        (texts.charged, view.charged),
        (texts.still_held, view.held),
        (texts.refunded, view.refunded),
    ] {
        row(name, (!amount.is_zero()).then(|| shell.money(&amount)));
    }
    row(texts.seller, Some(view.order.seller.clone()));
    let mask = view.mask.as_deref();
    row(
        texts.paid_with,
        mask.map(|mask| card_name(view.payment_system.as_deref(), mask)),
    );
    row(texts.auth_code, view.auth_code.clone());
    row(texts.reference, view.rrn.clone());
    row(texts.payment_id, Some(view.payment_id.clone()));
    let fiscal = view.fiscalization.as_ref();
    let page = ReceiptPage {
        order: &view.order,
        total: None,
        note: None,
        rows,
        paid_at: Time::new(view.paid_at),
        tax_receipt: fiscal.and_then(|fiscal| fiscal.fiscal_url.as_deref()),
        tax_number: fiscal
            .and_then(|fiscal| fiscal.fiscal_id.as_deref())
            .unwrap_or(texts.tax_receipt),
        shell,
    };
    respond(Status::OK, &page, policies.plain())
}
