//! Who moves the money.

use vault::OpenCard;
use wire::interface::payment::Campaign;
use wire::interface::{Amount, Currency, StatusCode};

use super::PortError;
use crate::id::Id;
use crate::project::Project;

/// An acquirer. Every call is idempotent by its operation: the same again gives the same answer and moves nothing twice. Calls may wait for
/// the network.
pub trait Acquirer: Send + Sync {
    /// Charges or holds, asks for 3-D Secure, or only verifies the card. The card is lent by the vault for the time of the call.
    fn authorize(&self, request: &Authorization<'_>, card: &OpenCard<'_>) -> Result<Decision, PortError>;

    /// Goes on after [`Decision::Challenge`], when the payer has passed or failed; never answers with another challenge.
    fn complete(&self, request: &Authorization<'_>, proof: Proof) -> Result<Decision, PortError>;

    /// Charges of what a payment holds, the amount at most.
    fn capture(&self, follow: &Follow<'_>) -> Result<Decision, PortError>;

    /// Releases of what a payment holds.
    fn release(&self, follow: &Follow<'_>) -> Result<Decision, PortError>;

    /// Gives back of what was charged.
    fn refund(&self, follow: &Follow<'_>) -> Result<Decision, PortError>;
}

/// What a card is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Authorization<'a> {
    /// The seller.
    pub project: &'a Project,
    /// The operation; equal to the payment's id.
    pub operation: Id,
    /// How much. Zero with [`Authorization::verify_only`] alone.
    pub amount: Amount,
    /// In which currency.
    pub currency: Currency,
    /// Whether to hold the amount instead of charging it.
    pub hold: bool,
    /// Whether the payer may be asked to prove who they are.
    pub use_3ds: bool,
    /// Whether to verify the card without moving money.
    pub verify_only: bool,
    /// Whether the payer is away: they agreed earlier, there is no security code, and no challenge is possible.
    pub recurring: bool,
    /// Whether it pays a period of a subscription, the first one included.
    pub subscribes: bool,
    /// Which cards alone may pay.
    pub campaign: Option<Campaign>,
}

/// A later operation of a payment.
#[derive(Clone, Copy, Debug)]
pub struct Follow<'a> {
    /// The seller.
    pub project: &'a Project,
    /// The operation.
    pub operation: Id,
    /// The payment that it belongs to.
    pub payment: Id,
    /// How much.
    pub amount: Amount,
    /// In which currency.
    pub currency: Currency,
}

/// An acquirer's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Done.
    Approved {
        /// The issuer's authorisation.
        auth_code: String,
        /// The acquirer's reference.
        rrn: String,
    },
    /// Not done, for this reason, and the same will not be done later.
    Declined(StatusCode),
    /// The payer has to prove who they are; [`Acquirer::complete`] goes on.
    Challenge,
}

/// What became of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The payer is who they say.
    Passed,
    /// They are not, or gave up, or ran out of time.
    Failed,
}
