//! Reports: what was done, row by row in the order of time.
//!
//! A report of any length is read in pages, each in a short transaction of its own that goes on where the last one ended. So memory does not
//! grow with the report, and nobody waits for it. A row is as its page finds it; what begins meanwhile may still be on it.

mod entry;
mod register;
mod transactions;
mod words;

use wire::interface::Wrong;
use wire::interface::report::day::Day;
use wire::interface::report::row::Row;

use crate::refusal::Refusal;

pub use register::Register;
pub use transactions::Transactions;

/// What reports that last over the day on which something began are read by.
pub(crate) const TABLES: &str = "
CREATE INDEX operations_late ON operations (project, processed_at, id)
    WHERE processed_at / 86400000 <> created_at / 86400000;
";

/// A report that is being read.
pub trait Report: Send {
    /// One line of it.
    type Row: Row;

    /// The columns that were asked for.
    fn columns(&self) -> &[<Self::Row as Row>::Column];

    /// The next rows, possibly none of them; `None` behind the last. Reads the store.
    fn next_page(&mut self) -> Result<Option<Vec<Self::Row>>, Refusal>;
}

/// A period that ends before it begins is none.
fn check_order(from: Day, to: Day) -> Result<(), Wrong> {
    match from <= to {
        true => Ok(()),
        false => Err(Wrong::new("date_to", "a day that is not before `date_from`")),
    }
}

/// Operations that one page reads.
#[cfg(not(test))]
const PAGE: u32 = 2000;

/// So few that tests get beyond it.
#[cfg(test)]
const PAGE: u32 = 3;

#[cfg(test)]
mod tests;
