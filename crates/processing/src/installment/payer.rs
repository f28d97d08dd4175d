//! What payers see and do with an installment order.

use database::Transaction;
use wire::interface::answer::{Operation as Kind, Status};
use wire::interface::installment::InstallmentProduct;
use wire::interface::sandbox::SandboxPush;
use wire::interface::{Amount, StatusCode};

use super::ask::find;
use super::page::{Asks, InstallmentState, InstallmentView};
use super::record::{Order, Way};
use super::states::State;
use crate::checkout::record::from_json;
use crate::id::Id;
use crate::operation::Operation;
use crate::page::{Back, OrderLine, OrderView, PageSecret, ProductLine, ReceiptView};
use crate::port::bank::Requisite;
use crate::processing::Processing;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::secret::Page;

impl Processing {
    /// The page of an address on which a payer agrees. Reads the store.
    pub fn installment_page(&self, secret: &PageSecret) -> Result<InstallmentView, Refusal> {
        let id = self.named_order(secret)?;
        let (order, made) = self
            .shared
            .database
            .read(move |tx| find(tx, id))?
            .ok_or_else(not_there)?;
        let project = self.shared.known_project(&order.project)?;
        let now = project.now(self.shared.now());
        let offers = self.shared.ports(&project)?.banks.offers(&project);
        let offer = offers.into_iter().find(|offer| offer.name == order.bank);
        let state = match (order.state, order.busy) {
            (State::Created, _) | (State::Waiting, Some(_)) => InstallmentState::Processing,
            (State::Waiting, None) if now >= order.expires_at => InstallmentState::Expired,
            (State::Waiting, None) => InstallmentState::Open {
                declined: order.declined.clone(),
            },
            (State::Signed | State::Confirmed, _) => InstallmentState::Signed,
            (State::Rejected, _) => InstallmentState::Rejected { code: made.code },
            (State::Expired, _) => InstallmentState::Expired,
            (State::Cancelled, _) => InstallmentState::Cancelled,
        };
        Ok(InstallmentView {
            state,
            asks: match offer.as_ref().map(|offer| offer.requisite) {
                Some(Requisite::Card) => Asks::Card,
                _ => Asks::Agreement,
            },
            product: offer.map_or_else(|| order.bank.clone(), |offer| offer.product),
            parts: order.parts,
            part: part(&order),
            tries: order.tries,
            order: order_view(&order, &project)?,
            now,
            expires_at: order.expires_at,
        })
    }

    /// The receipt of an order that was confirmed. Reads the store.
    pub(crate) fn receipt_of_order(&self, id: Id) -> Result<ReceiptView, Refusal> {
        let (order, operations) = self.shared.database.read(move |tx| {
            let order = Order::find(tx, id)?.ok_or_else(not_there)?;
            Ok::<_, Refusal>((order, Operation::all(tx, id)?))
        })?;
        let confirmed = operations
            .iter()
            .find(|operation| operation.kind == Kind::Confirm && operation.status == Status::Success);
        let confirmed = confirmed.ok_or_else(not_there)?;
        let project = self.shared.known_project(&order.project)?;
        let card = order.card.as_ref();
        Ok(ReceiptView {
            payment_id: order.id.to_string(),
            paid_at: confirmed.processed_at.unwrap_or(confirmed.created_at),
            charged: order.money.charged,
            held: Amount::ZERO,
            refunded: order.money.refunded,
            mask: card.map(|card| card.mask.clone()),
            payment_system: card.and_then(|card| card.brand.as_deref().map(str::to_uppercase)),
            auth_code: confirmed.auth_code.clone(),
            rrn: confirmed.rrn.clone(),
            fiscalization: order.fiscal.as_deref().map(from_json).transpose()?,
            order: order_view(&order, &project)?,
        })
    }

    /// A payer gives a card, on the try that the page showed. That it is not taken is no error, the page shows it. Waits for the disk and the
    /// bank.
    pub fn sign_installment(&self, secret: &PageSecret, tries: u32, token: &str) -> Result<(), Refusal> {
        let id = self.named_order(secret)?;
        self.sign_with_card(id, tries, token)
    }

