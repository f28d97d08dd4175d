//! What all pages have in common: language, colours, the script and the style that stand in them.

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use processing::page::OrderView;
use wire::Code;
use wire::interface::Amount;
use wire::interface::customer::ColorMode;

use super::texts::Texts;
use super::write;
use crate::error::Failure;

/// Inside every page.
pub(super) const CSS: &str = include_str!("../../../../www/pages/page.css");

/// Inside every page.
pub(super) const SCRIPT: &str = include_str!("../../../../www/pages/page.js");

/// What every template needs.
pub(super) struct Shell<'a> {
    pub(super) texts: &'static Texts,
    pub(super) title: &'static str,
    pub(super) order: Option<&'a OrderView>,
    /// Whether that is an order, and not a card to be saved.
    pub(super) has_order: bool,
    pub(super) scheme: &'static str,
    pub(super) css: &'static str,
    pub(super) script: &'static str,
    /// How the payment stands; a page that says something else is loaded again. Empty where nothing can change.
    pub(super) version: String,
    /// Whether it will change soon, by itself.
    pub(super) waits: bool,
    /// Where the browser goes at once.
    pub(super) goes_to: Option<String>,
}

impl<'a> Shell<'a> {
    /// Of a page about an order.
    pub(super) fn new(texts: &'static Texts, title: &'static str, order: Option<&'a OrderView>) -> Self {
        Self {
            texts,
            title,
            order,
            has_order: true,
            scheme: match order.and_then(|order| order.colours) {
                Some(ColorMode::Dark) => "dark",
                _ => "white",
            },
            css: CSS,
            script: SCRIPT,
            version: String::new(),
            waits: false,
            goes_to: None,
        }
    }

    pub(super) fn languages(&self) -> [&'static Texts; 3] {
        Texts::ALL
    }

    pub(super) fn is_test(&self) -> bool {
        self.order.is_some_and(|order| !order.is_live)
    }

    pub(super) fn money(&self, amount: &Amount) -> String {
        let currency = self.order.map(|order| order.currency);
        currency.map_or_else(String::new, |currency| {
            write::money(*amount, currency, self.texts)
        })
    }
}

/// The page as an answer.
pub(super) fn respond(status: StatusCode, page: &impl Template, policy: String) -> Response {
    let html = match page.render() {
        Ok(html) => html,
        Err(error) => {
            tracing::error!(%error, "page not rendered");
            return Failure::from(Code::InternalError).into_response();
        }
    };
    let mut response = (status, html).into_response();
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Hashes, keywords and origins: always a header value.
    if let Ok(policy) = HeaderValue::try_from(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CACHE_CONTROL, "no-store"),
    // The address is a secret; our own requests tell where they come from.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_inside_a_page_ends_its_own_element() {
        for text in [CSS, SCRIPT] {
            let text = text.to_ascii_lowercase();
            assert!(
                !["</script", "</style", "<!--"]
                    .iter()
                    .any(|end| text.contains(end))
            );
        }
    }
}
