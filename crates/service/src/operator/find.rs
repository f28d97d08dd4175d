//! `project find`: what is called by a number, for whoever is asked about it.

use std::io::Write;

use clap::Args;
use jiff::Timestamp;
use processing::Found;
use wire::interface::callback::Attempt;

use super::{OperatorError, Payments};
use crate::config::DatabaseArgs;

/// Arguments of `project find`.
#[derive(Debug, Args)]
pub struct FindArgs {
    /// Where the vault is.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// The project.
    #[arg(value_name = "ID")]
    pub project: String,
    /// The shop's number of a payment, an installment order, a payout, a basket or a customer, or a subscription's id.
    #[arg(value_name = "NUMBER")]
    pub number: String,
}

/// Prints a line for each order and subscription, behind it one for each of its operations and callbacks.
pub(super) fn run(args: FindArgs, out: &mut impl Write) -> Result<(), OperatorError> {
    let payments = Payments::open(args.store.resolve()?)?;
    let project = payments.project(&args.project)?;
    let found = payments.processing.find(&project, &args.number)?;
    if found.is_empty() {
        return Err(OperatorError::UnknownNumber(args.number));
    }
    for found in found {
        match found {
            Found::Order {
                resource,
                id,
                external_id,
                state,
                amount,
                currency,
                created_at,
            } => writeln!(
                out,
                "{resource}\t{id}\t{external_id:?}\t{state}\t{amount} {currency}\t{created_at}"
            )?,
            Found::Operation {
                id,
                kind,
                status,
                code,
                amount,
                processed_at,
            } => writeln!(
                out,
                "operation\t{id}\t{kind}\t{status}\t{code}\t{amount}\t{}",
                or_dash(processed_at)
            )?,
            Found::Subscription {
                id,
                plan,
                state,
                next_at,
                created_at,
            } => writeln!(
                out,
                "subscription\t{id}\t{plan}\t{state}\t{}\t{created_at}",
                or_dash(next_at)
            )?,
            Found::Callback {
                operation,
                state,
                attempts,
            } => writeln!(
                out,
                "callback\t{operation}\t{state}\t{}\t{}",
                attempts.len(),
                last(&attempts)
            )?,
            // What later versions may find.
            _ => {}
        }
    }
    Ok(())
}

fn or_dash(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| time.to_string())
}

/// What the receiver answered last.
fn last(attempts: &[Attempt]) -> String {
    match attempts.last() {
        Some(Attempt {
            status: Some(status), ..
        }) => status.to_string(),
        Some(Attempt {
            error: Some(error), ..
        }) => error.clone(),
        _ => "-".to_owned(),
    }
}
