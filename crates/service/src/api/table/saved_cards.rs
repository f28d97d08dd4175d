//! A customer's saved cards.

use processing::{Processing, Project};
use wire::interface::query::CardQuery;
use wire::interface::saved::{self, AddCard, NamedCard};

use crate::api::call::{Call, DELETE, GET, POST};
use crate::api::family::Family;
use crate::api::input::{Body, Customer, FromQuery};

pub(super) fn calls() -> [Call; 5] {
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
