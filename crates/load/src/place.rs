//! Where a store and its keys lie, from one life of the service to the next.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;
use vault::{Location, MasterKeySource, PostgresUrl, SystemClock, VaultConfig};

use crate::process::Process;
use crate::service;

/// Which stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Stores {
    /// SQLite, and its disk.
    Sqlite,
    /// A PostgreSQL server, which is made for this.
    Postgres,
    /// One after the other.
    Both,
}

impl Stores {
    /// Whether SQLite is among them.
    pub fn sqlite(self) -> bool {
        self != Self::Postgres
    }

    /// Whether PostgreSQL is among them.
    pub fn postgres(self) -> bool {
        self != Self::Sqlite
    }
}

/// A folder, and a store in it or elsewhere.
pub(crate) struct Place {
    folder: TempDir,
    data: PathBuf,
    /// For what is told.
    pub(crate) name: &'static str,
    url: String,
    location: Location,
}

impl Place {
    /// A store in a file.
    pub(crate) fn sqlite() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let data = folder.path().join(DATA);
        let file = data.join("card-widget.sqlite");
        Ok(Self {
            data,
            url: format!("sqlite:{}", file.display()),
            location: Location::Sqlite(file),
            name: "SQLite",
            folder,
        })
    }

    /// A store in a database; the keys lie in a folder.
    pub(crate) fn postgres(url: String) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        Ok(Self {
            data: folder.path().join(DATA),
            folder,
            name: "PostgreSQL",
            location: Location::Postgres(PostgresUrl::parse(&url).context("a URL of PostgreSQL")?),
            url,
        })
    }

    /// Starts the service and waits until it listens.
    pub(crate) fn start(&self, binary: &Path) -> Result<Process> {
        let log = File::options().create(true).append(true).open(self.log())?;
        Process::start(self.serve(binary)?.stderr(log))
    }

    /// Folder of the keys, and of a store in a file.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Where the store is.
    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// What opens the vault in the service's place.
    pub(crate) fn vault(&self) -> VaultConfig {
        let mut config = VaultConfig::new(self.location.clone(), Arc::new(SystemClock));
        if matches!(self.location, Location::Postgres(_)) {
            config.keys = self.data().join("card-widget.keys");
            config.master_key = MasterKeySource::File(self.data().join("card-widget.master"));
        }
        config
    }

    /// The audit log must hold together, and hold every head that any life of the service has logged.
    pub(crate) fn verify_audit(&self, binary: &Path) -> Result<()> {
        let said = self
            .here(service::verify_audit(binary, &self.url, &self.log())?)
            .output()?;
        if !said.status.success() {
            bail!(
                "the audit log does not hold together: {}{}",
                String::from_utf8_lossy(&said.stdout),
                String::from_utf8_lossy(&said.stderr)
            );
        }
        let told = String::from_utf8_lossy(&said.stdout);
        ensure!(
            told.contains("nothing is wrong"),
            "the audit log was not verified: {told}"
        );
        Ok(())
    }

    /// The service's command line, to be started in another way.
    pub(crate) fn serve(&self, binary: &Path) -> Result<Command> {
        Ok(self.here(service::serve(binary, &self.url)?))
    }

    fn here(&self, mut command: Command) -> Command {
        command.current_dir(self.folder.path());
        command
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

/// Below the working directory of the service, which has its keys there by itself.
const DATA: &str = "data";
