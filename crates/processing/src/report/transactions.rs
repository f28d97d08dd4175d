//! Everything that was begun in a period.

use std::sync::Arc;

use wire::interface::Amount;
use wire::interface::Wrong;
use wire::interface::report::day::{Day, Moment};
use wire::interface::report::row::{Decimal, Row as _};
use wire::interface::report::{TransactionColumn, TransactionRow, TransactionsRequest};

use super::entry::{self, Entry, Place, select};
use super::{Report, check_order, words};
use crate::port::issuers::Issuers;
use crate::processing::{Processing, Shared};
use crate::project::Project;
use crate::refusal::Refusal;

/// A list of transactions that is being read.
pub struct Transactions {
    shared: Arc<Shared>,
    issuers: Arc<dyn Issuers>,
    project: Project,
    request: TransactionsRequest,
    place: Place,
    is_over: bool,
}

impl Processing {
    /// `POST /api/reports/v1/transactions`. What is wrong with the request is told at once.
    pub fn transactions(
        &self,
        project: &Project,
        request: TransactionsRequest,
    ) -> Result<Transactions, Refusal> {
        check(&request, Day::of(project.now(self.shared.now())))?;
        Ok(Transactions {
            issuers: Arc::clone(&self.shared.ports(project)?.issuers),
            shared: Arc::clone(&self.shared),
            project: project.clone(),
            place: Place::before(request.date_from),
            request,
            is_over: false,
        })
    }
}

fn check(request: &TransactionsRequest, today: Day) -> Result<(), Wrong> {
    let (from, to) = (request.date_from, request.date_to);
    if from.days_until(today) > OLDEST {
        return Err(Wrong::new("date_from", format!("a day of the last {OLDEST}")));
    }
    check_order(from, to)?;
    if from.days_until(to) > LONGEST {
        return Err(Wrong::new(
            "date_to",
            format!("at most {LONGEST} days after `date_from`"),
        ));
    }
    Ok(())
}

impl Report for Transactions {
    type Row = TransactionRow;

    fn columns(&self) -> &[TransactionColumn] {
        TransactionRow::COLUMNS
    }

    fn next_page(&mut self) -> Result<Option<Vec<TransactionRow>>, Refusal> {
        if self.is_over {
            return Ok(None);
        }
        let (project, place, until) = (self.project.id.clone(), self.place, self.request.date_to);
        let page = self
            .shared
            .database
            .read(move |tx| entry::page(tx, SQL, &project, place, until))?;
        self.place = page.end;
        self.is_over = page.is_last;
        Ok(Some(
            page.entries
                .into_iter()
                .filter_map(|entry| self.row(entry))
                .collect(),
        ))
    }
}

impl Transactions {
    /// `None` for what was not asked for.
    fn row(&self, entry: Entry) -> Option<TransactionRow> {
        let status = words::of_status(&entry.status, &entry.code);
        let (types, statuses) = (&self.request.operation_types, &self.request.statuses);
        if !is_among(types.as_deref(), &entry.kind) || !is_among(statuses.as_deref(), &status) {
            return None;
        }
        let issuer = entry
            .mask
            .as_deref()
            .map(|mask| self.issuers.issuer(mask))
            .unwrap_or_default();
        Some(TransactionRow {
            order_id: entry.payment.to_string(),
            transaction_id: entry.attempt.to_string(),
            external_id: entry.external_id,
            operation_type: entry.kind.into(),
            status: status.into(),
            status_code: entry.code.number(),
            payment_method: entry.method.into_owned(),
            project_name: self.project.name.clone(),
            order_description: entry.description,
            payer_card_mask: entry.mask,
            payer_bank_name: issuer.bank_short_name,
            bin_payment_system: entry.brand.map(|brand| brand.to_uppercase()),
            bin_country_digit_code: issuer.country_digits,
            original_amount: Decimal(entry.amount),
            payer_amount: Decimal(entry.amount),
            currency: entry.currency,
            payer_fee: Decimal(Amount::ZERO),
            merchant_fee: Decimal(entry.fee),
            auth_code: entry.auth_code,
            rrn: entry.rrn,
            created_at: Moment(entry.created_at),
            processed_at: entry.processed_at.map(Moment),
        })
    }
}

/// An empty list asks for nothing in particular.
fn is_among<T: PartialEq>(asked: Option<&[T]>, value: &T) -> bool {
    asked.is_none_or(|asked| asked.is_empty() || asked.contains(value))
}

/// In the order in which they were begun.
pub(super) const SQL: &str = concat!(
    select!("o.created_at", "NULL, NULL", "WHERE"),
    " ORDER BY o.created_at, o.id LIMIT $5"
);

/// How many days ago a period may begin.
const OLDEST: i64 = 90;

/// How many days its last day may lie behind its first.
const LONGEST: i64 = 14;
