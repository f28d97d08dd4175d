//! Who opens what mobile wallets give to shops.

use card::{Expiry, Pan};

use crate::project::Project;
use crate::refusal::Refusal;

/// The keys of mobile wallets.
pub trait WalletKeys: Send + Sync {
    /// Opens a token as the shop sent it, in Base64. What cannot be opened is refused with the code of its wallet and no `param`.
    fn open(&self, project: &Project, kind: WalletKind, token: &str) -> Result<WalletCard, Refusal>;
}

/// A mobile wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletKind {
    /// `mobile_a_pay`: a JSON object with `version`, `data`, `signature` and `header`.
    A,
    /// `mobile_b_pay`: the payment data's encrypted token.
    B,
}

/// The card of a token: the vault's from here on. Wiped when it is dropped.
#[derive(Debug)]
pub struct WalletCard {
    /// Its number, or the number that stands for it on this device.
    pub number: Pan,
    /// Its last month.
    pub expiry: Expiry,
}
