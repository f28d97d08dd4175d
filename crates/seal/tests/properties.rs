//! What goes in comes out, and nothing that comes in can make it panic.

#![cfg(test)]

use proptest::prelude::*;
use seal::{Claims, Draft, Envelope, EnvelopeError, Header, Point};

prop_compose! {
    fn header()(
        kid in ".{1,16}",
        x: [u8; 32],
        y: [u8; 32],
        widget_key in ".{1,32}",
        origin in ".{1,128}",
        ticket in "[A-Za-z0-9_.-]{1,256}",
        nonce: [u8; 16],
        issued_at: u64,
        form in ".{1,8}",
    ) -> Header {
        let claims = Claims { widget_key, origin, ticket, nonce, issued_at, form };
        Header { kid, epk: Point { x, y }, claims }
    }
}

proptest! {
    #[test]
    fn round_trip(header in header(), iv: [u8; 12], ciphertext in prop::collection::vec(any::<u8>(), 16..784)) {
        let draft = Draft::new(&header);
        let aad = draft.aad().to_vec();
        let envelope = Envelope::parse(&draft.finish(&iv, &ciphertext).unwrap()).unwrap();
        prop_assert_eq!(envelope.header(), &header);
        prop_assert_eq!(envelope.aad(), aad);
        prop_assert_eq!(envelope.iv(), &iv);
        prop_assert_eq!([envelope.ciphertext(), envelope.tag()].concat(), ciphertext);
    }

    #[test]
    fn any_text_is_an_ordinary_error(text: String) {
        prop_assert!(Envelope::parse(&text).is_err());
    }

    #[test]
    fn any_five_parts_are_an_ordinary_error(text in "[A-Za-z0-9_-]{0,64}\\.\\.[A-Za-z0-9_-]{16}\\.[A-Za-z0-9_-]{0,64}\\.[A-Za-z0-9_-]{22}") {
        let error = Envelope::parse(&text).unwrap_err();
        prop_assert!(matches!(error, EnvelopeError::WrongEncoding | EnvelopeError::WrongHeader));
    }
}
