//! The service's command line.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

/// `serve` with the sandbox's widget keys, on any free port.
pub fn serve(binary: &Path, database: &str) -> Result<Command> {
    // Whoever starts it may choose another working directory.
    let mut command = Command::new(binary.canonicalize()?);
    command.args(["serve", "--sandbox", "--listen", "127.0.0.1:0"]);
    command.args(["--database", database]);
    Ok(command)
}

/// `audit verify`, with the heads of the audit log that are in a log of the service.
pub fn verify_audit(binary: &Path, database: &str, log: &Path) -> Result<Command> {
    let mut command = Command::new(binary.canonicalize()?);
    command
        .args(["audit", "verify", "--database", database, "--log"])
        .arg(log);
    Ok(command)
}
