//! A payout on its way: from the vault over whoever sends it to what became of it.
//!
//! Two transactions with a call between them, as for a try to pay: the first reserves the money, the second says what came of it. Whoever
//! sends it is then asked how it stands until it has ended. Whatever stops in between, a job goes on.

use database::Transaction;
use jiff::SignedDuration;
use vault::{Outcome, RedeemError, Redeemed};
use wire::interface::StatusCode;

use super::Payout;
use super::states::{Event, State};
use crate::checkout::attempt::operation_id;
use crate::id::Id;
use crate::job::work::no_answer;
use crate::operation::ShownCard;
use crate::port::PortError;
use crate::port::payout::Progress;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::{job, order, time};

impl Processing {
    /// Has a payout sent that was reserved, and stores what came of it. `None` without an answer: the job asks again.
    pub(super) fn send(
        &self,
        project: &Project,
        payout: &Payout,
        redeemed: &Redeemed,
        is_told: bool,
    ) -> Result<Option<Payout>, Refusal> {
        let payer = &self.shared.ports(project)?.payouts;
        let lent = self
            .shared
            .vault
            .use_card(redeemed, |card| payer.send(&payout.order(project), card));
        let sent = lent.map_err(|error| Refusal::internal(&error.to_string()))?;
        let card = ShownCard {
            mask: redeemed.card_mask.clone(),
            brand: redeemed.brand.map(|brand| brand.id().to_owned()),
        };
        self.heard(payout, sent, Some(card), is_told)
    }

    /// Stores how a payout stands, as whoever sends it has said. `is_told`: an answer tells the shop that it is on its way. `None`
    /// where nothing was said.
    pub(super) fn heard(
        &self,
        asked: &Payout,
        progress: Result<Progress, PortError>,
        card: Option<ShownCard>,
        is_told: bool,
    ) -> Result<Option<Payout>, Refusal> {
        let Ok(progress) = progress else {
            return Ok(None);
        };
        let this = self.clone();
        let (id, from) = (asked.id, asked.state);
        let done = self.shared.database.write(move |tx| {
            let mut payout = Payout::lock(tx, id)?.ok_or_else(super::unknown)?;
            // What has ended stays. That it is on its way is no news to what was cancelled meanwhile.
            let is_late = payout.state != from && matches!(progress, Progress::UnderWay(_));
            if payout.state.is_final() || is_late {
                return Ok(payout);
            }
            if let Some(card) = &card {
                payout.operation.card = Some(card.clone());
            }
            this.conclude_payout(tx, &mut payout, progress.clone(), is_told)?;
            Ok::<_, Refusal>(payout)
        })?;
        self.settle_if_ended(&done);
        Ok(Some(done))
    }

    fn conclude_payout(
        &self,
        tx: &mut dyn Transaction,
        payout: &mut Payout,
        progress: Progress,
        is_told: bool,
    ) -> Result<(), Refusal> {
        let real = self.shared.now();
        let now = self.shared.known_project(&payout.project)?.now(real);
        let before = payout.operation.status.clone();
        match progress {
            Progress::UnderWay(pause) => {
                payout.step(Event::Accept)?;
                payout.operation.code = StatusCode::TransactionInProgress;
                job::schedule(
                    tx,
                    job::Kind::Payout,
                    payout.id,
                    &payout.project,
                    time::after(real, pause),
                )?;
            }
            Progress::Paid { rrn } => {
                payout.operation.rrn = Some(rrn);
                payout.end(Event::Pay, StatusCode::TransactionSuccessful, now)?;
            }
            Progress::Declined(code) => payout.end(Event::Fail, code, now)?,
            Progress::Cancelled => payout.end(Event::Withdraw, StatusCode::CancelSuccessful, now)?,
            Progress::Unknown => payout.end(Event::Fail, StatusCode::TransactionRejected, now)?,
        }
        payout.update(tx)?;
        if payout.state.is_final() {
            let winner = payout.has_succeeded().then_some(payout.id);
            order::release(tx, payout.number(), payout.id, winner)?;
            if winner.is_none() {
                self.free(tx, payout)?;
            }
        }
        let is_news = payout.operation.status != before && (payout.state.is_final() || !is_told);
        match is_news {
            true => self.tell_of_payout(tx, payout),
            false => Ok(()),
        }
    }

    /// Goes on with a payout, wherever it is.
    pub(crate) fn go_on_with_payout(&self, id: Id) -> Result<(), Refusal> {
        let Some(payout) = self.shared.database.read(move |tx| Payout::find(tx, id))? else {
            return Ok(());
        };
        let project = self.shared.known_project(&payout.project)?;
        let payer = &self.shared.ports(&project)?.payouts;
        let order = payout.order(&project);
        let stands = match payout.state {
            State::Created => match self.shared.vault.resume(&project.id, &operation_id(id)?) {
                Ok(redeemed) => {
                    let sent = self.send(&project, &payout, &redeemed, false)?;
                    return sent.map(drop).ok_or_else(no_answer);
                }
                // The card is not there any more, or never was: it may have been sent all the same.
                Err(RedeemError::NotOpen) => payer.look(&order),
                Err(error) => return Err(Refusal::internal(&error.to_string())),
            },
            State::Pending => payer.look(&order),
            State::Cancelling => payer.cancel(&order),
            State::Paid | State::Failed => return self.end_card(&payout),
        };
        let heard = self.heard(&payout, stands, None, false)?;
        heard.map(drop).ok_or_else(no_answer)
    }

    /// Ends the vault's part of a payout that has ended. What fails here, the job does again.
    fn settle_if_ended(&self, payout: &Payout) {
        if !payout.state.is_final() {
            return;
        }
        let id = payout.id;
        let settled = self.end_card(payout).and_then(|()| {
            let cancel = move |tx: &mut dyn Transaction| job::cancel(tx, job::Kind::Payout, id);
            Ok(self.shared.database.write(cancel)?)
        });
        if let Err(error) = settled {
            tracing::warn!(%error, "a card is settled later");
        }
    }

    /// Tells the vault how a payout has ended: its token is used up, or free again.
    fn end_card(&self, payout: &Payout) -> Result<(), Refusal> {
        let outcome = match payout.has_succeeded() {
            true => Outcome::UsedUp,
            false => Outcome::Released,
        };
        let vault = &self.shared.vault;
        let settled = match vault.resume(&payout.project, &operation_id(payout.id)?) {
            Ok(redeemed) => vault.settle(&redeemed, outcome),
            Err(error) => Err(error),
        };
        match settled {
            Ok(()) | Err(RedeemError::NotOpen) => Ok(()),
            Err(error) => Err(Refusal::internal(&error.to_string())),
        }
    }
}

/// So long after its beginning a payout that has had no answer counts as interrupted.
pub(super) const GUARD: SignedDuration = SignedDuration::from_secs(120);
