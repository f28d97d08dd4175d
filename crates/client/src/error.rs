//! What can go wrong, by what a shop can do about it.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use wire::error::ErrorType;
use wire::interface::amount::NoAmount;
use wire::interface::call::Failure;
use wire::interface::{StatusCode, Wrong};

/// Why there is no answer. A declined payment is an answer: its `is_success` is `false`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is wrong. Nothing was sent.
    #[error("{message}")]
    Parameter {
        /// Its name, dotted.
        param: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// The service was not reached. Nothing was done.
    #[error("The service was not reached, so nothing was done: {0}.")]
    NotSent(String),
    /// The request may have been carried out, and no answer came.
    #[error("No answer came, and the request may have been carried out: {message}.{}", advice(remedy.as_ref()))]
    Lost {
        /// What happened.
        message: String,
        /// Which call tells what became of it.
        remedy: Option<Remedy>,
    },
    /// The service said no.
    #[error("{0}")]
    Refused(Box<Refused>),
    /// What came is no answer of the service. The request may have been carried out.
    #[error("What came with status {status} is no answer of the service: {message}.{}", advice(remedy.as_ref()))]
    Unreadable {
        /// The HTTP status.
        status: u16,
        /// What came instead.
        message: String,
        /// Which call tells what became of it.
        remedy: Option<Remedy>,
    },
    /// A callback is not to be believed, or cannot be read.
    #[error("{fault}")]
    Callback {
        /// What is wrong with it.
        fault: Fault,
    },
}

impl Error {
    /// The call that tells what became of a request, where one is needed.
    pub fn remedy(&self) -> Option<&Remedy> {
        match self {
            Self::Lost { remedy, .. } | Self::Unreadable { remedy, .. } => remedy.as_ref(),
            Self::Refused(refused) => refused.remedy.as_ref(),
            _ => None,
        }
    }

    /// What this says of the attempt; nothing where none was made.
    pub(crate) fn failure(&self) -> Option<Failure> {
        match self {
            Self::NotSent(_) => Some(Failure::NotSent),
            Self::Lost { .. } => Some(Failure::Lost),
            Self::Refused(refused) => Some(Failure::Status(refused.status)),
            Self::Unreadable { status, .. } => Some(Failure::Status(*status)),
            Self::Parameter { .. } | Self::Callback { .. } => None,
        }
    }

    /// The code of a refusal.
    pub fn code(&self) -> Option<&StatusCode> {
        match self {
            Self::Refused(refused) => Some(&refused.code),
            _ => None,
        }
    }

    pub(crate) fn parameter(param: &str, message: impl Into<String>) -> Self {
        Self::Parameter {
            param: param.to_owned(),
            message: message.into(),
        }
    }
}

impl From<Wrong> for Error {
    fn from(wrong: Wrong) -> Self {
        Self::Parameter {
            message: wrong.to_string(),
            param: wrong.param,
        }
    }
}

impl From<NoAmount> for Error {
    fn from(wrong: NoAmount) -> Self {
        Self::parameter("amount", format!("`amount` must be {wrong}."))
    }
}

fn advice(remedy: Option<&Remedy>) -> String {
    remedy.map_or_else(String::new, |remedy| {
        format!(" Ask `{}` what became of it.", remedy.call)
    })
}

/// A call that tells what became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remedy {
    /// `payments.info` and the like.
    pub call: &'static str,
    /// What it is told.
    pub params: BTreeMap<&'static str, String>,
}

/// A refusal, as the service wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The HTTP status.
    pub status: u16,
    /// Family of the error.
    pub family: Family,
    /// What is wrong. The list grows.
    pub code: StatusCode,
    /// The same as a sentence, in English.
    pub message: String,
    /// Dotted name of the member that is wrong; may be empty.
    pub param: String,
    /// The payment that it is about; may be empty.
    pub payment_id: String,
    /// To be quoted to whoever runs the service.
    pub error_id: String,
    /// When to ask again, where a limit is used up.
    pub retry_after: Option<Duration>,
    /// After a fault of the service: which call tells what became of the request.
    pub remedy: Option<Remedy>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}{}",
            self.code,
            self.message,
            advice(self.remedy.as_ref())
        )
    }
}

/// Family of a refusal: `type` on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// One of this version.
    Known(ErrorType),
    /// One of a later version.
    Other(String),
}

/// What is wrong with a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is no signature.
    #[error("The callback has no X-SERVICE-SIGNATURE: answer it with 401 and believe nothing of it.")]
    NoSignature,
    /// There are several.
    #[error(
        "The callback has several X-SERVICE-SIGNATURE headers: answer it with 401 and believe nothing of it."
    )]
    SeveralSignatures,
    /// It is none of ours.
    #[error(
        "The signature of the callback is wrong: check that the password is the project's and that the body is the bytes as they came."
    )]
    WrongSignature,
    /// It is signed, and its body is none that this version knows.
    #[error("The callback is signed, but its body cannot be read: take a newer version of this library.")]
    Unreadable,
}

impl Fault {
    /// A stable word for it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoSignature => "signature_missing",
            Self::SeveralSignatures => "signature_repeated",
            Self::WrongSignature => "signature_wrong",
            Self::Unreadable => "body_unreadable",
        }
    }
}
