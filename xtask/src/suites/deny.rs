//! Licences and dependency arrows, as `deny.toml` lists them.

use anyhow::{Context as _, Result};

use super::Outcome;
use crate::toolchain::TARGET;
use crate::{project, run, say};

/// Pinned: another version may read `deny.toml` another way.
const VERSION: &str = "0.20.2";

/// Each costs the frame kilobytes.
const TOO_HEAVY: [&str; 6] = [
    "serde_json",
    "serde-wasm-bindgen",
    "gloo-net",
    "tsify",
    "regex",
    "console_error_panic_hook",
];

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
            "check",
            "--hide-inclusion-graph",
            "--allow",
            "unused-wrapper",
            what,
        ]);
        outcome.run(&mut deny)?;
    }
    frame(&mut outcome)?;
    Ok(outcome)
}

/// The frame as it is compiled for wasm holds none of the crates that would double its size. `deny.toml` cannot say
/// this: native crates may use them.
fn frame(outcome: &mut Outcome) -> Result<()> {
    let mut tree = run::cargo("tree");
    tree.args([
        "--package",
        "card-widget",
        "--target",
        TARGET,
        "--edges",
        "normal",
    ]);
    let text = run::quiet(tree.args(["--prefix", "none", "--format", "{p}"]))?;
    let names: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    outcome.check(names.contains(&"wasm-bindgen"), || {
        "the frame's dependencies cannot be read".to_owned()
    });
    for heavy in TOO_HEAVY {
        outcome.check(!names.contains(&heavy), || {
            format!("the frame depends on {heavy}, which is too large for it")
        });
    }
    Ok(())
}
