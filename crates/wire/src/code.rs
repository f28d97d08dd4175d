//! Every code that tokenization and the widget can answer with, in one table.
//!
//! A code never changes its meaning. Clients keep an arm for codes they do not know yet, because the list grows.

use crate::error::ErrorType;

/// Who can do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The person in front of the form: type another number, wait, try again.
    Customer,
    /// The shop: its key, its origin, its parameters.
    Merchant,
    /// Nobody in particular: the connection. Trying again helps.
    Network,
    /// Whoever runs the service.
    Service,
}

impl Actor {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Merchant => "merchant",
            Self::Network => "network",
            Self::Service => "service",
        }
    }
}

/// All that is fixed about one code.
struct Row {
    name: &'static str,
    status: u16,
    kind: ErrorType,
    actor: Actor,
    retryable: bool,
    message: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal, $status:literal, $kind:ident, $actor:ident, $retry:literal, $message:literal;)+) => {
        /// A stable error code of tokenization or of the widget.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $code),+ }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$code),+];

            const fn row(self) -> Row {
                match self {
                    $(Self::$code => Row {
                        name: $name,
                        status: $status,
                        kind: ErrorType::$kind,
                        actor: Actor::$actor,
                        retryable: $retry,
                        message: $message,
                    }),+
                }
            }
        }
    };
}

impl Code {
    /// The name on the wire, for example `ticket_expired`.
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// The HTTP status that carries this code.
    pub const fn status(self) -> u16 {
        self.row().status
    }

    /// The family, as the service interface names it.
    pub const fn error_type(self) -> ErrorType {
        self.row().kind
    }

    /// Who can act.
    pub const fn actor(self) -> Actor {
        self.row().actor
    }

    /// Whether sending the same again, later or after renewing the boot data, can succeed.
    pub const fn retryable(self) -> bool {
        self.row().retryable
    }

    /// What is wrong and what to do next, for developers, in English. Persons read the frame's own texts.
    pub const fn message(self) -> &'static str {
        self.row().message
    }

    /// The code of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

