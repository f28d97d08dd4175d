//! The body of every answer that is not a success.

use alloc::string::String;
use serde::{Deserialize, Serialize};

use crate::Code;
#[cfg(feature = "interface")]
use crate::{code::Actor, interface::StatusCode};

/// Family of an error (`type` on the wire).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "interface", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ErrorType {
    /// The request itself is wrong.
    #[serde(rename = "invalid_request_error")]
    InvalidRequest,
    /// The card or wallet is wrong.
    #[serde(rename = "payment_method_error")]
    PaymentMethod,
    /// The project is not set up for this.
    #[serde(rename = "payment_settings_error")]
    PaymentSettings,
    /// The payment failed.
    #[serde(rename = "payment_error")]
    Payment,
    /// The service failed or is limited.
    #[serde(rename = "api_error")]
    Api,
    /// The customer is unknown or not authorised.
    #[serde(rename = "customer_error")]
    Customer,
}

/// JSON body of every non-2xx answer. All members are strings; an empty one means "nothing applies".
///
/// `actor` and `retryable` go beyond the interface; its clients ignore unknown members, and may read all of them as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "interface", derive(schemars::JsonSchema))]
pub struct ErrorBody {
    /// Stable code, see [`Code`].
    #[cfg_attr(
        feature = "interface",
        schemars(with = "StatusCode", description = "Stable code.")
    )]
    pub code: String,
    /// What is wrong and what to do next. Never an echo of input.
    pub message: String,
    /// Dotted path of the member that is wrong, without array indexes; may be empty.
    pub param: String,
    /// Operation the error belongs to; may be empty.
    pub payment_id: String,
    /// Family.
    #[serde(rename = "type")]
    pub kind: ErrorType,
    /// Request id of this answer, to be quoted to whoever runs the service.
    pub error_id: String,
    /// Who can act: `customer`, `merchant`, `network`, `service`.
    pub actor: String,
    /// `true` where trying again can succeed, else empty.
    pub retryable: String,
}

impl ErrorBody {
    /// The body for `code`, naming the member that is wrong (may be empty) and the request.
    pub fn new(code: Code, param: &str, error_id: &str) -> Self {
        Self {
            code: code.as_str().into(),
            message: code.message().into(),
            param: param.into(),
            payment_id: String::new(),
            kind: code.error_type(),
            error_id: error_id.into(),
            actor: code.actor().as_str().into(),
            retryable: yes(code.retryable()),
        }
    }
}

#[cfg(feature = "interface")]
impl ErrorBody {
    /// The body for a refusal of the interface beyond tokenization.
    pub fn of_interface(code: &StatusCode, message: String, param: String, error_id: &str) -> Self {
        let kind = code.error_type();
        let actor = match (code, kind) {
            (_, ErrorType::PaymentMethod) => Actor::Customer,
            (StatusCode::InternalError, _) => Actor::Service,
            _ => Actor::Merchant,
        };
        Self {
            code: code.as_str().into(),
            message,
            param,
            payment_id: String::new(),
            kind,
            error_id: error_id.into(),
            actor: actor.as_str().into(),
            retryable: yes(kind == ErrorType::Api),
        }
    }
}

/// A truth value as text.
fn yes(is_so: bool) -> String {
    if is_so { "true".into() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_the_six_members_of_the_interface_and_nothing_but_strings() {
        for (code, retryable) in [(Code::InvalidRequestBody, ""), (Code::InternalError, "true")] {
            let body = ErrorBody::new(code, "envelope", "r1");
            let json = serde_json::to_value(&body).unwrap();
            for name in ["code", "message", "param", "payment_id", "type", "error_id"] {
                assert!(json[name].is_string(), "{name}");
            }
            assert!(
                json.as_object()
                    .unwrap()
                    .values()
                    .all(|member| member.is_string())
            );
            assert_eq!(json["retryable"], retryable);
        }
    }
}
