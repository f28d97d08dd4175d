//! The service's own payment page: what to ask for, where to send the payer, what they come back with.
//!
//! How long to wait for the result is data, too: [`Wait`]. The client of the feature `http` does the waiting.

use std::net::IpAddr;
use std::time::Duration;

use url::{Host, Url};
use wire::interface::answer::Action;
use wire::interface::basket::{BasketOrder, NewBasket};
use wire::interface::payment::{Mode, NewPayment};
use wire::interface::values::{ExternalId, List, WebAddress};
use wire::interface::{Amount, Currency};

use crate::error::Error;

/// A payment on the page; the payer comes back to `result_url`.
pub fn payment(
    amount: Amount,
    currency: Currency,
    external_id: ExternalId,
    result_url: WebAddress,
) -> NewPayment {
    let mut payment = NewPayment::new(amount, currency, external_id, Mode::Hosted);
    payment.result_url = Some(result_url);
    payment
}

/// A basket on the page; the payer comes back to `result_url`, and each order has its callback.
pub fn basket(
    currency: Currency,
    batch_external_id: ExternalId,
    orders: List<BasketOrder, 1, 10>,
    callback_url: WebAddress,
    result_url: WebAddress,
) -> NewBasket {
    let mut basket = NewBasket::new(batch_external_id, callback_url, currency, Mode::Hosted, orders);
    basket.result_url = Some(result_url);
    basket
}

/// Where to send the payer: the address of an answer's `action`, if it is an `https` one of an expected host. A host of this machine alone, as
/// the sandbox's, may be `http`.
///
/// ```
/// use client::hosted::address;
/// use client::interface::answer::Action;
///
/// let action = Action::url("https://pay.example/pay/7");
/// assert_eq!(address(Some(&action), &["pay.example"])?, "https://pay.example/pay/7");
/// assert!(address(Some(&action), &["pay.example.org"]).is_err());
/// # Ok::<(), client::Error>(())
/// ```
pub fn address(action: Option<&Action>, hosts: &[&str]) -> Result<String, Error> {
    let refuse = |message: &str| Error::parameter("action", message);
    let action = action.ok_or_else(|| {
        refuse("There is no `action` in this answer: the payer need not go anywhere. Look at `details`.")
    })?;
    let url = (action.kind.as_str() == "url")
        .then(|| Url::parse(&action.value).ok())
        .flatten();
    let url =
        url.ok_or_else(|| refuse("`action` must be an address; take a newer version of this library."))?;
    let host = url.host_str().unwrap_or_default();
    if !hosts.iter().any(|expected| expected.eq_ignore_ascii_case(host)) {
        return Err(refuse(
            "`action.value` is of another host than expected: do not send the payer there.",
        ));
    }
    let is_safe = url.scheme() == "https" || (url.scheme() == "http" && is_here(&url));
    if !is_safe || !url.username().is_empty() || url.password().is_some() {
        return Err(refuse(
            "`action.value` is no https address: do not send the payer there.",
        ));
    }
    Ok(url.into())
}

/// Whether an address is of this machine.
pub(crate) fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// What the payer's browser came back with. Anybody can write such an address: it names the order, and that is all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Return {
    /// Which order.
    pub order: Order,
    /// What the address says, to choose a first picture by. What has happened is told by the callback, and by the info call.
    pub says_success: Option<bool>,
}

/// The shop's number of what was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// `external_id`.
    Single(ExternalId),
    /// `batch_external_id`.
    Basket(ExternalId),
}

