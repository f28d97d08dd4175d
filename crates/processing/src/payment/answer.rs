//! Payments as the interface writes them.

use jiff::{Timestamp, civil};
use wire::interface::StatusCode;
use wire::interface::answer::{
    self, Action, CardView, CustomerView, Details, Fee, Fiscalization, MethodView, Status,
};
use wire::interface::info::PaymentInfo;

use super::Payment;
use crate::checkout::record::{Checkout, PaidWith, from_json};
use crate::operation::Operation;
use crate::port::issuers::Issuers;
use crate::refusal::Refusal;

/// What an answer needs besides what is stored.
pub(crate) struct Surroundings<'a> {
    pub(crate) issuers: &'a dyn Issuers,
    /// What the payer has to do, where they have to do something.
    pub(crate) action: Option<String>,
    /// The receipt's address.
    pub(crate) receipt: String,
}

/// The payment object with one of its operations; without one for a hosted payment that nobody has begun to pay.
pub(crate) fn payment(
    checkout: &Checkout,
    payment: &Payment,
    operation: Option<&Operation>,
    around: &Surroundings<'_>,
) -> Result<answer::Payment, Refusal> {
    let fiscalization = fiscalization(payment, operation)?;
    let details = operation.map(|operation| details(checkout, payment, operation, fiscalization.clone()));
    let is_success = operation.is_none_or(|operation| operation.status == Status::Success);
    let waits = operation.is_none_or(|operation| !operation.has_ended());
    let action = around.action.as_ref().filter(|_| waits).map(Action::url);
    Ok(answer::Payment {
        id: operation.map_or(payment.id, |operation| operation.id).to_string(),
        external_id: payment.external_id.clone(),
        unified_external_id: None,
        batch_external_id: checkout.batch.clone(),
        project_id: payment.project.clone(),
        is_success: is_success || action.is_some(),
        action_required: action.is_some(),
        action,
        receipt_url: (operation.is_some() && is_success).then(|| around.receipt.clone()),
        payment_method: match (operation, &checkout.card) {
            (Some(_), Some(card)) if !card.mask.is_empty() => Some(method(card, around.issuers)),
            _ => None,
        },
        customer: customer(checkout),
        operation: operation.map(|operation| operation.kind.clone()),
        metadata: checkout
            .terms
            .metadata
            .as_ref()
            .map(|metadata| metadata.as_map().clone()),
        details,
        fiscalization,
    })
}

/// All that happened to a payment.
pub(crate) fn info(
    checkout: &Checkout,
    payment: &Payment,
    operations: &[Operation],
    around: &Surroundings<'_>,
) -> Result<PaymentInfo, Refusal> {
    use answer::Operation as Kind;
    let of = |kinds: &[Kind]| {
        let chosen = operations
            .iter()
            .filter(|operation| kinds.contains(&operation.kind));
        chosen
            .map(|operation| {
                let fiscalization = fiscalization(payment, Some(operation))?;
                Ok(details(checkout, payment, operation, fiscalization))
            })
            .collect::<Result<Vec<_>, Refusal>>()
    };
    let done = |kind: Kind| {
        operations
            .iter()
            .any(|operation| operation.kind == kind && operation.status == Status::Success)
    };
    let action = around.action.as_ref().map(Action::url);
    Ok(PaymentInfo {
        id: payment.id.to_string(),
        external_id: payment.external_id.clone(),
        amount: payment.amount,
        amount_confirmed: payment.money.charged,
        amount_canceled: payment.money.released,
        amount_refunded: payment.money.refunded,
        purchased: payment.state.has_succeeded(),
        confirmed: done(Kind::Confirm),
        canceled: done(Kind::Cancel),
        refunded: done(Kind::Refund),
        purchase_details: of(&[Kind::Payment, Kind::Lookup, Kind::Recurrent])?,
        confirmation_details: of(&[Kind::Confirm])?,
        cancellation_details: of(&[Kind::Cancel])?,
        refund_details: of(&[Kind::Refund])?,
        action_required: action.is_some(),
        action,
        created_at: payment.created_at,
        currency: payment.currency,
        receipt_url: payment.state.has_succeeded().then(|| around.receipt.clone()),
        customer: customer(checkout),
    })
}

fn details(
    checkout: &Checkout,
    payment: &Payment,
    operation: &Operation,
    fiscalization: Option<Fiscalization>,
) -> Details {
    Details {
        status: operation.status.clone(),
        status_code: operation.code.clone(),
        status_description: describe(&operation.code),
        amount: operation.amount,
        currency: payment.currency,
        created_at: operation.created_at,
        processed_at: operation.processed_at,
        method: operation.method.clone(),
        payment_id: payment.id.to_string(),
        transaction_id: operation.attempt.to_string(),
        operation_id: operation.id.to_string(),
        auth_code: operation.auth_code.clone(),
        rrn: operation.rrn.clone(),
        recurrent_id: checkout.recurrent_id.clone(),
        description: payment.description.clone(),
        payload: operation.payload.clone().or_else(|| payment.payload.clone()),
        fee: operation.fee.map(|amount| Fee {
            amount,
            currency: payment.currency,
        }),
        terminal_name: None,
        bank_name: None,
        fiscalization,
    }
}

/// The tax receipt that belongs to an operation: a refund's own, or else the sale's.
fn fiscalization(payment: &Payment, operation: Option<&Operation>) -> Result<Option<Fiscalization>, Refusal> {
    let refund = operation.filter(|operation| operation.kind == answer::Operation::Refund);
    let fiscal = refund.map_or(&payment.fiscal, |refund| &refund.fiscal);
    fiscal.as_deref().map(from_json).transpose()
}

/// The payer as the shop named them.
fn customer(checkout: &Checkout) -> Option<CustomerView> {
    let customer = checkout.terms.customer.as_ref()?;
    let text = |text: Option<&str>| text.map(str::to_owned);
    Some(CustomerView {
        external_id: text(customer.external_id.as_deref()),
        email: text(customer.email.as_deref()),
        phone: text(customer.phone.as_deref()),
    })
}

/// The card as it may be shown.
pub(crate) fn method(card: &PaidWith, issuers: &dyn Issuers) -> MethodView {
    let issuer = issuers.issuer(&card.mask);
    MethodView {
        kind: "cc_token".to_owned(),
        cc_token: CardView {
            token: card.token.clone(),
            mask: card.mask.clone(),
            expires_at: card.expiry.and_then(last_day),
            bank_short_name: issuer.bank_short_name,
            payment_system: card.brand.as_deref().map(str::to_uppercase),
            saved_card: card.saved,
            bin_country: issuer.country,
        },
    }
}

/// The last day of a month, at its beginning, in UTC.
pub(crate) fn last_day((year, month): (u16, u8)) -> Option<Timestamp> {
    let first = civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()?;
    let last = first.last_of_month();
    Some(last.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

/// A code for people, in English.
pub(crate) fn describe(code: &StatusCode) -> String {
    let words = code.as_str().replace('_', " ");
    let mut letters = words.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
