//! Calls over HTTP, for tokio.

mod calls;
mod transport;
mod wait;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use url::Url;
use wire::interface::call::{Call, Failure, Repeat};

use crate::callback::Callbacks;
use crate::credentials::Credentials;
use crate::error::Error;
use crate::hosted::is_here;
use crate::prepare::{Told, prepare};
use crate::read::{Response, read};
use crate::retry::Policy;
pub use calls::{Baskets, Installments, Payments, Payouts, Plans, Reports, SavedCards, Subscriptions};
use transport::Transport;

/// The service, for one project. Cheap to clone: clones share their connections.
///
/// Dropping the future of a call stops waiting for it and nothing else: what was sent may be carried out. Whatever happens to one call, the
/// next one works.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    credentials: Credentials,
    transport: Transport,
    policy: Policy,
}

/// How a client is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    url: String,
    credentials: Credentials,
    timeout: Duration,
    policy: Policy,
    plain: bool,
}

impl Settings {
    /// The service's address, and who asks.
    pub fn new(url: impl Into<String>, credentials: Credentials) -> Self {
        Self {
            url: url.into(),
            credentials,
            timeout: Duration::from_secs(30),
            policy: Policy::default(),
            plain: false,
        }
    }

    /// The longest that one attempt takes; 30 seconds where nothing is said.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How often to ask again.
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Allows an `http` address of another machine. The password goes there in clear: only within a network of one's own.
    pub fn allow_plain_http(self) -> Self {
        Self { plain: true, ..self }
    }

    /// A client. Reads the certificates of the authorities that this machine believes.
    pub fn client(self) -> Result<Client, Error> {
        let url = base(&self.url, self.plain)?;
        Ok(Client {
            shared: Arc::new(Shared {
                transport: Transport::new(url, self.timeout)?,
                credentials: self.credentials,
                policy: self.policy,
            }),
        })
    }
}

/// What stands before all paths, without its last slash.
fn base(url: &str, plain: bool) -> Result<String, Error> {
    let wrong = |message: &str| Error::parameter("url", message);
    let read = Url::parse(url)
        .ok()
        .filter(|url| matches!(url.scheme(), "https" | "http") && url.has_host());
    let read =
        read.ok_or_else(|| wrong("`url` must be the service's address, as \"https://pay.example\"."))?;
    let is_bare = read.query().is_none() && read.fragment().is_none();
    if !is_bare || !read.username().is_empty() || read.password().is_some() {
        return Err(wrong(
            "`url` must be an address without user, query and fragment.",
        ));
    }
    if read.scheme() == "http" && !plain && !is_here(&read) {
        return Err(wrong(
            "`url` must begin with https: the password would go over the network in clear.",
        ));
    }
    Ok(read.as_str().trim_end_matches('/').to_owned())
}

impl Client {
    /// With the usual settings.
    ///
    /// ```
    /// use client::Client;
    ///
    /// let client = Client::new("https://pay.example", "login", "password")?;
    /// let refused = Client::new("pay.example", "login", "password").unwrap_err();
    /// assert_eq!(refused.to_string(), "`url` must be the service's address, as \"https://pay.example\".");
    /// # Ok::<(), client::Error>(())
    /// ```
    pub fn new(
        url: impl Into<String>,
        login: impl Into<String>,
        password: impl Into<String>,
    ) -> Result<Self, Error> {
        Settings::new(url, Credentials::new(login, password)?).client()
    }

    /// Payments.
    pub fn payments(&self) -> Payments<'_> {
        Payments(self)
    }

    /// Payments that are split over orders of several projects.
    pub fn baskets(&self) -> Baskets<'_> {
        Baskets(self)
    }

    /// Customers' saved cards.
    pub fn saved_cards(&self) -> SavedCards<'_> {
        SavedCards(self)
    }

    /// Orders that a bank pays at once, and the payer in parts.
    pub fn installments(&self) -> Installments<'_> {
        Installments(self)
    }

    /// Money to people.
    pub fn payouts(&self) -> Payouts<'_> {
        Payouts(self)
    }

    /// Plans of subscriptions.
    pub fn plans(&self) -> Plans<'_> {
        Plans(self)
    }

    /// Customers' subscriptions.
    pub fn subscriptions(&self) -> Subscriptions<'_> {
        Subscriptions(self)
    }

    /// Reports.
    pub fn reports(&self) -> Reports<'_> {
        Reports(self)
    }

    /// The callbacks of this project.
    pub fn callbacks(&self) -> Callbacks {
        Callbacks::of(&self.shared.credentials)
    }

    /// Any call: asks, and asks again where that is safe.
    pub async fn call<C: Call>(&self, told: &Told<'_, C>) -> Result<C::Answer, Error> {
        let Shared {
            credentials,
            transport,
            policy,
        } = &*self.shared;
        let prepared = prepare(credentials, told)?;
        let repeat = C::ENTRY.repeat;
        let mut may_be_done = false;
        let mut tried = 0;
        loop {
            tried += 1;
            let result = transport.send(&prepared).await;
            let result = result.and_then(|answer| {
                let response = Response {
                    status: answer.status,
                    wait: answer.wait,
                    body: &answer.body,
                };
                read::<C>(response, prepared.remedy.as_ref())
            });
            let error = match result {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            if may_be_done && is_told_of_earlier(repeat, &error) {
                return Err(Error::Lost {
                    message: "an earlier attempt of this call was carried out, and its answer was lost"
                        .to_owned(),
                    remedy: prepared.remedy,
                });
            }
            may_be_done |= repeat != Repeat::Reads && is_uncertain(&error);
            match policy.pause(repeat, &error, tried, chance()) {
                Some(pause) => tokio::time::sleep(pause).await,
                // What an earlier attempt has left open is not closed by a later one that reached nobody.
                None if may_be_done && !is_uncertain(&error) => {
                    return Err(Error::Lost {
                        message: format!(
                            "an attempt got no answer, and a further one failed as well ({error})"
                        ),
                        remedy: prepared.remedy,
                    });
                }
                None => return Err(error),
            }
        }
    }
}

fn is_told_of_earlier(repeat: Repeat, error: &Error) -> bool {
    error.code().is_some_and(|code| repeat.tells_of_earlier(code))
}

/// Whether the request may have been carried out.
fn is_uncertain(error: &Error) -> bool {
    error.failure().is_some_and(Failure::may_be_done)
}

/// Any number. Pauses without chance are worse than none, but no reason to fail.
fn chance() -> u64 {
    let mut bytes = [0; 8];
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_the_services_own() {
        for (url, is) in [
            ("https://pay.example", "https://pay.example"),
            ("https://pay.example/", "https://pay.example"),
            (
                "https://pay.example:8443/acquiring/",
                "https://pay.example:8443/acquiring",
            ),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://127.0.0.1:1", "http://127.0.0.1:1"),
            ("http://[::1]:1", "http://[::1]:1"),
        ] {
            assert_eq!(base(url, false).unwrap(), is);
        }
        for url in [
            "",
            "pay.example",
            "localhost:8080",
            "ftp://pay.example",
            "https://",
            "https://user:word@pay.example",
            "https://pay.example/?a=b",
            "https://pay.example/#a",
            "http://pay.example",
            "http://localhost.example",
        ] {
            assert!(base(url, false).is_err(), "{url}");
        }
        assert!(base("http://pay.internal", true).is_ok());
    }
}
