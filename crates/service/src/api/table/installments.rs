//! Installment orders: banks, create, their steps, what there is to know of them.

use wire::interface::call::{
    CancelInstallment, CancelInstallmentRefund, ConfirmInstallment, CreateInstallment,
    InstallmentInformation, InstallmentOperation, ListBanks, RefundInstallment, RetryInstallmentRefund,
};

use crate::api::call::Call;
use crate::api::family::Family;
use crate::api::input::Told;

pub(super) fn calls() -> [Call; 9] {
    let family = Family::Installments;
    [
        Call::of(family, |processing, project, _: Told<ListBanks>| {
            processing.banks(project)
        }),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CreateInstallment>| {
                processing.create_installment(project, request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<ConfirmInstallment>| {
                processing.confirm_installment(project, request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CancelInstallment>| {
                processing.cancel_installment(project, request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<RefundInstallment>| {
                processing.refund_installment(project, request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CancelInstallmentRefund>| {
                processing.cancel_installment_refund(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<RetryInstallmentRefund>| {
                processing.retry_installment_refund(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { query: order, .. }: Told<InstallmentInformation>| {
                processing.installment(project, &order.external_id)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { query, .. }: Told<InstallmentOperation>| {
                processing.installment_operation(project, &query)
            },
        ),
    ]
}
