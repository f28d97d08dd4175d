//! Suites that need a running service: browser stories, one folder each, and sealing against another implementation.

use std::path::PathBuf;

use anyhow::Result;

use super::{Outcome, count, javascript};
use crate::browser::{Browser, ENGINES, WITHOUT};
use crate::service::Service;
use crate::{node, project, run, web};

/// Runs `tests/stories/in/*.mjs`: all stories, once for each engine. An engine that cannot be had is a failure, unless
/// it is left out by name.
pub(super) fn tests() -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut files = Vec::new();
    let mut programs = Vec::new();
    for engine in ENGINES {
        let name = engine.name;
        if engine.is_left_out() {
            outcome
                .skipped
                .push(format!("{name}: all stories, as {WITHOUT} names it"));
            continue;
        }
        match engine.find() {
            Ok(found) => {
                programs.extend(found);
                files.push(project::at(&format!("tests/stories/in/{name}.mjs")));
            }
            Err(error) => outcome.check(false, || error.to_string()),
        }
    }
    if !files.is_empty() {
        outcome.add(run_with_service(files, programs)?);
    }
    Ok(outcome)
}

/// Runs `tests/jose`: another implementation seals for the service, and opens what the frame has sealed.
pub(super) fn jose() -> Result<Outcome> {
    let mut files = Vec::new();
    javascript::find(&project::at("tests/jose"), &mut files)?;
    run_with_service(files, vec![("CHROMIUM", Browser::find()?.chromium)])
}

/// Node's test runner over files that start services and browsers themselves.
fn run_with_service(files: Vec<PathBuf>, browsers: Vec<(&str, PathBuf)>) -> Result<Outcome> {
    node::Tools::install()?;
    web::build(web::Tools::Required)?;
    let service = Service::build()?;
    let mut command = run::program("node");
    // Browsers wait more than they work: three of them at once keep two cores busy.
    command
        .args(["--test", "--test-reporter=tap", "--test-concurrency=3"])
        // A command that a driver never answers would keep the process for good.
        .arg("--test-force-exit")
        .args(files)
        .envs(browsers)
        .env("CARD_WIDGET_SERVICE", service);
    Ok(count::tap(&run::watched(&mut command)?))
}
