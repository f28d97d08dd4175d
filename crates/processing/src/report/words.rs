//! Which of ours is which of the reports', as tables.

use wire::interface::StatusCode;
use wire::interface::answer::Status;
use wire::interface::report::{OperationType as Type, TransactionStatus};

/// `details.method` of payments and payouts, and what reports call that.
const TYPES: &[(&str, Type)] = &[
    ("purchase", Type::Purchase),
    ("auth", Type::Auth),
    // A verified card was held with nothing.
    ("lookup", Type::Auth),
    ("capture", Type::Capture),
    ("void", Type::Void),
    ("refund", Type::Refund),
    ("payout", Type::Payout),
];

/// The same of orders in parts.
const IN_PARTS: &[(&str, Type)] = &[
    ("create", Type::Create),
    // Once it is confirmed the bank pays; what one of them pays is a loan of the service's own.
    ("capture", Type::Payment),
    ("void", Type::Void),
    ("refund", Type::Refund),
];

/// What cards pay with, as `payment_method.type` of callbacks has it.
pub(super) const CARD: &str = "cc_token";

/// What an operation is in a report; `bank` of an order in parts.
pub(super) fn of_method(method: &str, bank: Option<&str>) -> Option<Type> {
    let types = if bank.is_some() { IN_PARTS } else { TYPES };
    let (_, kind) = types.iter().find(|(known, _)| *known == method)?;
    match (kind, bank) {
        (Type::Payment, Some("bank_service")) => Some(Type::Credit),
        _ => Some(*kind),
    }
}

/// Which way the money of an operation goes that has succeeded; `None` where none is moved.
pub(super) fn direction(kind: Type) -> Option<Direction> {
    match kind {
        Type::Purchase | Type::Capture | Type::Payment | Type::Credit => Some(Direction::ToMerchant),
        Type::Refund | Type::Payout => Some(Direction::FromMerchant),
        _ => None,
    }
}

/// Of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    ToMerchant,
    FromMerchant,
}

/// Failures that are not an issuer's no.
const FAILURES: &[(StatusCode, TransactionStatus)] = &[
    (
        StatusCode::RefundIsCancelledByInitiator,
        TransactionStatus::Cancel,
    ),
    (StatusCode::RefundIsCancelledBySystem, TransactionStatus::Cancel),
    (StatusCode::CancelSuccessful, TransactionStatus::Cancel),
    (StatusCode::OrderExpired, TransactionStatus::Cancel),
    (StatusCode::TransactionRejected, TransactionStatus::Rejected),
    (StatusCode::ThreeDsRequired, TransactionStatus::Rejected),
    (StatusCode::ThreeDsVerificationFailed, TransactionStatus::Rejected),
    (StatusCode::AntiFraudCheck, TransactionStatus::Rejected),
    (StatusCode::RejectedByBank, TransactionStatus::Rejected),
    (StatusCode::CardNotSupported, TransactionStatus::Rejected),
    (StatusCode::CardTypeIsNotSupported, TransactionStatus::Rejected),
    (StatusCode::TransactionAlreadyPaid, TransactionStatus::Rejected),
    (StatusCode::ActionNotAllowed, TransactionStatus::Rejected),
    (StatusCode::InternalError, TransactionStatus::Failed),
];

/// How an operation stands, in a report's words.
pub(super) fn of_status(status: &Status, code: &StatusCode) -> TransactionStatus {
    match status {
        Status::Success => TransactionStatus::Success,
        Status::Init => TransactionStatus::Created,
        Status::Pending => TransactionStatus::Pending,
        _ => FAILURES
            .iter()
            .find(|(known, _)| known == code)
            .map_or(TransactionStatus::Unsuccessful, |(_, word)| *word),
    }
}
