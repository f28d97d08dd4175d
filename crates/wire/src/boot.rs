//! What a frame is told when it starts.

use alloc::string::String;
use serde::{Deserialize, Serialize};

/// Path on which a frame renews its boot data: the query holds `key` and `origin`.
pub const PATH: &str = "/widget/v1/boot";

/// Life of a ticket, in seconds.
pub const TICKET_LIFE: u64 = 3600;

/// Everything an envelope needs besides the card. Part of the frame's HTML; renewed by `GET /widget/v1/boot`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boot {
    /// Widget key.
    pub key: String,
    /// The shop's origin, as its browser will enforce it through `frame-ancestors`.
    pub origin: String,
    /// Opaque MAC over key, origin and time; good for [`TICKET_LIFE`] seconds.
    pub ticket: String,
    /// Key to seal for.
    pub sealing_key: SealingKey,
    /// The service's clock when this was made, in seconds since 1970-01-01T00:00:00Z. The device's clock may be wrong.
    pub now: u64,
    /// False in the sandbox: the form says that it is in test mode.
    pub live: bool,
}

/// A public P-256 key, coordinates as in RFC 7518 §6.2.1: base64url, 32 bytes each, without padding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealingKey {
    /// Key id, sent back in the envelope's header.
    pub kid: String,
    /// X coordinate.
    pub x: String,
    /// Y coordinate.
    pub y: String,
}
