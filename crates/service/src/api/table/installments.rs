//! Installment orders: banks, create, their steps, what there is to know of them.

use processing::{Processing, Project};
use wire::interface::installment::{
    self, InstallmentRefund, InstallmentStep, NewInstallment, OperationQuery,
};
use wire::interface::query::OrderQuery;
use wire::interface::steps::WaitingRefund;

use crate::api::call::{Call, GET, POST};
use crate::api::family::Family;
use crate::api::input::{Body, FromQuery};

pub(super) fn calls() -> [Call; 9] {
    let of = Family::Installments;
    [
        Call::new(
            GET,
            of,
            installment::BANKS,
            "The banks and what they offer.",
            |processing: &Processing, project: &Project, ()| processing.banks(project),
        ),
        Call::new(
            POST,
            of,
            installment::CREATE,
            "Makes an order and has its bank ask the payer.",
            |processing, project, Body(request): Body<NewInstallment>| {
                processing.create_installment(project, request)
            },
        ),
        Call::new(
            POST,
            of,
            installment::CONFIRM,
            "Confirms an order that the payer has agreed to.",
            |processing, project, Body(request): Body<InstallmentStep>| {
                processing.confirm_installment(project, request)
            },
        ),
        Call::new(
            POST,
            of,
            installment::CANCEL,
            "Takes an order back that is not confirmed.",
            |processing, project, Body(request): Body<InstallmentStep>| {
                processing.cancel_installment(project, request)
            },
        ),
        Call::new(
            POST,
            of,
            installment::REFUND,
            "Gives back what was confirmed, or a part of it; waits while the balance does not suffice.",
            |processing, project, Body(request): Body<InstallmentRefund>| {
                processing.refund_installment(project, request)
            },
        ),
        Call::new(
            POST,
            of,
            installment::REFUND_CANCEL,
            "Takes a waiting refund back.",
            |processing, project, Body(request): Body<WaitingRefund>| {
                processing.cancel_installment_refund(project, &request)
            },
        ),
        Call::new(
            POST,
            of,
            installment::REFUND_RETRY,
            "Tries a waiting refund at once.",
            |processing, project, Body(request): Body<WaitingRefund>| {
                processing.retry_installment_refund(project, &request)
            },
        ),
        Call::new(
            GET,
            of,
            installment::INFO,
            "An order with all of its operations.",
            |processing, project, FromQuery(order): FromQuery<OrderQuery>| {
                processing.installment(project, &order.external_id)
            },
        ),
        Call::new(
            GET,
            of,
            installment::OPERATION,
            "One operation of an order.",
            |processing, project, FromQuery(query): FromQuery<OperationQuery>| {
                processing.installment_operation(project, &query)
            },
        ),
    ]
}
