//! Suites that need nothing but cargo, and the lints of the frame.

use anyhow::{Context as _, Result};

use super::{Outcome, count};
use crate::browser::WITHOUT;
use crate::postgresql;
use crate::run;
use crate::toolchain::{Purpose, Toolchain};

/// `cargo fmt --check` over all members.
pub(super) fn formatting() -> Result<Outcome> {
    let mut outcome = Outcome::default();
    outcome.run(run::cargo("fmt").args(["--all", "--check"]))?;
    Ok(outcome)
}

/// clippy without a warning: everything native, then the frame and the modules of the package for their own target.
pub(super) fn lints() -> Result<Outcome> {
    let mut outcome = Outcome::default();
    outcome.run(run::cargo("clippy").args(["--workspace", "--all-targets", "--", "-D", "warnings"]))?;

    // In the workspace it has all of its features.
    outcome.run(run::cargo("check").args(["--package", "card-widget-client", "--no-default-features"]))?;

    let toolchain = Toolchain::find(Purpose::Tests)?;
    let driver = toolchain.clippy_driver()?;
    let mut clippy = toolchain.cargo(if driver.is_some() { "check" } else { "clippy" });
    clippy.args([
        "--package",
        "card-widget",
        "--package",
        "card-widget-rules",
        "--package",
        "card-widget-client-web",
        "--all-targets",
    ]);
    match driver {
        // `cargo clippy` would take the driver of another compiler.
        Some(driver) => {
            clippy
                .env("RUSTC_WORKSPACE_WRAPPER", driver)
                .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
        }
        None => {
            clippy.args(["--", "-D", "warnings"]);
        }
    }
    outcome.run(&mut clippy)?;
    Ok(outcome)
}

/// All native tests, doc tests included.
pub(super) fn tests() -> Result<Outcome> {
    // Without `--workspace`: the default members leave out only the wasm-bindgen tools, which have no tests.
    let left_out = postgresql::is_left_out();
    if !left_out {
        postgresql::install();
    }
    let finished = run::watched(run::cargo("test").arg("--no-fail-fast")).context("cargo test")?;
    let mut outcome = count::libtest(&finished);
    if left_out {
        let name = postgresql::NAME;
        outcome
            .skipped
            .push(format!("{name}: the vault on it, as {WITHOUT} names it"));
    }
    Ok(outcome)
}
