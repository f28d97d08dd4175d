//! Cash that nobody has fetched yet, taken back.

use wire::interface::StatusCode;
use wire::interface::payout::{self as wire_payout, NamedPayout};
use wire::interface::recipient::PayoutType;

use super::progress::GUARD;
use super::states::{Event, State};
use super::{Payout, unknown};
use crate::order::{self, Number};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::{job, time};

impl Processing {
    /// `POST /api/payouts/v1/cancel-payout`: takes a cash payout back that is on its way. Without an answer of whoever sends it, it is
    /// asked for again, and a callback says how it ended. Waits for the disk and for whoever sends it.
    pub fn cancel_payout(
        &self,
        project: &Project,
        request: &NamedPayout,
    ) -> Result<wire_payout::Payout, Refusal> {
        let payer = &self.shared.ports(project)?.payouts;
        let (login, external_id) = (project.id.clone(), request.external_id.clone());
        let real = self.shared.now();
        let asked = self.shared.database.write(move |tx| {
            let id = order::find(tx, Number::payout(&login, &external_id))?.ok_or_else(unknown)?;
            let mut payout = Payout::lock(tx, id)?.ok_or_else(unknown)?;
            let refuse =
                |code, message: &str| Err(Refusal::new(code, message).at("external_id").about(payout.id));
            if payout.kind != PayoutType::Cash {
                return refuse(
                    StatusCode::ActionNotAllowed,
                    "a payout to a card cannot be taken back",
                );
            }
            if payout.operation.code == StatusCode::CancelSuccessful {
                return refuse(
                    StatusCode::ActionAlreadyDone,
                    "the payout has been taken back before",
                );
            }
            if payout.state == State::Cancelling {
                return Ok(payout);
            }
            payout.step(Event::Cancel)?;
            payout.update(tx)?;
            job::schedule(tx, job::Kind::Payout, id, &login, time::after(real, GUARD))?;
            Ok(payout)
        })?;
        let stands = payer.cancel(&asked.order(project));
        let done = self.heard(&asked, stands, None, true)?.unwrap_or(asked);
        match done.state {
            State::Failed | State::Cancelling => Ok(done.answer()),
            _ => Err(done.refuse(StatusCode::ActionNotAllowed)),
        }
    }
}
