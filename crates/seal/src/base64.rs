//! base64url without padding (RFC 7515 §2), the only encoding inside an envelope.

use alloc::string::String;

#[cfg(feature = "open")]
use base64ct::{Base64UrlUnpadded, Encoding};

/// Appends `bytes` to `out`. Written by hand because it runs in the frame, where the library's constant-time encoder
/// costs a kilobyte; what is encoded there is public.
pub(crate) fn push(out: &mut String, bytes: &[u8]) {
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            let index = bits >> (18 - 6 * place) & 63;
            out.push(char::from(ALPHABET[index as usize]));
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

/// RFC 4648 §5.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

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
