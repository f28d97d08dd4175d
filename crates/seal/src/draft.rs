use alloc::string::String;
use core::fmt;

use crate::{EnvelopeError, Header, base64};

/// An envelope on its way: the header is fixed, the content not yet encrypted.
pub struct Draft {
    compact: String,
}

impl Draft {
    /// Fixes the header.
    pub fn new<S: AsRef<str>>(header: &Header<S>) -> Self {
        let json = header.to_json();
        // Header, iv, a card's ciphertext and tag: one allocation.
        let mut compact = String::with_capacity(json.len() / 3 * 4 + 256);
        base64::push(&mut compact, json.as_bytes());
        Self { compact }
    }

    /// Associated data for the cipher: the ASCII bytes of the encoded header (RFC 7516 §5.1 step 14).
    pub fn aad(&self) -> &[u8] {
        self.compact.as_bytes()
    }

    /// Joins the parts. `ciphertext_and_tag` is what WebCrypto returns: the ciphertext with its 16-byte tag behind it.
    ///
    /// Fails only with [`EnvelopeError::MissingTag`], when there are fewer than 16 bytes.
    pub fn finish(mut self, iv: &[u8; 12], ciphertext_and_tag: &[u8]) -> Result<String, EnvelopeError> {
        let (ciphertext, tag) = ciphertext_and_tag
            .split_last_chunk::<16>()
            .ok_or(EnvelopeError::MissingTag)?;
        self.compact.push_str(".."); // between them the encrypted key, which direct agreement does not have
        base64::push(&mut self.compact, iv);
        self.compact.push('.');
        base64::push(&mut self.compact, ciphertext);
        self.compact.push('.');
        base64::push(&mut self.compact, tag);
        Ok(self.compact)
    }
}

impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Claims, Point};

    #[test]
    fn a_missing_tag_is_an_error() {
        let header: Header = Header {
            kid: "k".into(),
            epk: Point {
                x: [0; 32],
                y: [0; 32],
            },
            claims: Claims {
                widget_key: "w".into(),
                origin: "o".into(),
                ticket: "t".into(),
                nonce: [0; 16],
                issued_at: 0,
                form: "f".into(),
            },
        };
        assert_eq!(
            Draft::new(&header).finish(&[0; 12], &[0; 15]),
            Err(EnvelopeError::MissingTag)
        );
        assert!(Draft::new(&header).finish(&[0; 12], &[0; 16]).is_ok());
    }
}
