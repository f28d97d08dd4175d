//! Refunds, where "all of it" has to be said.

use wire::interface::installment::InstallmentRefund;
use wire::interface::steps::Step;
use wire::interface::values::{ExternalId, Text, WebAddress};
use wire::interface::{Amount, Currency};

/// How much to give back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundAmount {
    /// All that is left.
    Full,
    /// A part of it.
    Part(Amount),
}

impl RefundAmount {
    fn amount(self) -> Option<Amount> {
        match self {
            Self::Full => None,
            Self::Part(amount) => Some(amount),
        }
    }
}

/// What to give back of a payment.
#[derive(Clone, Debug)]
pub struct RefundRequest {
    /// The shop's number of the order.
    pub external_id: ExternalId,
    /// How much.
    pub amount: RefundAmount,
    /// ISO 4217 code, which must be the order's.
    pub currency: Option<Currency>,
    /// Receives the callbacks of this refund instead of the order's.
    pub callback_url: Option<WebAddress>,
    /// Kept for the shop.
    pub payload: Option<Text<0, 4000>>,
}

impl RefundRequest {
    /// With nothing but what is needed.
    pub fn new(external_id: ExternalId, amount: RefundAmount) -> Self {
        Self {
            external_id,
            amount,
            currency: None,
            callback_url: None,
            payload: None,
        }
    }
}

impl From<&RefundRequest> for Step {
    fn from(refund: &RefundRequest) -> Self {
        Self {
            external_id: refund.external_id.clone(),
            amount: refund.amount.amount(),
            currency: refund.currency,
            callback_url: refund.callback_url.clone(),
            payload: refund.payload.clone(),
        }
    }
}

/// What to give back of an installment order.
#[derive(Clone, Debug)]
pub struct InstallmentRefundRequest {
    /// The shop's number of the order.
    pub external_id: ExternalId,
    /// How much.
    pub amount: RefundAmount,
    /// ISO 4217 code, which must be the order's.
    pub currency: Option<Currency>,
    /// Receives the callbacks of this refund instead of the order's.
    pub callback_url: Option<WebAddress>,
}

impl InstallmentRefundRequest {
    /// With nothing but what is needed.
    pub fn new(external_id: ExternalId, amount: RefundAmount) -> Self {
        Self {
            external_id,
            amount,
            currency: None,
            callback_url: None,
        }
    }
}

impl From<&InstallmentRefundRequest> for InstallmentRefund {
    fn from(refund: &InstallmentRefundRequest) -> Self {
        Self {
            external_id: refund.external_id.clone(),
            amount: refund.amount.amount(),
            currency: refund.currency,
            callback_url: refund.callback_url.clone(),
        }
    }
}
