use core::fmt;

/// Why an envelope cannot be written or read. It never holds a part of the envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// Longer than [`MAX_LEN`](EnvelopeError::MAX_LEN), or one part longer than its own bound.
    TooLong,
    /// Not five parts of which the second is empty (`ECDH-ES` has no encrypted key, RFC 7518 §4.6).
    WrongParts,
    /// A part is not canonical base64url without padding, or is not as long as its content must be.
    WrongEncoding,
    /// The header is not JSON, or lacks a member, or has one twice, unknown, of another type or out of bounds.
    WrongHeader,
    /// The header is well-formed but names another profile: algorithm, curve, type or version.
    UnsupportedProfile,
    /// What the platform encrypted is shorter than its own tag.
    MissingTag,
}

impl EnvelopeError {
    /// The longest envelope that is read, in bytes of its compact form. A real one has about 800.
    pub const MAX_LEN: usize = 6 * 1024;
}

impl fmt::Display for EnvelopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the envelope is longer than allowed",
            Self::WrongParts => "the envelope does not have the five parts of a compact JWE",
            Self::WrongEncoding => "a part of the envelope is not canonical base64url",
            Self::WrongHeader => "the header of the envelope is not what the profile asks for",
            Self::UnsupportedProfile => "the envelope uses another profile",
            Self::MissingTag => "the encrypted content is shorter than its tag",
        })
    }
}

impl core::error::Error for EnvelopeError {}
