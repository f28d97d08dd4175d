//! A key agent: keeps the master key under another user than the service, and answers on a Unix socket what
//! `docs/operations/keys.md` says. A model for agents that talk to a key service or a hardware module, and good enough by
//! itself where both run on one machine.
//!
//! `key_agent SOCKET KEYS`: KEYS is a file of mode 0600 with one key a line, the newest first.

use std::error::Error;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod agent;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "key_agent: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(socket), Some(keys), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err("usage: key_agent SOCKET KEYS".into());
    };
    // Told now and not at the first question.
    agent::Keys::read(&keys)?;
    let listener = listen(&socket)?;
    writeln!(io::stdout(), "answering on {}", socket.display())?;
    agent::serve(&listener, &keys);
    Ok(())
}

/// The socket, for its owner and group. Who may reach it beyond that is decided by its folder.
fn listen(socket: &Path) -> Result<UnixListener, Box<dyn Error>> {
    let left_behind = fs::symlink_metadata(socket).is_ok_and(|found| found.file_type().is_socket());
    if left_behind {
        if UnixStream::connect(socket).is_ok() {
            return Err(format!("another agent answers on {} already", socket.display()).into());
        }
        fs::remove_file(socket)?;
    }
    let listener = UnixListener::bind(socket).map_err(|error| format!("{}: {error}", socket.display()))?;
    fs::set_permissions(socket, Permissions::from_mode(0o660))?;
    Ok(listener)
}
