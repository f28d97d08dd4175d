//! base64url without padding (RFC 7515 §2), the only encoding inside an envelope.

use alloc::string::String;

use base64ct::{Base64UrlUnpadded, Encoding};

/// Appends `bytes` to `out`. Works in blocks on the stack, so that it needs no allocation of its own.
pub(crate) fn push(out: &mut String, bytes: &[u8]) {
    let mut text = [0; BLOCK / 3 * 4];
    for block in bytes.chunks(BLOCK) {
        // Cannot fail: the text of a block, whole or not, fits into the buffer.
        if let Ok(text) = Base64UrlUnpadded::encode(block, &mut text) {
            out.push_str(text);
        }
    }
}

/// Reads exactly `N` bytes; `None` on another length, another alphabet, padding, or left-over bits that are not zero.
#[cfg(feature = "open")]
pub(crate) fn read<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let length = Base64UrlUnpadded::decode(text, &mut bytes).ok()?.len();
    (length == N).then_some(bytes)
}

/// Reads any number of bytes, as strictly as [`read`].
#[cfg(feature = "open")]
pub(crate) fn read_vec(text: &str) -> Option<alloc::vec::Vec<u8>> {
    Base64UrlUnpadded::decode_vec(text).ok()
}

/// A multiple of three, so that blocks join without left-over bits between them.
const BLOCK: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_join_as_if_encoded_at_once() {
        let bytes: [u8; 200] = core::array::from_fn(|i| (i * 37) as u8);
        for length in 0..bytes.len() {
            let mut text = String::new();
            push(&mut text, &bytes[..length]);
            assert_eq!(
                text,
                Base64UrlUnpadded::encode_string(&bytes[..length]),
                "{length} bytes"
            );
        }
    }

    #[test]
    #[cfg(feature = "open")]
    fn reads_only_the_canonical_form() {
        assert_eq!(read::<1>("_w"), Some([255]));
        for (text, why) in [
            ("_x", "left-over bits"),
            ("_w==", "padding"),
            ("/w", "standard alphabet"),
            (" _w", "space"),
            ("_", "half a byte"),
            ("", "too short"),
            ("__8", "too long"),
        ] {
            assert_eq!(read::<1>(text), None, "{why}");
        }
        assert_eq!(read_vec("_x"), None);
        assert_eq!(read_vec(""), Some(alloc::vec![]));
    }
}
