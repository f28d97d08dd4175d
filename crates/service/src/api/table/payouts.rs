//! Payouts: request, state, balance, their callbacks once more, cash taken back.

use wire::interface::call::{
    CancelPayout, CreatePayout, PayoutBalance, PayoutInformation, ResendPayoutCallback,
};
use wire::interface::callback::Resource;

use crate::api::call::{Call, Done};
use crate::api::family::Family;
use crate::api::input::Told;

pub(super) fn calls() -> [Call; 5] {
    let family = Family::Payments;
    [
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CreatePayout>| {
                processing.request_payout(project, request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { query: order, .. }: Told<PayoutInformation>| {
                processing.payout_info(project, &order.external_id)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { query, .. }: Told<PayoutBalance>| {
                processing.account_balance(project, &query.merchant_entity_id)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: named, .. }: Told<ResendPayoutCallback>| {
                processing.resend(project, Resource::Payout, &named.external_id, None)?;
                Ok(Done)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: named, .. }: Told<CancelPayout>| {
                processing.cancel_payout(project, &named)
            },
        ),
    ]
}
