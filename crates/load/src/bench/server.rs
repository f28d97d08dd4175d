//! The servers that are compared.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use tempfile::TempDir;

use crate::process::Process;
use crate::service;

/// A running server with a folder of its own.
pub(super) struct Server {
    pub(super) name: &'static str,
    pub(super) process: Process,
    // Removed after the process has been stopped.
    _folder: TempDir,
}

impl Server {
    /// The service's handler, and the envelope's cryptography alone.
    pub(super) fn ceiling(binary: &Path) -> Result<Self> {
        let mut command = Command::new(binary.canonicalize()?);
        Self::start("ceiling", &mut command, tempfile::tempdir()?)
    }

    /// The same without what the handler checks.
    pub(super) fn bare(binary: &Path) -> Result<Self> {
        let mut command = Command::new(binary.canonicalize()?);
        Self::start("bare", command.arg("bare"), tempfile::tempdir()?)
    }

    /// The service on a new SQLite store.
    pub(super) fn sqlite(binary: &Path) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite:{}", folder.path().join("bench.sqlite").display());
        Self::start("SQLite", &mut service::serve(binary, &url)?, folder)
    }

    /// The service on a PostgreSQL database.
    pub(super) fn postgresql(binary: &Path, url: &str) -> Result<Self> {
        Self::start(
            "PostgreSQL",
            &mut service::serve(binary, url)?,
            tempfile::tempdir()?,
        )
    }

    fn start(name: &'static str, command: &mut Command, folder: TempDir) -> Result<Self> {
        // Logs cost what they cost in production: they go to a file.
        let log = File::create(folder.path().join("log"))?;
        let process = Process::start(command.current_dir(folder.path()).stderr(log))?;
        Ok(Self {
            name,
            process,
            _folder: folder,
        })
    }
}
