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
