//! Whoever wants to know how many different cards come, without learning which.

use std::net::IpAddr;

/// Asked about each valid card before it is stored, on the thread of the caller.
pub trait Watch: Send + Sync {
    /// Lets the card pass, or refuses it for so many seconds.
    fn see(&self, seen: &Seen<'_>) -> Result<(), TooManyCards>;
}

/// A card that was opened and is valid.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The widget key.
    pub widget_key: &'a str,
    /// Whether it is live.
    pub live: bool,
    /// Whose request it is.
    pub address: IpAddr,
    /// MAC of the number, cut to 64 bits, under a key that is made when the vault is opened and never leaves it. Equal
    /// numbers have equal ones until the vault is closed; nobody can find a number by trying.
    pub fingerprint: u64,
    /// Seconds since 1970.
    pub now: u64,
}

/// One card too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyCards {
    /// How many there may be.
    pub limit: u32,
    /// Seconds until the next one may come.
    pub wait: u64,
}
