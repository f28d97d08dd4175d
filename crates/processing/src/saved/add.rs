//! A card that is added: verified by the acquirer as a payment of nothing is, then kept. There is no order, so nothing can be asked of it
//! by a number.

use database::Transaction;
use wire::interface::answer::{Action, Status};
use wire::interface::callback::Resource;
use wire::interface::customer::Customer;
use wire::interface::payment::Mode;
use wire::interface::saved::{AddCard, AddedCard, CardHolder, OPERATION};
use wire::interface::values::ExternalId;
use wire::interface::{Amount, Currency, StatusCode, Wrong};

use super::{Holder, MOST, SavedCard, by_token};
use crate::callback::{self, NewCallback};
use crate::checkout::create::{DEFAULT_TTL, page_end};
use crate::checkout::instrument::new_card;
use crate::checkout::record::{Checkout, Saving, Terms};
use crate::checkout::whole::Whole;
use crate::payment::Payment;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `POST /api/customers/v1/wallet`: adds a card to a customer's; in mode `hosted` the payer types it on a page. A card that the
    /// acquirer declines is an answer. Waits for the disk and the acquirer.
    pub fn add_card(
        &self,
        project: &Project,
        customer: &ExternalId,
        request: AddCard,
    ) -> Result<AddedCard, Refusal> {
        let is_hosted = request.mode == Some(Mode::Hosted);
        let instrument = match (&request.payment_method, is_hosted) {
            (_, true) => None,
            (Some(method), false) => Some(new_card(method.named("payment_method")?)?),
            (None, false) => return Err(Wrong::new("payment_method", "a value: it is required").into()),
        };
        if self.saved_cards(project, customer)?.len() >= MOST {
            let message = format!("the customer has {MOST} saved cards, which is the most: delete one");
            return Err(Refusal::new(StatusCode::ActionNotAllowed, message));
        }
        let whole = self.draft_card(project, customer, request)?;
        let done = match instrument {
            None => self.open_page(whole)?,
            Some(instrument) => self.pay_new(project, whole, &instrument)?,
        };
        let (owner, customer, card) = (
            project.id.clone(),
            customer.clone(),
            done.checkout.card.clone().filter(|card| card.saved),
        );
        let saved = self.shared.database.read(move |tx| match &card {
            Some(card) => by_token(tx, Holder::of(&owner, &customer), card),
            None => Ok(None),
        })?;
        self.added(&done, saved.as_ref())
    }

    /// A checkout in memory whose payment is the card's verification.
    fn draft_card(
        &self,
        project: &Project,
        customer: &ExternalId,
        request: AddCard,
    ) -> Result<Whole, Refusal> {
        let id = self.shared.new_id()?;
        let now = project.now(self.shared.now());
        let is_hosted = request.mode == Some(Mode::Hosted);
        let currency = Currency::new(CURRENCY).ok_or_else(|| Refusal::internal("no currency"))?;
        let checkout = Checkout {
            is_hosted,
            terms: Terms {
                callback_url: request.callback_url,
                result_url: request.result_url,
                customer: Some(Customer {
                    external_id: Some(customer.clone()),
                    ..Customer::default()
                }),
                saving: Some(Saving {
                    make_default: request.make_default == Some(true),
                }),
                ..Terms::default()
            },
            expires_at: is_hosted.then(|| page_end(now, DEFAULT_TTL)),
            ..Checkout::new(id, &project.id, Amount::ZERO, currency, now)
        };
        let payment = Payment::of(&checkout, String::new());
        Ok(Whole {
            checkout,
            payments: vec![payment],
            operations: Vec::new(),
        })
    }

    /// Tells the shop how the newest try to save a card has ended.
    pub(crate) fn tell_of_card(&self, tx: &mut dyn Transaction, whole: &Whole) -> Result<(), Refusal> {
        let checkout = &whole.checkout;
        let (Some(url), Some(payment)) = (&checkout.terms.callback_url, whole.payments.first()) else {
            return Ok(());
        };
        let saved = match (&checkout.card, checkout.terms.customer_id()) {
            (Some(card), Some(customer)) if card.saved => {
                by_token(tx, Holder::of(&checkout.project, customer), card)?
            }
            _ => None,
        };
        let added = self.added(whole, saved.as_ref())?;
        let body =
            serde_json::to_string(&added).map_err(|_| Refusal::internal("a callback cannot be written"))?;
        let project = self.shared.known_project(&checkout.project)?;
        let callback = NewCallback {
            project: &project,
            signer: &checkout.project,
            resource: Resource::Payment,
            subject: payment.id,
            external_id: &payment.external_id,
            operation: OPERATION,
            url: url.as_str(),
            body: &body,
        };
        Ok(callback::enqueue(tx, &callback, self.shared.now())?)
    }

    /// The object that says how it stands.
    fn added(&self, whole: &Whole, saved: Option<&SavedCard>) -> Result<AddedCard, Refusal> {
        let checkout = &whole.checkout;
        let payment = whole
            .payments
            .first()
            .ok_or_else(|| Refusal::internal("a checkout without orders"))?;
        let (status, status_code) = match whole.operations.first() {
            Some(operation) => (operation.status.clone(), operation.code.clone()),
            None => (Status::Init, StatusCode::WaitingForRedirect),
        };
        let waits = matches!(status, Status::Init | Status::Pending);
        let action = self.surroundings(checkout, payment)?.action.filter(|_| waits);
        let project = self.shared.known_project(&checkout.project)?;
        Ok(AddedCard {
            action_required: action.is_some(),
            action: action.map(Action::url),
            created_at: checkout.created_at,
            payment_method: saved
                .filter(|_| status == Status::Success)
                .map(|saved| self.wallet_item(&project, saved))
                .transpose()?,
            status,
            status_code,
            operation: OPERATION.to_owned(),
            customer: CardHolder {
                external_id: checkout.terms.customer_id().unwrap_or_default().to_owned(),
            },
        })
    }
}

/// Of a verification, which takes nothing.
const CURRENCY: &str = "UAH";
