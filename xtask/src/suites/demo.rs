//! The demo shop against the service, from the order to the refund, as its pages drive it.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::Outcome;
use crate::demo::shop::Shop;
use crate::service::{self, Service};
use crate::{http, project};

pub(super) fn check() -> Result<Outcome> {
    let binary = Service::build()?;
    let data = project::scratch().join("demo-data");
    if data.exists() {
        fs::remove_dir_all(&data)?;
    }
    let service = Service::start_silent(&binary, service::free_port()?, &data)?;
    let port = service::free_port()?;
    let _shop = Shop::open(port, &format!("http://localhost:{}", service.port), service.port)?;
    let payer = Payer {
        shop: port,
        service: service.port,
    };
    let mut outcome = Outcome::default();
    for (about, wish, path) in [
        ("one stage", json!({}), &["paid", "refund", "refunded"] as &[_]),
        (
            "two stages",
            json!({ "holds": true }),
            &["held", "confirm", "paid", "refund", "refunded"],
        ),
        (
            "let go",
            json!({ "holds": true }),
            &["held", "cancel", "cancelled"],
        ),
        (
            "a basket",
            json!({ "shared": true }),
            &["paid", "refund", "refunded"],
        ),
        (
            "a basket in two stages",
            json!({ "shared": true, "holds": true }),
            &["held", "confirm", "paid"],
        ),
    ] {
        let found = payer.follow(&wish, path);
        outcome.check(found.is_ok(), || {
            format!(
                "{about}: {:#}",
                found.as_ref().err().map_or_else(String::new, ToString::to_string)
            )
        });
    }
    let subscribed = payer.subscribes();
    outcome.check(subscribed.is_ok(), || format!("a subscription: {subscribed:#?}"));
    let (number, _) = payer.order(&json!({}))?;
    let forged = json!({ "external_id": number, "operation": "payment", "details": { "status": "success" } });
    let answer = http::post(
        port,
        "/callbacks",
        "X-SERVICE-SIGNATURE: =\r\n",
        &forged.to_string(),
    )?;
    outcome.check(answer.status == 400 && payer.state(&number)? == "waiting", || {
        "a callback without a good signature was believed".to_owned()
    });
    let answer = http::post(port, "/api/orders", "Origin: https://other.example\r\n", "{}")?;
    outcome.check(answer.status == 404, || "another site's page ordered".to_owned());
    Ok(outcome)
}

/// Who orders, pays on the payment page, and works in the back office.
struct Payer {
    shop: u16,
    service: u16,
}

impl Payer {
    /// Goes through states and what is done in between, in turn.
    fn follow(&self, wish: &Value, path: &[&str]) -> Result<()> {
        let (number, page) = self.order(wish)?;
        let own = format!("Origin: http://localhost:{}\r\n", self.service);
        let paid = http::post(self.service, &page, &own, "attempt=0&method=mobile_a_pay")?;
        if paid.status != 303 {
            bail!("the payment page answered {}", paid.status);
        }
        for step in path.chunks(2) {
            self.wait_for(&number, step[0])?;
            if let Some(action) = step.get(1) {
                self.tell(&format!("/api/orders/{number}/{action}"), &json!({}))?;
            }
        }
        Ok(())
    }

    /// Subscribes with the card of an earlier order, lets a month pass, and cancels.
    fn subscribes(&self) -> Result<()> {
        let journal = http::call(
            self.service,
            "GET",
            "/sandbox/v1/callbacks",
            "sandbox:sandbox-password",
            b"",
        )?;
        let journal: Value = serde_json::from_slice(&journal.body)?;
        let bodies = journal["callbacks"].as_array().into_iter().flatten();
        let token = bodies
            .filter_map(|entry| serde_json::from_str::<Value>(entry["body"].as_str()?).ok())
            .find_map(|body| {
                body["payment_method"]["cc_token"]["token"]
                    .as_str()
                    .map(str::to_owned)
            });
        let token = token.context("no order was paid with a card")?;
        self.tell("/api/subscription", &json!({ "token": token, "lang": "en" }))?;
        for (action, state, event) in [
            ("", "active", "payment_success"),
            ("later", "active", "subscription_renewed"),
            ("cancel", "inactive", "subscription_refunded"),
        ] {
            if !action.is_empty() {
                self.tell(&format!("/api/subscription/{action}"), &json!({}))?;
            }
            self.hears(state, event)?;
        }
        Ok(())
    }

    /// Waits until the subscription is in a state and the shop has heard of an event.
    fn hears(&self, state: &str, event: &str) -> Result<()> {
        let start = Instant::now();
        loop {
            let answer = http::get(self.shop, "/api/subscription")?;
            let found: Value = serde_json::from_slice(&answer.body)?;
            let mut heard = found["heard"].as_array().into_iter().flatten();
            if found["state"] == state && heard.any(|heard| heard["event"] == event) {
                return Ok(());
            }
            if start.elapsed() > Duration::from_secs(15) {
                bail!("not {state} with {event}: {found}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// An order's number, and the path of its payment page.
    fn order(&self, wish: &Value) -> Result<(String, String)> {
        let mut body =
            json!({ "way": "page", "lang": "en", "holds": false, "shared": false, "saves": false });
        for (name, value) in wish.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        let answer = self.tell("/api/orders", &body)?;
        let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
        let address = text("goes_to");
        let path = address.find("/pay/").map(|start| address[start..].to_owned());
        Ok((text("number"), path.context("there is no payment page")?))
    }

    fn wait_for(&self, number: &str, state: &str) -> Result<()> {
        let start = Instant::now();
        loop {
            let found = self.state(number)?;
            if found == state {
                return Ok(());
            }
            if start.elapsed() > Duration::from_secs(15) {
                bail!("the order is {found} and not {state}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn state(&self, number: &str) -> Result<String> {
        let answer = http::get(self.shop, &format!("/api/orders/{number}"))?;
        let order: Value = serde_json::from_slice(&answer.body)?;
        Ok(order["state"].as_str().unwrap_or_default().to_owned())
    }

    /// What a script of the shop's own page says to its server.
    fn tell(&self, path: &str, body: &Value) -> Result<Value> {
        let own = format!("Origin: http://localhost:{}\r\n", self.shop);
        let answer = http::post(self.shop, path, &own, &body.to_string())?;
        let said: Value = serde_json::from_slice(&answer.body)?;
        match answer.status {
            200 => Ok(said),
            status => bail!("{path}: {status} {said}"),
        }
    }
}
