//! The database server that tests of the vault start for themselves.

use std::env;
use std::fs;

use crate::browser::WITHOUT;
use crate::toolchain::{apt_install, is_root};
use crate::{run, say};

/// Whether the variable [`WITHOUT`] names it.
pub(crate) fn is_left_out() -> bool {
    env::var(WITHOUT).is_ok_and(|names| names.split(',').any(|name| name.trim() == NAME))
}

/// Installs it where it is missing and root may. Where it stays missing, the tests say so themselves.
pub(crate) fn install() {
    if !is_present() && is_root() && run::exists("apt-get") {
        say::progress(format!("apt-get install {NAME}"));
        apt_install(&[NAME]);
    }
}

/// Debian keeps the server's programs of each version in a folder that is not on the path.
fn is_present() -> bool {
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    run::exists("initdb")
        || versions
            .into_iter()
            .any(|version| version.path().join("bin/initdb").exists())
}

/// As the variable and Debian's package name it.
pub(crate) const NAME: &str = "postgresql";
