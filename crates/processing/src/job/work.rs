//! What each kind of job does.

use wire::interface::StatusCode;

use super::Kind;
use crate::checkout::record::Step;
use crate::checkout::whole::Whole;
use crate::id::Id;
use crate::port::PortError;
use crate::processing::Processing;
use crate::refusal::Refusal;

impl Processing {
    /// Does the work of a job. Whatever it finds done is left as it is.
    pub(super) fn work(&self, kind: Kind, key: Id) -> Result<(), Refusal> {
        match kind {
            Kind::Deliver => Err(Refusal::internal("a delivery is no work of this kind")),
            Kind::Recover => self.recover(key),
            Kind::Unproven => self.unproven(key),
            Kind::Expire => self.expire(key),
            Kind::Follow => self.go_on_following(key),
            Kind::Refund => self.sweep_refunds(key),
            Kind::GiveUpRefund => self.give_up_refund(key),
            Kind::Fiscalise => self.fiscalise(key),
            Kind::Payout => self.go_on_with_payout(key),
            Kind::Forget => self.forget_card(key),
            Kind::Renew => self.renew(key),
            Kind::AskBank => self.ask_bank_again(key),
            Kind::ExpireInstallment => self.expire_installment(key),
        }
    }

    fn recover(&self, checkout: Id) -> Result<(), Refusal> {
        let interrupted = self.shared.database.write(move |tx| {
            let mut found = Whole::lock(tx, checkout)?;
            if let Some(whole) = &mut found
                && whole.checkout.step == Step::Started
            {
                whole.checkout.step = Step::Recovering;
                whole.checkout.update(tx)?;
            }
            Ok::<_, Refusal>(found)
        })?;
        let Some(whole) = interrupted else {
            return Ok(());
        };
        match self.go_on(whole)?.checkout.step.is_under_way() {
            true => Err(no_answer()),
            false => Ok(()),
        }
    }
}

/// The acquirer has said nothing again; the job asks it once more later.
pub(crate) fn no_answer() -> Refusal {
    Refusal::new(StatusCode::InternalError, PortError::new().to_string())
}
