//! New payments: for the payment page, or with what pays.

use database::Transaction;
use jiff::{SignedDuration, Timestamp};
use wire::interface::payment::{Mode, NewPayment};
use wire::interface::{StatusCode, Wrong, answer};

use super::attempt::Instrument;
use super::record::{Checkout, Terms, to_json};
use super::whole::{Stop, Whole};
use crate::id::Id;
use crate::job;
use crate::order::{self, Taken};
use crate::payment::Payment;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `POST /api/payments/v1/new`: makes a payment, and in mode `direct` pays it. A decline is an answer. Waits for the disk and the
    /// acquirer.
    pub fn create_payment(&self, project: &Project, request: NewPayment) -> Result<answer::Payment, Refusal> {
        if request.amount.is_zero() && request.init_recurrent_payment != Some(true) {
            return Err(Refusal::new(
                StatusCode::WrongAmount,
                "an amount of 0 verifies a card, which needs `init_recurrent_payment`",
            )
            .at("amount"));
        }
        let instrument = match request.mode {
            Mode::Direct => Some(self.instrument(project, request.customer.as_ref())?),
            _ => None,
        };
        let whole = self.draft(project, request)?;
        let done = match instrument {
            None => self.open_page(whole)?,
            Some(instrument) => self.pay_new(project, whole, &instrument)?,
        };
        self.answer_first(&done)
    }

    /// The payment object of a checkout of one order.
    pub(crate) fn answer_first(&self, whole: &Whole) -> Result<answer::Payment, Refusal> {
        let payment = whole
            .payments
            .first()
            .ok_or_else(|| Refusal::internal("a checkout without orders"))?;
        self.answer(&whole.checkout, payment, whole.operations.first())
    }

    /// A checkout of one order, in memory.
    fn draft(&self, project: &Project, request: NewPayment) -> Result<Whole, Refusal> {
        let real = self.shared.now();
        let id = self.shared.new_id()?;
        let now = project.now(real);
        let products = request
            .products
            .filter(|products| !products.is_empty())
            .map(|products| to_json(&products))
            .transpose()?;
        let mut customer = request.customer;
        if let Some(customer) = &mut customer {
            customer.payment_method = None;
        }
        let checkout = Checkout {
            is_hosted: request.mode == Mode::Hosted,
            holds: request.confirm == Some(false) && !request.amount.is_zero(),
            terms: Terms {
                callback_url: request.callback_url,
                result_url: request.result_url,
                result_url_success: request.result_url_success,
                result_url_fail: request.result_url_fail,
                campaign: request.campaign_name,
                customer,
                binds: request.init_recurrent_payment == Some(true),
                metadata: request.metadata,
                ..Terms::default()
            },
            expires_at: (request.mode == Mode::Hosted)
                .then(|| page_end(now, request.checkout_ttl.map_or(DEFAULT_TTL, |ttl| ttl.value()))),
            ..Checkout::new(id, &project.id, request.amount, request.currency, now)
        };
        let payment = Payment {
            description: request.description.map(|text| text.into_string()),
            payload: request.payload.map(|text| text.into_string()),
            products,
            ..Payment::of(&checkout, request.external_id.into_string())
        };
        Ok(Whole {
            checkout,
            payments: vec![payment],
            operations: Vec::new(),
        })
    }

    /// Stores a checkout that is paid on the payment page.
    pub(crate) fn open_page(&self, whole: Whole) -> Result<Whole, Refusal> {
        let stored = whole.clone();
        let (shared, real) = (self.shared.clone(), self.shared.now());
        self.patiently(move |tx| {
            let checkout = &stored.checkout;
            insert(tx, &stored, None)?;
            let login = shared.known_project(&checkout.project)?;
            if let Some(end) = checkout.expires_at {
                let due = real
                    .saturating_add(end.duration_since(login.now(real)))
                    .unwrap_or(Timestamp::MAX);
                job::schedule(tx, job::Kind::Expire, checkout.id, &checkout.project, due)?;
            }
            Ok(())
        })?;
        Ok(whole)
    }

    /// Stores a checkout that is paid at once, and pays it.
    pub(crate) fn pay_new(
        &self,
        project: &Project,
        whole: Whole,
        instrument: &Instrument,
    ) -> Result<Whole, Refusal> {
        self.pay_with(project, whole, instrument, |_, _| Ok(()))
    }

    /// The same with something that is stored before it in the same transaction.
    pub(crate) fn pay_with(
        &self,
        project: &Project,
        mut whole: Whole,
        instrument: &Instrument,
        also: impl Fn(&mut dyn Transaction, &Whole) -> Result<(), Stop> + Clone + Send + 'static,
    ) -> Result<Whole, Refusal> {
        let ids: Vec<_> = whole.payments.iter().map(|payment| payment.id).collect();
        whole.begin(&ids, instrument.wish(), whole.checkout.created_at)?;
        let (this, stored) = (self.clone(), whole.clone());
        self.patiently(move |tx| {
            also(tx, &stored)?;
            this.store_begun(tx, &stored)
        })?;
        self.pay(project, whole, instrument)
    }

    /// Stores a new checkout whose try is under way.
    pub(crate) fn store_begun(&self, tx: &mut dyn Transaction, begun: &Whole) -> Result<(), Stop> {
        insert(tx, begun, Some(begun.checkout.id))?;
        for operation in &begun.operations {
            operation.insert(tx)?;
        }
        Ok(self.guard(tx, &begun.checkout)?)
    }
}

/// Stores the rows of a new checkout, and takes the numbers of its orders.
pub(crate) fn insert(tx: &mut dyn Transaction, whole: &Whole, holder: Option<Id>) -> Result<(), Stop> {
    for (number, own) in whole.numbers() {
        if order::name(tx, number, own, holder)? == Taken::Busy {
            return Err(Stop::Busy);
        }
    }
    whole.checkout.insert(tx)?;
    for payment in &whole.payments {
        payment.insert(tx)?;
    }
    Ok(())
}

/// When a page's time is up.
pub(crate) fn page_end(now: Timestamp, minutes: u32) -> Timestamp {
    now.saturating_add(SignedDuration::from_mins(minutes.into()))
        .unwrap_or(Timestamp::MAX)
}

/// A member of the body that is missing.
pub(crate) fn missing(param: &str) -> Refusal {
    Wrong::new(param, "a value: it is required").into()
}

/// Minutes that a payment page can be used unless the shop says otherwise.
pub(crate) const DEFAULT_TTL: u32 = 720;
