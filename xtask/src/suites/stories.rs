//! Browser stories: one folder each, with a real service and a shop on another site.

use std::fs;

use anyhow::Result;

use super::{Outcome, count, javascript};
use crate::browser::Browser;
use crate::service::Service;
use crate::{node, project, run, web};

/// Runs `tests/stories/*/story.mjs`. Each starts a service and a shop of its own through `tests/stories/helpers`.
pub(super) fn tests() -> Result<Outcome> {
    node::Tools::install()?;
    let browser = Browser::find()?;
    web::build(web::Tools::Required)?;
    let service = Service::build()?;
    let files = fs::read_dir(project::at("tests/stories"))?
        .flatten()
        .map(|entry| entry.path().join("story.mjs"))
        .filter(|path| path.is_file())
        .collect();
    let mut command = javascript::runner(&browser, files)?;
    Ok(count::tap(&run::watched(
        command.env("CARD_WIDGET_SERVICE", service),
    )?))
}
