//! Node, and the development tools that it runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

use crate::{project, run, say};

/// Oldest Node that the tests and tools are written for.
const OLDEST: u32 = 20;

/// Node with the tools of `tests/package.json` installed.
#[derive(Clone, Debug)]
pub(crate) struct Tools(PathBuf);

impl Tools {
    /// Finds Node and installs the tools when they are not what the lock file says.
    pub(crate) fn install() -> Result<Self> {
        check_version()?;
        packages("tests", &["ci"]).map(Self)
    }

    /// One of the tools, by the name of its command.
    pub(crate) fn tool(&self, name: &str) -> Command {
        run::program(self.0.join(".bin").join(name))
    }
}

/// Versions of TypeScript in a folder of their own: each brings a command of the same name.
pub(crate) fn install_compilers() -> Result<()> {
    packages("tests/compilers", &["ci"]).map(drop)
}

/// What the projects share, in a folder with a copy of their lock file.
pub(crate) fn install_projects(folder: &str) -> Result<()> {
    // Not `ci`: that insists on the programs of other systems, which some registries do not have.
    packages(folder, &["install", "--no-save"]).map(drop)
}

/// Has npm install what a folder's lock file says, where it is not there; answers where it lies.
fn packages(folder: &str, words: &[&str]) -> Result<PathBuf> {
    let place = project::at(folder);
    if !is_installed(&place) {
        say::progress(format!("npm {} in {folder}/", words.join(" ")));
        let mut npm = run::program("npm");
        npm.current_dir(&place)
            .args(words)
            .args(["--prefer-offline", "--no-audit", "--no-fund"]);
        run::quiet(&mut npm)
            .with_context(|| format!("the development tools of {folder}/ cannot be installed"))?;
    }
    Ok(place.join("node_modules"))
}

/// Fails with a sentence when there is no Node, or one that is too old.
pub(crate) fn check_version() -> Result<()> {
    let Ok(version) = run::quiet(run::program("node").arg("--version")) else {
        bail!("Node is missing: install Node {OLDEST} or newer, with npm");
    };
    let version = version.trim();
    let major = version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < OLDEST) {
        bail!("Node {version} is too old: {OLDEST} or newer is needed");
    }
    if !run::exists("npm") {
        bail!("npm is missing beside Node {version}");
    }
    Ok(())
}

/// Whether `node_modules` holds what the lock file names. npm writes what it installed into a lock file of its own.
fn is_installed(folder: &Path) -> bool {
    let read = |path: &str| -> Option<Map<String, Value>> {
        let json: Value = serde_json::from_slice(&fs::read(folder.join(path)).ok()?).ok()?;
        json.get("packages")?.as_object().cloned()
    };
    match (read("package-lock.json"), read("node_modules/.package-lock.json")) {
        (Some(wanted), Some(present)) => holds(&wanted, &present),
        _ => false,
    }
}

/// Every wanted package is present in its version, and nothing else is. Optional ones are those of other systems.
fn holds(wanted: &Map<String, Value>, present: &Map<String, Value>) -> bool {
    let version = |packages: &Map<String, Value>, name: &str| {
        packages.get(name).map(|package| package["version"].clone())
    };
    let all = wanted
        .iter()
        .filter(|(name, package)| !name.is_empty() && package["optional"] != true)
        .all(|(name, _)| version(wanted, name) == version(present, name));
    all && present
        .keys()
        .all(|name| version(wanted, name) == version(present, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages(text: &str) -> Map<String, Value> {
        serde_json::from_str(text).expect("test JSON")
    }

    #[test]
    fn an_installation_is_compared_with_the_lock_file() {
        let wanted = packages(
            r#"{"": {"name": "x"}, "a": {"version": "1"}, "b": {"version": "2", "optional": true}}"#,
        );
        for (present, same) in [
            (r#"{"a": {"version": "1"}}"#, true),
            (r#"{"a": {"version": "1"}, "b": {"version": "2"}}"#, true),
            (r#"{"a": {"version": "2"}}"#, false),
            (r#"{}"#, false),
            (r#"{"a": {"version": "1"}, "c": {"version": "1"}}"#, false),
        ] {
            assert_eq!(holds(&wanted, &packages(present)), same, "{present}");
        }
    }
}
