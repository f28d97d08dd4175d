//! From pages of rows to parts of a body.

use std::mem;

use processing::Refusal;
use processing::report::Report;
use wire::interface::StatusCode;
use wire::interface::report::row::{Chosen, Row};

use super::{Chunk, Form, csv};

/// A report that is being written.
pub(super) struct Writer<R> {
    report: R,
    form: Form,
    /// The member of the JSON object that has the rows.
    list: &'static str,
    /// What was written and not taken yet.
    written: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing is written.
    New,
    /// No row is.
    Empty,
    /// Rows are.
    Rows,
    /// All of it is.
    Whole,
    /// All of it is, and was taken.
    Taken,
}

impl<R: Report> Writer<R> {
    pub(super) fn new(report: R, form: Form, list: &'static str) -> Self {
        Self {
            report,
            form,
            list,
            written: Vec::new(),
            state: State::New,
        }
    }

    /// What was written since; `None` behind the last part.
    pub(super) fn take(&mut self) -> Option<Chunk> {
        let bytes = mem::take(&mut self.written).into();
        match self.state {
            State::Taken => None,
            State::Whole => {
                self.state = State::Taken;
                Some(Chunk::Last(bytes))
            }
            _ => Some(Chunk::Part(bytes)),
        }
    }

    /// Reads a page and writes it. May wait for the store.
    pub(super) fn go_on(&mut self) -> Result<(), Refusal> {
        if self.state == State::New {
            self.begin();
        }
        if matches!(self.state, State::Whole | State::Taken) {
            return Ok(());
        }
        match self.report.next_page()? {
            Some(rows) => rows.iter().try_for_each(|row| self.row(row))?,
            None => {
                if self.form == Form::Json {
                    self.written.extend_from_slice(b"]}");
                }
                self.state = State::Whole;
            }
        }
        Ok(())
    }

    fn begin(&mut self) {
        match self.form {
            Form::Json => {
                let head = format!("{{\"{}\":[", self.list);
                self.written.extend_from_slice(head.as_bytes());
            }
            Form::Csv => {
                let names = self.report.columns().iter().map(|column| R::Row::name(*column));
                csv::names(names, &mut self.written);
            }
        }
        self.state = State::Empty;
    }

    fn row(&mut self, row: &R::Row) -> Result<(), Refusal> {
        let columns = self.report.columns();
        match self.form {
            Form::Json => {
                if self.state == State::Rows {
                    self.written.push(b',');
                }
                serde_json::to_writer(&mut self.written, &Chosen { row, columns })
                    .map_err(|_| Refusal::new(StatusCode::InternalError, "a row cannot be written"))?;
            }
            Form::Csv => csv::row(columns.iter().map(|column| row.cell(*column)), &mut self.written),
        }
        self.state = State::Rows;
        Ok(())
    }
}
