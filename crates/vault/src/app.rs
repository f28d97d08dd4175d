//! What an app sends: a card in clear over TLS, with a signature of its members (wire notes §6).
//!
//! Read here and not in the service, which has no type with room for a number.

mod members;

use std::fmt;

use wire::payload::CardPayload;

use crate::crypto;
use crate::record::Customer;
use members::Members;

/// A card as an app sent it: signed, and not looked at any further.
pub struct AppCard {
    pub(crate) payload: CardPayload,
    /// What it says of its customer.
    pub customer: Customer,
}

impl AppCard {
    /// Reads the body of a native call and checks `signature`, the header `X-Sign`, under `widget_key`.
    ///
    /// That key is public: the signature tells a body that was altered or cut off, not who sent it. What no member of
    /// ours has the name of is signed and ignored.
    pub fn read(body: &[u8], widget_key: &str, signature: &[u8]) -> Result<Self, AppCardError> {
        let members = Members::parse(body).ok_or(AppCardError::Malformed)?;
        check(&members, widget_key, signature)?;
        let text = |name| members.text(name).map_err(AppCardError::Member);
        let number = |name| members.number(name).map_err(AppCardError::Member);
        let needed = AppCardError::Member;
        let payload = CardPayload {
            // Exposed to be checked by the vault; the payload is wiped when it is dropped.
            number: text("card_number")?.ok_or(needed("card_number"))?,
            exp_month: Some(month(number("card_exp_month")?.ok_or(needed("card_exp_month"))?)),
            exp_year: Some(year(number("card_exp_year")?.ok_or(needed("card_exp_year"))?)),
            cvv: Some(text("card_cvv")?.ok_or(needed("card_cvv"))?),
        };
        let advice = |name| match text(name)? {
            Some(text) if text.chars().count() > ADVICE_LIMIT => Err(AppCardError::Member(name)),
            text => Ok(text),
        };
        let customer = Customer {
            ip: None,
            id: advice("customer_id")?,
            email: advice("customer_email")?,
        };
        Ok(Self { payload, customer })
    }
}

impl fmt::Debug for AppCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppCard").finish_non_exhaustive()
    }
}

/// Why a native call cannot be read. Nothing of it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AppCardError {
    /// Not one flat JSON object with each name once.
    #[error("the body is not a flat JSON object")]
    Malformed,
    /// `X-Sign` is missing or another body's.
    #[error("the signature does not fit the body")]
    Signature,
    /// A member is missing, too long, or of the wrong type.
    #[error("the member {0} is missing or not as expected")]
    Member(&'static str),
}

/// HMAC-SHA256 over the values in the order of their names, in lower-case hexadecimal.
fn check(members: &Members<'_>, widget_key: &str, signature: &[u8]) -> Result<(), AppCardError> {
    let tag = unhex(signature).ok_or(AppCardError::Signature)?;
    match crypto::is_tag(widget_key.as_bytes(), &members.signed(), &tag) {
        true => Ok(()),
        false => Err(AppCardError::Signature),
    }
}

fn unhex(text: &[u8]) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

/// What is no month becomes none that there is: 13 is refused as a month, not as a member.
fn month(number: u64) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// Two digits mean this century.
fn year(number: u64) -> u16 {
    match u16::try_from(number).unwrap_or(u16::MAX) {
        short @ 0..=99 => 2000 + short,
        year => year,
    }
}

/// Longest id or e-mail of a customer, in characters; the same as for browsers.
const ADVICE_LIMIT: usize = 255;

#[cfg(test)]
mod tests {
    use aws_lc_rs::hmac;

    use super::*;

