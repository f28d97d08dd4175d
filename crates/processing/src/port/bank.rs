//! Banks that pay shops at once and are paid by payers in parts.

use jiff::Timestamp;
use vault::OpenCard;
use wire::interface::customer::Customer;
use wire::interface::installment::InstallmentProduct;
use wire::interface::{Amount, Currency, StatusCode};

use super::PortError;
use super::acquirer::{Decision, Follow};
use crate::id::Id;
use crate::project::Project;

/// All banks of an installation. Every call is idempotent by its order or operation: the same again gives the same answer and does nothing
/// twice. Calls may wait for the network.
pub trait Banks: Send + Sync {
    /// What the banks offer to a project, in the order in which shops show it.
    fn offers(&self, project: &Project) -> Vec<Offer>;

    /// Has a bank ask the payer, or tells how that stands: asked again later until it is signed or rejected.
    fn ask(&self, order: &BankOrder<'_>) -> Result<Standing, PortError>;

    /// Gives a bank the card of a payer, who agrees by that. The card is lent by the vault for the time of the call. `attempt` is the
    /// operation here.
    fn sign(&self, order: &BankOrder<'_>, attempt: Id, card: &OpenCard<'_>) -> Result<Decision, PortError>;

    /// Confirms an order that the payer has agreed to: the bank pays.
    fn confirm(&self, bank: &str, follow: &Follow<'_>) -> Result<Decision, PortError>;

    /// Takes an order back that is not confirmed. A bank declines where the payer has agreed meanwhile and it cannot be.
    fn cancel(&self, bank: &str, follow: &Follow<'_>) -> Result<Decision, PortError>;

    /// Gives back of what the bank has paid.
    fn refund(&self, bank: &str, follow: &Follow<'_>) -> Result<Decision, PortError>;
}

/// What a bank offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// `bank_name` of orders.
    pub name: String,
    /// What the bank calls it.
    pub product: String,
    /// Address of its picture.
    pub logo: String,
    /// How the payer says who they are.
    pub requisite: Requisite,
    /// Whether products and an address to come back to are needed.
    pub needs_products: bool,
    /// Numbers of payments.
    pub periods: Vec<u32>,
    /// The least amount.
    pub least: Amount,
    /// The largest amount.
    pub most: Amount,
    /// The one currency that it takes.
    pub currency: Currency,
}

/// How a payer says who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requisite {
    /// By their phone number, in mode `direct`.
    Phone,
    /// The same, unless they follow a link.
    OptionalPhone,
    /// By their card, in mode `hosted`.
    Card,
}

/// An order as its bank hears of it.
#[derive(Clone, Copy, Debug)]
pub struct BankOrder<'a> {
    /// The seller.
    pub project: &'a Project,
    /// The order; equal to the id of the operation that makes it.
    pub order: Id,
    /// `name` of the bank's offer.
    pub bank: &'a str,
    /// How much.
    pub amount: Amount,
    /// In which currency.
    pub currency: Currency,
    /// In how many payments.
    pub parts: u32,
    /// As the shop describes it.
    pub description: &'a str,
    /// What is sold.
    pub products: &'a [InstallmentProduct],
    /// The payer.
    pub customer: &'a Customer,
    /// When the order was made, by the project's clock.
    pub asked_at: Timestamp,
    /// Whether the bank has answered about it before.
    pub is_known: bool,
}

/// How an order stands with its bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The bank asks the payer in its app.
    InApp,
    /// The payer is to agree on the page that this service has for it: to give a card, or in the sandbox to say yes or no.
    OnPage,
    /// The payer is to agree on a page of the bank's.
    OnLink(String),
    /// The payer has agreed.
    Signed {
        /// The bank's number of the contract.
        contract: String,
    },
    /// The bank or the payer said no.
    Rejected(StatusCode),
}
