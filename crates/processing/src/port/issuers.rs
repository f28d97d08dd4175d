//! Who issued a card.

use jiff::Timestamp;

use crate::project::Project;

/// A list of issuers. Calls do not wait.
pub trait Issuers: Send + Sync {
    /// The issuer, by the first digits of a mask.
    fn issuer(&self, mask: &str) -> Issuer;

    /// Address of the card's picture, once there is one. Pictures come some time after the card was first seen (by the project's clock), and
    /// some never do; cards that look alike share one.
    fn art(&self, project: &Project, mask: &str, first_seen: Timestamp) -> Option<String>;
}

/// What is known of an issuer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issuer {
    /// Its short name.
    pub bank_short_name: Option<String>,
    /// Its country: three letters of ISO 3166-1.
    pub country: Option<String>,
    /// The same as three digits.
    pub country_digits: Option<String>,
}
