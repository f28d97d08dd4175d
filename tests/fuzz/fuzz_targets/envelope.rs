//! Envelopes: whatever is accepted can be written in one way alone, and is within its bounds.
#![no_main]

use base64ct::{Base64UrlUnpadded, Encoding};
use seal::Envelope;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(envelope) = Envelope::parse(text) else {
        return;
    };
    let aad = std::str::from_utf8(envelope.aad()).expect("a header in base64url");
    let encode = |bytes: &[u8]| Base64UrlUnpadded::encode_string(bytes);
    let again = [
        aad,
        "",
        &encode(envelope.iv()),
        &encode(envelope.ciphertext()),
        &encode(envelope.tag()),
    ]
    .join(".");
    assert_eq!(again, text, "there are two ways to write an envelope");
    let claims = &envelope.header().claims;
    assert!(claims.widget_key.len() <= 128 && claims.origin.len() <= 512);
    assert!(envelope.ciphertext().len() <= 768);
});
