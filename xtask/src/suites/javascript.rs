//! Suites of the JavaScript: types, and tests that need no service, or only for calls.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{Outcome, count};
use crate::browser::Browser;
use crate::service::Service;
use crate::{cores, node, package, project, run, web};

/// Folders under `tests/` with Node tests.
const FOLDERS: [&str; 6] = [
    "tests/client",
    "tests/fallback",
    "tests/loader",
    "tests/look",
    "tests/package",
    "tests/vectors",
];

/// `tsc` over every project in `tests/*/tsconfig.json`; one known-bad file proves that it can fail.
pub(super) fn types() -> Result<Outcome> {
    let tools = node::Tools::install()?;
    // The scripts of the frame and of the package import generated glue, whose types the builds leave behind.
    web::build(web::Tools::Required)?;
    cores::build()?;
    let mut outcome = Outcome::default();
    let mut projects: Vec<PathBuf> = fs::read_dir(project::at("tests"))?
        .flatten()
        .map(|entry| entry.path().join("tsconfig.json"))
        .filter(|path| path.is_file())
        .collect();
    projects.sort();
    for path in &projects {
        outcome.run(tools.tool("tsc").args(["--noEmit", "-p"]).arg(path))?;
    }
    let bad = project::at("tests/types/known-bad.tsconfig.json");
    let refused = run::quiet(tools.tool("tsc").args(["--noEmit", "-p"]).arg(&bad)).is_err();
    outcome.check(bad.is_file() && refused, || {
        "tsc accepts tests/types/known-bad.js, so it checks nothing".to_owned()
    });
    Ok(outcome)
}

/// `node --test` over client, fallback, loader, look, package and vectors.
pub(super) fn tests() -> Result<Outcome> {
    node::Tools::install()?;
    node::install_compilers()?;
    web::build(web::Tools::Required)?;
    let browser = Browser::find()?;
    let tarball = package::pack(&cores::build()?)?;
    // The client of shops' servers is tried with the service.
    let service = Service::build()?;
    let mut files = Vec::new();
    for folder in FOLDERS {
        find(&project::at(folder), &mut files)?;
    }
    let mut command = runner(&browser, files)?;
    Ok(count::tap(&run::watched(
        command
            .env("CARD_WIDGET_TARBALL", tarball)
            .env("CARD_WIDGET_SERVICE", service),
    )?))
}

/// Node's test runner for these files, with the browser named in the environment.
pub(super) fn runner(browser: &Browser, mut files: Vec<PathBuf>) -> Result<std::process::Command> {
    if files.is_empty() {
        bail!("there is no test file");
    }
    files.sort();
    let mut command = run::program("node");
    // Two browsers at once are as much as two cores carry.
    command
        .args(["--test", "--test-reporter=tap", "--test-concurrency=2"])
        .args(files);
    command.env("CHROMIUM", &browser.chromium);
    Ok(command)
}

/// Test files below a folder, which may be absent.
pub(super) fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && name != "node_modules" {
            find(&path, files)?;
        } else if name.ends_with(".test.js") || name.ends_with(".test.mjs") {
            files.push(path);
        }
    }
    Ok(())
}
