//! A checkout as a whole, and the transactions that several requests may want at the same moment.

use std::thread;
use std::time::{Duration, Instant};

use database::{DatabaseError, Transaction};
use jiff::Timestamp;
use wire::interface::StatusCode;
use wire::interface::answer::{DetailsMethod, Operation as Kind};

use super::record::{Checkout, PaidWith, Step};
use crate::id::Id;
use crate::operation::Operation;
use crate::order::{self, Number, Taken};
use crate::payment::Payment;
use crate::payment::states::Event;
use crate::processing::Processing;
use crate::refusal::Refusal;

/// Why a transaction that begins a try was not made.
pub(crate) enum Stop {
    /// Another try is under way for one of the orders.
    Busy,
    /// It cannot be.
    Refused(Refusal),
}

impl From<DatabaseError> for Stop {
    fn from(error: DatabaseError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A checkout with its payments and the operations of its newest try, in the order of its orders.
#[derive(Clone)]
pub(crate) struct Whole {
    pub(crate) checkout: Checkout,
    pub(crate) payments: Vec<Payment>,
    pub(crate) operations: Vec<Operation>,
}

impl Whole {
    /// Reads it, with the rows of checkout and payments locked.
    pub(crate) fn lock(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        match Checkout::lock(tx, id)? {
            Some(checkout) => {
                let payments = Payment::lock_all(tx, id)?;
                Self::with(tx, checkout, payments).map(Some)
            }
            None => Ok(None),
        }
    }

    /// Reads it.
    pub(crate) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        match Checkout::find(tx, id)? {
            Some(checkout) => {
                let payments = Payment::all(tx, id)?;
                Self::with(tx, checkout, payments).map(Some)
            }
            None => Ok(None),
        }
    }

    fn with(tx: &mut dyn Transaction, checkout: Checkout, payments: Vec<Payment>) -> Result<Self, Refusal> {
        let mut operations = Vec::with_capacity(payments.len());
        for payment in &payments {
            // The newest try's, unless something was done with the payment since.
            let all = Operation::all(tx, payment.id)?;
            let newest = all
                .into_iter()
                .rfind(|operation| Some(operation.attempt) == checkout.attempt);
            operations.extend(newest);
        }
        Ok(Self {
            checkout,
            payments,
            operations,
        })
    }

    /// Begins a try, in memory: what follows stores it. `ids` are those of its operations; the first is the try's own too.
    /// `wish` is what is to be done with the card.
    pub(crate) fn begin(&mut self, ids: &[Id], wish: PaidWith, now: Timestamp) -> Result<(), Refusal> {
        let attempt = *ids
            .first()
            .ok_or_else(|| Refusal::internal("a checkout without orders"))?;
        let checkout = &mut self.checkout;
        checkout.attempt = Some(attempt);
        checkout.tries = checkout.tries.saturating_add(1);
        checkout.step = Step::Started;
        checkout.card = Some(wish);
        let (kind, method) = match checkout {
            checkout if checkout.verifies() => (Kind::Lookup, DetailsMethod::Lookup),
            checkout if checkout.terms.is_recurrent => (Kind::Recurrent, taking(checkout.holds)),
            checkout => (Kind::Payment, taking(checkout.holds)),
        };
        self.operations.clear();
        for (payment, id) in self.payments.iter_mut().zip(ids) {
            payment.step(Event::Begin)?;
            let of = (payment.id, &*payment.project);
            let what = (kind.clone(), method.clone());
            self.operations.push(Operation {
                attempt,
                ..Operation::begun(*id, of, what, payment.amount, now)
            });
        }
        Ok(())
    }

    /// The numbers that it goes by, each with what wins under it: the basket's first, the orders' in an order that all keep to.
    pub(crate) fn numbers(&self) -> Vec<(Number<'_>, Id)> {
        let checkout = &self.checkout;
        let basket = checkout
            .batch
            .as_deref()
            .map(|batch| (Number::basket(&checkout.project, batch), checkout.id));
        let mut payments: Vec<_> = self.payments.iter().collect();
        payments.sort_by_key(|payment| (&payment.project, &payment.external_id));
        // A card that is saved is nobody's order.
        payments.retain(|_| checkout.terms.saving.is_none());
        let orders = payments.into_iter().map(|payment| (payment.number(), payment.id));
        basket.into_iter().chain(orders).collect()
    }

    /// Whether another checkout has paid one of its orders.
    pub(crate) fn is_paid_elsewhere(&self, tx: &mut dyn Transaction) -> Result<bool, Refusal> {
        for (number, own) in self.numbers() {
            if order::winner(tx, number)?.is_some_and(|winner| winner != own) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the numbers of all orders.
    pub(crate) fn hold(&self, tx: &mut dyn Transaction) -> Result<(), Stop> {
        for (number, _) in self.numbers() {
            if order::hold(tx, number, self.checkout.id)? == Taken::Busy {
                return Err(Stop::Busy);
            }
        }
        Ok(())
    }

    /// Lets them go, won or not.
    pub(crate) fn release(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        let has_won = self.payments.iter().all(|payment| payment.state.has_succeeded());
        for (number, winner) in self.numbers() {
            order::release(tx, number, self.checkout.id, has_won.then_some(winner))?;
        }
        Ok(())
    }

    /// Stores what may have changed of rows that are there.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        self.checkout.update(tx)?;
        for payment in &self.payments {
            payment.update(tx)?;
        }
        for operation in &self.operations {
            operation.update(tx)?;
        }
        Ok(())
    }
}

/// What a payment does with money.
fn taking(holds: bool) -> DetailsMethod {
    match holds {
        true => DetailsMethod::Auth,
        false => DetailsMethod::Purchase,
    }
}

impl Processing {
    /// Does a transaction that others may be in the way of: they are through in a moment, as a rule.
    pub(crate) fn patiently<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, Stop> + Clone + Send + 'static,
    ) -> Result<T, Refusal> {
        let begun = Instant::now();
        loop {
            match self.shared.database.write(work.clone()) {
                Ok(done) => return Ok(done),
                Err(Stop::Refused(refusal)) => return Err(refusal),
                Err(Stop::Busy) if begun.elapsed() > PATIENCE => {
                    return Err(Refusal::new(
                        StatusCode::OrderIsDuplicated,
                        "another request for this order is being processed; ask for its state",
                    )
                    .at("external_id"));
                }
                Err(Stop::Busy) => thread::sleep(PAUSE),
            }
        }
    }
}

/// Longest wait for another try of the same order.
const PATIENCE: Duration = Duration::from_secs(5);

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(15);
