//! The demo shop's orders: what a shop's server sends to the service, and what it believes.
//!
//! It believes signed callbacks and nothing else. What stands in the address of somebody who comes back from paying names the order
//! and no more. All is in memory: with the shop, its orders are gone.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::interface::Amount;
use wire::interface::installment::BankInfo;

use super::service::{SELLERS, call};

/// What is in the cart: name, pieces, price in the currency's smallest units. The bowl is the second seller's.
const CART: [(&str, &str, u64); 3] = [
    ("Stoneware mug", "2", 84_000),
    ("Delivery to a parcel locker", "1", 8_500),
    ("Breakfast bowl", "1", 65_000),
];

/// The shop's one customer.
const CUSTOMER: &str = "demo-customer";

/// All orders since the shop was opened.
pub(super) struct Orders {
    /// Port of the service.
    service: u16,
    /// The shop's own address.
    address: String,
    all: Mutex<Vec<Order>>,
}

/// One order.
#[derive(Clone, Debug, Serialize)]
struct Order {
    number: String,
    amount: String,
    is_basket: bool,
    /// Whether a bank pays it, and the customer the bank.
    in_parts: bool,
    /// `waiting`, `paid`, `held`, `signed`, `failed`, `cancelled`, `refunded` or `refund_pending`.
    state: &'static str,
    card: Option<String>,
    receipt_url: Option<String>,
    /// Callbacks with a good signature, the oldest first.
    heard: Vec<Heard>,
}

/// One callback.
#[derive(Clone, Debug, Serialize)]
struct Heard {
    external_id: String,
    operation: String,
    operation_id: String,
    status: String,
    status_code: String,
    amount: String,
}

/// What the checkout asks for.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    /// `card`, `page`, `saved` or `parts`.
    way: String,
    /// Of the card that was typed.
    token: Option<String>,
    /// Of the saved card.
    option_id: Option<String>,
    /// Which bank pays, in how many parts, and by which phone it finds the customer.
    bank: Option<String>,
    parts: Option<u32>,
    phone: Option<String>,
    lang: String,
    /// Only to hold the amount.
    holds: bool,
    /// Two sellers, so a basket.
    shared: bool,
    /// To save the card that was typed.
    saves: bool,
}

impl Orders {
    pub(super) fn new(service: u16, address: String) -> Self {
        Self {
            service,
            address,
            all: Mutex::default(),
        }
    }

    /// Makes an order and has it paid: where the payer goes next.
    pub(super) fn pay(&self, wanted: &Wanted) -> Result<Value> {
        let in_parts = wanted.way == "parts";
        let is_basket = wanted.shared && !in_parts;
        let number = self.open(is_basket, in_parts)?;
        let (path, body) = match is_basket {
            _ if in_parts => ("/api/payparts/v1/order/create", self.in_parts(&number, wanted)),
            true => ("/api/payments/batch/v1/new", self.basket(&number, wanted)),
            false => ("/api/payments/v1/new", self.payment(&number, wanted)),
        };
        let answer = self.call(0, "POST", path, &body)?;
        let here = format!("order?external_id={number}&lang={}", wanted.lang);
        let goes_to = answer["action"]["value"].as_str().unwrap_or(&here);
        Ok(json!({ "number": number, "goes_to": goes_to }))
    }

    /// What the shop knows of an order.
    pub(super) fn find(&self, number: &str) -> Option<Value> {
        let all = self.all();
        let order = all.iter().find(|order| order.number == number)?;
        serde_json::to_value(order).ok()
    }

    /// Every order, the newest first.
    pub(super) fn list(&self) -> Value {
        json!(self.all().iter().rev().collect::<Vec<_>>())
    }

    /// Banks that pay an order like this one in parts.
    pub(super) fn banks(&self) -> Result<Value> {
        let banks = self.call(0, "GET", "/api/payparts/v1/banks/info", &Value::Null)?;
        let mut banks: Vec<BankInfo> = serde_json::from_value(banks)?;
        let total = Amount::from_minor(total()).unwrap_or_default();
        banks.retain(|bank| (bank.limits.min_amount..=bank.limits.max_amount).contains(&total));
        Ok(json!(banks))
    }

    /// The customer's saved cards.
    pub(super) fn cards(&self) -> Result<Value> {
        let path = format!("/api/customers/v1/wallet?external_id={CUSTOMER}");
        let wallet = self.call(0, "GET", &path, &Value::Null)?;
        Ok(wallet["wallet"].clone())
    }

