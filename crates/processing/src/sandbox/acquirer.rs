//! The sandbox's acquirer: decides by card and by amount, the same each time, and remembers only what later calls cannot know.

use std::sync::Arc;

use card::{Brand, Expiry};
use database::{Database, DatabaseError, values};
use vault::{Clock, OpenCard};
use wire::interface::payment::Campaign;
use wire::interface::{Amount, StatusCode};

use super::cards;
use crate::id::Id;
use crate::port::PortError;
use crate::port::acquirer::{Acquirer, Authorization, Decision, Follow, Proof};
use crate::time;

pub(crate) struct SandboxAcquirer {
    pub(crate) database: Database,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Acquirer for SandboxAcquirer {
    fn authorize(&self, request: &Authorization<'_>, card: &OpenCard<'_>) -> Result<Decision, PortError> {
        if let Some(campaign) = request.campaign
            && card.number.brand() != Some(brand(campaign))
        {
            return Ok(Decision::Declined(StatusCode::CardTypeIsNotSupported));
        }
        if card.expiry.is_some_and(|expiry| self.is_over(expiry)) {
            return Ok(Decision::Declined(StatusCode::CardExpired));
        }
        // Exposed to be looked up in the table of test cards.
        let known = cards::find(card.number.expose());
        let decline = known.and_then(|known| known.decline.clone());
        let asks = known.is_some_and(|known| known.asks_3ds) && request.use_3ds && !request.recurring;
        if asks {
            self.remember(request, decline)?;
            return Ok(Decision::Challenge);
        }
        Ok(decided(request.operation, request.amount, decline))
    }

    fn complete(&self, request: &Authorization<'_>, proof: Proof) -> Result<Decision, PortError> {
        Ok(match proof {
            Proof::Passed => decided(request.operation, request.amount, self.recall(request)?),
            Proof::Failed => Decision::Declined(StatusCode::ThreeDsVerificationFailed),
        })
    }

    fn capture(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        Ok(decided(follow.operation, follow.amount, None))
    }

    fn release(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        Ok(decided(follow.operation, follow.amount, None))
    }

    fn refund(&self, follow: &Follow<'_>) -> Result<Decision, PortError> {
        Ok(decided(follow.operation, follow.amount, None))
    }
}

impl SandboxAcquirer {
    /// By the real time, as the vault has it: a project's clock that runs ahead must not end its test cards.
    fn is_over(&self, expiry: Expiry) -> bool {
        let now = time::of(&*self.clock).to_zoned(jiff::tz::TimeZone::UTC);
        // A day's grace, as it is yesterday somewhere.
        let day = now.saturating_sub(jiff::SignedDuration::from_hours(24)).date();
        (i32::from(expiry.year), i32::from(expiry.month)) < (day.year().into(), day.month().into())
    }

    /// What the card would have come to: nobody has it any more when the payer is back.
    fn remember(&self, request: &Authorization<'_>, decline: Option<StatusCode>) -> Result<(), PortError> {
        let (project, operation) = (request.project.id.clone(), request.operation);
        let now = time::of(&*self.clock);
        let decline = decline.map(|code| code.as_str().to_owned());
        self.database
            .write(move |tx| {
                tx.change(
                    "INSERT INTO sandbox_challenges (project, operation, decline, asked_at) VALUES ($1, $2, $3, $4)
                     ON CONFLICT DO NOTHING",
                    values![&project, operation, decline.clone(), time::to_sql(now)],
                )
            })
            .map_err(no_answer)?;
        Ok(())
    }

    fn recall(&self, request: &Authorization<'_>) -> Result<Option<StatusCode>, PortError> {
        let (project, operation) = (request.project.id.clone(), request.operation);
        let row = self
            .database
            .read(move |tx| {
                tx.row(
                    "SELECT decline FROM sandbox_challenges WHERE project = $1 AND operation = $2",
                    values![&project, operation],
                )
            })
            .map_err(no_answer)?;
        let decline = match row {
            Some(row) => row.get::<Option<String>>(0).map_err(no_answer)?,
            // Nobody was asked.
            None => return Ok(Some(StatusCode::TransactionRejected)),
        };
        Ok(decline.map(|code| StatusCode::from(code.as_str())))
    }
}

fn decided(operation: Id, amount: Amount, decline: Option<StatusCode>) -> Decision {
    match decline.or_else(|| cards::decline_by_amount(amount)) {
        Some(code) => Decision::Declined(code),
        None => {
            let id = operation.to_string();
            Decision::Approved {
                auth_code: id.get(12..).unwrap_or_default().to_owned(),
                rrn: id.get(6..).unwrap_or_default().to_owned(),
            }
        }
    }
}

fn brand(campaign: Campaign) -> Brand {
    match campaign {
        Campaign::B => Brand::Mastercard,
        _ => Brand::Visa,
    }
}

fn no_answer(error: DatabaseError) -> PortError {
    tracing::warn!(%error, "the sandbox's acquirer cannot answer");
    PortError::new()
}

pub(crate) const TABLES: &str = "
CREATE TABLE sandbox_challenges (
    project   TEXT NOT NULL,
    operation INTEGER NOT NULL,
    decline   TEXT,             -- code, NULL for success
    asked_at  INTEGER NOT NULL,
    PRIMARY KEY (project, operation)
) STRICT, WITHOUT ROWID;
";
