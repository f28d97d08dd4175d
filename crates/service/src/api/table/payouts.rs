//! Payouts: request, state, balance, their callbacks once more, cash taken back.

use processing::{Processing, Project};
use wire::interface::callback::Resource;
use wire::interface::payout::{self, BalanceQuery, NamedPayout, NewPayout};
use wire::interface::query::OrderQuery;

use crate::api::call::{Call, Done, GET, POST};
use crate::api::family::Family;
use crate::api::input::{Body, FromQuery};

pub(super) fn calls() -> [Call; 5] {
    let of = Family::Payments;
    [
        Call::new(
            POST,
            of,
            payout::PATH,
            "Sends money to a card, or as cash.",
            |processing: &Processing, project: &Project, Body(request): Body<NewPayout>| {
                processing.request_payout(project, request)
            },
        ),
        Call::new(
            GET,
            of,
            payout::INFO,
            "How a payout stands.",
            |processing, project, FromQuery(order): FromQuery<OrderQuery>| {
                processing.payout_info(project, &order.external_id)
            },
        ),
        Call::new(
            GET,
            of,
            payout::BALANCE,
            "What can be paid out, and what is reserved for payouts that are under way.",
            |processing, project, FromQuery(query): FromQuery<BalanceQuery>| {
                processing.account_balance(project, &query.merchant_entity_id)
            },
        ),
        Call::new(
            POST,
            of,
            payout::RESEND,
            "Sends the last callback of a payout again, as it was.",
            |processing, project, Body(named): Body<NamedPayout>| {
                processing.resend(project, Resource::Payout, &named.external_id, None)?;
                Ok(Done)
            },
        ),
        Call::new(
            POST,
            of,
            payout::CANCEL,
            "Takes a cash payout back that is on its way.",
            |processing, project, Body(named): Body<NamedPayout>| processing.cancel_payout(project, &named),
        ),
    ]
}
