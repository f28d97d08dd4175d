//! The tables: each room has its own beside the code that uses them, and makes them in a step of its own.

use database::Schema;

use crate::{callback, job, ledger, project, sandbox};

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
    ],
};
