use alloc::string::String;
use core::fmt;

use crate::base64;

/// The protected header: which key seals, and what the envelope is bound to. All of it is authenticated.
///
/// `S` is `String` where a header was read; who writes one may borrow its texts.
#[derive(Clone, PartialEq, Eq)]
pub struct Header<S = String> {
    /// Id of the vault's sealing key, 1 to 64 bytes.
    pub kid: S,
    /// The frame's one-time public key.
    pub epk: Point,
    /// What the envelope is bound to.
    pub claims: Claims<S>,
}

/// What an envelope is bound to. The vault compares every one of them with what the service knows.
#[derive(Clone, PartialEq, Eq)]
pub struct Claims<S = String> {
    /// The shop's widget key, 1 to 128 bytes.
    pub widget_key: S,
    /// Origin of the shop's page as `self.origin` writes it, 1 to 512 bytes.
    pub origin: S,
    /// The boot ticket, opaque to the frame, 1 to 1024 bytes.
    pub ticket: S,
    /// 128 random bits, new for every submit.
    pub nonce: [u8; 16],
    /// Seconds since 1970-01-01T00:00:00Z by the frame's clock.
    pub issued_at: u64,
    /// Kind of form, 1 to 32 bytes: `full_card` or `pan_only`.
    pub form: S,
}

/// A point of P-256 in affine coordinates, big-endian. Whether it lies on the curve is for the platform to check.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The x coordinate.
    pub x: [u8; 32],
    /// The y coordinate.
    pub y: [u8; 32],
}

impl Point {
    /// Reads the uncompressed form of SEC 1 §2.3.3: `04`, x, y. It is what WebCrypto exports as `raw`.
    pub fn from_uncompressed(bytes: &[u8]) -> Option<Self> {
        let (&FORM_UNCOMPRESSED, rest) = bytes.split_first()? else {
            return None;
        };
        let (x, y) = rest.split_first_chunk::<32>()?;
        Some(Self {
            x: *x,
            y: y.try_into().ok()?,
        })
    }

    /// Writes the uncompressed form.
    pub fn to_uncompressed(&self) -> [u8; 65] {
        let mut bytes = [0; 65];
        bytes[0] = FORM_UNCOMPRESSED;
        bytes[1..33].copy_from_slice(&self.x);
        bytes[33..].copy_from_slice(&self.y);
        bytes
    }
}

impl<S: AsRef<str>> Header<S> {
    /// The header as JSON. Written by hand: the frame has no room for a JSON library.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::with_capacity(1024);
        out.push_str(r#"{"alg":"ECDH-ES","enc":"A256GCM","typ":"card-widget+jwe","v":1,"kid":"#);
        push_string(&mut out, self.kid.as_ref());
        out.push_str(r#","epk":{"kty":"EC","crv":"P-256","x":""#);
        base64::push(&mut out, &self.epk.x);
        out.push_str(r#"","y":""#);
        base64::push(&mut out, &self.epk.y);
        out.push_str(r#""},"wk":"#);
        push_string(&mut out, self.claims.widget_key.as_ref());
        out.push_str(r#","origin":"#);
        push_string(&mut out, self.claims.origin.as_ref());
        out.push_str(r#","ticket":"#);
        push_string(&mut out, self.claims.ticket.as_ref());
        out.push_str(r#","nonce":""#);
        base64::push(&mut out, &self.claims.nonce);
        out.push_str(r#"","iat":"#);
        push_number(&mut out, self.claims.issued_at);
        out.push_str(r#","form":"#);
        push_string(&mut out, self.claims.form.as_ref());
        out.push('}');
        out
    }
}

/// A JSON string (RFC 8259 §7).
fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\0'..='\x1f' => {
                out.push_str(if c < '\x10' { r"\u000" } else { r"\u001" });
                out.push(char::from(b"0123456789abcdef"[c as usize & 15]));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// A decimal number without the weight of `core::fmt`.
fn push_number(out: &mut String, mut number: u64) {
    let mut digits = [0; 20]; // as many as u64::MAX has
    let mut first = digits.len();
    while first > 0 {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend(digits[first..].iter().map(|&digit| char::from(digit)));
}

// None of these prints its content: ticket and nonce are header values, and logs are read by many.

impl<S> fmt::Debug for Header<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Header").finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for Claims<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claims").finish_non_exhaustive()
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Point").finish_non_exhaustive()
    }
}

/// First byte of an uncompressed point, SEC 1 §2.3.3.
const FORM_UNCOMPRESSED: u8 = 4;

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    #[test]
    fn numbers() {
        for number in [0, 1, 9, 10, 1_790_000_000, u64::MAX] {
            let mut out = String::new();
            push_number(&mut out, number);
            assert_eq!(out, number.to_string());
        }
    }

    #[test]
    fn every_character_survives_a_json_parser() {
        let text: String = ('\0'..'\u{3000}').chain(['\u{2028}', '\u{fffd}', '😀']).collect();
        let mut out = String::new();
        push_string(&mut out, &text);
        assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        assert!(!out.chars().any(|c| c < ' '));
    }

    #[test]
    fn points_round_trip() {
        let point = Point {
            x: [1; 32],
            y: [2; 32],
        };
        assert_eq!(Point::from_uncompressed(&point.to_uncompressed()), Some(point));
        for (bytes, why) in [
            (&[][..], "empty"),
            (&[4; 64], "short"),
            (&[4; 66], "long"),
            (&[2; 65], "compressed"),
        ] {
            assert_eq!(Point::from_uncompressed(bytes), None, "{why}");
        }
    }

    #[test]
    fn debug_shows_no_value() {
        let claims: Claims = Claims {
            widget_key: "wk_secretish".into(),
            origin: "https://shop.example".into(),
            ticket: "ticket".into(),
            nonce: [7; 16],
            issued_at: 5,
            form: "full_card".into(),
        };
        let header: Header = Header {
            kid: "kid".into(),
            epk: Point {
                x: [1; 32],
                y: [2; 32],
            },
            claims,
        };
        assert_eq!(
            format!("{header:?} {:?} {:?}", header.claims, header.epk),
            "Header { .. } Claims { .. } Point { .. }"
        );
    }
}