    /// A payer says yes or no on the sandbox's stand-in for a bank's page. The first answer counts. Waits for the disk.
    pub fn answer_installment_page(&self, secret: &PageSecret, agrees: bool) -> Result<(), Refusal> {
        let id = self.named_order(secret)?;
        let found = self.shared.database.read(move |tx| Order::find(tx, id))?;
        let order = found.ok_or_else(not_there)?;
        self.answered(&order, agrees)
    }

    /// A payer of the sandbox says yes or no in the bank's app. Waits for the disk.
    pub fn answer_push(&self, project: &Project, id: &str, agrees: bool) -> Result<(), Refusal> {
        let not_there = || Refusal::new(StatusCode::DataNotFound, "the project has no such push").at("id");
        let id: Id = id.parse().map_err(|_| not_there())?;
        let found = self.shared.database.read(move |tx| Order::find(tx, id))?;
        let order = found.filter(|order| order.project == project.id);
        self.answered(&order.ok_or_else(not_there)?, agrees)
    }

    fn answered(&self, order: &Order, agrees: bool) -> Result<(), Refusal> {
        if order.state != State::Waiting {
            return Ok(());
        }
        self.answer_for_payer(order, agrees)?;
        self.ask_bank_again(order.id)
    }

    fn named_order(&self, secret: &PageSecret) -> Result<Id, Refusal> {
        self.shared
            .reveal(Page::Installment, secret)?
            .ok_or_else(not_there)
    }
}

/// Pushes that wait for their payers, the newest first.
pub(crate) fn pushes(
    tx: &mut dyn Transaction,
    project: &str,
    most: u32,
) -> Result<Vec<SandboxPush>, Refusal> {
    let mut waiting = Order::waiting(tx, project, most)?;
    waiting.retain(|order| order.way == Some(Way::App));
    let push = |order: Order| SandboxPush {
        id: order.id.to_string(),
        external_id: order.external_id,
        bank_name: order.bank,
        phone: order.terms.customer.phone.map(|phone| phone.into_string()),
        amount: order.amount,
        currency: order.currency,
        parts_count: order.parts,
        created_at: order.created_at,
    };
    Ok(waiting.into_iter().map(push).collect())
}

/// What the pages of an order say.
pub(super) fn order_view(order: &Order, project: &Project) -> Result<OrderView, Refusal> {
    let customer = &order.terms.customer;
    let back = order.terms.result_url.as_ref().map(|url| url.as_str().to_owned());
    Ok(OrderView {
        project: project.id.clone(),
        seller: project.name.clone(),
        is_live: project.is_live,
        lines: vec![OrderLine {
            seller: project.name.clone(),
            external_id: order.external_id.clone(),
            description: Some(order.description.clone()),
            amount: order.amount,
            products: products(order)?,
        }],
        amount: order.amount,
        currency: order.currency,
        language: customer.locale,
        colours: customer.color_mode,
        back: Back {
            external_id: order.external_id.clone(),
            is_basket: false,
            success: back.clone(),
            failure: back,
        },
    })
}

fn products(order: &Order) -> Result<Vec<ProductLine>, Refusal> {
    let Some(products) = &order.products else {
        return Ok(Vec::new());
    };
    let products: Vec<InstallmentProduct> = from_json(products)?;
    let line = |product: InstallmentProduct| ProductLine {
        name: product.name.into_string(),
        quantity: product.quantity.value().to_string(),
        price: product.price,
    };
    Ok(products.into_iter().map(line).collect())
}

/// What one payment is, rounded up to hundredths.
fn part(order: &Order) -> Amount {
    let parts = u64::from(order.parts.max(1));
    Amount::from_minor(order.amount.minor().div_ceil(parts)).unwrap_or(order.amount)
}

fn not_there() -> Refusal {
    Refusal::new(StatusCode::DataNotFound, "there is nothing at this address")
}
