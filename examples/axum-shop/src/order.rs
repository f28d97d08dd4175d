//! What the shop sells, and its orders. A real shop keeps them in a database.

use std::collections::{BTreeMap, HashSet};

use client::interface::answer::{Details, Status};
use client::interface::values::ExternalId;
use client::interface::{Amount, StatusCode};
use serde::Serialize;

/// Something that is for sale.
#[derive(Serialize)]
pub(crate) struct Product {
    id: &'static str,
    name: &'static str,
    /// In hundredths.
    price: u64,
}

pub(crate) const PRODUCTS: [Product; 3] = [
    product("kettle", "Kettle", 134_950),
    product("mug", "Stoneware mug", 42_000),
    product("spoon", "Spoon", 9),
];

const fn product(id: &'static str, name: &'static str, price: u64) -> Product {
    Product { id, name, price }
}

/// One order.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) number: ExternalId,
    pub(crate) amount: Amount,
    pub(crate) state: State,
    why: Option<StatusCode>,
    receipt: Option<String>,
    /// Keys of the callbacks that were heard.
    pub(crate) heard: HashSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Open,
    Waiting,
    Paid,
    Declined,
}

/// What a page may know of an order.
#[derive(Serialize)]
pub(crate) struct OrderView {
    number: ExternalId,
    amount: Amount,
    state: State,
    why: String,
    receipt: Option<String>,
    /// Where the payer has to go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
}

impl Order {
    /// An order for numbers of pieces by product; `None` where that is nothing that the shop sells. The page says what is bought, the shop
    /// what it costs.
    pub(crate) fn open(pieces: &BTreeMap<String, u64>) -> Option<Self> {
        let mut sum = 0;
        for (id, count) in pieces {
            let product = PRODUCTS.iter().find(|product| product.id == id)?;
            sum += product.price * (*count <= 99).then_some(*count)?;
        }
        let amount = Amount::from_minor(sum).filter(|amount| !amount.is_zero())?;
        let mut random = [0; 8];
        getrandom::fill(&mut random).ok()?;
        Some(Self {
            // There before anybody is asked for money: under one number, one payment succeeds.
            number: ExternalId::new(format!("shop-{:016x}", u64::from_le_bytes(random)))?,
            amount,
            state: State::Open,
            why: None,
            receipt: None,
            heard: HashSet::new(),
        })
    }

    /// What a payment has come to. A paid order stays paid: answers, callbacks and questions may come in any order.
    pub(crate) fn settle(&mut self, is_paid: bool, details: Option<&Details>, receipt: Option<&String>) {
        if self.state == State::Paid {
            return;
        }
        let failed = details.filter(|details| details.status == Status::Failure);
        self.why = failed.map(|details| details.status_code.clone());
        self.state = match failed {
            _ if is_paid => State::Paid,
            Some(_) => State::Declined,
            None => State::Waiting,
        };
        self.receipt = receipt.filter(|_| is_paid).cloned();
    }

    pub(crate) fn view(&self) -> OrderView {
        OrderView {
            number: self.number.clone(),
            amount: self.amount,
            state: self.state,
            why: self
                .why
                .as_ref()
                .map_or_else(String::new, |why| why.as_str().to_owned()),
            receipt: self.receipt.clone(),
            next: None,
        }
    }
}

impl OrderView {
    pub(crate) fn state(&self) -> State {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shop_says_what_it_costs() {
        let open = |pieces: &[(&str, u64)]| {
            let pieces = pieces
                .iter()
                .map(|(id, count)| ((*id).to_owned(), *count))
                .collect();
            Order::open(&pieces).map(|order| order.amount.to_string())
        };
        assert_eq!(
            open(&[("kettle", 1), ("mug", 2), ("spoon", 0)]),
            Some("2189.50".to_owned())
        );
        for pieces in [&[][..], &[("mug", 0)], &[("mug", 100)], &[("gold", 1)]] {
            assert_eq!(open(pieces), None, "{pieces:?}");
        }
    }
}
