//! Reports.

use wire::interface::call::{SettlementReport, TransactionsReport};
use wire::interface::report::{Register, Transactions};

use crate::api::call::Call;
use crate::api::family::Family;
use crate::api::input::Told;
use crate::api::report::{As, Sheet};

pub(super) fn calls() -> [Call; 2] {
    let family = Family::Payments;
    [
        Call::of(
            family,
            |processing, project, (Told { body: request, .. }, to): (Told<SettlementReport>, As)| {
                let report = processing.register(project, request)?;
                Sheet::<_, Register>::begin("payments", report, to)
            },
        ),
        Call::of(
            family,
            |processing, project, (Told { body: request, .. }, to): (Told<TransactionsReport>, As)| {
                let report = processing.transactions(project, request)?;
                Sheet::<_, Transactions>::begin("transactions", report, to)
            },
        ),
    ]
}
