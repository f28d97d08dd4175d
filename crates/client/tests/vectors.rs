//! The vectors that the JavaScript client reads, too.

#[cfg(test)]
mod vectors {
    use client::callback::{Callbacks, Event};
    use client::wallets;
    use serde_json::Value;

    fn read(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    fn kind(event: &Event) -> &'static str {
        match event {
            Event::Payment(_) => "payment",
            Event::BasketOrder(_) => "basket_order",
            Event::Card(_) => "card",
            Event::Installment(_) => "installment",
            Event::Payout(_) => "payout",
            Event::Subscription(_) => "subscription",
            _ => "other",
        }
    }

    #[test]
    fn callbacks() {
        let vectors = read(include_str!("../../../tests/vectors/interface/callbacks.json"));
        let callbacks = Callbacks::signed_with([vectors["password"].as_str().unwrap()]).unwrap();
        for case in vectors["cases"].as_array().unwrap() {
            let text = |name: &str| case[name].as_str().unwrap();
            let told = callbacks.read(text("body").as_bytes(), [text("signature")]);
            let told = told.unwrap_or_else(|error| panic!("{}: {error}", text("name")));
            assert_eq!(
                (kind(&told.event), &*told.key),
                (text("kind"), text("key")),
                "{}",
                text("name")
            );
        }
        for case in vectors["refusals"].as_array().unwrap() {
            let signatures = case["signatures"].as_array().unwrap();
            let signatures = signatures.iter().map(|signature| signature.as_str().unwrap());
            let error = callbacks
                .read(case["body"].as_str().unwrap().as_bytes(), signatures)
                .unwrap_err();
            let client::Error::Callback { fault } = error else {
                panic!("{}: {error}", case["name"]);
            };
            assert_eq!(fault.code(), case["code"], "{}", case["name"]);
        }
    }

    #[test]
    fn wallets() {
        let vectors = read(include_str!("../../../tests/vectors/interface/wallets.json"));
        let of = |case: &Value| {
            let answer = case["answer"].as_str().unwrap().to_owned();
            match case["type"].as_str() {
                Some("mobile_a_pay") => wallets::mobile_a_pay(&answer),
                _ => wallets::mobile_b_pay(&answer),
            }
        };
        for case in vectors["cases"].as_array().unwrap() {
            let method = serde_json::to_value(of(case).unwrap()).unwrap();
            let name = case["type"].as_str().unwrap();
            assert_eq!(
                (&method["type"], &method[name]["token"]),
                (&case["type"], &case["token"]),
                "{}",
                case["name"]
            );
        }
        for case in vectors["refusals"].as_array().unwrap() {
            assert!(of(case).is_err(), "{}", case["name"]);
        }
    }
}
