//! A customer's saved cards.

use wire::interface::call::{AddSavedCard, FindSavedCard, ListSavedCards, MakeDefaultCard, RemoveSavedCard};

use crate::api::call::Call;
use crate::api::family::Family;
use crate::api::input::Told;

pub(super) fn calls() -> [Call; 5] {
    let family = Family::SavedCards;
    [
        Call::of(
            family,
            |processing,
             project,
             Told {
                 customer,
                 body: request,
                 ..
             }: Told<AddSavedCard>| { processing.add_card(project, &customer, request) },
        ),
        Call::of(
            family,
            |processing, project, Told { customer, .. }: Told<ListSavedCards>| {
                processing.wallet(project, &customer)
            },
        ),
        Call::of(
            family,
            |processing,
             project,
             Told {
                 customer,
                 body: named,
                 ..
             }: Told<RemoveSavedCard>| { processing.delete_card(project, &customer, &named) },
        ),
        Call::of(
            family,
            |processing,
             project,
             Told {
                 customer,
                 query: card,
                 ..
             }: Told<FindSavedCard>| {
                processing.find_card(project, &customer, &card.option_id)
            },
        ),
        Call::of(
            family,
            |processing,
             project,
             Told {
                 customer,
                 body: named,
                 ..
             }: Told<MakeDefaultCard>| {
                processing.set_default_card(project, &customer, &named)
            },
        ),
    ]
}
