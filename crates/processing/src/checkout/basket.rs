//! Baskets: one payment, split over orders of several projects of a partner.

use std::collections::HashSet;

use wire::interface::answer::{Action, Operation as Kind, Status};
use wire::interface::basket::{
    Basket, BasketDetails, BasketOrder, BasketStatus, CancelBasket, ConfirmBasket, NewBasket, OrderDetails,
};
use wire::interface::payment::Mode;
use wire::interface::values::WebAddress;
use wire::interface::{Amount, StatusCode};

use super::create::{DEFAULT_TTL, page_end};
use super::record::{Checkout, Terms, to_json};
use super::whole::{Stop, Whole};
use crate::operation::Operation;
use crate::order::{self, Number};
use crate::owner::Owner;
use crate::payment::Payment;
use crate::payment::answer::describe;
use crate::payment::follow::{self, Asked, Followed};
use crate::payment::money::Money;
use crate::payment::states::State;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `POST /api/payments/batch/v1/new`: makes a basket, and in mode `direct` pays it at once and as a whole. Waits for the disk and the
    /// acquirer.
    pub fn create_basket(&self, project: &Project, request: NewBasket) -> Result<Basket, Refusal> {
        let instrument = match request.mode {
            Mode::Direct => Some(self.instrument(project, request.customer.as_ref())?),
            _ => None,
        };
        let whole = self.draft_basket(project, request)?;
        let done = match instrument {
            None => self.open_page(whole)?,
            Some(instrument) => self.pay_new(project, whole, &instrument)?,
        };
        self.answer_basket(&done)
    }

    /// `POST /api/payments/batch/v1/confirm`: charges what is held for the orders that are named, all of it or less. Either all of them can be
    /// confirmed, or nothing is done. Waits for the disk and the acquirer.
    pub fn confirm_basket(&self, project: &Project, request: &ConfirmBasket) -> Result<Basket, Refusal> {
        let mut seen = HashSet::new();
        for order in request.orders.iter() {
            if !seen.insert((order.api_key.as_deref(), &*order.external_id)) {
                return Err(twice());
            }
        }
        let request = request.clone();
        self.follow_basket(
            project,
            &request.batch_external_id.clone(),
            Kind::Confirm,
            move |whole| {
                if request
                    .currency
                    .is_some_and(|currency| currency != whole.checkout.currency)
                {
                    let message = "the basket has another currency";
                    return Err(Refusal::new(StatusCode::InvalidCurrency, message).at("currency"));
                }
                let mut asked = Vec::with_capacity(request.orders.len());
                for order in request.orders.iter() {
                    let seller = order.api_key.as_deref();
                    let found = whole.payments.iter().position(|payment| {
                        payment.external_id == *order.external_id
                            && seller.is_none_or(|seller| seller == payment.project)
                    });
                    let found = found.ok_or_else(|| {
                        let message = "the basket has no such order";
                        Refusal::new(StatusCode::TransactionNotFound, message).at("orders.external_id")
                    })?;
                    asked.push((found, order.amount));
                }
                Ok((asked, request.callback_url.clone()))
            },
        )
    }

    /// `POST /api/payments/batch/v1/cancel`: releases all that is held for a basket. Waits for the disk and the acquirer.
    pub fn cancel_basket(&self, project: &Project, request: &CancelBasket) -> Result<Basket, Refusal> {
        let callback_url = request.callback_url.clone();
        self.follow_basket(project, &request.batch_external_id, Kind::Cancel, move |whole| {
            let held = |payment: &Payment| payment.state == State::Held;
            let all = match whole.payments.iter().any(held) {
                // Those that were confirmed before stay so.
                true => whole
                    .payments
                    .iter()
                    .enumerate()
                    .filter(|(_, payment)| held(payment))
                    .map(|(at, _)| at)
                    .collect(),
                // The first says why nothing can be released.
                false => vec![0],
            };
            Ok((
                all.into_iter().map(|at| (at, None)).collect(),
                callback_url.clone(),
            ))
        })
    }

    /// `GET /api/payments/batch/v1/payment-status`: how a basket stands. Reads the store.
    pub fn basket_status(&self, project: &Project, batch_external_id: &str) -> Result<BasketStatus, Refusal> {
        let (owner, batch) = (project.id.clone(), batch_external_id.to_owned());
        let whole = self.shared.database.read(move |tx| {
            let id = order::find(tx, Number::basket(&owner, &batch))?.ok_or_else(unknown_basket)?;
            Whole::find(tx, id)?.ok_or_else(unknown_basket)
        })?;
        let payment = whole.payments.first().ok_or_else(unknown_basket)?;
        let last = whole.operations.first();
        let (status, status_code) = match (payment.state, last) {
            (State::Expired, _) => (Status::Failure, StatusCode::OrderExpired),
            (State::Created, None) => (Status::Init, StatusCode::WaitingForRedirect),
            (_, Some(last)) => (last.status.clone(), last.code.clone()),
            (_, None) => (Status::Pending, StatusCode::Pending),
        };
        Ok(BasketStatus {
            batch_external_id: batch_external_id.to_owned(),
            status_description: describe(&status_code),
            status,
            status_code,
        })
    }

    /// A checkout of several orders, in memory.
    fn draft_basket(&self, project: &Project, request: NewBasket) -> Result<Whole, Refusal> {
        let real = self.shared.now();
        let now = project.now(real);
        let id = self.shared.new_id()?;
        let mut payments = Vec::with_capacity(request.orders.len());
        let (mut total, mut seen) = (Amount::ZERO, HashSet::new());
        for (position, order) in (0..).zip(request.orders.into_vec()) {
            let seller = self.seller(project, &order)?;
            if order.amount.is_zero() {
                return Err(
                    Refusal::new(StatusCode::WrongAmount, "more than 0 is needed").at("orders.amount")
                );
            }
            if !seen.insert((seller.clone(), order.external_id.as_str().to_owned())) {
                return Err(twice());
            }
            total = total.plus(order.amount).ok_or_else(|| {
                Refusal::new(StatusCode::WrongAmount, "the orders' sum is too large").at("orders.amount")
            })?;
            payments.push(Payment {
                id: self.shared.new_id()?,
                checkout: id,
                position,
                project: seller,
                external_id: order.external_id.into_string(),
                state: State::Created,
                amount: order.amount,
                currency: request.currency,
                money: Money::default(),
                busy: None,
                description: order.description.map(|text| text.into_string()),
                payload: order.payload.map(|text| text.into_string()),
                products: order
                    .products
                    .filter(|products| !products.is_empty())
                    .map(|products| to_json(&products))
                    .transpose()?,
                fiscal: None,
                created_at: now,
            });
        }
        let mut customer = request.customer;
        if let Some(customer) = &mut customer {
            customer.payment_method = None;
        }
        let is_hosted = request.mode == Mode::Hosted;
        let checkout = Checkout {
            batch: Some(request.batch_external_id.into_string()),
            is_hosted,
            holds: request.confirm == Some(false),
            terms: Terms {
                callback_url: Some(request.callback_url),
                result_url: request.result_url,
                campaign: request.campaign_name,
                customer,
                ..Terms::default()
            },
            expires_at: is_hosted
                .then(|| page_end(now, request.checkout_ttl.map_or(DEFAULT_TTL, |ttl| ttl.value()))),
            ..Checkout::new(id, &project.id, total, request.currency, now)
        };
        Ok(Whole {
            checkout,
            payments,
            operations: Vec::new(),
        })
    }

    /// The project of an order's seller, who must belong to the same partner. Others are as good as none.
    fn seller(&self, project: &Project, order: &BasketOrder) -> Result<String, Refusal> {
        let seller = self.shared.project(&order.api_key)?;
        let of_partner =
            seller.filter(|seller| seller.partner == project.partner && seller.is_live == project.is_live);
        match of_partner {
            Some(seller) => Ok(seller.id.clone()),
            None => {
                let message = "the partner has no such project";
                Err(Refusal::new(StatusCode::InvalidData, message).at("orders.api_key"))
            }
        }
    }

    /// Does one kind of operation with several orders of a basket: begins all of them or none.
    fn follow_basket(
        &self,
        project: &Project,
        batch: &str,
        kind: Kind,
        choose: impl Fn(&Whole) -> Result<(Vec<(usize, Option<Amount>)>, Option<WebAddress>), Refusal>
        + Clone
        + Send
        + 'static,
    ) -> Result<Basket, Refusal> {
        let (login, batch) = (project.clone(), batch.to_owned());
        let real = self.shared.now();
        let ids = (0..MOST_ORDERS)
            .map(|_| self.shared.new_id())
            .collect::<Result<Vec<_>, _>>()?;
        let begun: Vec<Followed> = self.patiently(move |tx| {
            let id = order::find(tx, Number::basket(&login.id, &batch))?.ok_or_else(unknown_basket)?;
            let whole = Whole::lock(tx, id)?.ok_or_else(unknown_basket)?;
            let (asked, callback_url) = choose(&whole)?;
            let mut begun = Vec::with_capacity(asked.len());
            for ((at, amount), id) in asked.into_iter().zip(&ids) {
                let payment = whole.payments.get(at).cloned().ok_or_else(unknown_basket)?;
                let asked = Asked {
                    kind: &kind,
                    amount,
                    currency: None,
                    payload: None,
                    callback_url: callback_url.as_ref(),
                };
                let started = follow::begin(
                    tx,
                    &login,
                    Owner::payment(whole.checkout.clone(), payment),
                    &asked,
                    (*id, login.now(real), real),
                );
                begun.push(started.map_err(within_orders)?);
            }
            Ok(begun)
        })?;
        let (mut payments, mut operations, mut checkout) = (Vec::new(), Vec::new(), None);
        for started in begun {
            let (of, payment, operation) = self.act(started)?.into_payment()?;
            checkout = checkout.or(Some(of));
            payments.push(payment);
            operations.push(operation);
        }
        let checkout = checkout.ok_or_else(unknown_basket)?;
        self.answer_basket(&Whole {
            checkout,
            payments,
            operations,
        })
    }

    /// The basket object, with one operation of each order that has one.
    fn answer_basket(&self, whole: &Whole) -> Result<Basket, Refusal> {
        let Whole {
            checkout,
            payments,
            operations,
        } = whole;
        let first = payments.first().ok_or_else(unknown_basket)?;
        let waits = operations.iter().any(|operation| !operation.has_ended()) || operations.is_empty();
        let action = match waits {
            true => self.surroundings(checkout, first)?.action.map(Action::url),
            false => None,
        };
        let succeeded = |operation: &Operation| operation.status == Status::Success;
        let is_success = action.is_some() || (!operations.is_empty() && operations.iter().all(succeeded));
        let details = operations.first().map(|operation| BasketDetails {
            amount: operations.iter().fold(Amount::ZERO, |sum, operation| {
                sum.plus(operation.amount).unwrap_or(sum)
            }),
            auth_code: operation.auth_code.clone(),
            currency: checkout.currency,
            created_at: operation.created_at,
        });
        let orders = payments
            .iter()
            .zip(operations)
            .map(|(payment, operation)| OrderDetails {
                external_id: payment.external_id.clone(),
                operation_id: operation.id.to_string(),
                transaction_id: operation.attempt.to_string(),
                amount: operation.amount,
                status: operation.status.clone(),
                status_code: operation.code.clone(),
                status_description: describe(&operation.code),
                method: operation.method.clone(),
            });
        let orders: Vec<_> = orders.collect();
        Ok(Basket {
            id: checkout.id.to_string(),
            batch_external_id: checkout.batch.clone().unwrap_or_default(),
            is_success,
            action_required: action.is_some(),
            action,
            batch_details: details,
            order_details: (!orders.is_empty()).then_some(orders),
        })
    }
}

/// A refusal of one order names the order's member.
fn within_orders(stop: Stop) -> Stop {
    match stop {
        Stop::Refused(refusal) if refusal.param == "amount" => Stop::Refused(refusal.at("orders.amount")),
        stop => stop,
    }
}

fn twice() -> Refusal {
    Refusal::new(StatusCode::InvalidData, "an order is there twice").at("orders.external_id")
}

fn unknown_basket() -> Refusal {
    Refusal::new(
        StatusCode::TransactionNotFound,
        "the project has no basket of this number",
    )
    .at("batch_external_id")
}

/// Orders of one confirmation, at most.
const MOST_ORDERS: usize = 40;
