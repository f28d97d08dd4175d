//! Why a request is refused.

use database::DatabaseError;
use vault::VaultError;
use wire::interface::{StatusCode, Wrong};

/// A refusal: what the caller is told, as the interface's error body has it. It holds nothing of what was sent.
///
/// That a payment was declined is no refusal but an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code:?}: {message}")]
pub struct Refusal {
    /// Why.
    pub code: StatusCode,
    /// The same for people, in English.
    pub message: String,
    /// The member that is wrong, as a dotted path without indexes; empty where none is.
    pub param: String,
    /// The payment that it is about; empty where there is none.
    pub payment_id: String,
}

impl Refusal {
    /// A refusal that is about no single member.
    pub fn new(code: StatusCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            param: String::new(),
            payment_id: String::new(),
        }
    }

    /// The member that is wrong.
    #[must_use]
    pub fn at(mut self, param: impl Into<String>) -> Self {
        self.param = param.into();
        self
    }

    /// The payment that it is about.
    #[must_use]
    pub fn about(mut self, payment: impl ToString) -> Self {
        self.payment_id = payment.to_string();
        self
    }

    /// A fault of ours. What it was goes to the log and not to the caller.
    pub(crate) fn internal(what: &str) -> Self {
        tracing::error!(what, "processing");
        Self::new(StatusCode::InternalError, "the service failed; nothing was done")
    }
}

impl From<Wrong> for Refusal {
    fn from(wrong: Wrong) -> Self {
        let message = wrong.to_string();
        Self::new(StatusCode::InvalidRequestBody, message).at(wrong.param)
    }
}

impl From<DatabaseError> for Refusal {
    fn from(error: DatabaseError) -> Self {
        Self::internal(&error.to_string())
    }
}

impl From<VaultError> for Refusal {
    fn from(error: VaultError) -> Self {
        // The vault's words name files and tables, never values.
        Self::internal(&error.to_string())
    }
}
