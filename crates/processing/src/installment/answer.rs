//! Installment orders as the interface writes them, in answers and in callbacks.

use database::Transaction;
use wire::interface::answer::{Action, CustomerView, Fiscalization, Operation as Kind, Status};
use wire::interface::callback::Resource;
use wire::interface::installment::{Installment, InstallmentDetails};

use super::record::{Order, Way};
use super::states::State;
use crate::callback::{self, NewCallback};
use crate::checkout::record::from_json;
use crate::operation::Operation;
use crate::payment::answer::{describe, method};
use crate::processing::Processing;
use crate::refusal::Refusal;
use crate::secret::Page;

impl Processing {
    /// An order with one of its operations.
    pub(super) fn answer_installment(
        &self,
        order: &Order,
        operation: &Operation,
    ) -> Result<Installment, Refusal> {
        let waits = !operation.has_ended() && operation.id == order.id;
        let action = match waits {
            true => self.action(order)?,
            false => None,
        };
        let project = self.shared.known_project(&order.project)?;
        let issuers = &self.shared.ports(&project)?.issuers;
        let card = order.card.as_ref().filter(|card| !card.mask.is_empty());
        Ok(Installment {
            id: operation.id.to_string(),
            external_id: order.external_id.clone(),
            unified_external_id: order.unified_id.clone(),
            project_id: order.project.clone(),
            // A payer who is asked in the bank's app is no failure either.
            is_success: operation.status == Status::Success || (waits && order.state == State::Waiting),
            action_required: action.is_some(),
            action,
            receipt_url: self.receipt_of_installment(order)?,
            payment_method: card.map(|card| method(card, &**issuers)),
            customer: customer(order),
            operation: operation.kind.clone(),
            fiscalization: fiscalization(order, operation)?,
            details: details(order, operation)?,
        })
    }

    /// What the payer has to do.
    pub(super) fn action(&self, order: &Order) -> Result<Option<Action>, Refusal> {
        let address = match (order.state, &order.way) {
            (State::Waiting, Some(Way::Page)) => self.shared.address(Page::Installment, order.id)?,
            (State::Waiting, Some(Way::Link(address))) => address.clone(),
            _ => return Ok(None),
        };
        Ok(Some(Action::url(address)))
    }

    /// Where the receipt is, once the bank pays.
    pub(super) fn receipt_of_installment(&self, order: &Order) -> Result<Option<String>, Refusal> {
        match order.state {
            State::Confirmed => self.shared.address(Page::Receipt, order.id).map(Some),
            _ => Ok(None),
        }
    }

    /// Tells the shop how an operation of an order stands, where it wants to hear that.
    pub(crate) fn tell_of_installment(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        operation: &Operation,
    ) -> Result<(), Refusal> {
        let own = operation.callback_url.as_deref();
        let Some(url) = own.or(order.terms.callback_url.as_ref().map(|url| url.as_str())) else {
            return Ok(());
        };
        let answer = self.answer_installment(order, operation)?;
        let body =
            serde_json::to_string(&answer).map_err(|_| Refusal::internal("a callback cannot be written"))?;
        let project = self.shared.known_project(&order.project)?;
        let callback = NewCallback {
            project: &project,
            signer: &order.project,
            resource: Resource::Installment,
            subject: order.id,
            external_id: &order.external_id,
            operation: operation.kind.as_str(),
            url,
            body: &body,
        };
        Ok(callback::enqueue(tx, &callback, self.shared.now())?)
    }
}

/// What became of an operation.
pub(super) fn details(order: &Order, operation: &Operation) -> Result<InstallmentDetails, Refusal> {
    Ok(InstallmentDetails {
        status: operation.status.clone(),
        status_code: operation.code.clone(),
        status_description: describe(&operation.code),
        amount: operation.amount,
        currency: order.currency,
        created_at: operation.created_at,
        processed_at: operation.processed_at,
        method: operation.method.clone(),
        payment_id: order.id.to_string(),
        transaction_id: operation.attempt.to_string(),
        operation_id: operation.id.to_string(),
        auth_code: operation.auth_code.clone(),
        rrn: operation.rrn.clone(),
        description: Some(order.description.clone()),
        payload: operation.payload.clone().or_else(|| order.payload.clone()),
        bank_name: order.bank.clone(),
        parts_count: order.parts,
        fiscalization: fiscalization(order, operation)?,
    })
}

/// The tax receipt that belongs to an operation: a refund's own, or else the sale's.
fn fiscalization(order: &Order, operation: &Operation) -> Result<Option<Fiscalization>, Refusal> {
    let fiscal = match operation.kind {
        Kind::Refund => &operation.fiscal,
        _ => &order.fiscal,
    };
    fiscal.as_deref().map(from_json).transpose()
}

/// The payer as the shop named them.
pub(super) fn customer(order: &Order) -> Option<CustomerView> {
    let customer = &order.terms.customer;
    let text = |text: Option<&str>| text.map(str::to_owned);
    Some(CustomerView {
        external_id: text(customer.external_id.as_deref()),
        email: text(customer.email.as_deref()),
        phone: text(customer.phone.as_deref()),
    })
}
