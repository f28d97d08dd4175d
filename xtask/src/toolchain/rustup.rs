//! The active toolchain, and what rustup can add to it.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::{Refusal, TARGET, source_in};
use crate::run;

/// How long a download may take before another way is tried.
const PATIENCE: Duration = Duration::from_secs(180);

/// The ready standard library for wasm is there.
pub(super) fn has_target() -> bool {
    print(&["target-libdir", "--target", TARGET])
        .and_then(|folder| fs::read_dir(folder).ok())
        .is_some_and(|entries| {
            entries
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
        })
}

/// Adds it. What counts is whether it is there afterwards, not what rustup says.
pub(super) fn add_target() -> bool {
    run::exists("rustup")
        && Refusal::of("rustup-target").attempt("rustup target add wasm32-unknown-unknown", || {
            run::within(PATIENCE, run::program("rustup").args(["target", "add", TARGET]));
            has_target()
        })
}

/// The library source of the active compiler is there.
pub(super) fn has_source() -> bool {
    print(&["sysroot"]).is_some_and(|sysroot| source_in(&sysroot))
}

/// Adds it.
pub(super) fn add_source() -> bool {
    run::exists("rustup")
        && Refusal::of("rustup-source").attempt("rustup component add rust-src", || {
            run::within(
                PATIENCE,
                run::program("rustup").args(["component", "add", "rust-src"]),
            );
            has_source()
        })
}

/// The linker that comes with the active toolchain.
pub(super) fn linker() -> Option<PathBuf> {
    let folder = print(&["target-libdir"])?;
    Some(folder.parent()?.join("bin/rust-lld")).filter(|path| path.is_file())
}

fn print(what: &[&str]) -> Option<PathBuf> {
    let text = run::quiet(run::program("rustc").arg("--print").args(what)).ok()?;
    Some(PathBuf::from(text.trim()))
}
