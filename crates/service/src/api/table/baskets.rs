//! Baskets: payments split over orders of several projects.

use processing::{Processing, Project};
use wire::interface::basket::{self, CancelBasket, ConfirmBasket, NewBasket};
use wire::interface::query::BasketQuery;

use crate::api::call::{Call, GET, POST};
use crate::api::family::Family;
use crate::api::input::{Body, FromQuery};

pub(super) fn calls() -> [Call; 4] {
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
