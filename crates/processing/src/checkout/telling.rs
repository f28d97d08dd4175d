//! Answers and callbacks about a checkout: the same object for both.

use database::Transaction;
use wire::interface::answer;
use wire::interface::callback::Resource;

use super::record::{Checkout, Step};
use super::whole::Whole;
use crate::callback::{self, NewCallback};
use crate::operation::Operation;
use crate::payment::Payment;
use crate::payment::answer::Surroundings;
use crate::payment::states::State;
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::secret::Page;

impl Processing {
    /// The payment object of one order.
    pub(crate) fn answer(
        &self,
        checkout: &Checkout,
        payment: &Payment,
        operation: Option<&Operation>,
    ) -> Result<answer::Payment, Refusal> {
        let around = self.surroundings(checkout, payment)?;
        crate::payment::answer::payment(checkout, payment, operation, &around)
    }

    /// What an answer says besides what is stored.
    pub(crate) fn surroundings(
        &self,
        checkout: &Checkout,
        payment: &Payment,
    ) -> Result<Surroundings<'_>, Refusal> {
        let shared = &self.shared;
        let action = match (checkout.step, checkout.attempt, payment.state) {
            (Step::Challenged, Some(attempt), State::Verifying) => {
                Some(shared.address(Page::Challenge, attempt)?)
            }
            // The acquirer says nothing for the moment, or the payer has yet to pay: the payment page knows.
            (_, _, State::Created | State::Charging) => Some(shared.address(Page::Checkout, checkout.id)?),
            _ => None,
        };
        Ok(Surroundings {
            issuers: &*shared.ports(&*shared.known_project(&payment.project)?)?.issuers,
            action,
            receipt: shared.address(Page::Receipt, payment.id)?,
        })
    }

    /// Tells the shop how the newest try has ended: one callback for each order.
    pub(crate) fn tell(&self, tx: &mut dyn Transaction, whole: &Whole) -> Result<(), Refusal> {
        for (payment, operation) in whole.payments.iter().zip(&whole.operations) {
            self.tell_of(tx, &whole.checkout, payment, operation)?;
        }
        Ok(())
    }

    /// Tells the shop how an operation stands, where it wants to hear that.
    pub(crate) fn tell_of(
        &self,
        tx: &mut dyn Transaction,
        checkout: &Checkout,
        payment: &Payment,
        operation: &Operation,
    ) -> Result<(), Refusal> {
        let own = operation.callback_url.as_deref();
        let Some(url) = own.or(checkout.terms.callback_url.as_ref().map(|url| url.as_str())) else {
            return Ok(());
        };
        let answer = self.answer(checkout, payment, Some(operation))?;
        let body =
            serde_json::to_string(&answer).map_err(|_| Refusal::internal("a callback cannot be written"))?;
        let seller = self.shared.known_project(&payment.project)?;
        let callback = NewCallback {
            project: &seller,
            signer: &checkout.project,
            resource: Resource::Payment,
            subject: payment.id,
            external_id: &payment.external_id,
            operation: operation.kind.as_str(),
            url,
            body: &body,
        };
        Ok(callback::enqueue(tx, &callback, self.shared.now())?)
    }
}
