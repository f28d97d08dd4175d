//! `cargo xtask pictures`: what the form looks like, in every combination.

use anyhow::Result;

use crate::browser::Browser;
use crate::service::Service;
use crate::{node, project, run, say, web};

/// Takes the pictures into `target/pictures`; with `docs` those of the documents are taken over too.
pub(crate) fn take(docs: bool) -> Result<()> {
    node::Tools::install()?;
    let browser = Browser::find()?;
    web::build(web::Tools::Required)?;
    let service = Service::build()?;
    let folder = project::target().join("pictures");
    let mut command = run::program("node");
    command.arg(project::at("tests/look/pictures.mjs")).arg(&folder);
    if docs {
        command.arg(project::at("docs/images"));
    }
    command
        .env("CARD_WIDGET_SERVICE", service)
        .env("CHROMIUM", browser.chromium);
    run::shown(&mut command)?;
    say::line(format!("{}/index.html", project::shown(&folder)));
    Ok(())
}
