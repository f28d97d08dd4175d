//! Saved cards of a customer (service interface, "Wallet (saved cards)"; wire notes §4).

use alloc::string::String;
use alloc::vec::Vec;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::apply;

use super::answer::{Action, Status};
use super::code::StatusCode;
use super::lenient;
use super::method::PaymentMethod;
use super::payment::Mode;
use super::values::{Text, WebAddress};
use super::words::open;

/// Path of all calls for a customer's cards.
pub const PATH: &str = "/api/customers/v1/wallet";

/// Path that looks one up.
pub const FIND: &str = "/api/customers/v1/wallet/find";

/// Path that makes one the default.
pub const SETTINGS: &str = "/api/customers/v1/wallet/settings/set";

/// What an answer and a callback about an added card call it.
pub const OPERATION: &str = "add_payment_method";

/// Body that adds a card.
#[apply(Option => #[serde(default, deserialize_with = "lenient::optional", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct AddCard {
    /// Where the card comes from; `direct` when absent.
    pub mode: Option<Mode>,
    /// Receives a callback when 3-D Secure has ended.
    pub callback_url: Option<WebAddress>,
    /// Where the payer goes afterwards.
    pub result_url: Option<WebAddress>,
    /// Whether to make it the default.
    pub make_default: Option<bool>,
    /// The card, of type `cc_token`. Not needed in mode `hosted`.
    pub payment_method: Option<PaymentMethod>,
}

/// Body that names a saved card, to delete it or to make it the default.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct NamedCard {
    /// Its id.
    pub option_id: Text<1, 64>,
    /// `card`.
    #[serde(rename = "type")]
    pub kind: ItemType,
}

open! {
    /// What is saved.
    ItemType {
        /// A card.
        Card = "card",
    }
}

/// Answer to a look at a customer's cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Wallet {
    /// The shop's number of the customer.
    pub external_id: String,
    /// Their cards, the oldest first.
    pub wallet: Vec<WalletItem>,
}

/// One saved card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct WalletItem {
    /// Its id.
    pub option_id: String,
    /// `card`.
    #[serde(rename = "type")]
    pub kind: ItemType,
    /// What it may be shown as.
    pub name: String,
    /// Whether it is the default.
    pub is_default: bool,
    /// The card.
    pub card: ItemCard,
}

/// What may be shown of a saved card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct ItemCard {
    /// First digits, one `*` for each hidden digit, the last four.
    pub mask: String,
    /// `VISA`, `MASTERCARD` and the like.
    pub payment_system: Option<String>,
    /// Short name of the issuer; `null` where it is not known.
    pub bank_short_name: Option<String>,
    /// The last day of the card's month; `null` for a card that only receives.
    pub expires_at: Option<Timestamp>,
    /// A picture of the card, PNG or JPEG of any size. `null` while it is not there, or for good; the address may change, and
    /// cards of one design have one.
    #[serde(default)]
    pub card_art_url: Option<String>,
}

/// Answer to a card that was added, and the callback about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct AddedCard {
    /// What the payer has to do.
    pub action: Option<Action>,
    /// Whether the payer has to do something.
    pub action_required: bool,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// The card; `null` until it is saved.
    pub payment_method: Option<WalletItem>,
    /// How it stands.
    pub status: Status,
    /// Why.
    pub status_code: StatusCode,
    /// `add_payment_method`.
    pub operation: String,
    /// Whose card it is.
    pub customer: CardHolder,
}

/// Whose card it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct CardHolder {
    /// The shop's number of the customer.
    pub external_id: String,
}

/// Answer to a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct DeletedCard {
    /// Always `true`: a card that was not there is an error.
    pub delete: bool,
    /// Its id.
    pub option_id: String,
    /// `card`.
    #[serde(rename = "type")]
    pub kind: ItemType,
}

/// Answer to a change of the default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct DefaultCard {
    /// Its id.
    pub option_id: String,
    /// `card`.
    #[serde(rename = "type")]
    pub kind: ItemType,
    /// Always `true`: a card that was not there is an error.
    pub success: bool,
}
