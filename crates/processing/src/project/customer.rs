//! Access tokens of customers, for `X-CUSTOMER-AUTH`: signed, and stored nowhere.

use std::fmt;

use base64ct::{Base64UrlUnpadded, Encoding};
use jiff::{SignedDuration, Timestamp};
use subtle::ConstantTimeEq;
use wire::interface::StatusCode;
use wire::interface::values::ExternalId;

use super::Project;
use crate::processing::Processing;
use crate::refusal::Refusal;

/// A token that stands for a customer of a project.
#[derive(Clone, PartialEq, Eq)]
pub struct CustomerToken {
    /// Letters, digits, `-` and `_`.
    pub access_token: String,
    /// Its end.
    pub expires_at: Timestamp,
}

impl fmt::Debug for CustomerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomerToken")
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

impl Processing {
    /// Makes a token for a customer, good for as long as is said, by the real clock.
    pub fn customer_token(
        &self,
        project: &Project,
        customer: &ExternalId,
        lifetime: SignedDuration,
    ) -> Result<CustomerToken, Refusal> {
        let end = self.shared.now().saturating_add(lifetime);
        // Whole seconds, as they stand in the token.
        let expires_at = end.and_then(|end| Timestamp::from_second(end.as_second()));
        let expires_at = expires_at.map_err(|_| Refusal::internal("a time is out of range"))?;
        let mut token = vec![VERSION];
        token.extend_from_slice(&expires_at.as_second().to_be_bytes());
        token.extend_from_slice(customer.as_bytes());
        let mac = self.mac(project, &token)?;
        token.extend_from_slice(&mac);
        Ok(CustomerToken {
            access_token: Base64UrlUnpadded::encode_string(&token),
            expires_at,
        })
    }

    /// The customer that a token stands for, within the project it was made for and before its end.
    pub fn read_customer_token(&self, project: &Project, token: &str) -> Result<ExternalId, Refusal> {
        let invalid = || {
            Refusal::new(
                StatusCode::CustomerAuthInvalid,
                "The customer's access token is not valid or has expired: make another one.",
            )
        };
        if token.len() > LONGEST {
            return Err(invalid());
        }
        let token = Base64UrlUnpadded::decode_vec(token).map_err(|_| invalid())?;
        let (signed, mac) = token.split_last_chunk::<MAC>().ok_or_else(invalid)?;
        if !bool::from(self.mac(project, signed)?.ct_eq(mac)) {
            return Err(invalid());
        }
        let (&VERSION, rest) = signed.split_first().ok_or_else(invalid)? else {
            return Err(invalid());
        };
        let (end, customer) = rest.split_first_chunk().ok_or_else(invalid)?;
        if self.shared.now().as_second() >= i64::from_be_bytes(*end) {
            return Err(invalid());
        }
        let customer = std::str::from_utf8(customer).ok();
        customer.and_then(ExternalId::new).ok_or_else(invalid)
    }

    /// Under a key of the project: another project's token is as good as a forged one.
    fn mac(&self, project: &Project, signed: &[u8]) -> Result<[u8; MAC], Refusal> {
        let name = format!("customers of {}", project.id);
        Ok(self.shared.vault.mac(&name, signed)?)
    }
}

/// First byte of every token.
const VERSION: u8 = 1;

/// Bytes of the signature.
const MAC: usize = 32;

/// Letters of the longest token: 255 characters of four bytes each.
const LONGEST: usize = (1 + 8 + 4 * 255 + MAC) * 4 / 3 + 4;
