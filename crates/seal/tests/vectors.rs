//! The crate against published vectors and against its own, with a native library for the primitives.

#![cfg(test)]

use aws_lc_rs::{aead, agreement, digest};
use base64ct::{Base64UrlUnpadded, Encoding};
use seal::{Claims, Draft, Envelope, EnvelopeError, Header, Point, kdf};
use serde_json::Value;

fn cases(file: &str) -> Vec<Value> {
    let path = format!(
        "{}/../../tests/vectors/seal/{file}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let vectors: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let cases = vectors["cases"].as_array().unwrap().clone();
    assert!(!cases.is_empty());
    cases
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    Base64UrlUnpadded::decode_vec(text(value)).unwrap()
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().unwrap()
}

fn point(key: &Value) -> Point {
    Point {
        x: array(&key["x"]),
        y: array(&key["y"]),
    }
}

fn agree(private: &Value, public: Point) -> [u8; 32] {
    let private = agreement::PrivateKey::from_private_key(&agreement::ECDH_P256, &bytes(private)).unwrap();
    let public = agreement::UnparsedPublicKey::new(&agreement::ECDH_P256, public.to_uncompressed());
    agreement::agree(&private, public, (), |z| Ok(z.try_into().unwrap())).unwrap()
}

fn cipher(key: &[u8]) -> aead::LessSafeKey {
    aead::LessSafeKey::new(aead::UnboundKey::new(&aead::AES_256_GCM, key).unwrap())
}

fn seal(key: &[u8], iv: [u8; 12], aad: &[u8], plaintext: &[u8]) -> Vec<u8> {
    let mut buffer = plaintext.to_vec();
    let iv = aead::Nonce::assume_unique_for_key(iv);
    cipher(key)
        .seal_in_place_append_tag(iv, aead::Aad::from(aad), &mut buffer)
        .unwrap();
    buffer
}

fn open(key: &[u8], envelope: &Envelope) -> Option<Vec<u8>> {
    let mut buffer = [envelope.ciphertext(), envelope.tag()].concat();
    let iv = aead::Nonce::assume_unique_for_key(*envelope.iv());
    let plaintext = cipher(key)
        .open_in_place(iv, aead::Aad::from(envelope.aad()), &mut buffer)
        .ok()?;
    Some(plaintext.to_vec())
}

fn header(case: &Value) -> Header {
    let claims = &case["claims"];
    Header {
        kid: text(&case["kid"]).into(),
        epk: point(&case["ephemeral"]),
        claims: Claims {
            widget_key: text(&claims["widget_key"]).into(),
            origin: text(&claims["origin"]).into(),
            ticket: text(&claims["ticket"]).into(),
            nonce: array(&claims["nonce"]),
            issued_at: claims["issued_at"].as_u64().unwrap(),
            form: text(&claims["form"]).into(),
        },
    }
}

#[test]
fn rfc_7518_appendix_c() {
    for case in cases("rfc7518-appendix-c") {
        let agreed = agree(&case["alice"]["d"], point(&case["bob"]));
        assert_eq!(agreed, array(&case["agreed"]));
        assert_eq!(agreed, agree(&case["bob"]["d"], point(&case["alice"])));
        let (algorithm, apu, apv) = (
            text(&case["algorithm"]).as_bytes(),
            text(&case["apu"]).as_bytes(),
            text(&case["apv"]).as_bytes(),
        );
        let bits = case["bits"].as_u64().unwrap() as u32;
        assert_eq!(
            kdf::other_info(algorithm, apu, apv, bits),
            bytes(&case["other_info"])
        );
        let input = kdf::input(&agreed, algorithm, apu, apv, bits);
        let key = digest::digest(&digest::SHA256, &input);
        assert_eq!(key.as_ref()[..bits as usize / 8], bytes(&case["key"]));
    }
}

#[test]
fn rfc_7516_appendix_a_1_content_encryption() {
    for case in cases("rfc7516-appendix-a1") {
        let sealed = seal(
            &bytes(&case["key"]),
            array(&case["iv"]),
            text(&case["aad"]).as_bytes(),
            text(&case["plaintext"]).as_bytes(),
        );
        assert_eq!(sealed, [bytes(&case["ciphertext"]), bytes(&case["tag"])].concat());
    }
}

#[test]
fn our_envelopes_are_written_as_fixed() {
    for case in cases("envelopes") {
        let agreed = agree(&case["ephemeral"]["d"], point(&case["recipient"]));
        assert_eq!(agreed, array(&case["agreed"]));
        let key = digest::digest(&digest::SHA256, &*kdf::content_key_input(&agreed));
        assert_eq!(key.as_ref(), bytes(&case["key"]));
        let draft = Draft::new(&header(&case));
        assert_eq!(draft.aad(), text(&case["aad"]).as_bytes());
        let iv = array(&case["iv"]);
        let sealed = seal(key.as_ref(), iv, draft.aad(), text(&case["plaintext"]).as_bytes());
        assert_eq!(draft.finish(&iv, &sealed).unwrap(), text(&case["compact"]));
    }
}

#[test]
fn our_envelopes_open() {
    for case in cases("envelopes") {
        let envelope = Envelope::parse(text(&case["compact"])).unwrap();
        assert_eq!(*envelope.header(), header(&case));
        let agreed = agree(&case["recipient"]["d"], envelope.header().epk);
        let key = digest::digest(&digest::SHA256, &*kdf::content_key_input(&agreed));
        assert_eq!(
            open(key.as_ref(), &envelope).unwrap(),
            text(&case["plaintext"]).as_bytes()
        );
    }
}

#[test]
fn refused_headers() {
    let good = text(&cases("envelopes")[0]["compact"]).to_owned();
    let (_, rest) = good.split_once('.').unwrap();
    for case in cases("refused-headers") {
        let header = Base64UrlUnpadded::encode_string(text(&case["header"]).as_bytes());
        let error = Envelope::parse(&format!("{header}.{rest}")).unwrap_err();
        assert_eq!(format!("{error:?}"), text(&case["error"]), "{}", case["name"]);
    }
}

#[test]
fn refused_parts() {
    let good = text(&cases("envelopes")[0]["compact"]).to_owned();
    let parts: Vec<&str> = good.split('.').collect();
    let with = |index: usize, part: &str| {
        let mut parts = parts.clone();
        parts[index] = part;
        parts.join(".")
    };
    use EnvelopeError::*;
    for (compact, error, why) in [
        (String::new(), WrongParts, "empty"),
        ("....".into(), WrongEncoding, "five empty parts"),
        (parts[..4].join("."), WrongParts, "four parts"),
        (format!("{good}."), WrongParts, "six parts"),
        (with(1, "AAAA"), WrongParts, "an encrypted key"),
        (with(0, ""), WrongHeader, "no header"),
        (with(0, "=="), WrongEncoding, "header is padding"),
        (with(0, "_w"), WrongHeader, "header is not UTF-8"),
        (with(2, "AAAA"), WrongEncoding, "iv of 3 bytes"),
        (with(2, "AAAAAAAAAAAAAAAAAAAAAA"), WrongEncoding, "iv of 16 bytes"),
        (with(3, "AAA+"), WrongEncoding, "standard alphabet"),
        (with(3, "AAAAA"), WrongEncoding, "a lone character"),
        (with(3, "AB"), WrongEncoding, "left-over bits"),
        (with(3, "AAA\n"), WrongEncoding, "line break"),
        (with(3, &"A".repeat(1028)), TooLong, "ciphertext too long"),
        (with(4, "AAAA"), WrongEncoding, "tag cut to 3 bytes"),
        (
            with(4, &format!("{}==", parts[4])),
            WrongEncoding,
            "tag with padding",
        ),
        (with(0, &"A".repeat(4100)), TooLong, "header too long"),
        ("A".repeat(EnvelopeError::MAX_LEN + 1), TooLong, "too long"),
    ] {
        assert_eq!(Envelope::parse(&compact).unwrap_err(), error, "{why}");
    }
}

#[test]
fn every_flipped_character_is_noticed() {
    let case = &cases("envelopes")[0];
    let good = text(&case["compact"]);
    let key = bytes(&case["key"]);
    for index in 0..good.len() {
        let mut altered = good.as_bytes().to_vec();
        altered[index] = if altered[index] == b'A' { b'B' } else { b'A' };
        let altered = String::from_utf8(altered).unwrap();
        let opened = Envelope::parse(&altered)
            .ok()
            .and_then(|envelope| open(&key, &envelope));
        assert_eq!(opened, None, "character {index}");
    }
}
