//! Which of ours is which of the reports', as tables.

use wire::interface::StatusCode;
use wire::interface::answer::Status;
use wire::interface::report::{OperationType as Type, TransactionStatus};

/// `details.method` of an operation, what reports call that, and what paid or was paid to.
const TYPES: &[(&str, Type, &str)] = &[
    ("purchase", Type::Purchase, CARD),
    ("auth", Type::Auth, CARD),
    // A verified card was held with nothing.
    ("lookup", Type::Auth, CARD),
    ("capture", Type::Capture, CARD),
    ("void", Type::Void, CARD),
    ("refund", Type::Refund, CARD),
    // Its kind says what is paid to.
    ("payout", Type::Payout, ""),
];

const CARD: &str = "cc_token";

/// What an operation is in a report, and by what.
pub(super) fn of_method(method: &str) -> Option<(Type, &'static str)> {
    TYPES
        .iter()
        .find(|(known, ..)| *known == method)
        .map(|(_, kind, by)| (*kind, *by))
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
