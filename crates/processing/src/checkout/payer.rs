//! What payers see and do on the service's pages.

use jiff::Timestamp;
use wire::interface::StatusCode;
use wire::interface::answer::Status;
use wire::interface::method::{Method, MethodType};
use wire::interface::product::Product;
use wire::interface::saved::WalletItem;

use super::instrument::new_card;
use super::page::{
    Back, ChallengeState, ChallengeView, OrderLine, OrderView, PagePurpose, PageSecret, PageState, PageView,
    ProductLine, ReceiptView,
};
use super::record::{Checkout, Step, from_json};
use super::whole::Whole;
use crate::id::Id;
use crate::operation::Operation;
use crate::payment::Payment;
use crate::payment::states::{Event, State};
use crate::port::acquirer::Proof;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::saved::{self, Holder};
use crate::secret::Page;

impl Processing {
    /// The payment page of an address. Reads the store.
    pub fn page(&self, secret: &PageSecret) -> Result<PageView, Refusal> {
        let checkout = self
            .shared
            .reveal(Page::Checkout, secret)?
            .ok_or_else(not_there)?;
        let (whole, is_paid_elsewhere) = self.shared.database.read(move |tx| {
            let whole = Whole::find(tx, checkout)?.ok_or_else(not_there)?;
            let is_paid_elsewhere = whole.is_paid_elsewhere(tx)?;
            Ok::<_, Refusal>((whole, is_paid_elsewhere))
        })?;
        let login = self.shared.known_project(&whole.checkout.project)?;
        let now = login.now(self.shared.now());
        let state = match (self.page_state(&whole, now)?, is_paid_elsewhere) {
            (PageState::Open { .. } | PageState::Challenge { .. }, true) => PageState::Closed {
                code: StatusCode::TransactionAlreadyPaid,
            },
            (state, _) => state,
        };
        let checkout = &whole.checkout;
        let saves = checkout.terms.saving.is_some();
        let cards = match (checkout.terms.customer_id(), &state) {
            (Some(customer), PageState::Open { .. }) if !saves => self.payable_cards(&login, customer)?,
            _ => Vec::new(),
        };
        Ok(PageView {
            state,
            purpose: purpose(checkout),
            attempt: checkout.tries,
            order: self.order_view(&whole)?,
            now,
            expires_at: checkout.expires_at.unwrap_or(checkout.created_at),
            cards,
            wallets: match login.is_live || saves {
                // The sandbox's stand-ins; real ones need their own buttons in the shop's page.
                false => vec![MethodType::MobileAPay, MethodType::MobileBPay],
                true => Vec::new(),
            },
            may_save: checkout.terms.customer_id().is_some() && !saves,
        })
    }

    /// Pays on the payment page, on the `attempt` that it showed: another one is a repeat and does nothing. A decline is no error, the page
    /// shows it. Waits for the disk and the acquirer.
    pub fn pay_page(&self, secret: &PageSecret, attempt: u32, method: Method) -> Result<(), Refusal> {
        let id = self
            .shared
            .reveal(Page::Checkout, secret)?
            .ok_or_else(not_there)?;
        let found = self
            .shared
            .database
            .read(move |tx| Checkout::find(tx, id))?
            .ok_or_else(not_there)?;
        if found.tries != attempt {
            return Ok(());
        }
        let login = self.shared.known_project(&found.project)?;
        let instrument = match found.terms.saving {
            Some(_) => new_card(method)?,
            None => self.read_named(&login, found.terms.customer_id(), method)?,
        };
        if found.step == Step::Challenged
            && let Some(before) = found.attempt
        {
            self.give_up(id, before)?;
        }
        let real = self.shared.now();
        // For the operations of a further try: a basket has ten orders at most.
        let spare = (0..MOST_ORDERS)
            .map(|_| self.shared.new_id())
            .collect::<Result<Vec<Id>, _>>()?;
        let (this, now, wish) = (self.clone(), login.now(real), instrument.wish());
        let begun = self.patiently(move |tx| {
            let mut whole = Whole::lock(tx, id)?.ok_or_else(not_there)?;
            let is_over = whole.checkout.expires_at.is_none_or(|end| now >= end);
            if whole.checkout.tries != attempt || is_over {
                return Ok(None);
            }
            whole.hold(tx)?;
            // The first try of a payment has the payment's own id.
            let ids = match whole.checkout.attempt {
                None => whole.payments.iter().map(|payment| payment.id).collect(),
                Some(_) => spare.clone(),
            };
            whole.begin(&ids, wish.clone(), now)?;
            whole.checkout.update(tx)?;
            for payment in &whole.payments {
                payment.update(tx)?;
            }
            for operation in &whole.operations {
                operation.insert(tx)?;
            }
            this.guard(tx, &whole.checkout)?;
            Ok(Some(whole))
        })?;
        match begun {
            Some(whole) => self.pay(&login, whole, &instrument).map(drop),
            None => Ok(()),
        }
    }

