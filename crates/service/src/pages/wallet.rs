//! What a mobile wallet would give to the payment page. In the sandbox there is no wallet: the page has a token of its own.

use base64ct::{Base64, Encoding};
use serde_json::json;
use wire::interface::method::{MethodType, WalletToken};
use wire::interface::values::Text;

/// A token of the sandbox that pays with its test card.
pub(super) fn stand_in(kind: MethodType) -> Option<WalletToken> {
    let token = match kind {
        MethodType::MobileAPay => json!({
            "version": "EC_v1",
            "data": CARD,
            "signature": NOT_CHECKED,
            "header": {
                "ephemeralPublicKey": NOT_CHECKED,
                "publicKeyHash": NOT_CHECKED,
                "transactionId": NOT_CHECKED,
            },
        }),
        MethodType::MobileBPay => json!({
            "protocolVersion": "ECv2",
            "signature": NOT_CHECKED,
            "signedMessage": CARD,
        }),
        _ => return None,
    };
    Some(WalletToken {
        token: Text::new(Base64::encode_string(token.to_string().as_bytes()))?,
        use_3ds_flow: None,
    })
}

/// The sandbox's test card that pays.
const CARD: &str = "sandbox:success";

const NOT_CHECKED: &str = "sandbox";
