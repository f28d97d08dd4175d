//! The frame's own tests, compiled to wasm and run in Chromium.

use anyhow::Result;

use super::{Outcome, count};
use crate::browser::Browser;
use crate::run;
use crate::toolchain::{Purpose, TARGET, Toolchain};
use crate::web::frame::bindgen_binary;

/// Runs them headless; `webdriver.json` in the root holds Chromium's flags.
pub(super) fn tests() -> Result<Outcome> {
    let browser = Browser::find()?;
    let runner = bindgen_binary("xtask-test-runner")?;
    let toolchain = Toolchain::find(Purpose::Tests)?;
    let mut cargo = toolchain.cargo("test");
    cargo.args(["--package", "card-widget", "--lib", "--tests", "--no-fail-fast"]);
    // A backtrace would be the runner's own, after a failed test's message.
    cargo
        .env("CHROMEDRIVER", &browser.driver)
        .env("RUST_BACKTRACE", "0");
    let variable = format!("CARGO_TARGET_{}_RUNNER", TARGET.to_uppercase().replace('-', "_"));
    cargo.env(variable, runner);
    Ok(count::libtest(&run::watched(&mut cargo)?))
}
