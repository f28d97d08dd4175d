//! What became of an operation, or why a request was refused: one list, as the interface has it (wire notes §1).

use super::words::open;
use crate::error::ErrorType;

open! {
    /// `details.status_code` of an operation, and `code` of an error.
    StatusCode {
        /// The credentials are missing or wrong.
        AuthorizationFailed = "authorization_failed",
        /// The project has no permission for this.
        AccessNotAllowed = "access_not_allowed",
        /// The address of the caller is not allowed.
        RestrictedIp = "restricted_ip",
        /// A member is missing or wrong: `param` names it.
        InvalidRequestBody = "invalid_request_body",
        /// The members do not go together.
        InvalidData = "invalid_data",
        /// Not the currency of the order, or none that the project takes.
        InvalidCurrency = "invalid_currency",
        /// Not an amount that can be paid.
        WrongAmount = "wrong_amount",
        /// Not an amount that this operation can have.
        InvalidTransactionAmount = "invalid_transaction_amount",

        /// There is no such operation.
        TransactionNotFound = "transaction_not_found",
        /// There is nothing of that name.
        DataNotFound = "data_not_found",
        /// The order was paid: an `external_id` succeeds once.
        TransactionAlreadyPaid = "transaction_already_paid",
        /// Not in this state.
        ActionNotAllowed = "action_not_allowed",
        /// It was done before.
        ActionAlreadyDone = "action_already_done",
        /// More than is held.
        ConfirmAmountTooHigh = "confirm_amount_cannot_be_more_than_the_transaction_amount",
        /// More than can be refunded, or another currency.
        IncorrectRefund = "incorrect_refund_sum_or_currency",
        /// All of it was refunded before.
        PaymentWasRefunded = "payment_was_refunded",
        /// There is no such binding.
        RecurrentNotFound = "recurrent_not_found",
        /// The time to pay is over.
        OrderExpired = "order_expired",
        /// An order of that number is under way.
        OrderIsDuplicated = "order_is_duplicated",
        /// There is no such operation of the order.
        OperationNotFound = "operation_not_found",

        /// The issuer said no.
        TransactionDeclined = "transaction_declined",
        /// The service said no.
        TransactionRejected = "transaction_rejected",
        /// Not enough money on the card.
        InsufficientFunds = "insufficient_funds",
        /// The card's time is over.
        CardExpired = "card_expired",
        /// The security code is wrong.
        WrongCvv = "wrong_cvv",
        /// The number is none.
        WrongCardNumber = "wrong_card_number",
        /// Cards of this kind are not taken.
        CardNotSupported = "card_not_supported",
        /// Cards of this brand are not taken for this payment.
        CardTypeIsNotSupported = "card_type_is_not_supported",
        /// The card was reported.
        CardIsLostOrStolen = "card_is_lost_or_stolen",
        /// The issuer wants the payer to prove who they are.
        ThreeDsRequired = "3ds_required",
        /// The payer did not.
        ThreeDsVerificationFailed = "3ds_verification_failed",
        /// It looked like a fraud.
        AntiFraudCheck = "anti_fraud_check",
        /// The token cannot be used for this, or not any more.
        InvalidCardToken = "invalid_card_token",
        /// The token is none of the project's.
        TokenDoesNotExist = "token_does_not_exist",
        /// The wallet's token cannot be read.
        InvalidMobileAPayToken = "invalid_mobile_a_pay_token",
        /// The wallet's token cannot be read.
        InvalidMobileBPayToken = "invalid_mobile_b_pay_token",

        /// It waits.
        Pending = "pending",
        /// It waits for the payer to follow the address.
        WaitingForRedirect = "waiting_for_redirect",
        /// It waits for the payer to prove who they are.
        WaitingForVerification = "waiting_for_verification",
        /// It waits for its last step.
        WaitingForComplete = "waiting_for_complete",
        /// It was made.
        TransactionCreated = "transaction_created",
        /// It is being done.
        TransactionInProgress = "transaction_in_progress",
        /// It was done.
        TransactionSuccessful = "transaction_successful",
        /// What was held is free.
        CancelSuccessful = "cancel_successful",

        /// The money goes back.
        RefundSuccessful = "refund_successful",
        /// The refund waits.
        RefundPending = "refund_pending",
        /// The refund waits until the balance suffices.
        RefundWaitingForFunds = "refund_waiting_for_funds",
        /// The service gave the refund up.
        RefundIsCancelledBySystem = "refund_is_cancelled_by_system",
        /// The shop took the refund back.
        RefundIsCancelledByInitiator = "refund_is_cancelled_by_initiator",

        /// There is no such saved card.
        PaymentMethodNotFound = "payment_method_not_found",
        /// Neither `external_id` nor `X-CUSTOMER-AUTH`.
        CustomerIdNotPassed = "customer_id_not_passed",
        /// `X-CUSTOMER-AUTH` is missing.
        CustomerAuthNotFound = "customer_auth_not_found",
        /// `X-CUSTOMER-AUTH` is not ours, or its time is over.
        CustomerAuthInvalid = "customer_auth_token_expired_or_invalid",

        /// There is no such plan.
        PlanNotFound = "plan_not_found",
        /// The plan was ended.
        PlanNotActive = "plan_not_active",
        /// There is no such subscription.
        SubscriptionNotFound = "subscription_not_found",
        /// The subscription was ended.
        SubscriptionNotActive = "subscription_not_active",
        /// The customer has one of this plan.
        SubscriptionAlreadyExists = "subscription_already_exists",
        /// It was paid.
        SubscriptionSuccessful = "subscription_successful",
        /// It was ended.
        UnsubscribedSuccessfully = "unsubscribed_successfully",

        /// The payer agreed with the bank.
        ContractSigned = "contract_was_signed_on_client_side",
        /// Not a number of parts.
        WrongPaymentCount = "wrong_payment_count",
        /// Not a number of parts that the bank offers.
        WrongPaypartsPeriod = "wrong_payparts_period",
        /// There is no such bank, or not for this project.
        BankIsNotSupported = "bank_is_not_supported",
        /// Not a phone number.
        InvalidPhoneNumber = "invalid_phone_number",
        /// The bank said no.
        RejectedByBank = "rejected_by_bank",

        /// A limit is used up.
        TooManyRequests = "too_many_requests",
        /// A fault of the service.
        InternalError = "internal_error",
    }
}

