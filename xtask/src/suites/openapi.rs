//! Every call of shops' servers, driven from the OpenAPI document by Schemathesis: no 500, no answer outside its schema.
//!
//! First with bodies that fit their schemas and bodies that do not, which must be refused; then with bodies that fit and are about
//! orders, cards and bindings that there are (`tests/openapi/hooks.py`), so that successes are looked at, too.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::Outcome;
use crate::service::{self, Service};
use crate::{project, run, say};

pub(super) fn check() -> Result<Outcome> {
    let schemathesis = install()?;
    let binary = Service::build()?;
    let mut outcome = Outcome::default();
    for (bodies, hooks, arguments) in [
        ("that fit and that do not", "absent", FITTING_OR_NOT),
        ("about what there is", "hooks", ABOUT_WHAT_THERE_IS),
    ] {
        let data = project::scratch().join("openapi-data");
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        let service = Service::start_silent(&binary, service::free_port()?, &data)?;
        let address = format!("http://127.0.0.1:{}", service.port);
        let mut command = run::program(&schemathesis);
        // It keeps its failures where it runs.
        command
            .current_dir(project::scratch())
            .args(["run", &format!("{address}/api/openapi.json"), "--no-color"])
            .args([
                "--include-path-regex",
                "^/api/(payments|customers|payparts|payouts|subscriptions|reports)/",
            ])
            .args(["--auth", "sandbox:sandbox-password"])
            // A run that fails can be repeated.
            .args(["--seed", "1", "--generation-database", "none"])
            .args(["--max-time", SECONDS, "--warnings", "off"])
            .args(arguments);
        command
            .env("CARD_WIDGET_URL", &address)
            .env("PYTHONPATH", project::at("tests/openapi"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("SCHEMATHESIS_HOOKS", hooks);
        let finished = run::watched(&mut command)?;
        outcome.check(finished.success, || {
            format!("bodies {bodies}: failures; see above")
        });
        match passed(&finished.text) {
            Some(cases) => {
                outcome.passed += cases;
                outcome.notes.push(format!("bodies {bodies}: {cases} calls"));
            }
            None => outcome.check(false, || format!("bodies {bodies}: nothing was tried")),
        }
    }
    Ok(outcome)
}

/// Puts the tool into a folder of its own under `target`, unless it is there as it is pinned.
fn install() -> Result<PathBuf> {
    let folder = project::scratch().join("openapi");
    let pinned = project::at("tests/openapi/requirements.txt");
    let wanted = fs::read_to_string(&pinned)?;
    let (stamp, tool) = (folder.join("installed"), folder.join("bin/schemathesis"));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && tool.exists() {
        return Ok(tool);
    }
    if !run::exists("python3") {
        bail!("Python is missing: install Python 3.10 or newer, with venv");
    }
    say::progress("pip install of tests/openapi/requirements.txt");
    let mut make = run::program("python3");
    run::quiet(make.args(["-m", "venv", "--clear"]).arg(&folder))
        .context("no folder for Python's packages")?;
    let mut pip: Command = run::program(folder.join("bin/pip"));
    pip.args([
        "--quiet",
        "--disable-pip-version-check",
        "install",
        "--requirement",
    ])
    .arg(&pinned);
    run::quiet(&mut pip).context("the tools of tests/openapi cannot be installed")?;
    fs::write(&stamp, wanted)?;
    Ok(tool)
}

/// How many calls passed, of the line `4677 generated, 4677 passed`.
fn passed(text: &str) -> Option<usize> {
    let line = text.lines().rev().find(|line| line.contains(" generated, "))?;
    let (before, _) = line.split_once(" passed")?;
    before.rsplit(' ').next()?.parse().ok().filter(|count| *count > 0)
}

/// What is refused is looked at, too, and that nobody is let in without credentials.
const FITTING_OR_NOT: &[&str] = &[
    "--phases",
    "examples,coverage,fuzzing",
    "--checks",
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
     response_schema_conformance,negative_data_rejection,ignored_auth",
];

const ABOUT_WHAT_THERE_IS: &[&str] = &[
    "--phases",
    "fuzzing",
    "--mode",
    "positive",
    "--checks",
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
     response_schema_conformance",
];

/// Of each of the two runs.
const SECONDS: &str = "25";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted() {
        let text = "Test cases:\n  4677 generated, 4677 passed, 2 skipped\n\nSeed: 1\n";
        assert_eq!(passed(text), Some(4677));
        assert_eq!(passed("Test cases:\n  0 generated, 0 passed\n"), None);
        assert_eq!(passed("no such line"), None);
    }
}
