//! Hashes and compression of what is served.

use anyhow::Result;
use base64ct::{Base64, Encoding};
use brotli::enc::BrotliEncoderParams;
use brotli::enc::backward_references::BrotliEncoderMode::{
    BROTLI_MODE_FONT, BROTLI_MODE_GENERIC, BROTLI_MODE_TEXT,
};
use sha2::{Digest, Sha384};

/// Subresource integrity value: `sha384-` and base64, as `integrity="…"` wants it (W3C SRI §3.1).
pub(crate) fn integrity(bytes: &[u8]) -> String {
    format!("sha384-{}", Base64::encode_string(&Sha384::digest(bytes)))
}

/// Eight hex digits of the content's hash, for names that never change their content.
pub(crate) fn short_hash(bytes: &[u8]) -> String {
    Sha384::digest(bytes)
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// brotli at quality 11 with the largest ordinary window, in the mode that makes least of it: what every size here is
/// measured in.
pub(crate) fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut least: Option<Vec<u8>> = None;
    for mode in [BROTLI_MODE_GENERIC, BROTLI_MODE_TEXT, BROTLI_MODE_FONT] {
        let params = BrotliEncoderParams {
            quality: 11,
            lgwin: 22,
            mode,
            size_hint: bytes.len(),
            ..BrotliEncoderParams::default()
        };
        let mut packed = Vec::new();
        brotli::BrotliCompress(&mut &*bytes, &mut packed, &params)?;
        if least.as_ref().is_none_or(|least| packed.len() < least.len()) {
            least = Some(packed);
        }
    }
    Ok(least.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrity_is_what_browsers_expect() {
        // SHA-384 of the empty message, FIPS 180-4 test value.
        let empty = "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb";
        assert_eq!(integrity(b""), empty);
    }

    #[test]
    fn brotli_can_be_read_back() {
        let text = b"a text, a text, a text".repeat(20);
        let packed = brotli(&text).expect("packs");
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut packed.as_slice(), &mut read).expect("unpacks");
        assert!(packed.len() < text.len());
        assert_eq!(read, text);
    }
}
