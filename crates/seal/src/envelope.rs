use alloc::vec::Vec;
use core::fmt;

use crate::{Claims, EnvelopeError, Header, Point, base64};

mod json;

/// An envelope as it arrived: well-formed, of the pinned profile, still sealed.
pub struct Envelope {
    header: Header,
    aad: Vec<u8>,
    iv: [u8; 12],
    ciphertext: Vec<u8>,
    tag: [u8; 16],
}

impl Envelope {
    /// Reads a compact envelope. Strict: there is one way to write each part, and no member of the header is optional.
    pub fn parse(compact: &str) -> Result<Self, EnvelopeError> {
        if compact.len() > EnvelopeError::MAX_LEN {
            return Err(EnvelopeError::TooLong);
        }
        let mut parts = compact.split('.');
        let mut next = || parts.next().ok_or(EnvelopeError::WrongParts);
        let (header, key, iv, ciphertext, tag) = (next()?, next()?, next()?, next()?, next()?);
        if parts.next().is_some() || !key.is_empty() {
            return Err(EnvelopeError::WrongParts);
        }
        if header.len() > MAX_HEADER || ciphertext.len() > MAX_CIPHERTEXT {
            return Err(EnvelopeError::TooLong);
        }
        let iv = base64::read(iv).ok_or(EnvelopeError::WrongEncoding)?;
        let ciphertext = base64::read_vec(ciphertext).ok_or(EnvelopeError::WrongEncoding)?;
        let tag = base64::read(tag).ok_or(EnvelopeError::WrongEncoding)?;
        let json = base64::read_vec(header).ok_or(EnvelopeError::WrongEncoding)?;
        Ok(Self {
            header: read_header(&json)?,
            aad: header.as_bytes().to_vec(),
            iv,
            ciphertext,
            tag,
        })
    }

    /// The header. Nothing in it is to be believed before the tag has been checked.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Associated data for the cipher: the encoded header exactly as it arrived.
    pub fn aad(&self) -> &[u8] {
        &self.aad
    }

    /// The initialization vector.
    pub fn iv(&self) -> &[u8; 12] {
        &self.iv
    }

    /// The encrypted content, at most 768 bytes.
    pub fn ciphertext(&self) -> &[u8] {
        &self.ciphertext
    }

    /// The authentication tag.
    pub fn tag(&self) -> &[u8; 16] {
        &self.tag
    }
}

impl fmt::Debug for Envelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Envelope").finish_non_exhaustive()
    }
}

fn read_header(json: &[u8]) -> Result<Header, EnvelopeError> {
    let json::Object(raw) = serde_json::from_slice::<json::Object<json::RawHeader>>(json)
        .map_err(|_| EnvelopeError::WrongHeader)?;
    let json::Object(epk) = raw.epk;
    let profile = raw.alg == "ECDH-ES"
        && raw.enc == "A256GCM"
        && raw.typ == "card-widget+jwe"
        && raw.v == 1
        && epk.kty == "EC"
        && epk.crv == "P-256";
    if !profile {
        return Err(EnvelopeError::UnsupportedProfile);
    }
    let bounded = [
        (&raw.kid, 64),
        (&raw.wk, 128),
        (&raw.origin, 512),
        (&raw.ticket, 1024),
        (&raw.form, 32),
    ];
    if bounded
        .iter()
        .any(|(text, most)| text.is_empty() || text.len() > *most)
    {
        return Err(EnvelopeError::WrongHeader);
    }
    let x = base64::read(&epk.x).ok_or(EnvelopeError::WrongHeader)?;
    let y = base64::read(&epk.y).ok_or(EnvelopeError::WrongHeader)?;
    let nonce = base64::read(&raw.nonce).ok_or(EnvelopeError::WrongHeader)?;
    Ok(Header {
        kid: raw.kid,
        epk: Point { x, y },
        claims: Claims {
            widget_key: raw.wk,
            origin: raw.origin,
            ticket: raw.ticket,
            nonce,
            issued_at: raw.iat,
            form: raw.form,
        },
    })
}

/// Longest encoded header, in characters. The bounds of its members add up to less than this.
const MAX_HEADER: usize = 4096;
/// Longest encoded ciphertext, in characters. A card is about 100.
const MAX_CIPHERTEXT: usize = 1024;
