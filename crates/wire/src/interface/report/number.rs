//! Codes as numbers, which rows of transactions have in the place of words.

use crate::interface::StatusCode;

impl StatusCode {
    /// Its number in reports, which never changes; 0 for a code of another version.
    pub fn number(&self) -> u32 {
        NUMBERS
            .iter()
            .find(|(code, _)| code == self)
            .map_or(0, |(_, number)| *number)
    }
}

use StatusCode as C;

/// 1000: done. 2000: under way. 3000: refunds that wait or were taken back. 4000: the card. 5000: the bank of an order in parts. 6000: the
/// request. 7000: the state of what it is about. 8000: who asks. 9000: the service.
const NUMBERS: &[(StatusCode, u32)] = &[
    (C::TransactionSuccessful, 1000),
    (C::CancelSuccessful, 1001),
    (C::RefundSuccessful, 1002),
    (C::SubscriptionSuccessful, 1003),
    (C::UnsubscribedSuccessfully, 1004),
    (C::ContractSigned, 1005),
    (C::TransactionInProgress, 2000),
    (C::TransactionCreated, 2001),
    (C::Pending, 2002),
    (C::WaitingForRedirect, 2003),
    (C::WaitingForVerification, 2004),
    (C::WaitingForComplete, 2005),
    (C::RefundWaitingForFunds, 3000),
    (C::RefundPending, 3001),
    (C::RefundIsCancelledByInitiator, 3002),
    (C::RefundIsCancelledBySystem, 3003),
    (C::TransactionDeclined, 4000),
    (C::TransactionRejected, 4001),
    (C::InsufficientFunds, 4002),
    (C::CardExpired, 4003),
    (C::WrongCvv, 4004),
    (C::WrongCardNumber, 4005),
    (C::CardNotSupported, 4006),
    (C::CardTypeIsNotSupported, 4007),
    (C::CardIsLostOrStolen, 4008),
    (C::ThreeDsRequired, 4009),
    (C::ThreeDsVerificationFailed, 4010),
    (C::AntiFraudCheck, 4011),
    (C::InvalidCardToken, 4012),
    (C::TokenDoesNotExist, 4013),
    (C::InvalidMobileAPayToken, 4014),
    (C::InvalidMobileBPayToken, 4015),
    (C::PaymentMethodNotFound, 4016),
    (C::RejectedByBank, 5000),
    (C::WrongPaymentCount, 5001),
    (C::WrongPaypartsPeriod, 5002),
    (C::BankIsNotSupported, 5003),
    (C::InvalidPhoneNumber, 5004),
    (C::InvalidRequestBody, 6000),
    (C::InvalidData, 6001),
    (C::InvalidCurrency, 6002),
    (C::WrongAmount, 6003),
    (C::InvalidTransactionAmount, 6004),
    (C::ConfirmAmountTooHigh, 6005),
    (C::IncorrectRefund, 6006),
    (C::TransactionNotFound, 7000),
    (C::DataNotFound, 7001),
    (C::TransactionAlreadyPaid, 7002),
    (C::ActionNotAllowed, 7003),
    (C::ActionAlreadyDone, 7004),
    (C::PaymentWasRefunded, 7005),
    (C::RecurrentNotFound, 7006),
    (C::OrderExpired, 7007),
    (C::OrderIsDuplicated, 7008),
    (C::OperationNotFound, 7009),
    (C::PlanNotFound, 7010),
    (C::PlanNotActive, 7011),
    (C::SubscriptionNotFound, 7012),
    (C::SubscriptionNotActive, 7013),
    (C::SubscriptionAlreadyExists, 7014),
    (C::AuthorizationFailed, 8000),
    (C::AccessNotAllowed, 8001),
    (C::RestrictedIp, 8002),
    (C::CustomerIdNotPassed, 8003),
    (C::CustomerAuthNotFound, 8004),
    (C::CustomerAuthInvalid, 8005),
    (C::TooManyRequests, 8006),
    (C::InternalError, 9000),
];

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn every_code_has_one_number_and_no_two_the_same() {
        for code in StatusCode::KNOWN {
            let numbers = NUMBERS.iter().filter(|(known, _)| known == code).count();
            assert_eq!(numbers, 1, "{code}");
        }
        for (at, (code, number)) in NUMBERS.iter().enumerate() {
            assert!(
                NUMBERS[at + 1..].iter().all(|(_, other)| other != number),
                "{code}"
            );
        }
    }

    #[test]
    fn shops_can_read_the_table() {
        let told = include_str!("../../../../../docs/reports.md");
        for (code, number) in NUMBERS {
            assert!(
                told.contains(&format!("| {number} | `{code}` |")),
                "{number} {code}"
            );
        }
    }
}