    /// The page on which a payer proves who they are. Reads the store.
    pub fn challenge(&self, secret: &PageSecret) -> Result<ChallengeView, Refusal> {
        let attempt = self
            .shared
            .reveal(Page::Challenge, secret)?
            .ok_or_else(not_there)?;
        let (whole, operation) = self.shared.database.read(move |tx| of_attempt(tx, attempt))?;
        let payment = whole.payments.first().ok_or_else(not_there)?;
        let is_newest = whole.checkout.attempt == Some(attempt);
        let state = match (operation.status, whole.checkout.step) {
            (Status::Success, _) => ChallengeState::Paid {
                receipt: self.receipt_of(&whole, payment)?,
            },
            (Status::Failure, _) => ChallengeState::Failed { code: operation.code },
            (_, Step::Challenged) if is_newest => ChallengeState::Open,
            _ => ChallengeState::Processing,
        };
        let card = whole.checkout.card.as_ref();
        Ok(ChallengeView {
            state,
            purpose: purpose(&whole.checkout),
            order: self.order_view(&whole)?,
            mask: card.map_or_else(String::new, |card| card.mask.clone()),
            page: match whole.checkout.is_hosted {
                true => Some(self.shared.secret(Page::Checkout, whole.checkout.id)?),
                false => None,
            },
        })
    }

    /// What came of a proof. One that was answered before changes nothing. Waits for the disk and the acquirer.
    pub fn answer_challenge(&self, secret: &PageSecret, proof: Proof) -> Result<(), Refusal> {
        let attempt = self
            .shared
            .reveal(Page::Challenge, secret)?
            .ok_or_else(not_there)?;
        let (whole, _) = self.shared.database.read(move |tx| of_attempt(tx, attempt))?;
        self.prove(whole.checkout.id, attempt, proof == Proof::Passed)
            .map(drop)
    }

    /// The receipt of a payment that has succeeded. Reads the store.
    pub fn receipt_page(&self, secret: &PageSecret) -> Result<ReceiptView, Refusal> {
        let id = self.shared.reveal(Page::Receipt, secret)?.ok_or_else(not_there)?;
        let found = self.shared.database.read(move |tx| {
            let Some(payment) = Payment::find(tx, id)? else {
                return Ok(None);
            };
            let whole = Whole::find(tx, payment.checkout)?.ok_or_else(not_there)?;
            let operations = Operation::all(tx, id)?;
            Ok::<_, Refusal>(Some((whole, payment, operations)))
        })?;
        let Some((whole, payment, operations)) = found else {
            return self.receipt_of_order(id);
        };
        let paid = operations
            .iter()
            .find(|operation| operation.status == Status::Success);
        let (true, Some(paid)) = (payment.state.has_succeeded(), paid) else {
            return Err(not_there());
        };
        let card = whole.checkout.card.as_ref();
        let mut order = self.order_view(&whole)?;
        // Of a basket, each seller has a receipt of their own.
        order.lines.retain(|line| line.external_id == payment.external_id);
        order.amount = payment.amount;
        Ok(ReceiptView {
            order,
            payment_id: payment.id.to_string(),
            paid_at: paid.processed_at.unwrap_or(paid.created_at),
            charged: payment.money.charged,
            held: match payment.state {
                State::Held => payment.money.rest(),
                _ => wire::interface::Amount::ZERO,
            },
            refunded: payment.money.refunded,
            mask: card.map(|card| card.mask.clone()),
            payment_system: card.and_then(|card| card.brand.as_deref().map(str::to_uppercase)),
            auth_code: paid.auth_code.clone(),
            rrn: paid.rrn.clone(),
            fiscalization: payment.fiscal.as_deref().map(from_json).transpose()?,
        })
    }

    /// Gives a challenge up that nobody has answered in time.
    pub(crate) fn unproven(&self, attempt: Id) -> Result<(), Refusal> {
        let found = self
            .shared
            .database
            .read(move |tx| match Operation::find(tx, attempt)? {
                Some(operation) => Payment::find(tx, operation.payment),
                None => Ok(None),
            })?;
        match found {
            Some(payment) => self.give_up(payment.checkout, attempt),
            None => Ok(()),
        }
    }

    /// Ends the time of a payment page, unless a payer is just paying.
    pub(crate) fn expire(&self, checkout: Id) -> Result<(), Refusal> {
        self.shared.database.write(move |tx| {
            let Some(mut whole) = Whole::lock(tx, checkout)? else {
                return Ok(());
            };
            if whole
                .payments
                .iter()
                .all(|payment| payment.state == State::Created)
            {
                for payment in &mut whole.payments {
                    payment.step(Event::Expire)?;
                    payment.update(tx)?;
                }
            }
            Ok(())
        })
    }

