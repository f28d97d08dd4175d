//! New payouts: what is asked for, the money reserved, the card found.

use database::Transaction;
use wire::interface::payout::{self as wire_payout, NewPayout};
use wire::interface::recipient::CardSource;
use wire::interface::{Currency, StatusCode, Wrong};

use super::Payout;
use super::progress::GUARD;
use super::states::State;
use crate::checkout::attempt::{self, operation_id};
use crate::id::Id;
use crate::ledger::{self, Account};
use crate::order::{self, Taken};
use crate::port::payout::Person;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::{job, refund, saved, time};
use vault::{Purpose, RedeemError};

impl Processing {
    /// `POST /api/payouts/v1/request-payout`: sends money to a person, if the balance suffices. Waits for the disk and for whoever sends it.
    pub fn request_payout(
        &self,
        project: &Project,
        request: NewPayout,
    ) -> Result<wire_payout::Payout, Refusal> {
        let order = request.order;
        is_entity(project, &request.payer.entity_id, "payer.entity_id")?;
        if order.currency.as_str() != CURRENCY {
            let message = format!("payouts are made in {CURRENCY}");
            return Err(Refusal::new(StatusCode::InvalidCurrency, message).at("order.currency"));
        }
        if order.original_amount.is_zero() {
            let message = "a payout is more than 0";
            return Err(Refusal::new(StatusCode::WrongAmount, message).at("order.original_amount"));
        }
        let recipient = request.recipient.named()?;
        let at = format!("recipient.{}.card_data", request.recipient.payout_type);
        let source = recipient.card_data.source(&at)?;
        self.shared.ports(project)?;
        let (token, param) = self.receiving_card(project, source, &at)?;
        let (id, now) = (self.shared.new_id()?, project.now(self.shared.now()));
        let mut operation = Payout::operation(id, &project.id, order.original_amount, now);
        operation.callback_url = order.callback_url.map(|url| url.as_str().to_owned());
        let payout = Payout {
            id,
            project: project.id.clone(),
            external_id: order.external_id.into_string(),
            kind: request.recipient.payout_type,
            state: State::Created,
            amount: order.original_amount,
            currency: order.currency,
            description: order.description.into_string(),
            person: Person::of(&recipient),
            created_at: now,
            operation,
        };
        self.reserve(&payout)?;
        let vault = &self.shared.vault;
        let done = match vault.redeem(&project.id, &token, &operation_id(id)?, Purpose::RECEIVE) {
            Ok(redeemed) => self.send(project, &payout, &redeemed, true)?,
            Err(error) => {
                self.take_back(id)?;
                return Err(refused_token(error, &param));
            }
        };
        Ok(done.as_ref().unwrap_or(&payout).answer())
    }

    /// The token of a card that receives, and the member that names it.
    fn receiving_card(
        &self,
        project: &Project,
        source: CardSource,
        at: &str,
    ) -> Result<(String, String), Refusal> {
        match source {
            CardSource::Token(token) => Ok((token.into_string(), format!("{at}.token"))),
            CardSource::Saved(id) => {
                let param = format!("{at}.option_id");
                let (project, id) = (project.id.clone(), id.into_string());
                let token = self
                    .shared
                    .database
                    .read(move |tx| saved::token_of(tx, &project, &id))?;
                let token = token.ok_or_else(|| {
                    let message = "the project has no such saved card";
                    Refusal::new(StatusCode::PaymentMethodNotFound, message).at(&param)
                })?;
                Ok((token, param))
            }
            CardSource::Number(number) => {
                let param = format!("{at}.number");
                if !project.may_send_cards {
                    let message = "the project may not send cards in clear";
                    return Err(Refusal::new(StatusCode::AccessNotAllowed, message).at(param));
                }
                let token = self.shared.take_number(project, number.expose(), &param);
                Ok((token.map_err(|refusal| refusal.at(&param))?, param))
            }
            _ => Err(Wrong::new(at, "a card").into()),
        }
    }

    /// Takes the number and the money of a new payout, and stores it.
    fn reserve(&self, payout: &Payout) -> Result<(), Refusal> {
        let (payout, real) = (payout.clone(), self.shared.now());
        self.shared.database.write(move |tx| {
            if order::name(tx, payout.number(), payout.id, Some(payout.id))? == Taken::Busy {
                let message = "a payout of this number is under way; ask for its state";
                return Err(Refusal::new(StatusCode::OrderIsDuplicated, message).at("order.external_id"));
            }
            let (project, currency, now) = (&payout.project, payout.currency, payout.created_at);
            if !ledger::take(tx, project, Account::Payouts, currency, now, payout.amount)? {
                let message = "the balance of payouts does not suffice";
                return Err(Refusal::new(StatusCode::InsufficientFunds, message).at("order.original_amount"));
            }
            payout.insert(tx)?;
            let due = time::after(real, GUARD);
            Ok(job::schedule(tx, job::Kind::Payout, payout.id, project, due)?)
        })
    }

    /// Takes a payout back whose card was refused, without a trace.
    fn take_back(&self, id: Id) -> Result<(), Refusal> {
        let this = self.clone();
        self.shared.database.write(move |tx| {
            let Some(payout) = Payout::lock(tx, id)? else {
                return Ok(());
            };
            if payout.state != State::Created {
                return Ok(());
            }
            job::cancel(tx, job::Kind::Payout, id)?;
            payout.delete(tx)?;
            let before = payout.before(tx)?;
            order::forget(tx, payout.number(), before)?;
            this.free(tx, &payout)
        })
    }

    /// Puts back into the balance what was reserved.
    pub(super) fn free(&self, tx: &mut dyn Transaction, payout: &Payout) -> Result<(), Refusal> {
        let real = self.shared.now();
        let (project, currency) = (&payout.project, payout.currency);
        // This balance has no days.
        ledger::add(tx, project, Account::Payouts, currency, real, payout.amount)?;
        refund::wake(tx, project, currency, real)
    }
}

/// A project pays and asks as the partner that it belongs to, and as nobody else.
pub(super) fn is_entity(project: &Project, entity: &str, param: &str) -> Result<(), Refusal> {
    match entity == project.partner {
        true => Ok(()),
        false => {
            let message = "this is not the entity that the project belongs to";
            Err(Refusal::new(StatusCode::AccessNotAllowed, message).at(param))
        }
    }
}

/// The currency of payouts.
pub(super) fn currency() -> Result<Currency, Refusal> {
    Currency::new(CURRENCY).ok_or_else(|| Refusal::internal("no currency"))
}

/// Why a token does not receive.
fn refused_token(error: RedeemError, param: &str) -> Refusal {
    let message = match error {
        RedeemError::Reserved => "the token is being used by something else",
        RedeemError::WrongPurpose => "the token was made to pay and cannot receive: use the form `pan_only`",
        error => return attempt::refused_token(error, param),
    };
    Refusal::new(StatusCode::InvalidCardToken, message).at(param)
}

/// The service interface shows no other.
const CURRENCY: &str = "UAH";
