//! The sandbox's banks: payers answer on a page, on the sandbox's own page, or by the number of their phone.

use std::sync::Arc;

use database::Database;
use jiff::SignedDuration;
use vault::{Clock, OpenCard};
use wire::interface::{Amount, Currency, StatusCode};

use super::acquirer::{by_card_or_amount, decision};
use super::answers::{self, Step};
use super::banks::{self, BANKS, Script};
use super::cards;
use crate::id::Id;
use crate::installment::Order;
use crate::port::PortError;
use crate::port::acquirer::{Decision, Follow};
use crate::port::bank::{BankOrder, Banks, Offer, Requisite, Standing};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;

pub(crate) struct SandboxBanks {
    pub(crate) database: Database,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) public_url: String,
}

impl Banks for SandboxBanks {
    fn offers(&self, _: &Project) -> Vec<Offer> {
        // Constants: neither can fail.
        let amount = |hryvnias: u64| Amount::from_minor(hryvnias * 100).unwrap_or(Amount::MAX);
        let Some(currency) = Currency::new("UAH") else {
            return Vec::new();
        };
        let offer = |bank: &banks::Bank| Offer {
            name: bank.name.to_owned(),
            product: bank.product.to_owned(),
            logo: format!("{}/sandbox/banks/{}.svg", self.public_url, bank.name),
            requisite: bank.requisite,
            needs_products: bank.needs_products,
            periods: bank.periods.clone().collect(),
            least: amount(*bank.limits.start()),
            most: amount(*bank.limits.end()),
            currency,
        };
        BANKS.iter().map(offer).collect()
    }

    fn ask(&self, order: &BankOrder<'_>) -> Result<Standing, PortError> {
        let known = match order.is_known {
            true => answers::find(&self.database, order.project, order.order, Step::Sign)
                .map_err(answers::no_answer)?,
            false => self.forced(order.project, order.order, Step::Sign, CREATE)?,
        };
        if let Some(result) = known {
            return Ok(standing(order.order, result));
        }
        let script = banks::script(order.customer.phone.as_deref());
        let has_phone = order.customer.phone.is_some();
        let bank = BANKS.iter().find(|bank| bank.name == order.bank);
        let shows_page = bank.is_some_and(|bank| {
            let finds_payer = has_phone && bank.requisite == Requisite::OptionalPhone;
            (bank.has_page && !finds_payer) || (bank.name == STUB && script.on_page)
        });
        if shows_page {
            return Ok(Standing::OnPage);
        }
        let now = order.project.now(time::of(&*self.clock));
        let is_over = now.duration_since(order.asked_at) >= TAKES;
        Ok(match script.by_itself && is_over {
            true => standing(order.order, banks::result(true, script)),
            false => Standing::InApp,
        })
    }

    fn sign(&self, order: &BankOrder<'_>, attempt: Id, card: &OpenCard<'_>) -> Result<Decision, PortError> {
        // Exposed to be looked up in the table of test cards.
        let known = cards::find(card.number.expose());
        let decline = known.and_then(|known| known.decline.clone());
        Ok(decision(attempt, by_card_or_amount(decline, order.amount)))
    }

    fn confirm(&self, _: &str, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.follow(follow, Step::Confirm, "/api/payparts/v1/order/confirm")
    }

    fn cancel(&self, _: &str, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.follow(follow, Step::Withdraw, "/api/payparts/v1/order/cancel")
    }

    fn refund(&self, _: &str, follow: &Follow<'_>) -> Result<Decision, PortError> {
        self.follow(follow, Step::Return, "/api/payparts/v1/refund")
    }
}

impl SandboxBanks {
    fn forced(
        &self,
        project: &Project,
        operation: Id,
        step: Step,
        path: &str,
    ) -> Result<Option<StatusCode>, PortError> {
        let now = time::of(&*self.clock);
        answers::forced(&self.database, project, operation, step, &[path], now)
    }

    fn follow(&self, follow: &Follow<'_>, step: Step, path: &str) -> Result<Decision, PortError> {
        let forced = self.forced(follow.project, follow.operation, step, path)?;
        let result = forced.unwrap_or_else(|| by_card_or_amount(None, follow.amount));
        Ok(decision(follow.operation, result))
    }
}

impl Processing {
    /// What a payer of the sandbox says, in the bank's app or on its page. The first answer counts.
    pub(crate) fn answer_for_payer(&self, order: &Order, agrees: bool) -> Result<(), Refusal> {
        let project = self.shared.known_project(&order.project)?;
        super::only(&project)?;
        let script: Script = banks::script(order.terms.customer.phone.as_deref());
        let (database, now) = (&self.shared.database, self.shared.now());
        let result = banks::result(agrees, script);
        Ok(answers::keep(
            database,
            &project,
            order.id,
            Step::Sign,
            result,
            now,
        )?)
    }
}

fn standing(order: Id, result: StatusCode) -> Standing {
    match result {
        StatusCode::ContractSigned | StatusCode::TransactionSuccessful => Standing::Signed {
            contract: order.to_string().get(6..).unwrap_or_default().to_owned(),
        },
        code => Standing::Rejected(code),
    }
}

const CREATE: &str = "/api/payparts/v1/order/create";

/// The bank whose payers' phones decide all.
const STUB: &str = "stub";

/// By the project's clock.
const TAKES: SignedDuration = SignedDuration::from_secs(1);
