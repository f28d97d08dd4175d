//! Licences and dependency arrows, as `deny.toml` lists them.

use anyhow::{Context as _, Result};

use super::Outcome;
use crate::{project, run, say};

/// Pinned: another version may read `deny.toml` another way.
const VERSION: &str = "0.20.2";

/// `cargo deny check bans licenses sources`. Advisories need a database from the network and are left out.
pub(super) fn check() -> Result<Outcome> {
    let tools = project::scratch().join("tools");
    let program = tools
        .join("bin")
        .join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    let present =
        run::quiet(run::program(&program).arg("--version")).is_ok_and(|text| text.contains(VERSION));
    if !present {
        say::progress("cargo-deny, once (about two minutes)");
        let mut install = run::cargo("install");
        install
            .args([
                "--debug",
                "--locked",
                "--force",
                "--version",
                VERSION,
                "cargo-deny",
                "--root",
            ])
            .arg(&tools);
        install.env("CARGO_TARGET_DIR", tools.join("build"));
        run::shown(&mut install).context("cargo-deny cannot be installed")?;
    }
    let mut outcome = Outcome::default();
    for what in ["bans", "licenses", "sources"] {
        let mut deny = run::program(&program);
        deny.args([
            "--workspace",
            "--all-features",
            "--offline",
            "check",
            "--hide-inclusion-graph",
            what,
        ]);
        outcome.run(&mut deny)?;
    }
    Ok(outcome)
}
