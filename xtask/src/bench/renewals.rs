//! `cargo xtask bench renewals`: how fast a sandbox's clock passes over what is due. Measured by two tests of `processing`, which also look
//! whether every charge is in its place.

use anyhow::Result;
use clap::Args;

use crate::run;

/// What the tests are told.
#[derive(Clone, Debug, Args)]
pub(crate) struct Renewals {
    /// Subscriptions of a year, of eight plans, with trials, later starts and customers who leave
    #[arg(long, value_name = "N", default_value = "1000")]
    subscriptions: String,
    /// Renewals that are due at once
    #[arg(long, value_name = "N", default_value = "10000")]
    renewals: String,
    /// PostgreSQL, too, for the year
    #[arg(long)]
    postgres: bool,
}

impl Renewals {
    /// Prints a line for each.
    pub(crate) fn measure(&self) -> Result<()> {
        let mut tests = run::cargo("test");
        tests
            .args(["--release", "--package", "card-widget-processing", "--lib"])
            .args([
                "--",
                "subscription::tests::year",
                "--include-ignored",
                "--nocapture",
                "--test-threads",
                "1",
            ])
            .env("SUBSCRIPTIONS", &self.subscriptions)
            .env("RENEWALS", &self.renewals);
        if !self.postgres {
            tests.env("CARD_WIDGET_WITHOUT", "postgresql");
        }
        run::shown(&mut tests)
    }
}
