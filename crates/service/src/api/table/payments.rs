//! Payments: create, their steps, what there is to know of them.

use wire::interface::call::{
    CancelPayment, CancelRefund, ChargeAgain, ConfirmPayment, CreatePayment, PaymentInformation,
    PaymentReceipt, RefundPayment, ResendCallback, RetryRefund,
};
use wire::interface::callback::Resource;

use crate::api::call::{Call, Done};
use crate::api::family::Family;
use crate::api::input::Told;

pub(super) fn calls() -> [Call; 10] {
    let family = Family::Payments;
    [
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CreatePayment>| {
                processing.create_payment(project, request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<ConfirmPayment>| {
                processing.confirm(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CancelPayment>| {
                processing.cancel(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<RefundPayment>| {
                processing.refund(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<RetryRefund>| {
                processing.retry_refund(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CancelRefund>| {
                processing.cancel_refund(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<ChargeAgain>| {
                processing.charge_again(project, request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<ResendCallback>| {
                let operation = request.operation.as_ref().map(|operation| operation.as_str());
                processing.resend(project, Resource::Payment, &request.external_id, operation)?;
                Ok(Done)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { query: order, .. }: Told<PaymentInformation>| {
                processing.info(project, &order.external_id)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { query: order, .. }: Told<PaymentReceipt>| {
                processing.receipt(project, &order.external_id)
            },
        ),
    ]
}
