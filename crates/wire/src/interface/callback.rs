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
