//! Waiting for a result, bounded.

use tokio::time::{Instant, sleep};
use wire::interface::StatusCode;
use wire::interface::answer::Status;
use wire::interface::basket::BasketStatus;
use wire::interface::info::PaymentInfo;
use wire::interface::installment::InstallmentInfo;
use wire::interface::query::{BasketQuery, OrderQuery};
use wire::interface::values::ExternalId;

use super::{Baskets, Installments, Payments};
use crate::error::Error;
use crate::hosted::{Wait, Waited};

impl Payments<'_> {
    /// Waits until a payment is paid, held or failed, or until it is time to stop.
    pub async fn wait(&self, external_id: &ExternalId, wait: Wait) -> Result<Waited<PaymentInfo>, Error> {
        let query = OrderQuery {
            external_id: external_id.clone(),
        };
        poll(wait, async || {
            let info = self.info(&query).await?;
            let last = info.purchase_details.last().map(|details| &details.status);
            Ok(stands(info.purchased, last == Some(&Status::Failure), info))
        })
        .await
    }
}

impl Baskets<'_> {
    /// Waits until a basket is paid, held or failed, or until it is time to stop.
    pub async fn wait(
        &self,
        batch_external_id: &ExternalId,
        wait: Wait,
    ) -> Result<Waited<BasketStatus>, Error> {
        let query = BasketQuery {
            batch_external_id: batch_external_id.clone(),
        };
        poll(wait, async || {
            let status = self.status(&query).await?;
            let now = &status.status;
            Ok(stands(*now == Status::Success, *now == Status::Failure, status))
        })
        .await
    }
}

impl Installments<'_> {
    /// Waits until the payer and the bank have agreed or not, or until it is time to stop.
    pub async fn wait(&self, external_id: &ExternalId, wait: Wait) -> Result<Waited<InstallmentInfo>, Error> {
        let query = OrderQuery {
            external_id: external_id.clone(),
        };
        poll(wait, async || {
            let info = self.info(&query).await?;
            let last = info.purchase_details.last().map(|details| &details.status);
            Ok(stands(info.purchased, last == Some(&Status::Failure), info))
        })
        .await
    }
}

fn stands<T>(is_paid: bool, has_failed: bool, answer: T) -> Waited<T> {
    match (is_paid, has_failed) {
        (true, _) => Waited::Paid(answer),
        (false, true) => Waited::Failed(answer),
        (false, false) => Waited::Open,
    }
}

/// Asks until there is a result. What nobody has begun to pay is open, and so is what could not be asked for.
async fn poll<T>(wait: Wait, ask: impl AsyncFn() -> Result<Waited<T>, Error>) -> Result<Waited<T>, Error> {
    let begun = Instant::now();
    for asked in 1.. {
        match ask().await {
            Ok(Waited::Open) | Err(Error::NotSent(_) | Error::Lost { .. }) => {}
            Err(error) if error.code() == Some(&StatusCode::DataNotFound) => {}
            settled => return settled,
        }
        match wait.pause(asked, begun.elapsed()) {
            Some(pause) => sleep(pause).await,
            None => break,
        }
    }
    Ok(Waited::Open)
}
