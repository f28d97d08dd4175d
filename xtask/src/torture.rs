//! `cargo xtask torture`: the load that kills the service and its database, as a command of any length and as a short suite.

use std::process::Command;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};

use crate::service::Service;
use crate::{postgresql, project, run};

/// How hard.
#[derive(Clone, Debug, Args)]
pub(crate) struct Torture {
    /// Where cards are kept meanwhile; a PostgreSQL server is made for this alone
    #[arg(long, value_enum, default_value_t = Stores::Both)]
    store: Stores,
    /// How many kills, on each store
    #[arg(long, value_name = "N", default_value_t = 300)]
    kills: u32,
    /// How often PostgreSQL is killed, stopped or frozen
    #[arg(long, value_name = "N", default_value_t = 48)]
    outages: u32,
    /// Connections of the load
    #[arg(long, value_name = "N", default_value_t = 8)]
    connections: u32,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stores {
    /// SQLite
    Sqlite,
    /// PostgreSQL
    Postgres,
    /// One after the other
    Both,
}

impl Torture {
    /// What fits into every test run.
    pub(crate) fn short() -> Self {
        Self {
            store: Stores::installed(),
            kills: 10,
            outages: 3,
            connections: 8,
        }
    }

    /// Builds service and load; gives the load's command.
    pub(crate) fn prepare(&self) -> Result<Command> {
        let service = Service::build()?;
        run::shown(run::cargo("build").args(["--package", "card-widget-load"]))
            .context("the load does not compile")?;
        if self.store != Stores::Sqlite {
            postgresql::install();
        }
        let mut load = run::program(project::binary("card-widget-load"));
        load.args(["torture", "--service"]).arg(service);
        load.args(["--store", self.store.name()]);
        load.args(["--kills", &self.kills.to_string()]);
        load.args(["--outages", &self.outages.to_string()]);
        load.args(["--connections", &self.connections.to_string()]);
        Ok(load)
    }

    /// Runs it and shows what it finds.
    pub(crate) fn run(&self) -> Result<()> {
        run::shown(&mut self.prepare()?)
    }
}

impl Stores {
    /// Both, unless PostgreSQL is to be left out.
    pub(crate) fn installed() -> Self {
        match postgresql::is_left_out() {
            true => Self::Sqlite,
            false => Self::Both,
        }
    }

    /// As the load has it on its command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Both => "both",
        }
    }
}
