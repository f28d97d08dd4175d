//! `cargo xtask bench`: measurements that are reported and never asserted, as a machine's load decides too much.

mod lasting;
mod renewals;
mod tokens;

use std::num::NonZeroU32;

use anyhow::Result;
use clap::Subcommand;

use lasting::{Growth, Payments, Reports, Soak};
use renewals::Renewals;
pub(crate) use tokens::Tokens;

use crate::browser::Browser;
use crate::service::Service;
use crate::{node, project, run, web};

/// What is measured.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Bench {
    /// From the script's request to a form that can be typed into, beside a plain form in a frame
    Start {
        /// Loads of each, per condition
        #[arg(long, value_name = "N", default_value = "15")]
        rounds: NonZeroU32,
    },
    /// What a key costs in the number field, beside other ways to format it
    Keystroke {
        /// Visits to each, per speed
        #[arg(long, value_name = "N", default_value = "10")]
        rounds: NonZeroU32,
    },
    /// Durable tokens per second over HTTP, beside the envelope's cryptography alone
    Tokens(Tokens),
    /// Memory of the service under steady load, minute by minute
    Soak(Soak),
    /// What a token costs among few cards and among millions
    Growth(Growth),
    /// Payments per second by tokens, each durable and with its callback, in an empty store and among many
    Payments(Payments),
    /// Reports over a million transactions, and one payment among them
    Reports(Reports),
    /// Renewals of subscriptions per second when a sandbox's clock is advanced, and a year of a thousand subscriptions
    Renewals(Renewals),
}

/// Builds as for a release, measures, prints.
pub(crate) fn run(bench: Bench) -> Result<()> {
    let (script, rounds) = match bench {
        Bench::Start { rounds } => ("tests/bench/start.mjs", rounds),
        Bench::Keystroke { rounds } => ("tests/bench/keystroke.mjs", rounds),
        Bench::Tokens(tokens) => return tokens.measure(),
        Bench::Soak(soak) => return soak.measure(),
        Bench::Growth(growth) => return growth.measure(),
        Bench::Payments(payments) => return payments.measure(),
        Bench::Reports(reports) => return reports.measure(),
        Bench::Renewals(renewals) => return renewals.measure(),
    };
    node::Tools::install()?;
    let browser = Browser::find()?;
    web::build(web::Tools::Required)?;
    let service = Service::build_optimized()?;
    let mut command = run::program("node");
    command
        .arg(project::at(script))
        .arg(rounds.to_string())
        .env("CARD_WIDGET_SERVICE", service)
        .env("CHROMIUM", browser.chromium);
    run::shown(&mut command)
}
