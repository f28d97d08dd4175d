//! `cargo xtask bench soak` and `cargo xtask bench growth`: what becomes of the service with time, and with cards.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::service::Service;
use crate::torture::Stores;
use crate::{postgresql, project, run};

/// What the load is told.
#[derive(Clone, Debug, Args)]
pub(crate) struct Soak {
    /// Where cards are kept meanwhile; a PostgreSQL server is made for this alone
    #[arg(long, value_enum, default_value_t = Stores::Sqlite)]
    store: Stores,
    /// Length of the load, on each store
    #[arg(long, value_name = "N", default_value = "600")]
    seconds: String,
    /// Connections of the load
    #[arg(long, value_name = "N", default_value = "16")]
    connections: String,
}

impl Soak {
    /// Prints a line for each minute.
    pub(crate) fn measure(&self) -> Result<()> {
        let mut load = prepare("soak", self.store)?;
        load.args(["--seconds", &self.seconds, "--connections", &self.connections]);
        run::shown(&mut load)
    }
}

/// The same.
#[derive(Clone, Debug, Args)]
pub(crate) struct Growth {
    /// Where cards are kept; a PostgreSQL server is made for this alone
    #[arg(long, value_enum, default_value_t = Stores::Both)]
    store: Stores,
    /// Cards in the small store
    #[arg(long, value_name = "N", default_value = "10000")]
    small: String,
    /// Cards in the large store: about 2 GB of disk for a million
    #[arg(long, value_name = "N", default_value = "5000000")]
    rows: String,
    /// How often each is measured; medians are printed
    #[arg(long, value_name = "N", default_value = "5")]
    rounds: String,
    /// Length of one measurement
    #[arg(long, value_name = "N", default_value = "3")]
    seconds: String,
    /// Connections of the load
    #[arg(long, value_name = "N", default_value = "16")]
    connections: String,
}

impl Growth {
    /// Prints a table.
    pub(crate) fn measure(&self) -> Result<()> {
        let mut load = prepare("growth", self.store)?;
        for (flag, value) in [
            ("--small", &self.small),
            ("--rows", &self.rows),
            ("--rounds", &self.rounds),
            ("--seconds", &self.seconds),
            ("--connections", &self.connections),
        ] {
            load.args([flag, value]);
        }
        run::shown(&mut load)
    }
}

/// The same, of payments.
#[derive(Clone, Debug, Args)]
pub(crate) struct Payments {
    /// Where payments are kept; a PostgreSQL server is made for this alone
    #[arg(long, value_enum, default_value_t = Stores::Both)]
    store: Stores,
    /// Payments that there are before a second measurement; 0: no second one
    #[arg(long, value_name = "N", default_value = "0")]
    rows: String,
    /// How often each is measured; medians are printed
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: String,
    /// Length of one measurement
    #[arg(long, value_name = "N", default_value = "3")]
    seconds: String,
    /// Connections of the load
    #[arg(long, value_name = "N", default_value = "16")]
    connections: String,
}

impl Payments {
    /// Prints a table.
    pub(crate) fn measure(&self) -> Result<()> {
        let mut load = prepare("payments", self.store)?;
        for (flag, value) in [
            ("--rows", &self.rows),
            ("--rounds", &self.rounds),
            ("--seconds", &self.seconds),
            ("--connections", &self.connections),
        ] {
            load.args([flag, value]);
        }
        run::shown(&mut load)
    }
}

/// Of reports.
#[derive(Clone, Debug, Args)]
pub(crate) struct Reports {
    /// Where payments are kept; a PostgreSQL server is made for this alone
    #[arg(long, value_enum, default_value_t = Stores::Sqlite)]
    store: Stores,
    /// Transactions that there are: about 1 GB of disk for a million
    #[arg(long, value_name = "N", default_value = "1000000")]
    rows: String,
    /// How often each is measured; medians are printed
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: String,
}

impl Reports {
    /// Prints a table.
    pub(crate) fn measure(&self) -> Result<()> {
        let mut load = prepare("reports", self.store)?;
        load.args(["--rows", &self.rows, "--rounds", &self.rounds]);
        run::shown(&mut load)
    }
}

/// Builds service and load as for a release; gives the load's command.
fn prepare(command: &str, store: Stores) -> Result<Command> {
    let service: PathBuf = Service::build_optimized()?;
    run::shown(run::cargo("build").args(["--release", "--package", "card-widget-load"]))
        .context("the load does not compile")?;
    if store != Stores::Sqlite {
        postgresql::install();
    }
    let mut load = run::program(project::release_binary("card-widget-load"));
    load.args([command, "--service"]).arg(service);
    load.args(["--store", store.name()]);
    Ok(load)
}
