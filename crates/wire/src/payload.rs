//! The plaintext inside an envelope.
//!
//! The frame writes it by hand into one buffer of fixed size, so that nothing of it is left behind by a growing
//! allocation; the vault reads it with serde.

use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use alloc::string::String;

/// Most bytes a payload can take: the longest member values and their names.
pub const PAYLOAD_LIMIT: usize = 96;

/// `{"number":"…","exp_month":1,"exp_year":2029,"cvv":"…"}`; a `pan_only` form sends the number alone.
///
/// Digits only; nothing is checked here beyond the shape. Wiped on drop, redacted when printed.
#[derive(Deserialize, Zeroize, ZeroizeOnDrop)]
#[serde(deny_unknown_fields)]
pub struct CardPayload {
    /// Card number.
    pub number: String,
    /// Month, 1 to 12.
    #[serde(default)]
    pub exp_month: Option<u8>,
    /// Year, four digits.
    #[serde(default)]
    pub exp_year: Option<u16>,
    /// Security code.
    #[serde(default)]
    pub cvv: Option<String>,
}

impl CardPayload {
    /// Writes a payload from digits that have been checked.
    pub fn write(number: &str, expiry: Option<(u8, u16)>, code: Option<&str>) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(Vec::with_capacity(PAYLOAD_LIMIT));
        let mut put = |part: &str| out.extend_from_slice(part.as_bytes());
        put("{\"number\":\"");
        put(number);
        put("\"");
        if let Some((month, year)) = expiry {
            put(",\"exp_month\":");
            put_decimal(&mut put, u16::from(month));
            put(",\"exp_year\":");
            put_decimal(&mut put, year);
        }
        if let Some(code) = code {
            put(",\"cvv\":\"");
            put(code);
            put("\"");
        }
        put("}");
        out
    }
}

impl fmt::Debug for CardPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CardPayload(..)")
    }
}

/// Writes a number below 10,000 in decimal, without the formatting machinery.
fn put_decimal(put: &mut impl FnMut(&str), value: u16) {
    const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let mut divisor = 1000;
    let mut leading = true;
    while divisor > 0 {
        let digit = usize::from(value / divisor % 10);
        leading &= digit == 0 && divisor > 1;
        if !leading {
            put(DIGITS[digit]);
        }
        divisor /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn what_is_written_is_read() {
        let bytes = CardPayload::write("4242424242424242", Some((1, 2029)), Some("123"));
        assert!(bytes.len() <= PAYLOAD_LIMIT);
        let payload: CardPayload = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(payload.number, "4242424242424242");
        assert_eq!((payload.exp_month, payload.exp_year), (Some(1), Some(2029)));
        assert_eq!(payload.cvv.as_deref(), Some("123"));
    }

    #[test]
    fn a_number_alone_has_one_member() {
        let bytes = CardPayload::write("4242424242424242", None, None);
        assert_eq!(&bytes[..], br#"{"number":"4242424242424242"}"#);
    }

    #[test]
    fn the_longest_payload_does_not_grow_its_buffer() {
        let bytes = CardPayload::write("1234567890123456789", Some((12, 2046)), Some("1234"));
        assert!(bytes.len() <= PAYLOAD_LIMIT, "{}", bytes.len());
    }

    #[test]
    fn surplus_members_are_refused_and_nothing_is_printed() {
        assert!(serde_json::from_str::<CardPayload>(r#"{"number":"1","pin":"1234"}"#).is_err());
        let payload: CardPayload = serde_json::from_str(r#"{"number":"4242424242424242"}"#).unwrap();
        assert_eq!(format!("{payload:?}"), "CardPayload(..)");
    }
}