codes! {
    /// The body exceeds the limit of [`crate::token::BODY_LIMIT`].
    BodyTooLarge = "body_too_large", 413, InvalidRequest, Merchant, false,
        "The request body is larger than 16 KiB.";
    /// The body did not arrive in time.
    RequestTimeout = "request_timeout", 408, Api, Network, true,
        "The request body did not arrive within ten seconds. Send it again.";
    /// Not JSON, or a member is missing or of the wrong type; `param` names it.
    InvalidRequestBody = "invalid_request_body", 400, InvalidRequest, Merchant, false,
        "The request body is not as expected: see `param`.";
    /// The address exists, the method does not.
    MethodNotAllowed = "method_not_allowed", 405, InvalidRequest, Merchant, false,
        "This address does not answer that method: see the `Allow` header.";
    /// No such address.
    NotFound = "not_found", 404, InvalidRequest, Merchant, false,
        "There is nothing at this address.";
    /// The widget key was never issued or has been withdrawn.
    WidgetKeyUnknown = "widget_key_unknown", 401, InvalidRequest, Merchant, false,
        "The widget key is not known to this service. Check `key`.";
    /// The shop's origin is not on the key's list.
    OriginNotAllowed = "origin_not_allowed", 403, InvalidRequest, Merchant, false,
        "This origin is not allowed for the widget key. Add it to the key's allowed origins.";
    /// The widget key has no permission for this call.
    AccessNotAllowed = "access_not_allowed", 403, InvalidRequest, Merchant, false,
        "The widget key is not allowed to make this call. Have it allowed for the key.";
    /// `X-Sign` of a native call is missing or does not fit the body.
    SignatureInvalid = "signature_invalid", 400, InvalidRequest, Merchant, false,
        "The `X-Sign` header does not fit the body: see how it is computed, and send the body exactly as it was signed.";
    /// The shop's page has an opaque origin (`null`): a sandboxed frame, a file, a data address.
    OriginOpaque = "origin_opaque", 403, InvalidRequest, Merchant, false,
        "The page has an opaque origin (`null`). Serve it over HTTPS, outside a sandboxed frame.";
    /// Somebody opened the frame's address as a page of its own.
    FrameOnly = "frame_only", 403, InvalidRequest, Merchant, false,
        "This address works inside a frame only. Load it through the widget's script.";
    /// The limit of the widget key and address is used up; `Retry-After` says how long.
    TooManyRequests = "too_many_requests", 429, Api, Customer, true,
        "Too many requests. Wait as long as `Retry-After` says.";
    /// `Idempotency-Key` is missing, shorter than 16, longer than 64 or not visible ASCII.
    IdempotencyKeyInvalid = "idempotency_key_invalid", 400, InvalidRequest, Merchant, false,
        "The `Idempotency-Key` header must hold 16 to 64 visible ASCII characters.";
    /// The idempotency key was used with another body.
    IdempotencyConflict = "idempotency_conflict", 409, InvalidRequest, Merchant, false,
        "This idempotency key was used with another body. Make a new one for a new request.";
    /// The ticket is not ours or belongs to another key or origin.
    TicketInvalid = "ticket_invalid", 403, InvalidRequest, Merchant, false,
        "The boot ticket does not belong to this widget key and origin.";
    /// The ticket's hour is over; boot data must be fetched again.
    TicketExpired = "ticket_expired", 403, InvalidRequest, Service, true,
        "The boot ticket has expired. Fetch boot data again and seal anew.";
    /// The envelope's nonce was seen before.
    NonceReplayed = "nonce_replayed", 409, InvalidRequest, Merchant, false,
        "This envelope was sent before. Seal the card again with a new nonce.";
    /// Not a compact JWE of the one profile that this service opens.
    EnvelopeMalformed = "envelope_malformed", 400, InvalidRequest, Merchant, false,
        "The envelope is not a compact JWE of the documented profile.";
    /// Authentication of the envelope failed: altered, or sealed for another key.
    EnvelopeUnreadable = "envelope_unreadable", 400, InvalidRequest, Merchant, false,
        "The envelope cannot be opened: it was altered, or sealed for another key.";
    /// The envelope's own claims contradict each other, its ticket or its content.
    EnvelopeMismatch = "envelope_mismatch", 400, InvalidRequest, Merchant, false,
        "The envelope's header does not agree with its ticket, key, origin or form type.";
    /// The envelope names a sealing key that is unknown or retired.
    SealingKeyUnknown = "sealing_key_unknown", 400, InvalidRequest, Service, true,
        "The envelope names a sealing key that is not in use. Fetch boot data again and seal anew.";
    /// The number fails length or checksum.
    WrongCardNumber = "wrong_card_number", 422, PaymentMethod, Customer, false,
        "The card number is not valid.";
    /// The card's month has ended.
    CardExpired = "card_expired", 422, PaymentMethod, Customer, false,
        "The card has expired.";
    /// Not a month, or a year beyond the horizon.
    WrongExpiry = "wrong_expiry", 422, PaymentMethod, Customer, false,
        "The expiry date is not valid.";
    /// The security code's length does not suit the brand, or it is not digits.
    WrongCvv = "wrong_cvv", 422, PaymentMethod, Customer, false,
        "The security code is not valid.";
    /// A part of the card is missing, or present where the form type has none.
    WrongCardData = "wrong_card_data", 422, PaymentMethod, Merchant, false,
        "The card data does not fit the form type: a part is missing or should not be there.";
    /// The service cannot answer right now: it stops, or its store is out of reach.
    ServiceUnavailable = "service_unavailable", 503, Api, Service, true,
        "The service cannot answer right now. Try again shortly.";
    /// This build of the service holds no frame (the wasm was not built).
    WidgetAssetsMissing = "widget_assets_missing", 503, Api, Service, false,
        "This service was built without the widget's files. Build them with `cargo xtask web`.";
    /// A fault of ours. Nothing was stored, or an idempotent repeat returns what was.
    InternalError = "internal_error", 500, Api, Service, true,
        "The service failed. Repeat the request with the same idempotency key.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found_again() {
        for code in Code::ALL {
            assert_eq!(Code::from_name(code.as_str()), Some(*code));
        }
        assert_eq!(Code::from_name("no_such_code"), None);
    }

    #[test]
    fn statuses_are_errors_and_messages_are_sentences() {
        for code in Code::ALL {
            assert!((400..600).contains(&code.status()), "{code:?}");
            assert!(code.message().ends_with('.'), "{code:?}");
        }
    }
}
