//! Addresses of pages: whoever knows one may see what it shows.
//!
//! They are made from ids and a MAC under a key of the vault's, so that none is stored, and none can be found by trying.

use std::fmt;
use std::str::FromStr;

use base64ct::{Base64UrlUnpadded, Encoding};
use subtle::ConstantTimeEq;

use crate::id::Id;
use crate::processing::Shared;
use crate::refusal::Refusal;

/// What an address is of; the address of one page opens no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// The payment page of a checkout.
    Checkout,
    /// The proof that an attempt asks for.
    Challenge,
    /// The receipt of a payment.
    Receipt,
    /// Where a payer agrees to an installment order.
    Installment,
}

/// What a page's address ends with: an id and a MAC of 128 bits, as 32 letters, digits, `-` and `_`.
#[derive(Clone, PartialEq, Eq)]
pub struct PageSecret([u8; LENGTH]);

impl PageSecret {
    /// The text in the address.
    pub fn expose(&self) -> String {
        Base64UrlUnpadded::encode_string(&self.0)
    }
}

impl fmt::Debug for PageSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageSecret").finish_non_exhaustive()
    }
}

/// The text is not the end of a page's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a page's address ends with 32 letters, digits, `-` and `_`")]
pub struct NoPageSecret;

impl FromStr for PageSecret {
    type Err = NoPageSecret;

    fn from_str(text: &str) -> Result<Self, NoPageSecret> {
        let mut bytes = [0; LENGTH];
        let decoded = Base64UrlUnpadded::decode(text, &mut bytes).map_err(|_| NoPageSecret)?;
        if decoded.len() != LENGTH {
            return Err(NoPageSecret);
        }
        Ok(Self(bytes))
    }
}

impl Shared {
    /// The end of a page's address.
    pub(crate) fn secret(&self, page: Page, id: Id) -> Result<PageSecret, Refusal> {
        let mut secret = [0; LENGTH];
        let (named, mac) = secret.split_at_mut(ID);
        named.copy_from_slice(&id.to_bytes());
        mac.copy_from_slice(&self.page_mac(page, id)?);
        Ok(PageSecret(secret))
    }

    /// What a page's address is of; `None` when it is not one of ours for such a page.
    pub(crate) fn reveal(&self, page: Page, secret: &PageSecret) -> Result<Option<Id>, Refusal> {
        let Some((named, mac)) = secret.0.split_first_chunk::<ID>() else {
            return Ok(None);
        };
        let id = Id::from_bytes(*named);
        let is_ours = self.page_mac(page, id)?.ct_eq(mac);
        Ok(bool::from(is_ours).then_some(id))
    }

    /// The whole address of a page.
    pub(crate) fn address(&self, page: Page, id: Id) -> Result<String, Refusal> {
        let path = match page {
            Page::Checkout => "pay",
            Page::Challenge => "3ds",
            Page::Receipt => "receipt",
            Page::Installment => "installment",
        };
        Ok(format!(
            "{}/{path}/{}",
            self.public_url,
            self.secret(page, id)?.expose()
        ))
    }

    fn page_mac(&self, page: Page, id: Id) -> Result<[u8; MAC], Refusal> {
        let name = match page {
            Page::Checkout => "payment pages",
            Page::Challenge => "proofs",
            Page::Receipt => "receipts",
            Page::Installment => "installments",
        };
        let mac = self.vault.mac(name, &id.to_bytes())?;
        mac.first_chunk()
            .copied()
            .ok_or_else(|| Refusal::internal("a MAC is too short"))
    }
}

/// Bytes of an id.
const ID: usize = 8;

/// Bytes of a MAC.
const MAC: usize = 16;

const LENGTH: usize = ID + MAC;