    fn sign(key: &str, body: &str) -> String {
        let members = Members::parse(body.as_bytes()).unwrap();
        let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
        let tag = hmac::sign(&key, &members.signed());
        tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn read(body: &str) -> Result<AppCard, AppCardError> {
        AppCard::read(body.as_bytes(), "wk", sign("wk", body).as_bytes())
    }

    #[test]
    fn the_signature_is_that_of_the_interface() {
        let expected = "77de38e4b50e618a0ebb95db61e2f42697391659d82c064a5f81b9f48d85ccd5";
        assert_eq!(sign("secret", r#"{"b":"2","a":"1","c":"3"}"#), expected);
        assert_eq!(
            sign("secret", r#"{"a":1,"b":2,"n":null,"c":[3]}"#),
            expected,
            "by value"
        );
    }

    #[test]
    fn another_signature_is_refused() {
        let body =
            r#"{"card_number":"4242424242424242","card_exp_month":12,"card_exp_year":30,"card_cvv":"123"}"#;
        let good = sign("wk", body);
        assert!(AppCard::read(body.as_bytes(), "wk", good.as_bytes()).is_ok());
        let altered = body.replace("123", "124");
        for (body, key, signature, why) in [
            (body, "wk", String::new(), "none"),
            (body, "wk_2", good.clone(), "another key"),
            (&altered, "wk", good.clone(), "another body"),
            (body, "wk", good.to_uppercase(), "upper case"),
            (body, "wk", good[..63].to_owned(), "cut off"),
            (body, "wk", format!("{good} "), "a space behind"),
        ] {
            let refused = AppCard::read(body.as_bytes(), key, signature.as_bytes()).unwrap_err();
            assert_eq!(refused, AppCardError::Signature, "{why}");
        }
    }

    #[test]
    fn members() {
        let card = read(
            r#"{"card_number":"4242424242424242","card_exp_month":1,"card_exp_year":30,"card_cvv":"123",
                "customer_id":"c","customer_email":"","device_scale":2.5,"app_tags":["b","a"],"platform":null}"#,
        )
        .unwrap();
        assert_eq!(
            (card.payload.exp_month, card.payload.exp_year),
            (Some(1), Some(2030))
        );
        assert_eq!(
            (card.customer.id.as_deref(), card.customer.email.as_deref()),
            (Some("c"), None)
        );
        assert_eq!(format!("{card:?}"), "AppCard { .. }");

        let with = |name: &str, value: &str| {
            let mut members = vec![
                ("card_number", r#""4242424242424242""#),
                ("card_exp_month", "1"),
                ("card_exp_year", "2030"),
                ("card_cvv", r#""123""#),
            ];
            members.retain(|(other, _)| *other != name);
            members.push((name, value));
            let members: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("\"{name}\":{value}"))
                .collect();
            read(&format!("{{{}}}", members.join(",")))
        };
        let long = format!("\"{}\"", "x".repeat(256));
        for (name, value) in [
            ("card_number", "4242424242424242"),
            ("card_number", "null"),
            ("card_number", r#""\u0034242424242424242""#),
            ("card_exp_month", r#""1""#),
            ("card_exp_month", "1.0"),
            ("card_exp_month", "-1"),
            ("card_exp_year", "null"),
            ("card_exp_year", "99999999999999999999"),
            ("card_cvv", "123"),
            ("card_cvv", "\"\""),
            ("customer_id", "7"),
            ("customer_email", long.as_str()),
        ] {
            assert_eq!(
                with(name, value).unwrap_err(),
                AppCardError::Member(find(name)),
                "{name} {value}"
            );
        }
        assert!(with("card_exp_year", "1").is_ok());
    }

    fn find(name: &str) -> &'static str {
        let names = [
            "card_number",
            "card_exp_month",
            "card_exp_year",
            "card_cvv",
            "customer_id",
            "customer_email",
        ];
        names.into_iter().find(|known| *known == name).unwrap()
    }

    #[test]
    fn what_is_not_flat_is_refused() {
        let deep = format!(r#"{{"a":{}}}"#, "[".repeat(15_000));
        for (body, why) in [
            ("", "empty"),
            ("[]", "an array"),
            ("{", "cut off"),
            (r#"{"a":"1"}{}"#, "more behind it"),
            (r#"{"a":{"b":1}}"#, "an object inside"),
            (r#"{"a":[[1]]}"#, "an array inside an array"),
            (r#"{"a":1,"a":2}"#, "one name twice"),
            (deep.as_str(), "deep"),
        ] {
            let refused = AppCard::read(body.as_bytes(), "wk", &[b'0'; 64]).unwrap_err();
            assert_eq!(refused, AppCardError::Malformed, "{why}");
        }
    }
}
