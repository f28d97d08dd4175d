//! What a shop calls by a number: for operators who are asked about it. Neither cards nor people.

use database::{Transaction, values};
use jiff::Timestamp;
use wire::interface::answer::{Operation as Kind, Status};
use wire::interface::callback::{Attempt, CallbackState, Resource};
use wire::interface::subscription::SubscriptionState;
use wire::interface::{Amount, Currency, StatusCode};

use super::Project;
use crate::checkout::record::from_json;
use crate::id::Id;
use crate::operation::Operation;
use crate::order::{self, Number};
use crate::payment::{amount, currency};
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::subscription::Subscription;
use crate::time;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// A payment, an installment order or a payout.
    Order {
        /// Which of these.
        resource: Resource,
        /// Its id.
        id: Id,
        /// The shop's number of it.
        external_id: String,
        /// How it stands.
        state: String,
        /// Its amount.
        amount: Amount,
        /// ISO 4217 code.
        currency: Currency,
        /// When it was made, by the project's clock.
        created_at: Timestamp,
    },
    /// An operation of what stands above it.
    Operation {
        /// Its id.
        id: Id,
        /// What it was.
        kind: Kind,
        /// How it stands.
        status: Status,
        /// Why.
        code: StatusCode,
        /// Its amount.
        amount: Amount,
        /// When it ended.
        processed_at: Option<Timestamp>,
    },
    /// A customer's subscription.
    Subscription {
        /// Its id.
        id: Id,
        /// Id of its plan.
        plan: Id,
        /// How it stands.
        state: SubscriptionState,
        /// When it is charged next, or ends.
        next_at: Option<Timestamp>,
        /// When it was made.
        created_at: Timestamp,
    },
    /// A callback about what stands above it.
    Callback {
        /// What it tells of.
        operation: String,
        /// Whether it was delivered.
        state: CallbackState,
        /// Every attempt.
        attempts: Vec<Attempt>,
    },
}

impl Processing {
    /// Everything of a project that a number names: `external_id` of a payment, an installment order or a payout (each the one that has
    /// succeeded, else the newest), `batch_external_id`, a subscription's id, or the number of a customer with subscriptions. Reads the store.
    pub fn find(&self, project: &Project, number: &str) -> Result<Vec<Found>, Refusal> {
        let (project, number) = (project.id.clone(), number.to_owned());
        self.shared.database.read(move |tx| {
            let mut found = Vec::new();
            for (resource, named, sql) in [
                (Resource::Payment, Number::order(&project, &number), PAYMENT),
                (
                    Resource::Installment,
                    Number::installment(&project, &number),
                    INSTALLMENT,
                ),
                (Resource::Payout, Number::payout(&project, &number), PAYOUT),
            ] {
                if let Some(id) = order::find(tx, named)? {
                    look(tx, &mut found, resource, (id, sql))?;
                }
            }
            if let Some(checkout) = order::find(tx, Number::basket(&project, &number))? {
                for row in tx.rows(BASKET, values![checkout])? {
                    look(tx, &mut found, Resource::Payment, (row.get(0)?, PAYMENT))?;
                }
            }
            let mut subscriptions = Subscription::all(tx, &project, &number)?;
            if let Ok(id) = number.parse() {
                let named = Subscription::find(tx, id)?;
                subscriptions.extend(named.filter(|named| named.project == project));
            }
            for subscription in subscriptions {
                found.push(Found::Subscription {
                    id: subscription.id,
                    plan: subscription.plan,
                    state: subscription.state,
                    next_at: subscription.due_at,
                    created_at: subscription.created_at,
                });
                let number = subscription.id.to_string();
                callbacks(tx, &mut found, Resource::Subscription, (&project, &number))?;
            }
            Ok(found)
        })
    }
}

