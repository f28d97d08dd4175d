//! Callbacks: whether one is the service's, what it tells of, and whether it was told before.

use serde::de::DeserializeOwned;
use serde_json::Value;
use subtle::ConstantTimeEq as _;
use wire::interface::answer::Payment;
use wire::interface::callback::{Kind, signature};
use wire::interface::installment::Installment;
use wire::interface::payout::PayoutCallback;
use wire::interface::saved::AddedCard;
use wire::interface::subscription::SubscriptionCallback;
use zeroize::Zeroizing;

use crate::credentials::Credentials;
use crate::error::{Error, Fault};

/// Reads callbacks that are signed with one of a project's passwords: while a password is changed there are two.
#[derive(Clone)]
pub struct Callbacks {
    passwords: Vec<Zeroizing<Vec<u8>>>,
}

impl Callbacks {
    /// Those of a project.
    pub fn of(credentials: &Credentials) -> Self {
        Self {
            passwords: vec![Zeroizing::new(credentials.password().to_vec())],
        }
    }

    /// Those that are signed with any of these passwords, which are taken as they are, spaces included.
    pub fn signed_with<P: Into<Vec<u8>>>(passwords: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        let passwords: Vec<_> = passwords
            .into_iter()
            .map(|password| Zeroizing::new(password.into()))
            .collect();
        if passwords.is_empty() || passwords.iter().any(|password| password.is_empty()) {
            let message = "`password` must be the project's password: with an empty one anybody could sign.";
            return Err(Error::parameter("password", message));
        }
        Ok(Self { passwords })
    }

    /// Believes a callback or does not. `body` is the bytes as they came, `signatures` every value of `X-SERVICE-SIGNATURE`.
    ///
    /// ```
    /// use client::callback::{Callbacks, Event};
    ///
    /// let callbacks = Callbacks::signed_with(["your_password"])?;
    /// let told = callbacks.read(br#"{"name": "john", "age": 21}"#, ["rHk7tE6V9feV_lCvZ6ZDuzte7O4="])?;
    /// assert!(matches!(told.event, Event::Other(_)));
    /// assert!(callbacks.read(b"{}", ["rHk7tE6V9feV_lCvZ6ZDuzte7O4="]).is_err());
    /// # Ok::<(), client::Error>(())
    /// ```
    pub fn read<S: AsRef<[u8]>>(
        &self,
        body: &[u8],
        signatures: impl IntoIterator<Item = S>,
    ) -> Result<Callback, Error> {
        let fault = |fault| Error::Callback { fault };
        let mut signatures = signatures.into_iter();
        let given = signatures.next().ok_or(fault(Fault::NoSignature))?;
        if signatures.next().is_some() {
            return Err(fault(Fault::SeveralSignatures));
        }
        // Compared as a whole: another alphabet, other padding and spaces are other texts.
        let given = given.as_ref();
        let is_signed = |password: &Zeroizing<Vec<u8>>| -> bool {
            signature(password, body).as_bytes().ct_eq(given).into()
        };
        if !self.passwords.iter().any(is_signed) {
            return Err(fault(Fault::WrongSignature));
        }
        Callback::of(body).ok_or(fault(Fault::Unreadable))
    }
}

impl std::fmt::Debug for Callbacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callbacks").finish_non_exhaustive()
    }
}

/// A callback that is the service's.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Callback {
    /// What it tells of.
    pub event: Event,
    /// Equal for deliveries of the same news and for nothing else: remember it, and do nothing the second time. Operations of a payment have
    /// different ones, and so has each state of an operation.
    pub key: String,
}

/// What a callback tells of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// An operation of a payment.
    Payment(Box<Payment>),
    /// An operation of an order of a basket.
    BasketOrder(Box<Payment>),
    /// A card that was added to a customer's.
    Card(Box<AddedCard>),
    /// An operation of an installment order.
    Installment(Box<Installment>),
    /// A payout.
    Payout(Box<PayoutCallback>),
    /// A subscription.
    Subscription(Box<SubscriptionCallback>),
    /// Something that a later version of the service tells.
    Other(Value),
}