    /// What the back office does with an order: `confirm`, `cancel` or `refund`.
    pub(super) fn change(&self, number: &str, action: &str) -> Result<()> {
        let kind = self
            .all()
            .iter()
            .find(|order| order.number == number)
            .map(|order| (order.is_basket, order.in_parts));
        let (is_basket, in_parts) = kind.context("there is no such order")?;
        let parts = match (is_basket, action) {
            (false, "confirm" | "cancel" | "refund") if in_parts => {
                let step = if action == "refund" { "" } else { "order/" };
                let path = format!("/api/payparts/v1/{step}{action}");
                vec![(0, path, json!({ "external_id": number }))]
            }
            (false, "confirm" | "cancel" | "refund") => {
                vec![(
                    0,
                    format!("/api/payments/v1/{action}"),
                    json!({ "external_id": number }),
                )]
            }
            (true, "confirm") => {
                let body = json!({ "batch_external_id": number, "orders": self.parts(number) });
                vec![(0, "/api/payments/batch/v1/confirm".to_owned(), body)]
            }
            (true, "cancel") => {
                let body = json!({ "batch_external_id": number });
                vec![(0, "/api/payments/batch/v1/cancel".to_owned(), body)]
            }
            // Each seller gives back what is theirs.
            (true, "refund") => [0, 1]
                .map(|seller| {
                    let body = json!({ "external_id": part(number, seller) });
                    (seller, "/api/payments/v1/refund".to_owned(), body)
                })
                .to_vec(),
            _ => bail!("the back office has no such button"),
        };
        for (seller, path, body) in parts {
            self.call(seller, "POST", &path, &body)?;
        }
        Ok(())
    }

    /// A callback whose signature is good. One that came before changes nothing.
    pub(super) fn hear(&self, told: &Value) -> Result<()> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let details = &told["details"];
        let heard = Heard {
            external_id: text(&told["external_id"]),
            operation: text(&told["operation"]),
            operation_id: text(&details["operation_id"]),
            status: text(&details["status"]),
            status_code: text(&details["status_code"]),
            // Of payment in parts it is a number.
            amount: match &details["amount"] {
                Value::Number(amount) => amount
                    .to_string()
                    .parse::<Amount>()
                    .unwrap_or_default()
                    .to_string(),
                amount => text(amount),
            },
        };
        let state = match (heard.operation.as_str(), heard.status.as_str()) {
            ("payment", "success") if details["method"] == "auth" => "held",
            ("payment", "success") if details["method"] == "create" => "signed",
            ("payment" | "confirm", "success") => "paid",
            ("payment", "failure") => "failed",
            ("cancel", "success") => "cancelled",
            ("refund", "success") => "refunded",
            ("refund", "pending") => "refund_pending",
            _ => "",
        };
        let mut all = self.all();
        let order = all.iter_mut().find(|order| {
            order.number == heard.external_id || heard.external_id.starts_with(&format!("{}-", order.number))
        });
        let order = order.context("there is no such order")?;
        let is_old = order
            .heard
            .iter()
            .any(|old| (&old.operation_id, &old.status) == (&heard.operation_id, &heard.status));
        if is_old {
            return Ok(());
        }
        if !state.is_empty() {
            order.state = state;
        }
        let card = told["payment_method"]["cc_token"]["mask"].as_str();
        order.card = card.map(str::to_owned).or(order.card.take());
        let receipt = told["receipt_url"].as_str();
        order.receipt_url = receipt.map(str::to_owned).or(order.receipt_url.take());
        order.heard.push(heard);
        Ok(())
    }

    pub(super) fn open(&self, is_basket: bool, in_parts: bool) -> Result<String> {
        let mut all = self.all();
        let millis = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
        // Orders of earlier days are unknown here and known to the service.
        let number = format!("hlyna-{millis}{:02}", all.len() % 100);
        all.push(Order {
            number: number.clone(),
            amount: money(total()),
            is_basket,
            in_parts,
            state: "waiting",
            card: None,
            receipt_url: None,
            heard: Vec::new(),
        });
        Ok(number)
    }

    fn payment(&self, number: &str, wanted: &Wanted) -> Value {
        let mut body = self.common(wanted);
        body["external_id"] = number.into();
        body["amount"] = money(total()).into();
        body["description"] = format!("Order {number} at Hlyna").into();
        body["products"] = products(&CART);
        body
    }

    fn in_parts(&self, number: &str, wanted: &Wanted) -> Value {
        let product = |(name, pieces, price): &(&str, &str, u64)| json!({ "name": name, "quantity": pieces.parse::<u32>().unwrap_or(1), "price": money(*price), "tax_group": 1 });
        // The one bank that finds its customers by their cards, on a page.
        let by_card = wanted.bank.as_deref() == Some("bank_e");
        json!({
            "bank_name": wanted.bank,
            "mode": if by_card { "hosted" } else { "direct" },
            "external_id": number,
            "amount": money(total()),
            "currency": "UAH",
            "parts_count": wanted.parts,
            "description": format!("Order {number} at Hlyna"),
            "auto_confirm_after_success": !wanted.holds,
            "products": CART.iter().map(product).collect::<Vec<_>>(),
            "callback_url": format!("{}/callbacks", self.address),
            "result_url": format!("{}/order?lang={}", self.address, wanted.lang),
            "customer": {
                "external_id": CUSTOMER,
                "locale": wanted.lang.to_uppercase(),
                "phone": wanted.phone,
            },
        })
    }

    fn basket(&self, number: &str, wanted: &Wanted) -> Value {
        let mut body = self.common(wanted);
        body["batch_external_id"] = number.into();
        body["orders"] = self.parts(number);
        body
    }

    /// The orders of a basket: the bowl is the second seller's.
    fn parts(&self, number: &str) -> Value {
        let orders = [&CART[..2], &CART[2..]]
            .into_iter()
            .enumerate()
            .map(|(seller, lines)| {
                json!({
                    "api_key": SELLERS[seller].0,
                    "external_id": part(number, seller),
                    "amount": money(lines.iter().map(|line| line.2).sum()),
                    "description": format!("Order {number} at Hlyna"),
                    "products": products(lines),
                })
            });
        orders.collect()
    }

    fn common(&self, wanted: &Wanted) -> Value {
        let method = match wanted.way.as_str() {
            "card" => json!({
                "type": "cc_token",
                "cc_token": { "token": wanted.token, "save_to_wallet": wanted.saves },
            }),
            "saved" => json!({ "type": "wallet", "wallet": { "option_id": wanted.option_id } }),
            _ => Value::Null,
        };
        json!({
            "mode": if method.is_null() { "hosted" } else { "direct" },
            "currency": "UAH",
            "confirm": !wanted.holds,
            "callback_url": format!("{}/callbacks", self.address),
            "result_url": format!("{}/order?lang={}", self.address, wanted.lang),
            "customer": {
                "external_id": CUSTOMER,
                "locale": wanted.lang.to_uppercase(),
                "payment_method": method,
            },
        })
    }

    fn call(&self, seller: usize, method: &str, path: &str, body: &Value) -> Result<Value> {
        call(self.service, seller, method, path, body)
    }

    fn all(&self) -> MutexGuard<'_, Vec<Order>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Number of one seller's order in a basket.
