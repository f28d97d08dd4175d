//! References of the programming interfaces: Rust's from `cargo doc`, JavaScript's from the declarations of the npm package.

use std::fs;

use anyhow::{Context as _, Result};

use super::copy;
use crate::{node, project, run, say};

/// The crates that others use.
const CRATES: [&str; 4] = [
    "card-widget-card",
    "card-widget-client",
    "card-widget-seal",
    "card-widget-wire",
];

/// Pages in Markdown by their path, one for each entry of the npm package. None where there is no Node.
pub(super) fn javascript() -> Result<Vec<(String, String)>> {
    if let Err(error) = node::check_version() {
        say::progress(format!("the reference of JavaScript is left out: {error}"));
        return Ok(Vec::new());
    }
    node::Tools::install()?;
    let script = project::at("tests/site/declarations.mjs");
    let pages = run::quiet(run::program("node").arg(script))?;
    serde_json::from_str(&pages).context("tests/site/declarations.mjs")
}

/// Makes that of Rust anew. The first time this takes a minute or two.
pub(crate) fn make() -> Result<()> {
    let to = super::folder().join(super::REFERENCES).join("rust");
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    say::progress("reference of the crates");
    let made = project::scratch().join("rustdoc");
    let mut cargo = run::cargo("doc");
    cargo.args(["--no-deps", "--quiet"]);
    for name in CRATES {
        cargo.args(["--package", name]);
    }
    // A folder of its own: the usual one may hold crates that are gone.
    run::shown(cargo.arg("--all-features").env("CARGO_TARGET_DIR", &made))?;
    copy(&made.join("doc"), &to)
}
