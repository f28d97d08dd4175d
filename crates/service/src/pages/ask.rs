//! What comes with a request for a page: its secret, the language that is wanted, and the form that was sent.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use processing::page::{OrderView, PageSecret, PageView};
use wire::Code;
use wire::interface::method::{CardToken, Method, MethodType, SavedCard};
use wire::interface::values::Text;

use super::texts::Texts;
use super::wallet;
use crate::app::App;
use crate::query::Query;

/// A request for a page.
pub struct Request {
    /// End of the address; `None` where it can be none.
    secret: Option<PageSecret>,
    /// What the payer chose.
    chosen: Option<&'static Texts>,
    /// What their browser prefers.
    preferred: &'static Texts,
    /// Whether they come from paying here, and are led on.
    pub(super) is_done: bool,
}

impl Request {
    fn read(secret: &str, query: Option<&str>, headers: &HeaderMap) -> Self {
        let query = Query::parse(query);
        let accepted = headers.get(header::ACCEPT_LANGUAGE);
        let accepted = accepted.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let tags = accepted
            .split(',')
            .map(|tag| tag.split(';').next().unwrap_or_default().trim());
        Self {
            secret: secret.parse().ok(),
            chosen: Texts::find(query.first("lang")),
            // In the order in which browsers write them, which is that of their weights.
            preferred: tags.flat_map(Texts::find).next().unwrap_or(Texts::ALL[0]),
            is_done: !query.first(super::DONE).is_empty(),
        }
    }

    /// What nobody knows without having been told.
    pub(super) fn secret(&self) -> Result<&PageSecret, Code> {
        self.secret.as_ref().ok_or(Code::NotFound)
    }

    /// The language of a page about an order: the payer's own choice, the shop's, the browser's.
    pub(super) fn texts(&self, order: &OrderView) -> &'static Texts {
        let said = || order.language.map(Texts::of);
        self.chosen.or_else(said).unwrap_or(self.preferred)
    }

    /// The language of a page about nothing.
    pub(super) fn any_texts(&self) -> &'static Texts {
        self.chosen.unwrap_or(self.preferred)
    }

    /// The query of the page that answers a form: the payer is led on, in their language.
    pub(super) fn done(&self) -> String {
        let language = self.chosen.map(|texts| format!("&lang={}", texts.lang));
        format!("{}=1{}", super::DONE, language.unwrap_or_default())
    }
}

impl FromRequestParts<Arc<App>> for Request {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let secret = Path::<String>::from_request_parts(parts, app).await;
        let secret = secret.map(|Path(secret)| secret).unwrap_or_default();
        Ok(Self::read(&secret, parts.uri.query(), &parts.headers))
    }
}

/// The payment page's form.
pub(super) struct Payment {
    /// How many attempts the page knew of.
    pub(super) attempt: u32,
    kind: MethodType,
    /// The token, or the saved card.
    which: String,
    saves: bool,
}

impl Payment {
    /// `None` where it was not our page that wrote it.
    pub(super) fn read(form: &str) -> Option<Self> {
        let form = Query::parse(Some(form));
        let kind = MethodType::of(form.first("method"))?;
        let which = match kind {
            MethodType::CcToken => form.first("token"),
            MethodType::Wallet => form.first("option"),
            MethodType::MobileAPay | MethodType::MobileBPay => "",
            _ => return None,
        };
        Some(Self {
            attempt: form.first("attempt").parse().ok()?,
            kind,
            which: which.to_owned(),
            saves: form.first("save") == "1",
        })
    }

    /// What pays, if the page offers it.
    pub(super) fn method(self, page: &PageView) -> Option<Method> {
        let offers = page.wallets.contains(&self.kind);
        Some(match self.kind {
            MethodType::CcToken => Method::CcToken(CardToken {
                token: Text::new(self.which)?,
                use_3ds_flow: None,
                save_to_wallet: Some(self.saves && page.may_save),
                mask: None,
                expires_at: None,
            }),
            MethodType::Wallet => Method::Wallet(SavedCard {
                option_id: Text::new(self.which)?,
                use_3ds_flow: None,
            }),
            MethodType::MobileAPay if offers => Method::MobileAPay(wallet::stand_in(self.kind)?),
            MethodType::MobileBPay if offers => Method::MobileBPay(wallet::stand_in(self.kind)?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn the_language_is_the_payers_then_the_browsers() {
        for (query, accepted, lang) in [
            ("", "", "en"),
            ("", "de-DE,de;q=0.9,pl;q=0.8,en;q=0.7", "pl"),
            ("lang=uk", "pl", "uk"),
            ("lang=de", "uk-UA", "uk"),
            ("lang=%3Cscript%3E", ",;q=,*", "en"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
            let request = Request::read(SECRET, Some(query), &headers);
            assert_eq!(request.any_texts().lang, lang, "{query} {accepted}");
        }
    }

    #[test]
    fn other_forms_pay_nothing() {
        for form in [
            "",
            "attempt=0",
            "attempt=0&method=cc&number=4242424242424242",
            "attempt=-1&method=wallet&option=c1",
            "attempt=one&method=wallet&option=c1",
            "attempt=4294967296&method=wallet&option=c1",
            "method=wallet&option=c1",
        ] {
            assert!(Payment::read(form).is_none(), "{form}");
        }
        assert!(Payment::read("attempt=0&method=wallet&option=c1&more=x").is_some());
    }
}
