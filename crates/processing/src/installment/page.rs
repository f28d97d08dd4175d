//! What the page shows on which a payer agrees to an installment order. A view of a moment, as those of payments.

use jiff::Timestamp;
use wire::interface::{Amount, StatusCode};

use crate::page::OrderView;

/// The page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallmentView {
    /// How it stands.
    pub state: InstallmentState,
    /// What the payer is asked for.
    pub asks: Asks,
    /// What the bank calls what it offers.
    pub product: String,
    /// In how many payments.
    pub parts: u32,
    /// The largest of the payments: the first one, where they are not all equal.
    pub part: Amount,
    /// How many cards were tried: whoever gives one says on which number they did.
    pub tries: u32,
    /// What all pages say.
    pub order: OrderView,
    /// The time of the project's clock.
    pub now: Timestamp,
    /// From when on nobody can agree.
    pub expires_at: Timestamp,
}

/// What a payer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A card.
    Card,
    /// Yes or no: the sandbox's stand-in for a bank's page.
    Agreement,
}

/// How an order stands for its payer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallmentState {
    /// The payer may agree.
    Open {
        /// Why the last card was not taken.
        declined: Option<StatusCode>,
    },
    /// The bank has not answered yet.
    Processing,
    /// The payer has agreed.
    Signed,
    /// They have not, or the bank has not.
    Rejected {
        /// Why.
        code: StatusCode,
    },
    /// Its time is up.
    Expired,
    /// The shop has taken it back.
    Cancelled,
}
