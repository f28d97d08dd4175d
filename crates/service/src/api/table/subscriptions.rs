//! Plans, and customers' subscriptions of them.

use processing::{Processing, Project};
use wire::interface::plan::{self, ChangePlan, NewPlan, PlanPath};
use wire::interface::subscription::{
    self, CancelQuery, ChangeSubscription, Flag, NewSubscription, SubscriptionPath,
};

use crate::api::call::{Call, DELETE, GET, PATCH, POST};
use crate::api::family::Family;
use crate::api::input::{Body, FromPath, FromQuery, KnownCustomer};

pub(super) fn calls() -> impl Iterator<Item = Call> {
    plans().into_iter().chain(subscriptions())
}

fn plans() -> [Call; 5] {
    let of = Family::Plans;
    [
        Call::new(
            POST,
            of,
            plan::PATH,
            "Makes a plan of subscriptions.",
            |processing: &Processing, project: &Project, Body(plan): Body<NewPlan>| {
                processing.create_plan(project, plan)
            },
        ),
        Call::new(
            GET,
            of,
            plan::PATH,
            "All plans.",
            |processing: &Processing, project: &Project, ()| processing.plans(project),
        ),
        Call::new(
            GET,
            of,
            plan::ONE,
            "A plan.",
            |processing, project, FromPath(path): FromPath<PlanPath>| processing.plan(project, &path.plan_id),
        ),
        Call::new(
            PATCH,
            of,
            plan::ONE,
            "Changes a plan. A price holds from the next charge on, periods hold for new subscriptions.",
            |processing, project, (FromPath(path), Body(change)): (FromPath<PlanPath>, Body<ChangePlan>)| {
                processing.change_plan(project, &path.plan_id, change)
            },
        ),
        Call::new(
            DELETE,
            Family::PlanDeletion,
            plan::ONE,
            "Deactivates a plan: nobody can subscribe to it any more. Subscriptions that there are go on.",
            |processing, project, FromPath(path): FromPath<PlanPath>| {
                processing.delete_plan(project, &path.plan_id)
            },
        ),
    ]
}

fn subscriptions() -> [Call; 7] {
    let of = Family::Subscriptions;
    [
        Call::new(
            POST,
            of,
            subscription::PATH,
            "Subscribes the customer to a plan, and charges the first period or waits for its start.",
            |processing: &Processing,
             project: &Project,
             (KnownCustomer(customer), Body(request)): (_, Body<NewSubscription>)| {
                processing.subscribe(project, &customer, request)
            },
        ),
        Call::new(
            GET,
            of,
            subscription::PATH,
            "All subscriptions of the customer.",
            |processing, project, KnownCustomer(customer)| processing.subscriptions(project, &customer),
        ),
        Call::new(
            GET,
            of,
            subscription::ONE,
            "A subscription of the customer.",
            |processing,
             project,
             (KnownCustomer(customer), FromPath(path)): (_, FromPath<SubscriptionPath>)| {
                processing.subscription(project, &customer, &path.subscription_id)
            },
        ),
        Call::new(
            PATCH,
            of,
            subscription::ONE,
            "Says whether a subscription is charged for further periods.",
            |processing,
             project,
             (KnownCustomer(customer), (FromPath(path), Body(change))): (
                _,
                (FromPath<SubscriptionPath>, Body<ChangeSubscription>),
            )| {
                processing.change_subscription(project, &customer, &path.subscription_id, change)
            },
        ),
        Call::new(
            DELETE,
            of,
            subscription::ONE,
            "Deactivates a subscription: it ends on its next payment date.",
            |processing,
             project,
             (KnownCustomer(customer), FromPath(path)): (_, FromPath<SubscriptionPath>)| {
                processing.deactivate_subscription(project, &customer, &path.subscription_id)
            },
        ),
        Call::new(
            DELETE,
            of,
            subscription::CANCEL,
            "Ends a subscription at once; with `refund`, gives back what its current period cost.",
            |processing,
             project,
             (KnownCustomer(customer), (FromPath(path), FromQuery(how))): (
                _,
                (FromPath<SubscriptionPath>, FromQuery<CancelQuery>),
            )| {
                let refund = how.refund == Some(Flag::True);
                processing.cancel_subscription(project, &customer, &path.subscription_id, refund)
            },
        ),
        Call::new(
            GET,
            of,
            subscription::PAYMENTS,
            "Every payment of a subscription, failed ones included.",
            |processing,
             project,
             (KnownCustomer(customer), FromPath(path)): (_, FromPath<SubscriptionPath>)| {
                processing.subscription_payments(project, &customer, &path.subscription_id)
            },
        ),
    ]
}
