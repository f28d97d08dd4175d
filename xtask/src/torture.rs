//! `cargo xtask torture`: the load that kills the service, as a command of any length and as a short suite.

use std::process::Command;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::service::Service;
use crate::{project, run};

/// How hard.
#[derive(Clone, Debug, Args)]
pub(crate) struct Torture {
    /// How many kills
    #[arg(long, value_name = "N", default_value_t = 300)]
    kills: u32,
    /// Connections of the load
    #[arg(long, value_name = "N", default_value_t = 8)]
    connections: u32,
}

impl Torture {
    /// What fits into every test run.
    pub(crate) const SHORT: Self = Self {
        kills: 10,
        connections: 8,
    };

    /// Builds service and load; gives the load's command.
    pub(crate) fn prepare(&self) -> Result<Command> {
        let service = Service::build()?;
        run::shown(run::cargo("build").args(["--package", "card-widget-load"]))
            .context("the load does not compile")?;
        let mut load = run::program(project::binary("card-widget-load"));
        load.args(["torture", "--service"]).arg(service);
        load.args(["--kills", &self.kills.to_string()]);
        load.args(["--connections", &self.connections.to_string()]);
        Ok(load)
    }

    /// Runs it and shows what it finds.
    pub(crate) fn run(&self) -> Result<()> {
        run::shown(&mut self.prepare()?)
    }
}
