//! Every call, in the order of the interface.

use wire::interface::steps::{self, Resend};

use super::call::{Call, Done, POST};
use super::family::Family;
use super::input::Body;

pub(crate) fn calls() -> Vec<Call> {
    vec![Call::new(
        POST,
        Family::Payments,
        steps::RESEND,
        "Sends a callback of an order again, as it was.",
        |processing, project, Body(resend): Body<Resend>| {
            processing.resend(project, &resend.external_id, resend.operation.as_ref())?;
            Ok(Done)
        },
    )]
}
