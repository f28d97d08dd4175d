//! Mobile wallets: what a shop's page got from one, checked and encoded as the interface wants it.

use base64ct::{Base64, Encoding};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use wire::interface::method::{Method, PaymentMethod, WalletToken};
use wire::interface::values::Text;
use zeroize::Zeroizing;

use crate::error::Error;

/// `mobile_a_pay`: the wallet's token as JSON, an object with `version`, `data`, `signature` and `header`, or the payment that it came in
/// (`token.paymentData`).
pub fn mobile_a_pay(answer: &str) -> Result<PaymentMethod, Error> {
    /// What may be around it, at most twice.
    #[derive(Deserialize)]
    struct Around<'a> {
        #[serde(borrow, default, alias = "paymentData")]
        token: Option<&'a RawValue>,
    }

    let param = "mobile_a_pay.token";
    let mut token = answer;
    for _ in 0..2 {
        let around: Option<Around<'_>> = serde_json::from_str(token).ok();
        token = around
            .and_then(|around| around.token)
            .map_or(token, RawValue::get);
    }
    let json = object(token, param)?;
    require(&json, param, &["version", "data", "signature"])?;
    let header = json.get("header").filter(|header| header.is_object());
    let header = header.ok_or_else(|| missing(param, "header"))?;
    let names = ["ephemeralPublicKey", "publicKeyHash", "transactionId"];
    require(header, &format!("{param}.header"), &names)?;
    Ok(PaymentMethod::of(&Method::MobileAPay(encoded(token, param)?)))
}

/// `mobile_b_pay`: the payment data that the wallet answered with, of which the token is sent that stands in
/// `paymentMethodData.tokenizationData.token`.
pub fn mobile_b_pay(payment_data: &str) -> Result<PaymentMethod, Error> {
    let param = "paymentMethodData.tokenizationData.token";
    let json = object(payment_data, "mobile_b_pay")?;
    let token = json
        .pointer("/paymentMethodData/tokenizationData/token")
        .and_then(Value::as_str);
    let token = token
        .filter(|token| !token.is_empty())
        .ok_or_else(|| missing("mobile_b_pay", param))?;
    let inner = object(token, param)?;
    require(&inner, param, &["protocolVersion", "signature", "signedMessage"])?;
    Ok(PaymentMethod::of(&Method::MobileBPay(encoded(token, param)?)))
}

fn object(json: &str, param: &str) -> Result<Value, Error> {
    let value: Option<Value> = serde_json::from_str(json).ok();
    value.filter(Value::is_object).ok_or_else(|| {
        let message = format!("`{param}` must be the wallet's answer as JSON, whole and as it came.");
        Error::parameter(param, message)
    })
}

fn require(json: &Value, param: &str, names: &[&str]) -> Result<(), Error> {
    for name in names {
        let text = json.get(name).and_then(Value::as_str);
        if text.is_none_or(str::is_empty) {
            return Err(missing(param, name));
        }
    }
    Ok(())
}

fn missing(param: &str, name: &str) -> Error {
    let message = format!("`{name}` is missing in `{param}`: pass on the wallet's answer as it came.");
    Error::parameter(&format!("{param}.{name}"), message)
}

fn encoded(token: &str, param: &str) -> Result<WalletToken, Error> {
    let encoded = Zeroizing::new(Base64::encode_string(token.as_bytes()));
    let token = Text::new(encoded.as_str()).ok_or_else(|| {
        Error::parameter(
            param,
            format!("`{param}` must be shorter: at most 16384 characters in Base64."),
        )
    })?;
    Ok(WalletToken {
        token,
        use_3ds_flow: None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn a() -> Value {
        let header = json!({ "ephemeralPublicKey": "k", "publicKeyHash": "h", "transactionId": "t" });
        json!({ "version": "v1", "data": "d", "signature": "s", "header": header })
    }

    fn b() -> Value {
        let token = json!({ "protocolVersion": "v2", "signature": "s", "signedMessage": "{}" }).to_string();
        json!({ "paymentMethodData": { "tokenizationData": { "token": token } } })
    }

    fn token(method: &PaymentMethod) -> String {
        let (Method::MobileAPay(read) | Method::MobileBPay(read)) = method.named("payment_method").unwrap()
        else {
            panic!("another method");
        };
        String::from_utf8(Base64::decode_vec(&read.token).unwrap()).unwrap()
    }

    #[test]
    fn what_the_wallet_gave_is_sent_to_the_byte() {
        let written = format!(" {}\n", a());
        assert_eq!(token(&mobile_a_pay(&written).unwrap()), written);
        let around = format!(
            r#"{{"token": {{"paymentData": {}, "transactionIdentifier": "t"}}, "billingContact": {{}}}}"#,
            a()
        );
        assert_eq!(token(&mobile_a_pay(&around).unwrap()), a().to_string());
        let inner = b()["paymentMethodData"]["tokenizationData"]["token"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(token(&mobile_b_pay(&b().to_string()).unwrap()), inner);
    }

    #[test]
    fn missing_parts_are_named() {
        for path in [
            "/version",
            "/data",
            "/signature",
            "/header",
            "/header/transactionId",
        ] {
            let mut broken = a();
            *broken.pointer_mut(path).unwrap() = Value::Null;
            let error = mobile_a_pay(&broken.to_string()).unwrap_err();
            let name = path.rsplit('/').next().unwrap();
            assert!(
                error.to_string().starts_with(&format!("`{name}` is missing")),
                "{error}"
            );
        }
        for broken in [
            "",
            "[]",
            "{",
            "{}",
            r#"{"paymentMethodData":{"tokenizationData":{"token":"{}"}}}"#,
        ] {
            assert!(
                mobile_a_pay(broken).is_err() && mobile_b_pay(broken).is_err(),
                "{broken}"
            );
        }
        let long =
            json!({ "version": "v", "data": "d".repeat(13_000), "signature": "s", "header": a()["header"] });
        assert!(mobile_a_pay(&long.to_string()).is_err());
    }
}
