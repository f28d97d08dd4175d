//! What a shop does with an installment order: confirm, cancel, refund. It goes the way of payments.

use wire::interface::answer::Operation as Kind;
use wire::interface::installment::{Installment, InstallmentRefund, InstallmentStep};
use wire::interface::steps::WaitingRefund;
use wire::interface::values::WebAddress;
use wire::interface::{Amount, Currency};

use crate::order::Number;
use crate::owner::Owner;
use crate::payment::follow::{self, Asked, Followed, unknown_order};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;

impl Processing {
    /// `POST /api/payparts/v1/order/confirm`: confirms an order that the payer has agreed to. Waits for the disk and the bank.
    pub fn confirm_installment(
        &self,
        project: &Project,
        request: InstallmentStep,
    ) -> Result<Installment, Refusal> {
        self.follow_installment(project, Kind::Confirm, request.into())
    }

    /// `POST /api/payparts/v1/order/cancel`: takes an order back that is not confirmed. Waits for the disk and the bank.
    pub fn cancel_installment(
        &self,
        project: &Project,
        request: InstallmentStep,
    ) -> Result<Installment, Refusal> {
        self.follow_installment(project, Kind::Cancel, request.into())
    }

    /// `POST /api/payparts/v1/refund`: gives back what was confirmed, or a part of it, once the balance suffices. Waits for the disk and the
    /// bank.
    pub fn refund_installment(
        &self,
        project: &Project,
        request: InstallmentRefund,
    ) -> Result<Installment, Refusal> {
        let wish = Wish {
            external_id: request.external_id.into_string(),
            amount: request.amount,
            currency: request.currency,
            callback_url: request.callback_url,
            payload: None,
        };
        self.follow_installment(project, Kind::Refund, wish)
    }

    /// `POST /api/payparts/v1/refund/retry`: does a waiting refund now, if the balance suffices. Waits for the disk and the bank.
    pub fn retry_installment_refund(
        &self,
        project: &Project,
        request: &WaitingRefund,
    ) -> Result<Installment, Refusal> {
        let number = Number::installment(&project.id, &request.external_id);
        self.answer_followed(self.retry_waiting(number)?)
    }

    /// `POST /api/payparts/v1/refund/cancel`: takes a waiting refund back. Waits for the disk.
    pub fn cancel_installment_refund(
        &self,
        project: &Project,
        request: &WaitingRefund,
    ) -> Result<Installment, Refusal> {
        let number = Number::installment(&project.id, &request.external_id);
        self.answer_followed(self.cancel_waiting(number)?)
    }

    fn follow_installment(&self, project: &Project, kind: Kind, wish: Wish) -> Result<Installment, Refusal> {
        let done = self.follow_owner(project, move |tx, login, times| {
            let number = Number::installment(&login.id, &wish.external_id);
            let owner = Owner::named(tx, number)?.ok_or_else(unknown_order)?;
            let asked = Asked {
                kind: &kind,
                amount: wish.amount,
                currency: wish.currency,
                payload: wish.payload.as_deref(),
                callback_url: wish.callback_url.as_ref(),
            };
            follow::begin(tx, login, owner, &asked, times)
        })?;
        self.answer_followed(done)
    }

    fn answer_followed(&self, done: Followed) -> Result<Installment, Refusal> {
        self.answer_installment(&done.owner.into_installment()?, &done.operation)
    }
}

/// What a shop asks of an order.
#[derive(Clone)]
struct Wish {
    external_id: String,
    amount: Option<Amount>,
    currency: Option<Currency>,
    callback_url: Option<WebAddress>,
    payload: Option<String>,
}

impl From<InstallmentStep> for Wish {
    fn from(step: InstallmentStep) -> Self {
        Self {
            external_id: step.external_id.into_string(),
            amount: None,
            currency: None,
            callback_url: step.callback_url,
            payload: step.payload.map(|text| text.into_string()),
        }
    }
}
