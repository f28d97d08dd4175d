//! Other programs: how they are started, watched and reported.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write, stderr};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, thread};

use anyhow::{Context as _, Result, bail};

use crate::project;

/// What a watched program left behind.
pub(crate) struct Finished {
    /// It ended with exit code 0.
    pub(crate) success: bool,
    /// Standard output and standard error, line by line as they came.
    pub(crate) text: String,
}

/// A program, started in the root of the workspace, without the variables that cargo set for this one.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(project::root()).stdin(Stdio::null());
    // They describe xtask; a build script or a test that reads them would take them for its own.
    for (name, _) in env::vars_os() {
        let own = [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_BIN_",
            "CARGO_CRATE_",
            "CARGO_PRIMARY_",
        ];
        if name
            .to_str()
            .is_some_and(|name| own.iter().any(|start| name.starts_with(start)))
        {
            command.env_remove(name);
        }
    }
    command
}

/// cargo, with the workspace's own target directory.
pub(crate) fn cargo(verb: &str) -> Command {
    let mut command = program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.arg(verb).env("CARGO_TARGET_DIR", project::target());
    command
}

/// Whether a program of that name can be started.
pub(crate) fn exists(name: &str) -> bool {
    find(name).is_some()
}

/// The full path of a program on the `PATH`.
pub(crate) fn find(name: &str) -> Option<std::path::PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// Runs to the end with output shown as it comes; fails when the program does.
pub(crate) fn shown(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", text(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", text(command));
    }
    Ok(())
}

/// Runs to the end without a word; on failure the error holds what it said.
pub(crate) fn quiet(command: &mut Command) -> Result<String> {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .with_context(|| format!("cannot start {}", text(command)))?;
    if !status.success() {
        let said = String::from_utf8_lossy(&stderr).into_owned() + &String::from_utf8_lossy(&stdout);
        bail!("`{}` failed ({status})\n{}", text(command), said.trim());
    }
    Ok(String::from_utf8_lossy(&stdout).into_owned())
}

/// Runs to the end, shows the output as it comes and hands it back, so that it can be counted.
pub(crate) fn watched(command: &mut Command) -> Result<Finished> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", text(command)))?;
    let said = Arc::new(Mutex::new(String::new()));
    let readers = [
        child.stdout.take().map(|pipe| follow(pipe, Arc::clone(&said))),
        child.stderr.take().map(|pipe| follow(pipe, Arc::clone(&said))),
    ];
    let status = child.wait()?;
    for reader in readers.into_iter().flatten() {
        let _ = reader.join();
    }
    let text = said.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(Finished {
        success: status.success(),
        text,
    })
}

/// Runs to the end but no longer than `limit`; true when the program succeeded. Its output is dropped.
pub(crate) fn within(limit: Duration, command: &mut Command) -> bool {
    let Ok(mut child) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        return false;
    };
    let start = Instant::now();
    while start.elapsed() < limit {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => thread::sleep(Duration::from_millis(50)),
            Err(_) => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// The command as somebody would type it, with paths below the root shortened.
pub(crate) fn text(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let mut text = program.to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&project::shown(Path::new(argument)));
    }
    text
}

fn follow(pipe: impl Read + Send + 'static, said: Arc<Mutex<String>>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut lines = BufReader::new(pipe);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).into_owned();
            let _ = stderr().lock().write_all(text.as_bytes());
            said.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push_str(&text);
            line.clear();
        }
    })
}
