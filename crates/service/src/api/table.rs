//! Every call, in the order of the interface.

use processing::{Processing, Project};
use wire::interface::basket::{self, CancelBasket, ConfirmBasket, NewBasket};
use wire::interface::callback::Resource;
use wire::interface::info;
use wire::interface::payment::{self, NewPayment};
use wire::interface::query::{BasketQuery, CardQuery, OrderQuery};
use wire::interface::saved::{self, AddCard, NamedCard};
use wire::interface::steps::{self, Recurrent, Resend, Step, WaitingRefund};

use super::call::{Call, DELETE, Done, GET, POST};
use super::family::Family;
use super::input::{Body, Customer, FromQuery};

pub(crate) fn calls() -> Vec<Call> {
    let all = payments().into_iter().chain(baskets());
    all.chain(saved_cards()).collect()
}

fn payments() -> [Call; 10] {
    let of = Family::Payments;
    [
        Call::new(
            POST,
            of,
            payment::PATH,
            "Makes a payment: with the card, or with a page on which the payer pays.",
            |processing: &Processing, project: &Project, Body(request): Body<NewPayment>| {
                processing.create_payment(project, request)
            },
        ),
        Call::new(
            POST,
            of,
            steps::CONFIRM,
            "Charges what is held, or a part of it.",
            |processing, project, Body(request): Body<Step>| processing.confirm(project, &request),
        ),
        Call::new(
            POST,
            of,
            steps::CANCEL,
            "Releases what is held, or a part of it.",
            |processing, project, Body(request): Body<Step>| processing.cancel(project, &request),
        ),
        Call::new(
            POST,
            of,
            steps::REFUND,
            "Gives back what was charged, or a part of it; waits while the balance does not suffice.",
            |processing, project, Body(request): Body<Step>| processing.refund(project, &request),
        ),
        Call::new(
            POST,
            of,
            steps::REFUND_RETRY,
            "Tries a waiting refund at once.",
            |processing, project, Body(request): Body<WaitingRefund>| {
                processing.retry_refund(project, &request)
            },
        ),
        Call::new(
            POST,
            of,
            steps::REFUND_CANCEL,
            "Takes a waiting refund back.",
            |processing, project, Body(request): Body<WaitingRefund>| {
                processing.cancel_refund(project, &request)
            },
        ),
        Call::new(
            POST,
            of,
            steps::RECURRENT,
            "Charges a card again, without the payer.",
            |processing, project, Body(request): Body<Recurrent>| processing.charge_again(project, request),
        ),
        Call::new(
            POST,
            of,
            steps::RESEND,
            "Sends a callback of an order again, as it was.",
            |processing, project, Body(request): Body<Resend>| {
                let operation = request.operation.as_ref().map(|operation| operation.as_str());
                processing.resend(project, Resource::Payment, &request.external_id, operation)?;
                Ok(Done)
            },
        ),
        Call::new(
            GET,
            of,
            info::PATH,
            "A payment with all of its operations.",
            |processing, project, FromQuery(order): FromQuery<OrderQuery>| {
                processing.info(project, &order.external_id)
            },
        ),
        Call::new(
            GET,
            of,
            info::RECEIPT,
            "Where the receipt of a payment can be seen.",
            |processing, project, FromQuery(order): FromQuery<OrderQuery>| {
                processing.receipt(project, &order.external_id)
            },
        ),
    ]
}

fn baskets() -> [Call; 4] {
    let of = Family::Payments;
    [
        Call::new(
            POST,
            of,
            basket::PATH,
            "Makes a payment that is split over orders of several projects.",
            |processing: &Processing, project: &Project, Body(request): Body<NewBasket>| {
                processing.create_basket(project, request)
            },
        ),
        Call::new(
            POST,
            of,
            basket::CONFIRM,
            "Charges what is held for orders of a basket, or a part of it.",
            |processing, project, Body(request): Body<ConfirmBasket>| {
                processing.confirm_basket(project, &request)
            },
        ),
        Call::new(
            POST,
            of,
            basket::CANCEL,
            "Releases what is held for a basket.",
            |processing, project, Body(request): Body<CancelBasket>| {
                processing.cancel_basket(project, &request)
            },
        ),
        Call::new(
            GET,
            of,
            basket::STATUS,
            "How a basket stands.",
            |processing, project, FromQuery(basket): FromQuery<BasketQuery>| {
                processing.basket_status(project, &basket.batch_external_id)
            },
        ),
    ]
}

fn saved_cards() -> [Call; 5] {
    let of = Family::SavedCards;
    [
        Call::new(
            POST,
            of,
            saved::PATH,
            "Adds a card to a customer's: with the card's token, or with a page on which the payer types it.",
            |processing: &Processing,
             project: &Project,
             (Customer(customer), Body(request)): (_, Body<AddCard>)| {
                processing.add_card(project, &customer, request)
            },
        ),
        Call::new(
            GET,
            of,
            saved::PATH,
            "A customer's cards.",
            |processing, project, Customer(customer)| processing.wallet(project, &customer),
        ),
        Call::new(
            DELETE,
            of,
            saved::PATH,
            "Deletes one of a customer's cards.",
            |processing, project, (Customer(customer), Body(named)): (_, Body<NamedCard>)| {
                processing.delete_card(project, &customer, &named)
            },
        ),
        Call::new(
            GET,
            of,
            saved::FIND,
            "One of a customer's cards.",
            |processing, project, (Customer(customer), FromQuery(card)): (_, FromQuery<CardQuery>)| {
                processing.find_card(project, &customer, &card.option_id)
            },
        ),
        Call::new(
            POST,
            of,
            saved::SETTINGS,
            "Makes one of a customer's cards the default.",
            |processing, project, (Customer(customer), Body(named)): (_, Body<NamedCard>)| {
                processing.set_default_card(project, &customer, &named)
            },
        ),
    ]
}
