//! Boot tickets: proof that this service served a frame for a widget key and an origin, and when.
//!
//! A ticket is `base64url(version ‖ time ‖ MAC)`. The MAC covers the key and the origin too, but they are not inside: an
//! envelope names them beside the ticket. Making one writes nothing, so any instance with the same key accepts it.

use aws_lc_rs::hmac;
use base64ct::{Base64UrlUnpadded, Encoding};

/// Makes and checks tickets.
pub struct Tickets {
    key: hmac::Key,
}

impl Tickets {
    /// With the MAC key that the vault keeps, 32 bytes.
    pub fn new(key: &[u8]) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
        }
    }

    /// A ticket for a frame of `widget_key` inside a page of `origin`, made at `now` (seconds since 1970).
    pub fn make(&self, widget_key: &str, origin: &str, now: u64) -> String {
        let mac = hmac::sign(&self.key, &message(widget_key, origin, now));
        let mut ticket = [0; LENGTH];
        ticket[0] = VERSION;
        ticket[1..9].copy_from_slice(&now.to_be_bytes());
        ticket[9..].copy_from_slice(mac.as_ref());
        Base64UrlUnpadded::encode_string(&ticket)
    }

    /// When `ticket` was made, if it is ours, of this key and this origin, at `now` not older than
    /// [`wire::boot::TICKET_LIFE`] and not from the future, which a clock that was set back makes of it.
    pub fn check(
        &self,
        ticket: &str,
        widget_key: &str,
        origin: &str,
        now: u64,
    ) -> Result<Ticket, TicketError> {
        let mut bytes = [0; LENGTH];
        let decoded = Base64UrlUnpadded::decode(ticket, &mut bytes).map_err(|_| TicketError::Foreign)?;
        if decoded.len() != LENGTH || decoded[0] != VERSION {
            return Err(TicketError::Foreign);
        }
        let (time, mac) = bytes[1..].split_first_chunk::<8>().ok_or(TicketError::Foreign)?;
        let made_at = u64::from_be_bytes(*time);
        // In constant time, and before the time is looked at: only our own times are believed.
        hmac::verify(&self.key, &message(widget_key, origin, made_at), mac)
            .map_err(|_| TicketError::Foreign)?;
        let ticket = Ticket { made_at };
        if now >= ticket.expires_at() || made_at > now.saturating_add(CLOCK_SKEW) {
            return Err(TicketError::Expired);
        }
        Ok(ticket)
    }
}

/// A ticket that has been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub made_at: u64,
}

impl Ticket {
    /// First second in which it is no longer good. Until then the vault remembers its nonces.
    pub const fn expires_at(self) -> u64 {
        self.made_at.saturating_add(wire::boot::TICKET_LIFE)
    }
}

/// Why a ticket is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TicketError {
    /// Not made by us, or for another key or origin: the MAC cannot tell which.
    #[error("the ticket is not ours or belongs to another key or origin")]
    Foreign,
    /// Ours, but older than an hour, or from a time that has not come: another one is to be fetched.
    #[error("the ticket has expired")]
    Expired,
}

/// What the MAC covers. Lengths stand before the texts, so that no two pairs make the same message.
fn message(widget_key: &str, origin: &str, time: u64) -> Vec<u8> {
    let mut message = Vec::with_capacity(64 + widget_key.len() + origin.len());
    message.extend_from_slice(b"card-widget ticket");
    message.push(VERSION);
    message.extend_from_slice(&time.to_be_bytes());
    for text in [widget_key, origin] {
        message.extend_from_slice(&(text.len() as u64).to_be_bytes());
        message.extend_from_slice(text.as_bytes());
    }
    message
}

/// How far the clocks of two instances may differ, in seconds.
const CLOCK_SKEW: u64 = 300;

/// First byte of every ticket.
const VERSION: u8 = 1;

/// Version, time, HMAC-SHA256.
const LENGTH: usize = 1 + 8 + 32;

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_790_000_000;
    const KEY: &str = "wk_sandbox";
    const ORIGIN: &str = "https://shop.example";

    #[test]
    fn good_for_an_hour() {
        let tickets = Tickets::new(&[7; 32]);
        let ticket = tickets.make(KEY, ORIGIN, NOW);
        for (age, expected) in [
            (0, Ok(Ticket { made_at: NOW })),
            (3599, Ok(Ticket { made_at: NOW })),
            (3600, Err(TicketError::Expired)),
        ] {
            assert_eq!(tickets.check(&ticket, KEY, ORIGIN, NOW + age), expected, "{age}");
        }
        // The clock was set back: such a ticket would be good for longer than an hour.
        for (ahead, expected) in [
            (300, Ok(Ticket { made_at: NOW })),
            (301, Err(TicketError::Expired)),
        ] {
            assert_eq!(
                tickets.check(&ticket, KEY, ORIGIN, NOW - ahead),
                expected,
                "{ahead}"
            );
        }
    }

    #[test]
    fn of_one_key_and_one_origin() {
        let tickets = Tickets::new(&[7; 32]);
        let ticket = tickets.make(KEY, ORIGIN, NOW);
        for (key, origin) in [
            ("wk_other", ORIGIN),
            (KEY, "https://other.example"),
            ("wk_sandboxh", "ttps://shop.example"),
        ] {
            assert_eq!(
                tickets.check(&ticket, key, origin, NOW),
                Err(TicketError::Foreign)
            );
        }
        assert_eq!(
            Tickets::new(&[8; 32]).check(&ticket, KEY, ORIGIN, NOW),
            Err(TicketError::Foreign)
        );
    }

    #[test]
    fn any_change_is_noticed() {
        let tickets = Tickets::new(&[7; 32]);
        let ticket = tickets.make(KEY, ORIGIN, NOW);
        for at in 0..ticket.len() {
            let mut altered = ticket.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert_eq!(
                tickets.check(&altered, KEY, ORIGIN, NOW),
                Err(TicketError::Foreign),
                "{at}"
            );
        }
        for text in [
            "",
            "A",
            &ticket[1..],
            &format!("{ticket}A"),
            &format!("{ticket}=="),
            "ключ",
        ] {
            assert_eq!(tickets.check(text, KEY, ORIGIN, NOW), Err(TicketError::Foreign));
        }
    }
}
