//! The tables: each room has its own beside the code that uses them, and makes them in a step of its own.

use database::Schema;

use crate::{
    binding, callback, checkout, installment, job, ledger, operation, order, payment, payout, project,
    refund, report, sandbox, saved, subscription,
};

/// Steps that were released are never changed nor moved; new ones come behind.
pub(crate) const SCHEMA: Schema = Schema {
    name: "processing",
    steps: &[
        project::TABLES,
        job::TABLES,
        callback::TABLES,
        ledger::TABLES,
        sandbox::answers::TABLES,
        sandbox::fault::TABLES,
        order::TABLES,
        checkout::record::TABLES,
        payment::TABLES,
        operation::TABLES,
        binding::TABLES,
        saved::TABLES,
        refund::TABLES,
        sandbox::state::TABLES,
        operation::MORE,
        project::FEES,
        payout::TABLES,
        subscription::PLANS,
        subscription::TABLES,
        report::TABLES,
        installment::TABLES,
    ],
};
