//! Callbacks: how one is signed, and what became of it.

use alloc::string::String;
use alloc::vec::Vec;

use base64ct::{Base64Url, Encoding};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};

use super::words::closed;

/// Header of a callback that holds its signature.
pub const SIGNATURE: &str = "X-SERVICE-SIGNATURE";

/// Signature of a callback: base64url(SHA-1(password + base64url(body) + password)), with padding (service interface, Authentication,
/// 5). The password is taken as it is, spaces included.
pub fn signature(password: &[u8], body: &[u8]) -> String {
    let digest = Sha1::new()
        .chain_update(password)
        .chain_update(Base64Url::encode_string(body))
        .chain_update(password)
        .finalize();
    Base64Url::encode_string(&digest)
}

/// What a callback tells of, by the members that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An operation of a payment.
    Payment,
    /// An operation of an order of a basket.
    BasketOrder,
    /// A card that was added to a customer's.
    Card,
    /// An operation of an installment order.
    Installment,
    /// A payout.
    Payout,
    /// A subscription.
    Subscription,
    /// Something that a later version of the service tells.
    Other,
}

impl Kind {
    /// The kind of a body, and a key that is equal for deliveries of the same news and for nothing else. `at` finds the text of a member by
    /// its dotted path, without quotes; nothing where it is absent or `null`.
    pub fn and_key<T: AsRef<str>>(body: &[u8], at: impl Fn(&str) -> Option<T>) -> (Self, String) {
        let has = |path: &str| at(path).is_some();
        let kind = if has("subscription_id") && has("event") {
            Self::Subscription
        } else if has("payout_type") {
            Self::Payout
        } else if at("operation").is_some_and(|operation| operation.as_ref() == super::saved::OPERATION) {
            Self::Card
        } else if has("details.parts_count") {
            Self::Installment
        } else if has("batch_external_id") {
            Self::BasketOrder
        } else if has("external_id") && has("is_success") {
            Self::Payment
        } else {
            Self::Other
        };
        let mut key = String::from(kind.as_str());
        if kind == Self::Other {
            // Its own signature, in a way: without a password it is a digest of the body.
            key.extend([":", &signature(b"", body)]);
        }
        for part in kind.parts() {
            let text = at(part);
            key.extend([":", text.as_ref().map_or("-", AsRef::as_ref)]);
        }
        (kind, key)
    }

    /// The word that keys begin with.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::BasketOrder => "basket_order",
            Self::Card => "card",
            Self::Installment => "installment",
            Self::Payout => "payout",
            Self::Subscription => "subscription",
            Self::Other => "other",
        }
    }

    /// What tells one piece of news from another: operations apart, and apart how each stands.
    const fn parts(self) -> &'static [&'static str] {
        match self {
            Self::Payment | Self::BasketOrder | Self::Installment => {
                &["id", "details.operation_id", "details.status"]
            }
            Self::Card => &["customer.external_id", "created_at", "status"],
            Self::Payout => &["id", "status", "status_code"],
            Self::Subscription => &[
                "subscription_id",
                "event",
                "payment.id",
                "payment.status",
                "subscription.next_payment_date",
            ],
            Self::Other => &[],
        }
    }
}

/// A callback as the journal has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct JournalEntry {
    /// The id of what it tells of: 18 decimal digits.
    pub id: String,
    /// What that is.
    pub resource: Resource,
    /// Which of its callbacks this is, counted from 1. They are sent in this order.
    pub seq: u64,
    /// The shop's number of the order.
    pub external_id: String,
    /// Which operation it tells of; of a subscription, which event.
    pub operation: String,
    /// Where it goes.
    pub url: String,
    /// What is sent, to the byte.
    pub body: String,
    /// How it stands.
    pub state: CallbackState,
    /// When it was written.
    pub created_at: Timestamp,
    /// What has been tried so far, oldest first.
    pub attempts: Vec<Attempt>,
}

/// One attempt to deliver a callback.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Attempt {
    /// When it ended.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// The HTTP status that came back. 200 alone means that the callback was delivered.
    pub status: Option<u16>,
    /// Why none came back.
    pub error: Option<String>,
    /// The signature that was sent.
    pub signature: String,
}

closed! {
    /// What a callback tells of.
    Resource {
        /// A payment, or a card that was added.
        Payment = "payment",
        /// A payout.
        Payout = "payout",
        /// An installment order.
        Installment = "installment",
        /// A subscription.
        Subscription = "subscription",
    }
}

closed! {
    /// How a callback stands.
    CallbackState {
        /// It is to be sent, for the first time or again.
        Waiting = "waiting",
        /// It was answered with 200.
        Delivered = "delivered",
        /// Nobody took it within three days.
        GivenUp = "given_up",
    }
}

/// What shops are told to write.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/callbacks.md")]
struct ForShops;

/// What they are told first.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guides/callbacks.md")]
struct Guide;
