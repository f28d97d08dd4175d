//! The documents: the site that is made of them, and the code that stands in them.

use anyhow::Result;

use super::{Outcome, count, javascript};
use crate::browser::Browser;
use crate::service::Service;
use crate::site::{self, References};
use crate::{node, package, project, run};

/// Builds the site without its references, then runs `tests/site/*.test.mjs`.
pub(super) fn check() -> Result<Outcome> {
    node::Tools::install()?;
    let browser = Browser::find()?;
    // Blocks of the documents import the package; `docs/start/npm.md` installs it.
    package::build()?;
    let service = Service::build()?;
    site::build("http://localhost:8080", References::LeftOut)?;
    let mut files = Vec::new();
    javascript::find(&project::at("tests/site"), &mut files)?;
    let mut command = javascript::runner(&browser, files)?;
    command.env("CARD_WIDGET_SERVICE", service);
    Ok(count::tap(&run::watched(&mut command)?))
}
