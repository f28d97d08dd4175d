//! Reports.

use processing::{Processing, Project};
use wire::interface::report::{self, Register, RegisterRequest, Transactions, TransactionsRequest};

use crate::api::call::{Call, POST};
use crate::api::family::Family;
use crate::api::input::Body;
use crate::api::report::{As, Sheet};

pub(super) fn calls() -> [Call; 2] {
    let of = Family::Payments;
    [
        Call::new(
            POST,
            of,
            report::REGISTER,
            "The settlement register: money that has moved, by the day on which it is settled.",
            |processing: &Processing, project: &Project, (Body(request), to): (Body<RegisterRequest>, As)| {
                let report = processing.register(project, request)?;
                Sheet::<_, Register>::begin("payments", report, to)
            },
        ),
        Call::new(
            POST,
            of,
            report::TRANSACTIONS,
            "Everything that was begun in a period, whatever became of it.",
            |processing, project, (Body(request), to): (Body<TransactionsRequest>, As)| {
                let report = processing.transactions(project, request)?;
                Sheet::<_, Transactions>::begin("transactions", report, to)
            },
        ),
    ]
}
