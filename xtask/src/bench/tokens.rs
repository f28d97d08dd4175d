//! `cargo xtask bench tokens`: builds the service, the ceiling and the load as for a release, and lets the load measure.

use anyhow::{Context as _, Result};
use clap::Args;

use crate::service::Service;
use crate::{project, run};

/// What the load is told.
#[derive(Clone, Debug, Args)]
pub(crate) struct Tokens {
    /// How many connections, one after the other
    #[arg(long, value_name = "N,…", default_value = "1,16,64")]
    connections: String,
    /// How often each is measured; medians are printed
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: String,
    /// Length of one measurement
    #[arg(long, value_name = "N", default_value = "2")]
    seconds: String,
    /// PostgreSQL database, empty, to be measured beside SQLite
    #[arg(long = "database", value_name = "URL")]
    databases: Vec<String>,
}

impl Tokens {
    /// Prints a table.
    pub(crate) fn measure(&self) -> Result<()> {
        let service = Service::build_optimized()?;
        run::shown(run::cargo("build").args([
            "--release",
            "--package",
            "card-widget-service",
            "--example",
            "ceiling",
        ]))
        .context("the ceiling does not compile")?;
        run::shown(run::cargo("build").args(["--release", "--package", "card-widget-load"]))
            .context("the load does not compile")?;
        let mut load = run::program(project::release_binary("card-widget-load"));
        load.args(["bench", "--service"])
            .arg(service)
            .arg("--ceiling")
            .arg(project::release_binary("examples/ceiling"));
        for (flag, value) in [
            ("--connections", &self.connections),
            ("--rounds", &self.rounds),
            ("--seconds", &self.seconds),
        ] {
            load.args([flag, value]);
        }
        for url in &self.databases {
            load.args(["--database", url]);
        }
        run::shown(&mut load)
    }
}
