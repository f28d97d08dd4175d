//! Suites that need a running service: browser stories, one folder each, and sealing against another implementation.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use super::{Outcome, count, javascript};
use crate::browser::Browser;
use crate::service::Service;
use crate::{node, project, run, web};

/// Runs `tests/stories/*/story.mjs`. Each starts a service and a shop of its own through `tests/stories/shared`.
pub(super) fn tests() -> Result<Outcome> {
    let folders = fs::read_dir(project::at("tests/stories"))?.flatten();
    run_with_service(
        folders
            .map(|entry| entry.path().join("story.mjs"))
            .filter(|path| path.is_file())
            .collect(),
    )
}

/// Runs `tests/jose`: another implementation seals for the service, and opens what the frame has sealed.
pub(super) fn jose() -> Result<Outcome> {
    let mut files = Vec::new();
    javascript::find(&project::at("tests/jose"), &mut files)?;
    run_with_service(files)
}

/// Node's test runner over files that start services and browsers themselves.
fn run_with_service(files: Vec<PathBuf>) -> Result<Outcome> {
    node::Tools::install()?;
    let browser = Browser::find()?;
    web::build(web::Tools::Required)?;
    let service = Service::build()?;
    let mut command = javascript::runner(&browser, files)?;
    Ok(count::tap(&run::watched(
        command.env("CARD_WIDGET_SERVICE", service),
    )?))
}
