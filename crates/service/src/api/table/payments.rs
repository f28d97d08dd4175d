//! Payments: create, their steps, what there is to know of them.

use processing::{Processing, Project};
use wire::interface::callback::Resource;
use wire::interface::info;
use wire::interface::payment::{self, NewPayment};
use wire::interface::query::OrderQuery;
use wire::interface::steps::{self, Recurrent, Resend, Step, WaitingRefund};

use crate::api::call::{Call, Done, GET, POST};
use crate::api::family::Family;
use crate::api::input::{Body, FromQuery};

pub(super) fn calls() -> [Call; 10] {
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
