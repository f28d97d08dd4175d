//! What pays: a card, a token, a saved card, or a mobile wallet.
//!
//! Clients send objects of several types and name one; only that one counts, however the others look (wire notes §2.4). So
//! the objects are kept as JSON, and [`PaymentMethod::named`] reads the one that is meant.

use alloc::boxed::Box;
use alloc::format;
use core::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_with::apply;

use super::lenient;
use super::read::{Wrong, read_member};
use super::values::{Text, Whole};
use super::words::closed;

/// `payment_method`: its type, and an object of that name.
#[apply(Option => #[serde(default, skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PaymentMethod {
    /// `cc`, `cc_token`, `wallet`, `mobile_a_pay` or `mobile_b_pay`.
    #[serde(rename = "type", deserialize_with = "lenient::optional")]
    #[schemars(with = "Option<MethodType>")]
    pub kind: Option<Text<0, 64>>,
    /// A card in clear, which needs a permission of the project.
    #[schemars(with = "Option<CardShape>")]
    pub cc: Option<Box<RawValue>>,
    /// A token of a card.
    #[schemars(with = "Option<CardToken>")]
    pub cc_token: Option<Box<RawValue>>,
    /// A saved card.
    #[schemars(with = "Option<SavedCard>")]
    pub wallet: Option<Box<RawValue>>,
    /// The token of the one mobile wallet: its whole JSON, encoded in Base64.
    #[schemars(with = "Option<WalletToken>")]
    pub mobile_a_pay: Option<Box<RawValue>>,
    /// The token of the other mobile wallet, `paymentMethodData.tokenizationData.token`, encoded in Base64.
    #[schemars(with = "Option<WalletToken>")]
    pub mobile_b_pay: Option<Box<RawValue>>,
}

closed! {
    /// Which object counts.
    MethodType {
        /// A card in clear, which needs a permission of the project.
        Cc = "cc",
        /// A token of a card.
        CcToken = "cc_token",
        /// A saved card.
        Wallet = "wallet",
        /// A mobile wallet's answer.
        MobileAPay = "mobile_a_pay",
        /// Another mobile wallet's answer.
        MobileBPay = "mobile_b_pay",
    }
}

/// The object that counts, read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Method {
    /// A card in clear.
    Cc(UnreadCard),
    /// A token of a card.
    CcToken(CardToken),
    /// A saved card.
    Wallet(SavedCard),
    /// A mobile wallet's answer.
    MobileAPay(WalletToken),
    /// Another mobile wallet's answer.
    MobileBPay(WalletToken),
}

impl PaymentMethod {
    /// The one that names a method and has its object.
    pub fn of(method: &Method) -> Self {
        let mut this = Self::default();
        let (kind, place, object) = match method {
            Method::Cc(card) => (MethodType::Cc, &mut this.cc, Ok(card.0.clone())),
            Method::CcToken(token) => (MethodType::CcToken, &mut this.cc_token, to_raw_value(token)),
            Method::Wallet(card) => (MethodType::Wallet, &mut this.wallet, to_raw_value(card)),
            Method::MobileAPay(token) => (
                MethodType::MobileAPay,
                &mut this.mobile_a_pay,
                to_raw_value(token),
            ),
            Method::MobileBPay(token) => (
                MethodType::MobileBPay,
                &mut this.mobile_b_pay,
                to_raw_value(token),
            ),
        };
        // Texts and truth values can always be written.
        *place = object.ok();
        this.kind = Text::new(kind.as_str());
        this
    }

    /// The object that `type` names; `at` is the path of this method in its body.
    pub fn named(&self, at: &str) -> Result<Method, Wrong> {
        let kind = self.kind.as_deref().and_then(MethodType::of).ok_or_else(|| {
            let types = "`cc`, `cc_token`, `wallet`, `mobile_a_pay` or `mobile_b_pay`";
            Wrong::new(format!("{at}.type"), types)
        })?;
        let object = match kind {
            MethodType::Cc => &self.cc,
            MethodType::CcToken => &self.cc_token,
            MethodType::Wallet => &self.wallet,
            MethodType::MobileAPay => &self.mobile_a_pay,
            MethodType::MobileBPay => &self.mobile_b_pay,
        };
        let path = format!("{at}.{kind}");
        let Some(object) = object else {
            return Err(Wrong::new(path, "an object: `type` names it"));
        };
        Ok(match kind {
            MethodType::Cc => Method::Cc(UnreadCard(object.clone())),
            MethodType::CcToken => Method::CcToken(read_member(object, &path)?),
            MethodType::Wallet => Method::Wallet(read_member(object, &path)?),
            MethodType::MobileAPay => Method::MobileAPay(read_member(object, &path)?),
            MethodType::MobileBPay => Method::MobileBPay(read_member(object, &path)?),
        })
    }
}

/// A card in clear, as it was sent. Only the vault reads it, so there is no type with a number in it here.
#[derive(Clone)]
pub struct UnreadCard(Box<RawValue>);

impl UnreadCard {
    /// The object's JSON, for the vault.
    pub fn expose(&self) -> &str {
        self.0.get()
    }
}

/// A card in clear: for shops that are certified to handle card data. Only the vault reads it.
#[derive(JsonSchema)]
#[schemars(rename = "Card")]
#[expect(
    dead_code,
    reason = "nothing but its schema is used: nobody holds such a value"
)]
struct CardShape {
    /// Its digits.
    number: Text<12, 19>,
    /// Month of its end.
    exp_month: Whole<1, 12>,
    /// Year of its end, of two or four digits.
    exp_year: Whole<0, 9999>,
    /// Security code.
    cvv: Text<3, 4>,
}

/// A token of a card.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct CardToken {
    /// The token.
    pub token: Text<1, 128>,
    /// Whether the payer may be asked to prove who they are (3-D Secure); `true` when absent.
    pub use_3ds_flow: Option<bool>,
    /// Whether to save the card for the customer.
    pub save_to_wallet: Option<bool>,
    /// What may be shown of the card, as the form or an answer said it.
    pub mask: Option<Text<0, 19>>,
    /// End of the token's or the card's life, as the form or an answer said it.
    pub expires_at: Option<Text<0, 64>>,
}

/// A saved card.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct SavedCard {
    /// Id of the saved card.
    pub option_id: Text<1, 64>,
    /// Whether the payer may be asked to prove who they are (3-D Secure); `true` when absent.
    pub use_3ds_flow: Option<bool>,
}

/// What a mobile wallet gave the shop's page.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct WalletToken {
    /// The wallet's token, encoded in Base64.
    pub token: Text<1, 16384>,
    /// Whether the payer may be asked to prove who they are (3-D Secure); `true` when absent.
    pub use_3ds_flow: Option<bool>,
}

// Neither cards nor tokens are for logs.

impl fmt::Debug for PaymentMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaymentMethod")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for UnreadCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnreadCard").finish_non_exhaustive()
    }
}

impl fmt::Debug for CardToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CardToken").finish_non_exhaustive()
    }
}

impl fmt::Debug for WalletToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WalletToken").finish_non_exhaustive()
    }
}