impl Return {
    /// Reads the query of the address, with or without what stands before it.
    ///
    /// ```
    /// use client::hosted::{Order, Return};
    ///
    /// let back = Return::read("/done?lang=uk&external_id=order-17&status=success")?;
    /// let Order::Single(number) = back.order else { panic!("a basket") };
    /// assert_eq!((number.as_str(), back.says_success), ("order-17", Some(true)));
    /// # Ok::<(), client::Error>(())
    /// ```
    pub fn read(address: &str) -> Result<Self, Error> {
        let address = address.split_once('#').map_or(address, |(address, _)| address);
        let query = address.rsplit_once('?').map_or(address, |(_, query)| query);
        let one = |name: &str| {
            let mut values = form_urlencoded::parse(query.as_bytes()).filter(|(named, _)| named == name);
            match (values.next(), values.next()) {
                (Some((_, value)), None) => Some(value.into_owned()),
                _ => None,
            }
        };
        let order = match (one("external_id"), one("batch_external_id")) {
            (Some(number), None) => ExternalId::new(number).map(Order::Single),
            (None, Some(number)) => ExternalId::new(number).map(Order::Basket),
            _ => None,
        };
        let order = order.ok_or_else(|| {
            let message = "The address must have `external_id` or `batch_external_id` once: it is none that a payer comes back with.";
            Error::parameter("location", message)
        })?;
        let says_success = match one("status").as_deref() {
            Some("success") => Some(true),
            Some("failure") => Some(false),
            _ => None,
        };
        Ok(Self { order, says_success })
    }
}

/// How long to wait for a result, and how often to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The pause before the second question; each further one is half as long again.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// When to stop.
    pub limit: Duration,
}

impl Default for Wait {
    /// A second, ten seconds, two minutes.
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(10),
            limit: Duration::from_secs(120),
        }
    }
}

impl Wait {
    /// The pause before the next question; `None` where it is time to stop.
    pub fn pause(&self, asked: u32, waited: Duration) -> Option<Duration> {
        let left = self.limit.checked_sub(waited).filter(|left| !left.is_zero())?;
        // Beyond the sixtieth, any pause is the longest.
        let grown = (1..asked.min(60)).try_fold(self.first, |pause, _| {
            let next = pause.saturating_add(pause / 2);
            (next < self.longest).then_some(next)
        });
        Some(grown.unwrap_or(self.longest).min(self.longest).min(left))
    }
}

/// What came of waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Waited<T> {
    /// It was paid, or is held.
    Paid(T),
    /// The last attempt failed. The payer may try again as long as the page can be used.
    Failed(T),
    /// It is still open.
    Open,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payers_are_sent_to_https_and_expected_hosts_alone() {
        let hosts = ["pay.example", "localhost", "127.0.0.1"];
        let goes = |value: &str| address(Some(&Action::url(value)), &hosts).is_ok();
        for right in [
            "https://pay.example/pay/1",
            "https://PAY.example:8443/x?y",
            "http://localhost:8080/pay/1",
            "http://127.0.0.1/",
        ] {
            assert!(goes(right), "{right}");
        }
        for wrong in [
            "http://pay.example/pay/1",
            "https://pay.example.evil.example/",
            "https://evil.example/?pay.example",
            "https://pay.example@evil.example/",
            "https://user@pay.example/",
            "javascript:alert(1)//pay.example",
            "//pay.example/",
            "/pay/1",
            "",
        ] {
            assert!(!goes(wrong), "{wrong}");
        }
        assert!(address(None, &hosts).is_err());
    }

    #[test]
    fn an_address_of_somebody_who_comes_back_names_one_order() {
        for (query, success) in [
            (
                "https://shop.example/done?external_id=a%201&status=success#top",
                Some(true),
            ),
            ("external_id=a+1&status=failure", Some(false)),
            ("?status=refunded&external_id=a+1", None),
        ] {
            let back = Return::read(query).unwrap();
            assert_eq!(back.order, Order::Single(ExternalId::new("a 1").unwrap()));
            assert_eq!(back.says_success, success);
        }
        let basket = Return::read("?batch_external_id=b").unwrap();
        assert_eq!(basket.order, Order::Basket(ExternalId::new("b").unwrap()));
        for wrong in [
            "",
            "/done",
            "?external_id=",
            "?external_id=a&external_id=b",
            "?external_id=a&batch_external_id=b",
        ] {
            assert!(Return::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn waiting_grows_and_ends() {
        let wait = Wait::default();
        let seconds = |asked, waited| {
            let pause = wait.pause(asked, Duration::from_secs(waited));
            pause.map(|pause| pause.as_secs_f32())
        };
        assert_eq!(seconds(1, 0), Some(1.0));
        assert_eq!(seconds(2, 1), Some(1.5));
        assert_eq!(seconds(3, 3), Some(2.25));
        assert_eq!(seconds(50, 60), Some(10.0));
        assert_eq!(seconds(50, 117), Some(3.0));
        assert_eq!(seconds(50, 120), None);
    }
}
