//! References of the programming interfaces: Rust's from `cargo doc`.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::copy;
use crate::{project, run, say};

/// The crates that others use.
const CRATES: [&str; 3] = ["card-widget-card", "card-widget-seal", "card-widget-wire"];

/// Makes them anew, each in a folder of `to`.
pub(super) fn make(to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
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
    copy(&made.join("doc"), &to.join("rust"))
}