impl Callback {
    fn of(body: &[u8]) -> Option<Self> {
        fn read<T: DeserializeOwned>(body: &[u8]) -> Option<Box<T>> {
            wire::interface::read(body).ok().map(Box::new)
        }

        let json: Value = serde_json::from_slice(body).ok()?;
        json.as_object()?;
        let at = |path: &str| {
            let mut names = path.split('.');
            let value = names.try_fold(&json, |value, name| value.get(name));
            value.filter(|value| !value.is_null())
        };
        let (kind, key) = Kind::and_key(body, |path| {
            at(path).map(|value| value.to_string().trim_matches('"').to_owned())
        });
        let event = match kind {
            Kind::Payment => Event::Payment(read(body)?),
            Kind::BasketOrder => Event::BasketOrder(read(body)?),
            Kind::Card => Event::Card(read(body)?),
            Kind::Installment => Event::Installment(read(body)?),
            Kind::Payout => Event::Payout(read(body)?),
            Kind::Subscription => Event::Subscription(read(body)?),
            _ => Event::Other(json),
        };
        Some(Self { event, key })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn signed(body: &Value) -> Result<Callback, Error> {
        let body = body.to_string();
        let callbacks = Callbacks::signed_with(["old", "new"]).unwrap();
        callbacks.read(body.as_bytes(), [signature(b"new", body.as_bytes())])
    }

    fn payment() -> Value {
        json!({
            "id": "100000000000000001", "external_id": "order-1", "is_success": true, "operation": "payment",
            "details": {
                "status": "success", "status_code": "transaction_successful", "status_description": "", "amount": "100.50",
                "currency": "UAH", "created_at": "2026-01-31T12:00:00Z", "method": "purchase", "payment_id": "1", "operation_id": "7",
            },
            "of_a_later_version": [1, 2],
        })
    }

    #[test]
    fn vectors_of_signatures_hold() {
        let vectors = include_str!("../../../tests/vectors/interface/signatures.json");
        let vectors: Value = serde_json::from_str(vectors).unwrap();
        for case in vectors["cases"].as_array().unwrap() {
            let text = |name: &str| case[name].as_str().unwrap();
            let callbacks = Callbacks::signed_with([text("password")]).unwrap();
            let read = |signature: &str| {
                callbacks
                    .read(text("body").as_bytes(), [signature])
                    .map_err(|error| match error {
                        Error::Callback { fault } => fault,
                        _ => panic!("{error}"),
                    })
            };
            let right = text("signature");
            assert_ne!(read(right).err(), Some(Fault::WrongSignature), "{}", text("name"));
            let standard = right.replace('-', "+").replace('_', "/");
            let last = right.len() - 2;
            // The last character has two bits that mean nothing: a lenient reader takes the next letter for the same.
            let not_canonical = format!("{}{}=", &right[..last], char::from(right.as_bytes()[last] + 1));
            for wrong in [
                right.trim_end_matches('='),
                &format!(" {right}"),
                &format!("{right}\n"),
                &not_canonical,
                "",
            ] {
                assert_eq!(read(wrong).unwrap_err(), Fault::WrongSignature, "{wrong:?}");
            }
            if standard != right {
                assert_eq!(read(&standard).unwrap_err(), Fault::WrongSignature);
            }
            let none = callbacks.read(text("body").as_bytes(), [""; 0]).unwrap_err();
            let twice = callbacks
                .read(text("body").as_bytes(), [right, right])
                .unwrap_err();
            assert_eq!(
                none,
                Error::Callback {
                    fault: Fault::NoSignature
                }
            );
            assert_eq!(
                twice,
                Error::Callback {
                    fault: Fault::SeveralSignatures
                }
            );
        }
    }

    #[test]
    fn an_event_is_read_and_its_key_tells_operations_and_states_apart() {
        let first = signed(&payment()).unwrap();
        let Event::Payment(read) = &first.event else {
            panic!("{:?}", first.event);
        };
        assert_eq!(read.details.as_ref().unwrap().amount.minor(), 10_050);
        assert_eq!(first.key, signed(&payment()).unwrap().key);
        let mut keys = vec![first.key];
        for change in [
            json!({ "operation_id": "8", "method": "refund" }),
            json!({ "status": "pending" }),
        ] {
            let mut other = payment();
            for (name, value) in change.as_object().unwrap() {
                other["details"][name] = value.clone();
            }
            keys.push(signed(&other).unwrap().key);
        }
        let mut order = payment();
        order["batch_external_id"] = json!("basket-1");
        let order = signed(&order).unwrap();
        assert!(matches!(order.event, Event::BasketOrder(_)));
        keys.push(order.key);
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[at + 1..].contains(key), "{key}");
        }
    }

    #[test]
    fn what_is_signed_and_new_is_told_apart_from_what_is_broken() {
        assert!(matches!(
            signed(&json!({ "invoice": 1 })).unwrap().event,
            Event::Other(_)
        ));
        let mut broken = payment();
        broken["details"]["amount"] = json!("much");
        for body in [json!([1]), json!("text"), broken] {
            let fault = signed(&body).unwrap_err();
            assert_eq!(
                fault,
                Error::Callback {
                    fault: Fault::Unreadable
                },
                "{body}"
            );
        }
        let truncated = r#"{"id": "1", "external"#;
        let callbacks = Callbacks::signed_with(["new"]).unwrap();
        let fault = callbacks.read(truncated.as_bytes(), [signature(b"new", truncated.as_bytes())]);
        assert_eq!(
            fault.unwrap_err(),
            Error::Callback {
                fault: Fault::Unreadable
            }
        );
        assert!(Callbacks::signed_with([""; 0]).is_err() && Callbacks::signed_with(["a", ""]).is_err());
    }
}
