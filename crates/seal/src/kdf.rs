//! Concat KDF as RFC 7518 §4.6.2 uses it: what to hash to get a key from an agreed secret.

use alloc::vec::Vec;

use zeroize::Zeroizing;

/// The SHA-256 input whose hash is the content encryption key of the pinned profile.
///
/// `agreed` is the x coordinate of the ECDH result, big-endian. SHA-256 gives 256 bits and A256GCM wants 256, so one
/// round is all there is: counter 1, `agreed`, other info.
pub fn content_key_input(agreed: &[u8; 32]) -> Zeroizing<[u8; 59]> {
    let mut input = Zeroizing::new([0; 59]);
    input[3] = 1;
    input[4..36].copy_from_slice(agreed);
    input[36..].copy_from_slice(&PROFILE_INFO);
    input
}

/// The same for any key of up to 256 bits: `algorithm`, the two parties and the key's length in bits make the other
/// info. The profile never needs it; the published vectors do.
pub fn input(agreed: &[u8], algorithm: &[u8], apu: &[u8], apv: &[u8], bits: u32) -> Zeroizing<Vec<u8>> {
    let info = other_info(algorithm, apu, apv, bits);
    // Sized at once: a growing vector would leave copies of the secret behind.
    let mut input = Zeroizing::new(Vec::with_capacity(4 + agreed.len() + info.len()));
    input.extend_from_slice(&1u32.to_be_bytes());
    input.extend_from_slice(agreed);
    input.extend_from_slice(&info);
    input
}

/// OtherInfo of RFC 7518 §4.6.2: algorithm, PartyUInfo and PartyVInfo, each after its 32-bit length, then the key's
/// length in bits as SuppPubInfo. SuppPrivInfo is empty.
pub fn other_info(algorithm: &[u8], apu: &[u8], apv: &[u8], bits: u32) -> Vec<u8> {
    let mut info = Vec::with_capacity(16 + algorithm.len() + apu.len() + apv.len());
    for part in [algorithm, apu, apv] {
        // Callers pass names of a few bytes, far below 2^32.
        info.extend_from_slice(&(part.len() as u32).to_be_bytes());
        info.extend_from_slice(part);
    }
    info.extend_from_slice(&bits.to_be_bytes());
    info
}

/// `other_info(b"A256GCM", b"", b"", 256)`, spelled out.
const PROFILE_INFO: [u8; 23] = *b"\0\0\0\x07A256GCM\0\0\0\0\0\0\0\0\0\0\x01\0";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_the_general_form_with_its_names() {
        assert_eq!(other_info(b"A256GCM", b"", b"", 256), PROFILE_INFO);
        assert_eq!(
            *content_key_input(&[9; 32]),
            **input(&[9; 32], b"A256GCM", b"", b"", 256)
        );
    }
}
