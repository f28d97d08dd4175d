//! What was settled in a period: money that has moved, by the day on which it did.
//!
//! Most of it moved on the day on which it was begun, and is found by that. What took longer (refunds that waited, above all) is in an index of
//! its own, which so costs nothing for the rest. Both are read side by side.

use std::collections::VecDeque;
use std::sync::Arc;

use database::{Row, values};
use serde::Deserialize;
use wire::interface::Amount;
use wire::interface::answer::Status;
use wire::interface::report::day::Day;
use wire::interface::report::row::Row as _;
use wire::interface::report::{RegisterColumn, RegisterRequest, RegisterRow, Scope};

use super::entry::{self, Entry, Place, select};
use super::words::{self, Direction};
use super::{PAGE, Report, check_order};
use crate::checkout::record::from_json;
use crate::processing::{Processing, Shared};
use crate::project::Project;
use crate::refusal::Refusal;

/// A settlement register that is being read.
pub struct Register {
    shared: Arc<Shared>,
    columns: Vec<RegisterColumn>,
    period: (Day, Day),
    /// Id and name of the projects that are still to come; the first is being read.
    projects: VecDeque<(String, String)>,
    /// On the same day, and later.
    sources: [Source; 2],
}

/// A statement that is being read.
struct Source {
    sql: &'static str,
    place: Place,
    /// What was read and is not told yet.
    read: VecDeque<Entry>,
    is_over: bool,
}

impl Source {
    fn new(sql: &'static str, from: Day) -> Self {
        Self {
            sql,
            place: Place::before(from),
            read: VecDeque::new(),
            is_over: false,
        }
    }
}

impl Processing {
    /// `POST /api/reports/v1/payments`. What is wrong with the request is told at once.
    pub fn register(&self, project: &Project, request: RegisterRequest) -> Result<Register, Refusal> {
        check_order(request.date_from, request.date_to)?;
        let mut columns = Vec::new();
        for column in request.fields.unwrap_or_default() {
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        if columns.is_empty() {
            columns = RegisterRow::COLUMNS.to_vec();
        }
        let projects = match request.scope {
            Some(Scope::AllKeys) => self.projects_of_partner(project)?,
            _ => VecDeque::from([(project.id.clone(), project.name.clone())]),
        };
        Ok(Register {
            shared: Arc::clone(&self.shared),
            columns,
            period: (request.date_from, request.date_to),
            projects,
            sources: sources(request.date_from),
        })
    }

    /// Id and name of a partner's projects: of the sandbox alone, or of those with real money alone.
    fn projects_of_partner(&self, project: &Project) -> Result<VecDeque<(String, String)>, Refusal> {
        let (partner, is_live) = (project.partner.clone(), project.is_live);
        self.shared.database.read(move |tx| {
            let rows = tx.rows(
                "SELECT id, name FROM projects WHERE partner = $1 AND is_live = $2 ORDER BY id",
                values![&partner, is_live],
            )?;
            let named = |row: &Row| Ok((row.get(0)?, row.get(1)?));
            rows.iter().map(named).collect()
        })
    }
}

impl Report for Register {
    type Row = RegisterRow;

    fn columns(&self) -> &[RegisterColumn] {
        &self.columns
    }

