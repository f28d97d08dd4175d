//! The demo shop's payouts: what somebody has earned, sent to the card that they named on the page.
//!
//! The shop never sees the card's number: the page gives it a token of the form `pan_only`. How a payout ends is told by a signed callback.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::service::call;

/// What was earned in March.
const EARNED: &str = "7560.00";

/// All payouts since the shop was opened.
pub(super) struct Payouts {
    /// Port of the service.
    service: u16,
    /// The shop's own address.
    address: String,
    all: Mutex<Vec<Payout>>,
}

/// One payout.
#[derive(Clone, Debug, Serialize)]
struct Payout {
    number: String,
    amount: &'static str,
    card: String,
    /// As the service says: `init`, `pending`, `success` or `failure`.
    status: String,
    /// Why.
    status_code: String,
}

/// What the page asks for.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    token: String,
    card_mask: String,
}

impl Payouts {
    pub(super) fn new(service: u16, address: String) -> Self {
        Self {
            service,
            address,
            all: Mutex::default(),
        }
    }

    /// Sends what was earned to a card.
    pub(super) fn pay(&self, wanted: &Wanted) -> Result<Value> {
        let millis = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
        let number = format!("hlyna-march-{millis}");
        self.all().push(Payout {
            number: number.clone(),
            amount: EARNED,
            card: wanted.card_mask.clone(),
            status: "init".to_owned(),
            status_code: String::new(),
        });
        let request = json!({
            "order": {
                "external_id": number,
                "original_amount": EARNED,
                "currency": "UAH",
                "description": "Earnings at Hlyna in March",
                "callback_url": format!("{}/callbacks", self.address),
            },
            // The partner that the sandbox's projects belong to.
            "payer": { "entity_id": "sandbox-entity" },
            "recipient": {
                "payout_type": "card",
                "card": { "first_name": "Леся", "last_name": "Гончар", "card_data": { "token": wanted.token } },
            },
        });
        match self.request(&request) {
            Ok(begun) => {
                self.note(&begun);
                self.find(&number).context("there is no such payout")
            }
            Err(error) => {
                self.all().retain(|payout| payout.number != number);
                Err(error)
            }
        }
    }

    /// What the shop knows of a payout.
    pub(super) fn find(&self, number: &str) -> Option<Value> {
        let all = self.all();
        let payout = all.iter().find(|payout| payout.number == number)?;
        serde_json::to_value(payout).ok()
    }

    /// A callback whose signature is good; whether it is about a payout.
    pub(super) fn hear(&self, told: &Value) -> bool {
        told["payout_type"].is_string() && self.note(told)
    }

    /// Notes how a payout stands. What has ended stays: a callback may be slower than the answer of the call.
    fn note(&self, told: &Value) -> bool {
        let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        let mut all = self.all();
        let Some(payout) = all.iter_mut().find(|payout| payout.number == text("external_id")) else {
            return false;
        };
        if !matches!(&*payout.status, "success" | "failure") {
            payout.status = text("status");
            payout.status_code = text("status_code");
        }
        true
    }

    /// Asks for a payout. What was sold in March was sold before this shop was opened: a sandbox starts with nothing, and is given it here.
    fn request(&self, payout: &Value) -> Result<Value> {
        let request = || call(self.service, 0, "POST", "/api/payouts/v1/request-payout", payout);
        match request() {
            Err(error) if error.to_string().contains("insufficient_funds") => {
                let earned = json!({ "amount": EARNED, "currency": "UAH" });
                call(self.service, 0, "POST", "/sandbox/v1/balance", &earned)?;
                request()
            }
            asked => asked,
        }
    }

    fn all(&self) -> MutexGuard<'_, Vec<Payout>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payout_that_has_ended_stays_as_it_is() {
        let payouts = Payouts::new(1, "http://127.0.0.1:2".to_owned());
        payouts.all().push(Payout {
            number: "one".to_owned(),
            amount: EARNED,
            card: "41111111****1111".to_owned(),
            status: "init".to_owned(),
            status_code: String::new(),
        });
        let told = |number: &str, status: &str| {
            payouts.hear(&json!({ "external_id": number, "status": status, "payout_type": "card" }))
        };
        assert!(!told("two", "success"), "another's");
        assert!(
            !payouts.hear(&json!({ "external_id": "one", "status": "success" })),
            "a payment's"
        );
        for (status, stands) in [
            ("pending", "pending"),
            ("success", "success"),
            ("pending", "success"),
        ] {
            assert!(told("one", status));
            assert_eq!(payouts.find("one").expect("is there")["status"], stands);
        }
    }
}
