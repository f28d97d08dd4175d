//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// Version of the whole workspace.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Root of the workspace.
pub(crate) fn root() -> PathBuf {
    // cargo says where this crate is now; the path at compile time serves when the binary is started by hand.
    let own =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    own.parent().map_or_else(|| own.clone(), Path::to_path_buf)
}

/// A path below the root, written with `/`.
pub(crate) fn at(path: &str) -> PathBuf {
    root().join(path)
}

/// The one target directory that every command here uses, whatever the caller's environment says: tests and scripts
/// find the binaries there.
pub(crate) fn target() -> PathBuf {
    at("target")
}

/// What browsers load, as built.
pub(crate) fn web() -> PathBuf {
    at("target/web")
}

/// Our own scratch: stamps, tools, unpacked packages.
pub(crate) fn scratch() -> PathBuf {
    at("target/xtask")
}

/// A native binary of the dev profile.
pub(crate) fn binary(name: &str) -> PathBuf {
    built("debug", name)
}

/// A native binary of the release profile.
pub(crate) fn release_binary(name: &str) -> PathBuf {
    built("release", name)
}

fn built(profile: &str, name: &str) -> PathBuf {
    target()
        .join(profile)
        .join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// A path for messages: relative to the root where possible.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
