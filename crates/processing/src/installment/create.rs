//! New orders, and the banks that they can be asked of.

use jiff::SignedDuration;
use wire::interface::installment::{BankInfo, BankLimits, Installment, NewInstallment};
use wire::interface::payment::Mode;
use wire::interface::{StatusCode, Wrong};

use super::record::{Order, Terms};
use super::states::State;
use crate::checkout::create::{DEFAULT_TTL, missing, page_end};
use crate::checkout::record::to_json;
use crate::job;
use crate::operation::Operation;
use crate::order::{self, Taken};
use crate::payment::money::Money;
use crate::port::bank::{Offer, Requisite};
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::time;
use wire::interface::answer::{DetailsMethod, Operation as Kind};

impl Processing {
    /// `GET /api/payparts/v1/banks/info`: what the banks offer.
    pub fn banks(&self, project: &Project) -> Result<Vec<BankInfo>, Refusal> {
        let offers = self.shared.ports(project)?.banks.offers(project);
        let info = |offer: Offer| BankInfo {
            name: offer.name,
            logo_url: offer.logo,
            product_name: offer.product,
            available_periods: offer.periods,
            limits: BankLimits {
                min_amount: offer.least,
                max_amount: offer.most,
            },
        };
        Ok(offers.into_iter().map(info).collect())
    }

    /// `POST /api/payparts/v1/order/create`: makes an order and asks its bank. That the bank says no is an answer. Waits for the disk and the
    /// bank.
    pub fn create_installment(
        &self,
        project: &Project,
        request: NewInstallment,
    ) -> Result<Installment, Refusal> {
        let offers = self.shared.ports(project)?.banks.offers(project);
        let offer = offers.into_iter().find(|offer| offer.name == *request.bank_name);
        let offer = offer.ok_or_else(|| {
            Refusal::new(
                StatusCode::BankIsNotSupported,
                "no bank of that name; see `banks/info`",
            )
            .at("bank_name")
        })?;
        check(&offer, &request)?;
        let order = self.draft_order(project, request)?;
        let operation = Operation {
            callback_url: None,
            ..Operation::begun(
                order.id,
                (order.id, &*order.project),
                (Kind::Payment, DetailsMethod::Create),
                order.amount,
                order.created_at,
            )
        };
        let (stored, begun) = (order.clone(), operation.clone());
        let real = self.shared.now();
        self.shared.database.write(move |tx| {
            // Who waits for a payer holds the number: two contracts for one order cannot be.
            if order::name(tx, stored.number(), stored.id, Some(stored.id))? == Taken::Busy {
                return Err(Refusal::new(
                    StatusCode::OrderIsDuplicated,
                    "an order of this number waits for its payer; cancel it, or wait for its end",
                )
                .at("external_id"));
            }
            stored.insert(tx)?;
            begun.insert(tx)?;
            let due = |after| time::after(real, after);
            job::schedule(
                tx,
                job::Kind::AskBank,
                stored.id,
                &stored.project,
                due(RECOVER_AFTER),
            )?;
            let end = due(stored.expires_at.duration_since(stored.created_at));
            job::schedule(tx, job::Kind::ExpireInstallment, stored.id, &stored.project, end)?;
            Ok(())
        })?;
        let (order, operation) = self.ask_bank(order, operation)?;
        self.answer_installment(&order, &operation)
    }

    fn draft_order(&self, project: &Project, request: NewInstallment) -> Result<Order, Refusal> {
        let id = self.shared.new_id()?;
        let now = project.now(self.shared.now());
        let products = request.products.filter(|products| !products.is_empty());
        Ok(Order {
            id,
            project: project.id.clone(),
            external_id: request.external_id.into_string(),
            unified_id: request.unified_external_id.map(|text| text.into_string()),
            bank: request.bank_name.into_string(),
            parts: request.parts_count.value(),
            state: State::Created,
            way: None,
            amount: request.amount,
            currency: request.currency,
            money: Money::of_hold(request.amount),
            busy: Some(id),
            confirms: request.auto_confirm_after_success == Some(true),
            description: request.description.into_string(),
            payload: request.payload.map(|text| text.into_string()),
            products: products.map(|products| to_json(&products)).transpose()?,
            fiscal: None,
            terms: Terms {
                callback_url: request.callback_url,
                result_url: request.result_url,
                customer: request.customer,
            },
            tries: 0,
            card: None,
            declined: None,
            created_at: now,
            expires_at: page_end(now, DEFAULT_TTL),
        })
    }
}

/// Whether a bank's offer has what a shop asks for.
fn check(offer: &Offer, request: &NewInstallment) -> Result<(), Refusal> {
    let refused = |code: StatusCode, message: &str, param: &str| Err(Refusal::new(code, message).at(param));
    let mode = match offer.requisite {
        Requisite::Card => Mode::Hosted,
        Requisite::Phone | Requisite::OptionalPhone => Mode::Direct,
    };
    if request.mode != mode {
        return Err(Wrong::new("mode", format!("`{mode}`: this bank has no other")).into());
    }
    if request.currency != offer.currency {
        let message = "the bank takes another currency";
        return refused(StatusCode::InvalidCurrency, message, "currency");
    }
    if !(offer.least..=offer.most).contains(&request.amount) {
        let message = format!("the bank takes amounts from {} to {}", offer.least, offer.most);
        return refused(StatusCode::WrongAmount, &message, "amount");
    }
    let parts = request.parts_count.value();
    if parts < 2 {
        let message = "an order is paid in two parts at least";
        return refused(StatusCode::WrongPaymentCount, message, "parts_count");
    }
    if !offer.periods.contains(&parts) {
        let message = "the bank does not offer so many parts; see `available_periods`";
        return refused(StatusCode::WrongPaypartsPeriod, message, "parts_count");
    }
    match (&request.customer.phone, offer.requisite) {
        (Some(phone), _) if !is_phone(phone) => refused(
            StatusCode::InvalidPhoneNumber,
            "`customer.phone` must be +380 and nine digits, with or without the plus",
            "customer.phone",
        ),
        (None, Requisite::Phone) => refused(
            StatusCode::InvalidPhoneNumber,
            "the bank finds the payer by `customer.phone`",
            "customer.phone",
        ),
        _ if offer.needs_products
            && request
                .products
                .as_ref()
                .is_none_or(|products| products.is_empty()) =>
        {
            Err(missing("products"))
        }
        _ if offer.needs_products && request.result_url.is_none() => Err(missing("result_url")),
        _ => Ok(()),
    }
}

/// A number of Ukraine, with its country's code.
fn is_phone(phone: &str) -> bool {
    let digits = phone.strip_prefix('+').unwrap_or(phone);
    digits.len() == 12 && digits.starts_with("380") && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// So long after its beginning a question to the bank counts as interrupted.
pub(super) const RECOVER_AFTER: SignedDuration = SignedDuration::from_secs(120);
