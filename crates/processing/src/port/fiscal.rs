//! Who makes tax receipts.

use jiff::Timestamp;
use wire::interface::answer::Fiscalization;
use wire::interface::product::Product;
use wire::interface::{Amount, Currency};

use super::PortError;
use crate::id::Id;
use crate::project::Project;

/// A fiscal office, or who speaks to one. Calls may wait for the network.
pub trait FiscalOffice: Send + Sync {
    /// Asks for a receipt, or how it stands: `Pending` is asked again later until it is another. Idempotent by the operation.
    fn issue(&self, order: &FiscalOrder<'_>) -> Result<Fiscalization, PortError>;
}

/// What a receipt is about.
#[derive(Clone, Copy, Debug)]
pub struct FiscalOrder<'a> {
    /// The seller.
    pub project: &'a Project,
    /// The operation that moved the money.
    pub operation: Id,
    /// Whether it was a sale or took one back.
    pub kind: FiscalKind,
    /// When the receipt was first asked for, by the project's clock.
    pub asked_at: Timestamp,
    /// How much was moved.
    pub amount: Amount,
    /// In which currency.
    pub currency: Currency,
    /// What was sold, each with its tax group.
    pub products: &'a [Product],
}

/// Which way the money went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiscalKind {
    /// To the seller.
    Sale,
    /// Back to the payer.
    Return,
}