    fn page_state(&self, whole: &Whole, now: Timestamp) -> Result<PageState, Refusal> {
        let Whole {
            checkout,
            payments,
            operations,
        } = whole;
        let payment = payments.first().ok_or_else(not_there)?;
        let declined = operations
            .first()
            .filter(|operation| operation.status == Status::Failure);
        let declined = declined.map(|operation| operation.code.clone());
        let is_over = checkout.expires_at.is_none_or(|end| now >= end);
        Ok(match (payment.state, checkout.step, checkout.attempt) {
            (_, Step::Challenged, Some(attempt)) => PageState::Challenge {
                secret: self.shared.secret(Page::Challenge, attempt)?,
            },
            (State::Charging, ..) => PageState::Processing,
            (state, ..) if state.has_succeeded() => PageState::Paid {
                receipt: self.receipt_of(whole, payment)?,
                mask: checkout.card.as_ref().map(|card| card.mask.clone()),
            },
            (State::Created, ..) if !is_over => PageState::Open { declined },
            (State::Created | State::Expired, ..) => PageState::Expired,
            _ => PageState::Closed {
                code: declined.unwrap_or(StatusCode::ActionNotAllowed),
            },
        })
    }

    /// The receipt's address; a card that was saved has none.
    fn receipt_of(&self, whole: &Whole, payment: &Payment) -> Result<Option<PageSecret>, Refusal> {
        match whole.checkout.terms.saving {
            None => self.shared.secret(Page::Receipt, payment.id).map(Some),
            Some(_) => Ok(None),
        }
    }

    /// What all pages of a checkout say.
    fn order_view(&self, whole: &Whole) -> Result<OrderView, Refusal> {
        let Checkout { terms, .. } = &whole.checkout;
        let login = self.shared.known_project(&whole.checkout.project)?;
        let mut lines = Vec::with_capacity(whole.payments.len());
        let orders = match terms.saving {
            None => whole.payments.as_slice(),
            Some(_) => &[],
        };
        for payment in orders {
            lines.push(OrderLine {
                seller: self.shared.known_project(&payment.project)?.name.clone(),
                external_id: payment.external_id.clone(),
                description: payment.description.clone(),
                amount: payment.amount,
                products: products(payment)?,
            });
        }
        let batch = whole.checkout.batch.clone();
        let is_basket = batch.is_some();
        let number = batch.or_else(|| match lines.first() {
            Some(line) => Some(line.external_id.clone()),
            None => terms.customer_id().map(str::to_owned),
        });
        let customer = terms.customer.as_ref();
        let address = |own: &Option<wire::interface::values::WebAddress>| {
            own.as_ref()
                .or(terms.result_url.as_ref())
                .map(|url| url.as_str().to_owned())
        };
        Ok(OrderView {
            project: login.id.clone(),
            seller: login.name.clone(),
            is_live: login.is_live,
            lines,
            amount: whole.checkout.amount,
            currency: whole.checkout.currency,
            language: customer.and_then(|customer| customer.locale),
            colours: customer.and_then(|customer| customer.color_mode),
            back: Back {
                external_id: number.unwrap_or_default(),
                is_basket,
                success: address(&terms.result_url_success),
                failure: address(&terms.result_url_fail),
            },
        })
    }

    /// Saved cards that may pay, the default first.
    fn payable_cards(&self, project: &Project, customer: &str) -> Result<Vec<WalletItem>, Refusal> {
        let (owner, holder) = (project.id.clone(), customer.to_owned());
        let mut cards = self
            .shared
            .database
            .read(move |tx| saved::all(tx, Holder::of(&owner, &holder)))?;
        cards.retain(|card| card.card.expiry.is_some());
        cards.sort_by_key(|card| !card.is_default);
        cards.iter().map(|card| self.wallet_item(project, card)).collect()
    }
}

/// A checkout by a try to pay it, with the first operation of that try.
fn of_attempt(tx: &mut dyn database::Transaction, attempt: Id) -> Result<(Whole, Operation), Refusal> {
    let operation = Operation::find(tx, attempt)?.ok_or_else(not_there)?;
    let payment = Payment::find(tx, operation.payment)?.ok_or_else(not_there)?;
    let whole = Whole::find(tx, payment.checkout)?.ok_or_else(not_there)?;
    Ok((whole, operation))
}

/// What a checkout is for.
fn purpose(checkout: &Checkout) -> PagePurpose {
    match checkout {
        checkout if checkout.terms.saving.is_some() => PagePurpose::Save,
        checkout if checkout.verifies() => PagePurpose::Verify,
        checkout if checkout.holds => PagePurpose::Hold,
        _ => PagePurpose::Pay,
    }
}

/// What a payment says is sold.
fn products(payment: &Payment) -> Result<Vec<ProductLine>, Refusal> {
    let Some(products) = &payment.products else {
        return Ok(Vec::new());
    };
    let products: Vec<Product> = from_json(products)?;
    let line = |product: Product| ProductLine {
        name: product.name.into_string(),
        quantity: product.quantity.as_str().to_owned(),
        price: product.vat_amount,
    };
    Ok(products.into_iter().map(line).collect())
}

fn not_there() -> Refusal {
    Refusal::new(StatusCode::DataNotFound, "there is nothing at this address")
}

/// Orders of a basket.
const MOST_ORDERS: usize = 10;
