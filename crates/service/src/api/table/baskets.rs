//! Baskets: payments split over orders of several projects.

use wire::interface::call::{BasketStanding, CancelBasketOrders, ConfirmBasketOrders, CreateBasket};

use crate::api::call::Call;
use crate::api::family::Family;
use crate::api::input::Told;

pub(super) fn calls() -> [Call; 4] {
    let family = Family::Payments;
    [
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CreateBasket>| {
                processing.create_basket(project, request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<ConfirmBasketOrders>| {
                processing.confirm_basket(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { body: request, .. }: Told<CancelBasketOrders>| {
                processing.cancel_basket(project, &request)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { query: basket, .. }: Told<BasketStanding>| {
                processing.basket_status(project, &basket.batch_external_id)
            },
        ),
    ]
}
