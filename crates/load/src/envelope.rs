//! Envelopes as the frame makes them, with a native library in the place of WebCrypto.

use anyhow::{Context as _, Result, anyhow};
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use aws_lc_rs::digest::{Digest, SHA256, digest};
use aws_lc_rs::rand::{self, SystemRandom};
use base64ct::{Base64UrlUnpadded, Encoding};
use seal::{Claims, Draft, Header, Point, kdf};
use wire::boot::{Boot, SealingKey};

/// Seals `payload`, what a `full_card` form holds, for the key of `boot`: a one-time key pair, an agreement and one
/// encryption, as in a browser. The envelope says that it was made at `now`, in seconds since 1970.
pub fn seal(boot: &Boot, payload: &[u8], now: u64) -> Result<String> {
    let key = &boot.sealing_key;
    let claims = Claims {
        widget_key: boot.key.as_str(),
        origin: boot.origin.as_str(),
        ticket: boot.ticket.as_str(),
        nonce: random()?,
        issued_at: now,
        form: "full_card",
    };
    Sealer::new(&key.kid, point(key)?)?.seal(claims, payload)
}

/// A one-time key pair that has agreed with the vault's. One that seals more than once saves a browser's work, not the
/// vault's.
pub struct Sealer {
    kid: String,
    one_time: Point,
    key: LessSafeKey,
}

impl Sealer {
    /// Makes a key pair and agrees with the vault's key of that id.
    pub fn new(kid: &str, vault: Point) -> Result<Self> {
        let one_time = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())
            .context("no one-time key pair")?;
        let public = one_time.compute_public_key().context("no one-time public key")?;
        let public =
            Point::from_uncompressed(public.as_ref()).context("the one-time public key is no point")?;
        let vault = UnparsedPublicKey::new(&ECDH_P256, vault.to_uncompressed());
        let failed = || anyhow!("the agreement failed");
        let key: Digest = agree_ephemeral(one_time, vault, failed(), |agreed| {
            let agreed = agreed.try_into().map_err(|_| failed())?;
            Ok(digest(&SHA256, &kdf::content_key_input(agreed)[..]))
        })?;
        let key = LessSafeKey::new(
            UnboundKey::new(&AES_256_GCM, key.as_ref()).context("the key has another size")?,
        );
        Ok(Self {
            kid: kid.to_owned(),
            one_time: public,
            key,
        })
    }

    /// One encryption.
    pub fn seal(&self, claims: Claims<&str>, payload: &[u8]) -> Result<String> {
        let draft = Draft::new(&Header {
            kid: self.kid.as_str(),
            epk: self.one_time,
            claims,
        });
        let iv: [u8; 12] = random()?;
        let mut sealed = payload.to_vec();
        self.key
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(iv),
                Aad::from(draft.aad()),
                &mut sealed,
            )
            .context("the encryption failed")?;
        Ok(draft.finish(&iv, &sealed)?)
    }
}

/// Random bytes.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).context("no random bytes could be had")?;
    Ok(bytes)
}

fn point(key: &SealingKey) -> Result<Point> {
    let coordinate = |text: &str| {
        let bytes = Base64UrlUnpadded::decode_vec(text).ok()?;
        bytes.try_into().ok()
    };
    let read = || {
        Some(Point {
            x: coordinate(&key.x)?,
            y: coordinate(&key.y)?,
        })
    };
    read().context("the sealing key of the boot data cannot be read")
}
