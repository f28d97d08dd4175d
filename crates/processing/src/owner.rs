//! What money is held, charged and given back of: a payment, or an installment order. Operations of both go the same way.

use database::Transaction;
use wire::interface::product::{Product, Quantity};
use wire::interface::{Currency, StatusCode};

use crate::checkout::record::{Checkout, PaidWith, from_json};
use crate::id::Id;
use crate::installment::{self, Order};
use crate::operation::ShownCard;
use crate::order::{self, Number};
use crate::payment::Payment;
use crate::payment::money::Money;
use crate::payment::states::Event;
use crate::refusal::Refusal;

/// One or the other, as the store has it.
#[derive(Clone)]
pub(crate) enum Owner {
    /// A payment with the checkout that it belongs to.
    Payment(Box<(Checkout, Payment)>),
    /// An installment order.
    Installment(Box<Order>),
}

impl Owner {
    /// A payment.
    pub(crate) fn payment(checkout: Checkout, payment: Payment) -> Self {
        Self::Payment(Box::new((checkout, payment)))
    }

    /// What an operation belongs to.
    pub(crate) fn find(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let payment = Payment::find(tx, id)?;
        Self::with(tx, payment, |tx| Order::find(tx, id))
    }

    /// The same, with its row locked.
    pub(crate) fn lock(tx: &mut dyn Transaction, id: Id) -> Result<Option<Self>, Refusal> {
        let payment = Payment::lock(tx, id)?;
        Self::with(tx, payment, |tx| Order::lock(tx, id))
    }

    fn with(
        tx: &mut dyn Transaction,
        payment: Option<Payment>,
        order: impl FnOnce(&mut dyn Transaction) -> Result<Option<Order>, Refusal>,
    ) -> Result<Option<Self>, Refusal> {
        let Some(payment) = payment else {
            return Ok(order(tx)?.map(|order| Self::Installment(Box::new(order))));
        };
        let checkout = Checkout::find(tx, payment.checkout)?
            .ok_or_else(|| Refusal::internal("a checkout is not there"))?;
        Ok(Some(Self::payment(checkout, payment)))
    }

    /// What its shop means by a number of its own, with its row locked.
    pub(crate) fn named(tx: &mut dyn Transaction, number: Number<'_>) -> Result<Option<Self>, Refusal> {
        match order::find(tx, number)? {
            Some(id) => Self::lock(tx, id),
            None => Ok(None),
        }
    }

    /// Stores what may have changed.
    pub(crate) fn update(&self, tx: &mut dyn Transaction) -> Result<(), Refusal> {
        match self {
            Self::Payment(of) => of.1.update(tx),
            Self::Installment(order) => order.update(tx),
        }
    }

    pub(crate) fn id(&self) -> Id {
        match self {
            Self::Payment(of) => of.1.id,
            Self::Installment(order) => order.id,
        }
    }

    /// The project that gets the money.
    pub(crate) fn project(&self) -> &str {
        match self {
            Self::Payment(of) => &of.1.project,
            Self::Installment(order) => &order.project,
        }
    }

    pub(crate) fn currency(&self) -> Currency {
        match self {
            Self::Payment(of) => of.1.currency,
            Self::Installment(order) => order.currency,
        }
    }

    pub(crate) fn money(&self) -> Money {
        match self {
            Self::Payment(of) => of.1.money,
            Self::Installment(order) => order.money,
        }
    }

    pub(crate) fn money_mut(&mut self) -> &mut Money {
        match self {
            Self::Payment(of) => &mut of.1.money,
            Self::Installment(order) => &mut order.money,
        }
    }

    /// The operation that is under way.
    pub(crate) fn busy(&self) -> Option<Id> {
        match self {
            Self::Payment(of) => of.1.busy,
            Self::Installment(order) => order.busy,
        }
    }

    pub(crate) fn set_busy(&mut self, busy: Option<Id>) {
        match self {
            Self::Payment(of) => of.1.busy = busy,
            Self::Installment(order) => order.busy = busy,
        }
    }

    /// The card that it was paid with.
    pub(crate) fn card(&self) -> Option<ShownCard> {
        let card = match self {
            Self::Payment(of) => &of.0.card,
            Self::Installment(order) => &order.card,
        };
        card.as_ref().and_then(PaidWith::shown)
    }

    /// Whether its table of states has an event now.
    pub(crate) fn may(&self, event: Event) -> Result<(), Refusal> {
        match self {
            Self::Payment(of) => crate::payment::states::step(of.1.state, event)
                .map(drop)
                .map_err(|code| of.1.refuse(code)),
            Self::Installment(order) => event_of(event)
                .and_then(|event| installment::states::step(order.state, event))
                .map(drop)
                .map_err(|code| order.refuse(code)),
        }
    }

    /// Goes on to the next state.
    pub(crate) fn step(&mut self, tx: &mut dyn Transaction, event: Event) -> Result<(), Refusal> {
        match self {
            Self::Payment(of) => of.1.step(event),
            Self::Installment(order) => {
                let event = event_of(event).map_err(|code| order.refuse(code))?;
                order.step(tx, event)
            }
        }
    }

    /// What is sold, where a tax receipt is to be made.
    pub(crate) fn products(&self) -> Result<Option<Vec<Product>>, Refusal> {
        match self {
            Self::Payment(of) => of.1.products.as_deref().map(from_json).transpose(),
            Self::Installment(order) => Ok(order.taxed()?.map(|products| {
                let sold = products.into_iter();
                sold.filter_map(|product| {
                    Some(Product {
                        name: product.name,
                        quantity: Quantity::new(product.quantity.value().to_string())?,
                        // There is one price, and the tax group says what of it is tax.
                        net_amount: product.price,
                        vat_amount: product.price,
                        tax_group: product.tax_group?,
                        currency: Some(order.currency),
                        category: product.category_name,
                        description: None,
                        image: None,
                        id: product.external_id,
                        url: None,
                    })
                })
                .collect()
            })),
        }
    }

    /// The tax receipt of the sale, as JSON.
    pub(crate) fn set_fiscal(&mut self, fiscal: Option<String>) {
        match self {
            Self::Payment(of) => of.1.fiscal = fiscal,
            Self::Installment(order) => order.fiscal = fiscal,
        }
    }

    /// A refusal about it.
    pub(crate) fn about(&self, code: StatusCode, message: &str) -> Refusal {
        Refusal::new(code, message).about(self.id())
    }
}

/// Of an installment order, all is taken back or nothing.
fn event_of(event: Event) -> Result<installment::states::Event, StatusCode> {
    match event {
        Event::Confirm => Ok(installment::states::Event::Confirm),
        Event::ReleaseAll => Ok(installment::states::Event::Cancel),
        Event::Refund => Ok(installment::states::Event::Refund),
        _ => Err(StatusCode::ActionNotAllowed),
    }
}
