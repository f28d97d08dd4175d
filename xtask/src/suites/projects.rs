//! The packed package in real small projects: bundlers, frameworks, runtimes.

use std::fs;

use anyhow::{Context as _, Result};

use super::{Outcome, count};
use crate::browser::Browser;
use crate::service::Service;
use crate::{cores, node, package, project, run, web};

/// Where the projects are set up, each with the package in it, beside the tools that they share.
const SHELF: &str = "target/projects";

/// Runs `tests/projects/*.test.mjs`.
pub(super) fn check() -> Result<Outcome> {
    node::Tools::install()?;
    let sources = project::at("tests/projects");
    fs::create_dir_all(project::at(SHELF))?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let from = sources.join(name);
        fs::copy(&from, project::at(SHELF).join(name)).with_context(|| project::shown(&from))?;
    }
    node::install_projects(SHELF)?;
    web::build(web::Tools::Required)?;
    let browser = Browser::find()?;
    let tarball = package::pack(&cores::build()?)?;
    let service = Service::build()?;
    let mut command = run::program("node");
    command
        .args(["--test", "--test-reporter=tap", "--test-force-exit"])
        .arg(sources.join("projects.test.mjs"))
        .env("CARD_WIDGET_TARBALL", tarball)
        .env("CARD_WIDGET_SERVICE", service)
        .env("CHROMIUM", &browser.chromium);
    Ok(count::tap(&run::watched(&mut command)?))
}
