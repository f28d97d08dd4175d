//! The calls under `/sandbox/v1`.

use std::sync::Arc;

use jiff::SignedDuration;
use processing::{Processing, Project, Refusal};
use schemars::generate::SchemaGenerator;
use wire::interface::query::OrderQuery;
use wire::interface::sandbox::{
    FaultQuery, PushQuery, SandboxAccessToken, SandboxAdvance, SandboxAnswer, SandboxBalance, SandboxClock,
    SandboxFault, SandboxFee, SandboxJournal, SandboxLimits, SandboxOverview, SnapshotQuery,
};
use wire::interface::values::List;

use super::Sandbox;
use crate::api::input::{Body, FromPath, Input, Raw};
use crate::api::{Call, DELETE, Done, Family, GET, POST};
use crate::courier::Courier;
use crate::reference::Operation;

pub(crate) fn calls(sandbox: &Arc<Sandbox>, courier: &Arc<Courier>) -> Vec<Call> {
    let of = Family::Sandbox;
    let sandbox = Arc::clone(sandbox);
    let (setting, advancing) = (Arc::clone(courier), Arc::clone(courier));
    vec![
        Call::new(
            GET,
            of,
            CLOCK,
            "What the project's clock shows.",
            |processing: &Processing, project: &Project, ()| processing.sandbox_clock(project),
        ),
        Call::new(
            POST,
            of,
            CLOCK,
            "Sets the project's clock. Forward, what is due on the way is done first, in order.",
            move |processing, project, Body(clock): Body<SandboxClock>| {
                processing.set_sandbox_clock(project, clock, &setting.patient())
            },
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/clock/advance",
            "Sets the project's clock forward. What is due on the way is done first, in order.",
            move |processing, project, Body(advance): Body<SandboxAdvance>| {
                processing.advance_sandbox_clock(project, advance, &advancing.patient())
            },
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/balance",
            "Sets the balance of refunds, of the clock's day, and that of payouts.",
            |processing, project, Body(balance): Body<SandboxBalance>| {
                processing.set_sandbox_balance(project, balance)
            },
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/limits",
            "Turns limits on, and off those that are absent.",
            |processing, project, Body(limits): Body<SandboxLimits>| {
                processing.set_sandbox_limits(project, limits)
            },
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/fee",
            "Sets what the project's charges cost it from now on.",
            |processing, project, Body(fee): Body<SandboxFee>| processing.set_sandbox_fee(project, fee),
        ),
        Call::new(
            GET,
            of,
            "/sandbox/v1/callbacks",
            "The journal of callbacks: what went where, each attempt, and what came back.",
            |processing, project, ()| {
                let callbacks = processing.journal(project, None, JOURNAL)?;
                Ok(SandboxJournal { callbacks })
            },
        ),
        Call::new(
            GET,
            of,
            FAULTS,
            "The faults that are still to come.",
            |processing, project, ()| processing.faults(project),
        ),
        Call::new(
            POST,
            of,
            FAULTS,
            "Adds faults behind those that there are.",
            |processing, project, Faults(faults)| processing.add_faults(project, faults),
        ),
        Call::new(
            DELETE,
            of,
            FAULTS,
            "Takes all faults back.",
            |processing, project, ()| processing.clear_faults(project),
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/customers/{external_id}/access-token",
            "Makes a token for `X-CUSTOMER-AUTH`, good for a day.",
            |processing, project, FromPath(customer): FromPath<OrderQuery>| {
                let made = processing.customer_token(project, &customer.external_id, DAY)?;
                Ok(SandboxAccessToken {
                    access_token: made.access_token,
                    expires_at: made.expires_at,
                })
            },
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/pushes/{id}",
            "Answers what a bank asks a payer in its app.",
            |processing,
             project,
             (FromPath(push), Body(answer)): (FromPath<PushQuery>, Body<SandboxAnswer>)| {
                processing.answer_push(project, &push.id, answer.agrees)?;
                Ok(Done)
            },
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/reset",
            "Empties the project; its clock shows the real time.",
            |processing, project, ()| processing.reset(project),
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/snapshots",
            "Saves the state of the project.",
            |processing, project, ()| processing.snapshot(project),
        ),
        Call::new(
            POST,
            of,
            "/sandbox/v1/snapshots/{id}/restore",
            "Brings a saved state back, its clock included.",
            |processing, project, FromPath(snapshot): FromPath<SnapshotQuery>| {
                processing.restore(project, &snapshot.id)
            },
        ),
        Call::new(
            GET,
            of,
            "/sandbox/v1/overview",
            "What stands in the project, as the page `/sandbox` shows it.",
            move |processing, project, ()| {
                let tokens = sandbox.tokens(&project.id);
                Ok(SandboxOverview {
                    tokens,
                    ..processing.sandbox_overview(project)?
                })
            },
        ),
    ]
}

/// A list as the body; one object with such a list does too.
struct Faults(Vec<SandboxFault>);

impl Input for Faults {
    fn read(raw: &Raw<'_>, _: &Processing, _: &Project) -> Result<Self, Refusal> {
        let body = raw.body.trim_ascii();
        let named;
        let body = match body.first() {
            Some(b'[') => {
                named = [b"{\"faults\":", body, b"}"].concat();
                &named
            }
            _ => body,
        };
        let FaultQuery { faults } = wire::interface::read(body)?;
        Ok(Self(faults.into_vec()))
    }

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation {
        let list = schemas.subschema_for::<List<SandboxFault, 1, 100>>();
        operation.takes_schema(list.to_value())
    }
}

const CLOCK: &str = "/sandbox/v1/clock";

const FAULTS: &str = "/sandbox/v1/faults";

/// Callbacks that are told at once.
const JOURNAL: u32 = 1000;

const DAY: SignedDuration = SignedDuration::from_hours(24);
