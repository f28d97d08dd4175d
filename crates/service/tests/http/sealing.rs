//! Envelopes as the frame makes them, with a native library in the place of WebCrypto.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::{self, SystemRandom};
use base64ct::{Base64UrlUnpadded, Encoding};
use seal::{Claims, Draft, Header, Point, kdf};
use wire::boot::{Boot, SealingKey};
use wire::payload::CardPayload;

/// A public test number.
pub(crate) const VISA: &str = "4242424242424242";

/// What stands for a real card, where a live key wants one. Nobody's: it begins with 9 and 999, which ISO 3166-1 gives
/// to no country, so that no issuer can have the range.
pub(crate) const REAL: &str = "9999000000123459";

/// A card that is good until the end of 2028.
pub(crate) fn full_card() -> Vec<u8> {
    CardPayload::write(VISA, Some((12, 2028)), Some("123")).to_vec()
}

/// A number alone.
pub(crate) fn pan_only() -> Vec<u8> {
    CardPayload::write(VISA, None, None).to_vec()
}

/// Seals `payload` for a `full_card` form.
pub(crate) fn seal(boot: &Boot, payload: &[u8]) -> String {
    seal_with(boot, payload, |_| {})
}

/// Seals `payload` under a header that `change` may have made wrong.
pub(crate) fn seal_with(boot: &Boot, payload: &[u8], change: impl FnOnce(&mut Header)) -> String {
    let secret = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
    let mut header = Header {
        kid: boot.sealing_key.kid.clone(),
        epk: Point::from_uncompressed(secret.compute_public_key().unwrap().as_ref()).unwrap(),
        claims: Claims {
            widget_key: boot.key.clone(),
            origin: boot.origin.clone(),
            ticket: boot.ticket.clone(),
            nonce: random(),
            issued_at: boot.now,
            form: "full_card".into(),
        },
    };
    change(&mut header);
    let draft = Draft::new(&header);

    let vault = UnparsedPublicKey::new(&ECDH_P256, point(&boot.sealing_key).to_uncompressed());
    let key = agree_ephemeral(secret, vault, (), |agreed| {
        let input = kdf::content_key_input(agreed.try_into().unwrap());
        Ok(digest(&SHA256, &input[..]))
    })
    .unwrap();
    let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key.as_ref()).unwrap());
    let iv: [u8; 12] = random();
    let mut sealed = payload.to_vec();
    key.seal_in_place_append_tag(
        Nonce::assume_unique_for_key(iv),
        Aad::from(draft.aad()),
        &mut sealed,
    )
    .unwrap();
    draft.finish(&iv, &sealed).unwrap()
}

/// Random bytes.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).unwrap();
    bytes
}

/// A fresh idempotency key, as the frame makes it.
pub(crate) fn idempotency_key() -> String {
    Base64UrlUnpadded::encode_string(&random::<16>())
}

fn point(key: &SealingKey) -> Point {
    let coordinate = |text: &str| Base64UrlUnpadded::decode_vec(text).unwrap().try_into().unwrap();
    Point {
        x: coordinate(&key.x),
        y: coordinate(&key.y),
    }
}
