//! Who asks, and about which customer.

use std::fmt;

use base64ct::{Base64, Encoding};
use wire::interface::values::ExternalId;
use zeroize::Zeroizing;

use crate::error::Error;

/// A project's login and password. Wiped when dropped, and in no log.
#[derive(Clone)]
pub struct Credentials {
    login: String,
    password: Zeroizing<String>,
}

impl Credentials {
    /// Refuses an empty login, and one that HTTP Basic cannot carry.
    pub fn new(login: impl Into<String>, password: impl Into<String>) -> Result<Self, Error> {
        let (login, password) = (login.into(), Zeroizing::new(password.into()));
        if login.is_empty() || login.contains(|letter: char| letter == ':' || letter.is_control()) {
            return Err(Error::parameter(
                "login",
                "`login` must be the project's login, without a colon.",
            ));
        }
        if password.is_empty() {
            return Err(Error::parameter(
                "password",
                "`password` must be the project's password.",
            ));
        }
        Ok(Self { login, password })
    }

    /// The header `Authorization` (RFC 7617).
    pub(crate) fn authorization(&self) -> Zeroizing<String> {
        let pair = Zeroizing::new(format!("{}:{}", self.login, *self.password));
        let encoded = Zeroizing::new(Base64::encode_string(pair.as_bytes()));
        Zeroizing::new(format!("Basic {}", *encoded))
    }

    /// With which callbacks are signed.
    pub(crate) fn password(&self) -> &[u8] {
        self.password.as_bytes()
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// A customer of the shop.
#[derive(Clone)]
#[non_exhaustive]
pub enum Customer {
    /// By the shop's number.
    ExternalId(ExternalId),
    /// By their access token.
    Auth(Zeroizing<String>),
}

impl Customer {
    /// By the shop's number.
    pub fn external_id(number: impl Into<String>) -> Result<Self, Error> {
        let number = ExternalId::new(number);
        number.map(Self::ExternalId).ok_or_else(|| {
            let message = "`customer.external_id` must be text of 1 to 255 characters.";
            Error::parameter("customer.external_id", message)
        })
    }

    /// By their access token.
    pub fn auth(token: impl Into<String>) -> Result<Self, Error> {
        let token = Zeroizing::new(token.into());
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_token {
            let message = "`customer.auth` must be the customer's access token, as it was given.";
            return Err(Error::parameter("customer.auth", message));
        }
        Ok(Self::Auth(token))
    }
}

impl fmt::Debug for Customer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ExternalId(_) => "ExternalId(..)",
            Self::Auth(_) => "Auth(..)",
        })
    }
}
