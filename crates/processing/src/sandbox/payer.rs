//! The sandbox's bank that sends money: decides by card, by amount and by faults when it is asked, and ends within a second.

use std::sync::Arc;

use database::{Database, DatabaseError};
use jiff::{SignedDuration, Timestamp};
use vault::{Clock, OpenCard};
use wire::interface::StatusCode;
use wire::interface::payout::{CANCEL, PATH};
use wire::interface::sandbox::FaultKind;

use super::acquirer::{by_card_or_amount, rrn};
use super::answers::{self, Step};
use super::{cards, fault};
use crate::port::PortError;
use crate::port::payout::{Payer, PayoutOrder, Progress};
use crate::time;

pub(crate) struct SandboxPayer {
    pub(crate) database: Database,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Payer for SandboxPayer {
    fn send(&self, order: &PayoutOrder<'_>, card: &OpenCard<'_>) -> Result<Progress, PortError> {
        if self.known(order, Step::Payout)?.is_none() {
            // Exposed to be looked up in the table of test cards.
            let decline = cards::find(card.number.expose()).and_then(|card| card.decline.clone());
            let result = match self.forced(order, PATH)? {
                Some(forced) => forced,
                None => by_card_or_amount(decline, order.amount),
            };
            self.remember(order, Step::Payout, result)?;
        }
        Ok(Progress::UnderWay(TAKES))
    }

    fn look(&self, order: &PayoutOrder<'_>) -> Result<Progress, PortError> {
        if self
            .known(order, Step::CancelPayout)?
            .is_some_and(|(result, _)| is_cancelled(&result))
        {
            return Ok(Progress::Cancelled);
        }
        Ok(match self.known(order, Step::Payout)? {
            None => Progress::Unknown,
            Some((StatusCode::Pending, since)) => {
                let ends = time::after(since, LASTS);
                match ends.duration_since(self.now(order)) {
                    rest if rest > SignedDuration::ZERO => Progress::UnderWay(rest),
                    _ => paid(order),
                }
            }
            Some((StatusCode::TransactionSuccessful, _)) => paid(order),
            Some((declined, _)) => Progress::Declined(declined),
        })
    }

    fn cancel(&self, order: &PayoutOrder<'_>) -> Result<Progress, PortError> {
        if self.known(order, Step::CancelPayout)?.is_none() {
            let result = self
                .forced(order, CANCEL)?
                .unwrap_or(StatusCode::CancelSuccessful);
            self.remember(order, Step::CancelPayout, result)?;
        }
        match self.known(order, Step::CancelPayout)? {
            Some((result, _)) if is_cancelled(&result) => Ok(Progress::Cancelled),
            _ => Ok(Progress::UnderWay(TAKES)),
        }
    }
}

impl SandboxPayer {
    /// What was answered, and when by the project's clock.
    fn known(
        &self,
        order: &PayoutOrder<'_>,
        step: Step,
    ) -> Result<Option<(StatusCode, Timestamp)>, PortError> {
        answers::find_at(&self.database, order.project, order.operation, step).map_err(no_answer)
    }

    fn remember(&self, order: &PayoutOrder<'_>, step: Step, result: StatusCode) -> Result<(), PortError> {
        let now = self.now(order);
        answers::keep(&self.database, order.project, order.operation, step, result, now).map_err(no_answer)
    }

    /// What a fault makes of a call; no answer at all with [`StatusCode::TransactionInProgress`].
    fn forced(&self, order: &PayoutOrder<'_>, path: &str) -> Result<Option<StatusCode>, PortError> {
        let kinds = &[FaultKind::ForcedResult];
        let fault = fault::take(&self.database, order.project, &[path], kinds).map_err(no_answer)?;
        match fault.and_then(|fault| fault.result()) {
            Some(StatusCode::TransactionInProgress) => Err(PortError::new()),
            result => Ok(result),
        }
    }

    fn now(&self, order: &PayoutOrder<'_>) -> Timestamp {
        order.project.now(time::of(&*self.clock))
    }
}

fn paid(order: &PayoutOrder<'_>) -> Progress {
    Progress::Paid {
        rrn: rrn(order.operation),
    }
}

fn is_cancelled(result: &StatusCode) -> bool {
    *result == StatusCode::CancelSuccessful
}

fn no_answer(error: DatabaseError) -> PortError {
    tracing::warn!(%error, "the sandbox's bank cannot answer");
    PortError::new()
}

/// So long a payout takes: within a second it has ended (wire notes §7), and until then cash can be taken back.
const TAKES: SignedDuration = SignedDuration::from_millis(700);

/// So long one takes that was forced to be `pending`, by the project's clock.
const LASTS: SignedDuration = SignedDuration::from_hours(24);
