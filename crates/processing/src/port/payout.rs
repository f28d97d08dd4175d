//! Who sends money to people.

use std::fmt;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use vault::OpenCard;
use wire::interface::recipient::{PayoutType, Phone, Recipient, TaxNumber};
use wire::interface::{Amount, Currency, StatusCode};

use super::PortError;
use crate::id::Id;
use crate::project::Project;

/// A bank or whoever else sends money. Every call is idempotent by its operation. Calls may wait for the network.
pub trait Payer: Send + Sync {
    /// Sends money. The card is lent by the vault for the time of the call, and has a number alone.
    fn send(&self, order: &PayoutOrder<'_>, card: &OpenCard<'_>) -> Result<Progress, PortError>;

    /// Says how an order stands.
    fn look(&self, order: &PayoutOrder<'_>) -> Result<Progress, PortError>;

    /// Takes a cash order back: [`Progress::Cancelled`], or how it stands where it is too late for that.
    fn cancel(&self, order: &PayoutOrder<'_>) -> Result<Progress, PortError>;
}

/// What is to be sent.
#[derive(Clone, Copy, Debug)]
pub struct PayoutOrder<'a> {
    /// Who pays.
    pub project: &'a Project,
    /// The operation; equal to the payout's id.
    pub operation: Id,
    /// How the money gets to its recipient.
    pub kind: PayoutType,
    /// How much.
    pub amount: Amount,
    /// In which currency.
    pub currency: Currency,
    /// What for.
    pub description: &'a str,
    /// Who receives it.
    pub person: &'a Person,
}

/// Who receives money, without their card.
#[derive(Clone, Serialize, Deserialize)]
pub struct Person {
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Patronymic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle_name: Option<String>,
    /// E-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Phone number; of cash always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone>,
    /// Number of the taxpayer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ipn: Option<TaxNumber>,
}

/// How an order stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is on its way. It is asked for again after this time.
    UnderWay(SignedDuration),
    /// The recipient has it.
    Paid {
        /// The bank's reference.
        rrn: String,
    },
    /// It has come to nothing, for this reason, and the same will not be done later.
    Declined(StatusCode),
    /// It was taken back. An answer to [`Payer::cancel`], and to [`Payer::look`] thereafter.
    Cancelled,
    /// There is no such order, and there will be none of this operation unless it is sent again.
    Unknown,
}

impl Person {
    /// Of what a shop has said.
    pub(crate) fn of(recipient: &Recipient) -> Self {
        Self {
            first_name: recipient.first_name.to_string(),
            last_name: recipient.last_name.to_string(),
            middle_name: recipient.middle_name.as_ref().map(|name| name.to_string()),
            email: recipient.email.as_ref().map(|email| email.to_string()),
            phone: recipient.phone.clone(),
            ipn: recipient.ipn.clone(),
        }
    }
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Person").finish_non_exhaustive()
    }
}
