//! Plans, and customers' subscriptions of them.

use wire::interface::call::{
    CancelSubscription, CreatePlan, CreateSubscription, DeactivateSubscription, GetPlan, GetSubscription,
    ListPlans, ListSubscriptions, RemovePlan, SubscriptionPayments, UpdatePlan, UpdateSubscription,
};
use wire::interface::subscription::Flag;

use crate::api::call::Call;
use crate::api::family::Family;
use crate::api::input::Told;

pub(super) fn calls() -> impl Iterator<Item = Call> {
    plans().into_iter().chain(subscriptions())
}

fn plans() -> [Call; 5] {
    let family = Family::Plans;
    [
        Call::of(
            family,
            |processing, project, Told { body: plan, .. }: Told<CreatePlan>| {
                processing.create_plan(project, plan)
            },
        ),
        Call::of(family, |processing, project, _: Told<ListPlans>| {
            processing.plans(project)
        }),
        Call::of(family, |processing, project, Told { path, .. }: Told<GetPlan>| {
            processing.plan(project, &path.plan_id)
        }),
        Call::of(
            family,
            |processing,
             project,
             Told {
                 path, body: change, ..
             }: Told<UpdatePlan>| { processing.change_plan(project, &path.plan_id, change) },
        ),
        Call::of(
            Family::PlanDeletion,
            |processing, project, Told { path, .. }: Told<RemovePlan>| {
                processing.delete_plan(project, &path.plan_id)
            },
        ),
    ]
}

fn subscriptions() -> [Call; 7] {
    let family = Family::Subscriptions;
    [
        Call::of(
            family,
            |processing,
             project,
             Told {
                 customer,
                 body: request,
                 ..
             }: Told<CreateSubscription>| { processing.subscribe(project, &customer, request) },
        ),
        Call::of(
            family,
            |processing, project, Told { customer, .. }: Told<ListSubscriptions>| {
                processing.subscriptions(project, &customer)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { customer, path, .. }: Told<GetSubscription>| {
                processing.subscription(project, &customer, &path.subscription_id)
            },
        ),
        Call::of(
            family,
            |processing,
             project,
             Told {
                 customer,
                 path,
                 body: change,
                 ..
             }: Told<UpdateSubscription>| {
                processing.change_subscription(project, &customer, &path.subscription_id, change)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { customer, path, .. }: Told<DeactivateSubscription>| {
                processing.deactivate_subscription(project, &customer, &path.subscription_id)
            },
        ),
        Call::of(
            family,
            |processing,
             project,
             Told {
                 customer,
                 path,
                 query: how,
                 ..
             }: Told<CancelSubscription>| {
                let refund = how.refund == Some(Flag::True);
                processing.cancel_subscription(project, &customer, &path.subscription_id, refund)
            },
        ),
        Call::of(
            family,
            |processing, project, Told { customer, path, .. }: Told<SubscriptionPayments>| {
                processing.subscription_payments(project, &customer, &path.subscription_id)
            },
        ),
    ]
}