    fn next_page(&mut self) -> Result<Option<Vec<RegisterRow>>, Refusal> {
        let Some((project, name)) = self.projects.front().cloned() else {
            return Ok(None);
        };
        for source in &mut self.sources {
            if source.is_over || !source.read.is_empty() {
                continue;
            }
            let (id, sql, place, until) = (project.clone(), source.sql, source.place, self.period.1);
            let page = self
                .shared
                .database
                .read(move |tx| entry::page(tx, sql, &id, place, until))?;
            source.place = page.end;
            source.is_over = page.is_last;
            let is_late = sql == LATE;
            source.read.extend(
                page.entries
                    .into_iter()
                    .filter(|entry| entry.is_late() == is_late),
            );
        }
        let mut rows = Vec::new();
        while rows.len() < PAGE as usize
            && let Some(entry) = next(&mut self.sources)
        {
            rows.extend(row(entry, &name)?);
        }
        if self
            .sources
            .iter()
            .all(|source| source.is_over && source.read.is_empty())
        {
            self.projects.pop_front();
            self.sources = sources(self.period.0);
        }
        Ok(Some(rows))
    }
}

fn sources(from: Day) -> [Source; 2] {
    [Source::new(ON_TIME, from), Source::new(LATE, from)]
}

/// The earliest entry; `None` where more must be read to know it.
fn next(sources: &mut [Source; 2]) -> Option<Entry> {
    let [on_time, late] = sources;
    match (on_time.read.front(), late.read.front()) {
        (Some(first), Some(other)) if first.at <= other.at => on_time.read.pop_front(),
        (_, Some(_)) if on_time.is_over || !on_time.read.is_empty() => late.read.pop_front(),
        (Some(_), None) if late.is_over => on_time.read.pop_front(),
        _ => None,
    }
}

impl Entry {
    /// Whether it ended on another day than it was begun on.
    fn is_late(&self) -> bool {
        self.processed_at
            .is_some_and(|at| Day::of(at) != Day::of(self.created_at))
    }
}

/// `None` where no money has moved.
fn row(entry: Entry, project: &str) -> Result<Option<RegisterRow>, Refusal> {
    let direction = words::direction(entry.kind).filter(|_| entry.status == Status::Success);
    let (Some(direction), Some(processed_at)) = (direction, entry.processed_at) else {
        return Ok(None);
    };
    let minor = |amount: Amount| {
        i64::try_from(amount.minor()).map_err(|_| Refusal::internal("an amount is out of range"))
    };
    let (amount, fee) = (minor(entry.amount)?, minor(entry.fee)?);
    let person = match (&entry.terms, &entry.person) {
        (Some(terms), _) => from_json::<Terms>(terms)?.customer,
        (None, Some(person)) => Some(from_json(person)?),
        (None, None) => None,
    };
    let client: Client = person.unwrap_or_default();
    let day = Day::of(processed_at);
    Ok(Some(RegisterRow {
        amount,
        card_pan: entry.mask,
        currency: entry.currency,
        description: entry.description,
        external_id: entry.external_id,
        internal_commission: fee,
        payer_external_fee: 0,
        payment_id: entry.payment.to_string(),
        payment_method: entry.method.into_owned(),
        payment_system: entry.brand.map(|brand| brand.to_uppercase()),
        payment_type: entry.kind.into(),
        payout_amount: match direction {
            Direction::ToMerchant => amount - fee,
            Direction::FromMerchant => -amount - fee,
        },
        payout_date: day,
        processing_date: day,
        project_name: project.to_owned(),
        client_email: client.email,
        client_first_name: client.first_name,
        client_last_name: client.last_name,
    }))
}

/// What is read of a checkout's terms.
#[derive(Deserialize)]
struct Terms {
    customer: Option<Client>,
}

/// Who pays, or is paid to.
#[derive(Default, Deserialize)]
struct Client {
    email: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
}

/// By the time at which they were begun, whatever became of them.
pub(super) const ON_TIME: &str = concat!(
    select!(
        "o.created_at",
        "COALESCE(c.terms, n.terms), y.person",
        "LEFT JOIN checkouts c ON c.id = p.checkout WHERE"
    ),
    " ORDER BY o.created_at, o.id LIMIT $5"
);

/// Those that ended on another day, by that.
pub(super) const LATE: &str = concat!(
    select!(
        "o.processed_at",
        "COALESCE(c.terms, n.terms), y.person",
        "LEFT JOIN checkouts c ON c.id = p.checkout WHERE o.processed_at / 86400000 <> o.created_at / 86400000 AND"
    ),
    " ORDER BY o.processed_at, o.id LIMIT $5"
);
