//! The documents: the site that is made of them, and the code that stands in them; and the examples.

use anyhow::Result;

use super::{Outcome, count, javascript};
use crate::browser::Browser;
use crate::service::Service;
use crate::{node, package, project, run, site};

/// Builds the site without the reference of Rust, then runs the tests of `tests/site` and `tests/examples`.
pub(super) fn check() -> Result<Outcome> {
    node::Tools::install()?;
    let browser = Browser::find()?;
    // Blocks of the documents import the package; `docs/start/npm.md` installs it.
    package::build()?;
    let service = Service::build()?;
    site::build("http://localhost:8080")?;
    let mut files = Vec::new();
    for folder in ["tests/site", "tests/examples"] {
        javascript::find(&project::at(folder), &mut files)?;
    }
    let mut command = javascript::runner(&browser, files)?;
    // For the example in Rust, which is built where everything is.
    command
        .env("CARD_WIDGET_SERVICE", service)
        .env("CARGO_TARGET_DIR", project::target());
    Ok(count::tap(&run::watched(&mut command)?))
}