impl StatusCode {
    /// Family of an error with this code.
    pub fn error_type(&self) -> ErrorType {
        use StatusCode as Is;
        match self {
            Is::TooManyRequests | Is::InternalError => ErrorType::Api,
            Is::AccessNotAllowed | Is::RestrictedIp | Is::BankIsNotSupported => ErrorType::PaymentSettings,
            Is::CustomerIdNotPassed
            | Is::CustomerAuthNotFound
            | Is::CustomerAuthInvalid
            | Is::InvalidPhoneNumber => ErrorType::Customer,
            Is::TransactionDeclined
            | Is::TransactionRejected
            | Is::InsufficientFunds
            | Is::CardExpired
            | Is::WrongCvv
            | Is::WrongCardNumber
            | Is::CardNotSupported
            | Is::CardTypeIsNotSupported
            | Is::CardIsLostOrStolen
            | Is::ThreeDsRequired
            | Is::ThreeDsVerificationFailed
            | Is::AntiFraudCheck
            | Is::InvalidCardToken
            | Is::TokenDoesNotExist
            | Is::InvalidMobileAPayToken
            | Is::InvalidMobileBPayToken
            | Is::PaymentMethodNotFound
            | Is::RejectedByBank => ErrorType::PaymentMethod,
            Is::TransactionNotFound
            | Is::DataNotFound
            | Is::TransactionAlreadyPaid
            | Is::ActionNotAllowed
            | Is::ActionAlreadyDone
            | Is::ConfirmAmountTooHigh
            | Is::IncorrectRefund
            | Is::PaymentWasRefunded
            | Is::RecurrentNotFound
            | Is::OrderExpired
            | Is::OrderIsDuplicated
            | Is::OperationNotFound => ErrorType::Payment,
            _ => ErrorType::InvalidRequest,
        }
    }

    /// Its word, for those who count by codes. One that this version does not know counts as a fault of the service.
    pub fn known(&self) -> &'static str {
        let known = Self::KNOWN.iter().find(|known| *known == self);
        known.map_or("internal_error", |known| known.as_str())
    }
}
