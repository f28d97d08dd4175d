//! Mobile wallets in the sandbox: a token of the right shape is a test card.

use std::sync::Arc;

use base64ct::{Base64, Base64UrlUnpadded, Encoding};
use card::{Expiry, Pan, UnixSeconds};
use serde::Deserialize;
use vault::Clock;
use wire::interface::StatusCode;

use super::cards::TEST_CARDS;
use crate::port::wallet::{WalletCard, WalletKeys, WalletKind};
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

pub(crate) struct SandboxWallets {
    pub(crate) clock: Arc<dyn Clock>,
}

impl WalletKeys for SandboxWallets {
    fn open(&self, _: &Project, kind: WalletKind, token: &str) -> Result<WalletCard, Refusal> {
        let wanted = match kind {
            WalletKind::A => read::<AToken>(token).and_then(|token| token.card()),
            WalletKind::B => read::<BToken>(token).and_then(|token| token.card()),
        };
        let wanted = wanted.ok_or_else(|| match kind {
            WalletKind::A => Refusal::new(
                StatusCode::InvalidMobileAPayToken,
                "the token is not one of `mobile_a_pay`, encoded in Base64",
            ),
            WalletKind::B => Refusal::new(
                StatusCode::InvalidMobileBPayToken,
                "the token is not one of `mobile_b_pay`, encoded in Base64",
            ),
        })?;
        let card = TEST_CARDS.iter().find(|card| card.name == wanted);
        let number = card.and_then(|card| Pan::new(card.number));
        let now = time::of(&*self.clock);
        let seconds = UnixSeconds(u64::try_from(now.as_second()).unwrap_or_default());
        let year = now.to_zoned(jiff::tz::TimeZone::UTC).year() + 2;
        let expiry = Expiry::new(u16::try_from(year).unwrap_or_default(), 12, seconds);
        match (number, expiry) {
            (Some(number), Ok(expiry)) => Ok(WalletCard { number, expiry }),
            _ => Err(Refusal::internal("a test card of the sandbox is none")),
        }
    }
}

/// What the one wallet gives. Signature and encryption are not checked: the sandbox has no key of the wallet.
#[derive(Deserialize)]
struct AToken {
    version: String,
    data: String,
    signature: String,
    header: AHeader,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AHeader {
    ephemeral_public_key: String,
    public_key_hash: String,
    transaction_id: String,
}

/// What the other one gives.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BToken {
    protocol_version: String,
    signature: String,
    signed_message: String,
}

impl AToken {
    fn card(&self) -> Option<String> {
        let header = &self.header;
        let members = [
            &self.version,
            &self.data,
            &self.signature,
            &header.ephemeral_public_key,
            &header.public_key_hash,
            &header.transaction_id,
        ];
        let complete = members.iter().all(|member| !member.is_empty());
        complete.then(|| wanted(&self.data))?
    }
}

impl BToken {
    fn card(&self) -> Option<String> {
        let members = [&self.protocol_version, &self.signature, &self.signed_message];
        let complete = members.iter().all(|member| !member.is_empty());
        complete.then(|| wanted(&self.signed_message))?
    }
}

/// The test card that `content` asks for as `sandbox:NAME`; `success` otherwise, as the real content is encrypted.
fn wanted(content: &str) -> Option<String> {
    let name = content.strip_prefix("sandbox:").unwrap_or("success");
    TEST_CARDS
        .iter()
        .any(|card| card.name == name)
        .then(|| name.to_owned())
}

fn read<T: for<'de> Deserialize<'de>>(token: &str) -> Option<T> {
    let bytes = Base64::decode_vec(token)
        .or_else(|_| Base64UrlUnpadded::decode_vec(token.trim_end_matches('=')))
        .ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::Place;

    fn open(place: &Place, kind: WalletKind, token: &str) -> Result<WalletCard, Refusal> {
        let wallets = SandboxWallets {
            clock: place.clock.clone(),
        };
        wallets.open(&place.sandbox(), kind, token)
    }

    fn a_token(data: &str) -> Value {
        let header =
            json!({ "ephemeralPublicKey": "a2V5", "publicKeyHash": "aGFzaA==", "transactionId": "0a1b" });
        json!({ "version": "EC_v1", "data": data, "signature": "c2ln", "header": header })
    }

    fn b_token(message: &str) -> Value {
        json!({ "protocolVersion": "ECv2", "signature": "c2ln", "signedMessage": message, "intermediateSigningKey": {} })
    }

    fn base64(value: &Value) -> String {
        Base64::encode_string(value.to_string().as_bytes())
    }

    #[test]
    fn a_token_of_the_right_shape_is_a_test_card() {
        let place = Place::sqlite();
        for (content, number) in [
            ("ZW5jcnlwdGVk", "4111111111111111"),
            ("sandbox:success-3ds", "4242424242424242"),
            ("sandbox:rejected-2", "5100000020002000"),
            ("sandbox:insufficient-funds", "4000000000000044"),
        ] {
            for (kind, token) in [
                (WalletKind::A, a_token(content)),
                (WalletKind::B, b_token(content)),
            ] {
                let token = base64(&token);
                let card = open(&place, kind, &token).unwrap();
                assert_eq!(card.number.expose(), number, "{content}");
                let url_safe = token.replace('+', "-").replace('/', "_");
                assert!(
                    open(&place, kind, url_safe.trim_end_matches('=')).is_ok(),
                    "{content}"
                );
            }
        }
    }

    #[test]
    fn anything_else_is_refused_with_the_code_of_its_wallet() {
        let place = Place::sqlite();
        let mut bare = a_token("data");
        bare["header"]["transactionId"] = json!("");
        let mut tokens = vec![
            String::new(),
            "not base64!".to_owned(),
            base64(&json!("text")),
            base64(&json!({})),
            base64(&bare),
            base64(&a_token("sandbox:no-such-card")),
            base64(&b_token("sandbox:no-such-card")),
            a_token("data").to_string(),
        ];
        for kind in [WalletKind::A, WalletKind::B] {
            let (code, other) = match kind {
                WalletKind::A => (StatusCode::InvalidMobileAPayToken, b_token("data")),
                WalletKind::B => (StatusCode::InvalidMobileBPayToken, a_token("data")),
            };
            tokens.push(base64(&other));
            for token in &tokens {
                assert_eq!(open(&place, kind, token).unwrap_err().code, code, "{token}");
            }
            tokens.pop();
        }
    }
}
