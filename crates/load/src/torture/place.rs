//! Where a store and its keys lie between lives.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;
use vault::{Location, MasterKeySource, PostgresUrl, SystemClock, VaultConfig};

use super::random_below;
use crate::process::Process;
use crate::service;

/// A folder, and a store in it or elsewhere.
pub(super) struct Place {
    folder: TempDir,
    data: PathBuf,
    /// For what is told.
    pub(super) name: &'static str,
    url: String,
    location: Location,
}

impl Place {
    /// A store in a file.
    pub(super) fn sqlite() -> Result<Self> {
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
    pub(super) fn postgres(url: String) -> Result<Self> {
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
    pub(super) fn start(&self, binary: &Path) -> Result<Process> {
        let log = File::options().create(true).append(true).open(self.log())?;
        Process::start(self.serve(binary)?.stderr(log))
    }

    /// Kills it somewhere between its first instruction and its first request.
    pub(super) fn kill_starting(&self, binary: &Path) -> Result<()> {
        let mut child = self
            .serve(binary)?
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        thread::sleep(random_below(LONGEST_START)?);
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    /// Folder of the keys, and of a store in a file.
    pub(super) fn data(&self) -> &Path {
        &self.data
    }

    /// What opens the vault in the service's place.
    pub(super) fn vault(&self) -> VaultConfig {
        let mut config = VaultConfig::new(self.location.clone(), Arc::new(SystemClock));
        if matches!(self.location, Location::Postgres(_)) {
            config.keys = self.data().join("card-widget.keys");
            config.master_key = MasterKeySource::File(self.data().join("card-widget.master"));
        }
        config
    }

    /// The audit log must hold together, and hold every head that any life of the service has logged. Says how many records
    /// there are.
    pub(super) fn verify_audit(&self, binary: &Path) -> Result<()> {
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

    fn serve(&self, binary: &Path) -> Result<Command> {
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

/// A start takes about so long.
const LONGEST_START: Duration = Duration::from_millis(80);