fn part(number: &str, seller: usize) -> String {
    format!("{number}-{}", seller + 1)
}

fn products(lines: &[(&str, &str, u64)]) -> Value {
    let product = |(name, pieces, price): &(&str, &str, u64)| {
        json!({
            "name": name,
            "quantity": pieces,
            // A sixth of a price with 20 % VAT is VAT.
            "net_amount": money(price - price / 6),
            "vat_amount": money(*price),
            "tax_group": 1,
        })
    };
    lines.iter().map(product).collect()
}

/// What the cart costs.
fn total() -> u64 {
    CART.iter().map(|line| line.2).sum()
}

fn money(minor: u64) -> String {
    format!("{}.{:02}", minor / 100, minor % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn callback(orders: &Orders, number: &str, operation: &str, method: &str, status: &str) -> Result<()> {
        let body = json!({
            "external_id": number,
            "operation": operation,
            "details": {
                "method": method, "status": status, "operation_id": format!("{operation} {status}"),
                "status_code": "transaction_successful", "amount": "1575.00",
            },
            "payment_method": { "cc_token": { "mask": "42424242****4242" } },
            "receipt_url": "http://localhost:1/receipt/1",
        });
        orders.hear(&body)
    }

    #[test]
    fn an_order_follows_its_signed_callbacks() {
        let orders = Orders::new(1, "http://127.0.0.1:2".to_owned());
        let number = orders.open(false, false).expect("opens");
        for (operation, method, status, state) in [
            ("payment", "auth", "success", "held"),
            ("confirm", "capture", "success", "paid"),
            ("refund", "refund", "pending", "refund_pending"),
            ("refund", "refund", "success", "refunded"),
        ] {
            for _ in 0..2 {
                callback(&orders, &number, operation, method, status).expect("is signed");
            }
            assert_eq!(orders.find(&number).expect("is there")["state"], state);
        }
        let order = orders.find(&number).expect("is there");
        assert_eq!(order["heard"].as_array().map(Vec::len), Some(4));
        assert_eq!(order["card"], "42424242****4242");
    }

    #[test]
    fn a_basket_is_worth_what_the_cart_is() {
        let orders = Orders::new(1, "http://127.0.0.1:2".to_owned());
        let parts = orders.parts("n");
        let amounts: Vec<_> = parts
            .as_array()
            .into_iter()
            .flatten()
            .map(|part| part["amount"].clone())
            .collect();
        assert_eq!(amounts, ["925.00", "650.00"]);
        assert_eq!(products(&CART)[0]["net_amount"], "700.00");
    }
}