/// One order with its operations and callbacks.
fn look(
    tx: &mut dyn Transaction,
    found: &mut Vec<Found>,
    resource: Resource,
    (id, sql): (Id, &'static str),
) -> Result<(), Refusal> {
    let row = tx.row(sql, values![id])?;
    let row = row.ok_or_else(|| Refusal::internal("an order without its row"))?;
    let (project, external_id): (String, String) = (row.get(0)?, row.get(1)?);
    found.push(Found::Order {
        resource,
        id,
        external_id: external_id.clone(),
        state: row.get(2)?,
        amount: amount(&row, 3)?,
        currency: currency(&row, 4)?,
        created_at: time::from_sql(row.get(5)?)?,
    });
    for operation in Operation::all(tx, id)? {
        found.push(Found::Operation {
            id: operation.id,
            kind: operation.kind,
            status: operation.status,
            code: operation.code,
            amount: operation.amount,
            processed_at: operation.processed_at,
        });
    }
    callbacks(tx, found, resource, (&project, &external_id))
}

fn callbacks(
    tx: &mut dyn Transaction,
    found: &mut Vec<Found>,
    resource: Resource,
    (project, external_id): (&str, &str),
) -> Result<(), Refusal> {
    for row in tx.rows(CALLBACKS, values![project, resource.as_str(), external_id])? {
        let state = CallbackState::of(&row.get::<String>(1)?);
        found.push(Found::Callback {
            operation: row.get(0)?,
            state: state.ok_or_else(|| Refusal::internal("a callback cannot be read"))?,
            attempts: from_json(&row.get::<String>(2)?)?,
        });
    }
    Ok(())
}

/// A statement that reads the head of an order.
macro_rules! head {
    ($table:literal) => {
        concat!(
            "SELECT project, external_id, state, amount, currency, created_at FROM ",
            $table,
            " WHERE id = $1"
        )
    };
}

const PAYMENT: &str = head!("payments");
const INSTALLMENT: &str = head!("installments");
const PAYOUT: &str = head!("payouts");

const BASKET: &str = "SELECT id FROM payments WHERE checkout = $1 ORDER BY position";

const CALLBACKS: &str = "
    SELECT operation, state, attempts FROM callbacks WHERE project = $1 AND resource = $2 AND external_id = $3
    ORDER BY subject, seq";

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::interface::read;

    use super::*;
    use crate::testing::{Place, in_both};

    const GOOD: &str = "4111111111111111";

    /// What and how it stands.
    fn told(place: &Place, project: &str, number: &str) -> Vec<String> {
        let project = place.processing.find_project(project).unwrap().unwrap();
        let found = place.processing.find(&project, number).unwrap();
        let line = |found: Found| match found {
            Found::Order {
                resource,
                external_id,
                state,
                amount,
                ..
            } => format!("{resource} {external_id} {state} {amount}"),
            Found::Operation { kind, code, .. } => format!("{kind} {code}"),
            Found::Subscription { state, next_at, .. } => {
                format!("subscription {state} {}", next_at.is_some())
            }
            Found::Callback { operation, state, .. } => format!("callback {operation} {state}"),
        };
        found.into_iter().map(line).collect()
    }

    #[test]
    fn a_number_names_all_that_is_called_so_in_its_project() {
        in_both(|place| {
            place.pay("one", GOOD, json!({})).unwrap();
            place.order("one", "bank_a", json!({})).unwrap();
            let both = [
                "payment one charged 100.50",
                "payment transaction_successful",
                "callback payment waiting",
                "installment one waiting 1200.00",
                "payment transaction_created",
            ];
            assert_eq!(told(place, "sandbox", "one"), both);
            let basket = json!({
                "batch_external_id": "two", "currency": "UAH", "mode": "hosted", "callback_url": "https://shop.example/",
                "orders": [{ "api_key": "sandbox", "amount": 5, "external_id": "a" }, { "api_key": "sandbox", "amount": 6, "external_id": "b" }],
            });
            let basket = read(basket.to_string().as_bytes()).unwrap();
            place.processing.create_basket(&place.sandbox(), basket).unwrap();
            assert_eq!(
                told(place, "sandbox", "two"),
                ["payment a created 5.00", "payment b created 6.00"]
            );
            let plan = place.plan(json!({})).unwrap();
            let made = place.subscribe(&plan, GOOD, json!({})).unwrap().subscription;
            let of_it = ["subscription active true", "callback payment_success waiting"];
            for number in ["anna", &*made.id] {
                assert_eq!(told(place, "sandbox", number), of_it);
            }
            for number in ["one", "two", "a", "anna", &*made.id, "", "none"] {
                assert!(told(place, "sandbox-2", number).is_empty(), "{number}");
            }
        });
    }
}
