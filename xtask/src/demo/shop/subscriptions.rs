//! The demo shop's subscription: a set of cups every month, until the customer leaves.
//!
//! The shop's server acts for its customer with an access token, which the sandbox gives; how every charge ends is told by signed callbacks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};

use super::service::{SELLERS, call};
use crate::http;

/// The shop's one customer.
const CUSTOMER: &str = "demo-customer";

const SUBSCRIPTIONS: &str = "/api/subscriptions/v1/subscriptions";

/// The customer's subscription.
pub(super) struct Subscriptions {
    /// Port of the service.
    service: u16,
    /// The shop's own address.
    address: String,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// What the shop offers; made when somebody wants it first.
    plan: Option<String>,
    /// The customer's newest.
    id: Option<String>,
    /// Events of signed callbacks, the oldest first.
    heard: Vec<Value>,
}

/// What the page asks for.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    token: String,
    lang: String,
}

impl Subscriptions {
    pub(super) fn new(service: u16, address: String) -> Self {
        Self {
            service,
            address,
            known: Mutex::default(),
        }
    }

    /// Subscribes the customer with a card: where they go next.
    pub(super) fn begin(&self, wanted: &Wanted) -> Result<Value> {
        let here = format!("{}/subscription?lang={}", self.address, wanted.lang);
        let body = json!({
            "plan_id": self.plan()?,
            // In the past: at once.
            "start_date": "2026-01-01T00:00:00Z",
            "callback_url": format!("{}/callbacks", self.address),
            "result_url": here,
            "description": "Cups from Hlyna, every month",
            "customer": {
                "locale": wanted.lang.to_uppercase(),
                "payment_method": { "type": "cc_token", "cc_token": { "token": wanted.token } },
            },
        });
        let made = self.ask("POST", SUBSCRIPTIONS, &body)?;
        let id = made["subscription"]["id"]
            .as_str()
            .context("a subscription without its id")?;
        self.known().id = Some(id.to_owned());
        let goes_to = made["payment"]["user_action"]["value"].as_str().unwrap_or(&here);
        Ok(json!({ "goes_to": goes_to }))
    }

    /// The customer's subscription with its payments, as the service has them, and what it has told; `null` where there is none.
    pub(super) fn look(&self) -> Result<Value> {
        let Some(path) = self.path() else {
            return Ok(Value::Null);
        };
        let mut subscription = self.ask("GET", &path, &Value::Null)?;
        subscription["payments"] = self.ask("GET", &format!("{path}/payments"), &Value::Null)?;
        subscription["heard"] = json!(self.known().heard);
        Ok(subscription)
    }

    /// What the page's buttons do: `deactivate`, `cancel`, and `later`, which sets the sandbox's clock to the next payment's date.
    pub(super) fn change(&self, action: &str) -> Result<()> {
        let path = self.path().context("there is no subscription")?;
        match action {
            "deactivate" => self.ask("DELETE", &path, &Value::Null)?,
            "cancel" => self.ask("DELETE", &format!("{path}/cancel?refund=true"), &Value::Null)?,
            "later" => {
                let next = self.ask("GET", &path, &Value::Null)?["next_payment_date"].clone();
                call(
                    self.service,
                    0,
                    "POST",
                    "/sandbox/v1/clock",
                    &json!({ "now": next }),
                )?
            }
            _ => bail!("the page has no such button"),
        };
        Ok(())
    }

    /// A callback whose signature is good; whether it is about a subscription. One that came before changes nothing.
    pub(super) fn hear(&self, told: &Value) -> bool {
        let Some(id) = told["subscription_id"].as_str() else {
            return false;
        };
        let mut known = self.known();
        // The answer that tells the id may be slower than the first callback.
        let is_old = known.heard.contains(told);
        if known.heard.iter().any(|heard| heard["subscription_id"] != id) {
            known.heard.clear();
        }
        if !is_old {
            known.heard.push(told.clone());
        }
        true
    }

    fn path(&self) -> Option<String> {
        self.known().id.as_ref().map(|id| format!("{SUBSCRIPTIONS}/{id}"))
    }

    fn plan(&self) -> Result<String> {
        if let Some(plan) = &self.known().plan {
            return Ok(plan.clone());
        }
        let body = json!({
            "name": "A set of cups", "price": "350.00", "currency": "UAH", "frequency_type": "monthly", "frequency": 1,
            "duration_periods": 12, "start_date": "2026-01-01T00:00:00Z",
        });
        let made = call(self.service, 0, "POST", "/api/subscriptions/v1/plans", &body)?;
        let plan = made["id"].as_str().context("a plan without its id")?.to_owned();
        self.known().plan = Some(plan.clone());
        Ok(plan)
    }

    /// A call in the customer's name. Their token is made anew each time: the shop keeps none.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let access = format!("/sandbox/v1/customers/{CUSTOMER}/access-token");
        let access = call(self.service, 0, "POST", &access, &json!({}))?;
        let access = access["access_token"].as_str().context("no access token")?;
        let (login, password) = SELLERS[0];
        let header = format!("X-CUSTOMER-AUTH: {access}\r\n");
        let sent = body.to_string();
        let answer = http::call_with(
            self.service,
            method,
            path,
            &format!("{login}:{password}"),
            &header,
            sent.as_bytes(),
        )?;
        let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if answer.status != 200 {
            let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
            bail!("{} {}: {}", answer.status, text("code"), text("message"));
        }
        Ok(told)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_kept_once_and_of_one_subscription() {
        let subscriptions = Subscriptions::new(1, "http://127.0.0.1:2".to_owned());
        let told =
            |id: &str, event: &str| subscriptions.hear(&json!({ "subscription_id": id, "event": event }));
        assert!(!subscriptions.hear(&json!({ "external_id": "a payment's" })));
        for event in ["payment_success", "payment_success", "subscription_renewed"] {
            assert!(told("one", event));
        }
        assert_eq!(subscriptions.known().heard.len(), 2);
        assert!(told("two", "payment_failed"));
        assert_eq!(subscriptions.known().heard.len(), 1, "the one before is over");
    }
}
