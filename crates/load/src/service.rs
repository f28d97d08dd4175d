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
