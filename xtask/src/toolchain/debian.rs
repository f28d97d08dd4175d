//! Debian's compiler with its library source: installed by root, or unpacked into a folder of ours.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};

use super::{Refusal, release, source_in};
use crate::{project, run, say};

/// Compiler and library source.
const PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];
/// The linker, where cargo's own toolchain has none: Debian's compiler comes without.
const LINKER: &str = "lld-22";
/// What belongs to the compiler when it is unpacked by hand: its standard and compiler libraries.
const PARTS: [&str; 2] = ["libstd-rust-web", "libllvm"];
/// How long apt may take, another apt's lock included.
const PATIENCE: Duration = Duration::from_secs(600);

/// The folder that holds `bin/rustc` and a library source of the same release, when Debian's packages are installed.
pub(super) fn installed() -> Option<PathBuf> {
    complete("/usr".into())
}

/// Installs the packages; root only.
pub(super) fn install() -> Option<PathBuf> {
    if !(is_root() && run::exists("apt-get")) {
        return None;
    }
    let done = Refusal::of("apt").attempt("apt-get install rustc-web rust-web-src", || {
        apt_install(&PACKAGES) && (has_linker() || apt_install(&[LINKER])) && installed().is_some()
    });
    done.then(installed)?
}

/// The same, unpacked earlier.
pub(super) fn unpacked() -> Option<PathBuf> {
    complete(folder().join("usr"))
}

/// Downloads the packages and unpacks them under `target/xtask`; needs no rights.
pub(super) fn unpack() -> Option<PathBuf> {
    if !(run::exists("apt-get") && run::exists("dpkg-deb")) {
        return None;
    }
    let what = "apt-get download rustc-web rust-web-src, unpacked under target/xtask";
    let done = Refusal::of("apt-download").attempt(what, || {
        let packages = folder().join("packages");
        let _ = fs::create_dir_all(&packages);
        let mut download = run::program("apt-get");
        download
            .current_dir(&packages)
            .arg("download")
            .args(PACKAGES)
            .args(parts());
        if !run::within(PATIENCE, &mut download) {
            return false;
        }
        let files = fs::read_dir(&packages).into_iter().flatten().flatten();
        for file in files {
            run::within(
                PATIENCE,
                run::program("dpkg-deb").arg("-x").arg(file.path()).arg(folder()),
            );
        }
        unpacked().is_some()
    });
    done.then(unpacked)?
}

/// Where the libraries of this compiler are; nothing for an installed one, which finds them by itself.
pub(super) fn libraries(root: &Path) -> OsString {
    if root == Path::new("/usr") {
        return OsString::new();
    }
    let machine = format!("lib/{}-linux-gnu", std::env::consts::ARCH);
    std::env::join_paths([root.join(machine), root.join("lib")]).unwrap_or_default()
}

/// Debian's lint driver; installed where root may.
pub(super) fn clippy(root: &Path) -> Result<PathBuf> {
    let driver = root.join("bin/clippy-driver");
    if !driver.is_file() && is_root() && root == Path::new("/usr") {
        say::progress("apt-get install rust-web-clippy");
        apt_install(&["rust-web-clippy"]);
    }
    if !driver.is_file() {
        bail!(
            "the frame cannot be linted: {} belongs to no clippy here. Run `rustup target add wasm32-unknown-unknown`, \
             or `apt-get install rust-web-clippy` as root",
            project::shown(&root.join("bin/rustc"))
        );
    }
    Ok(driver)
}

/// LLVM's linker where Debian puts it, installed or unpacked.
pub(super) fn linker() -> Option<PathBuf> {
    let version = LINKER.rsplit('-').next()?;
    let path = format!("lib/llvm-{version}/bin/wasm-ld");
    [Path::new("/usr"), &folder().join("usr")]
        .map(|root| root.join(&path))
        .into_iter()
        .find(|path| path.is_file())
}

/// Installs packages without questions, with fresh lists when the old ones do not know them.
pub(crate) fn apt_install(packages: &[&str]) -> bool {
    let attempt = || {
        let mut install = run::program("apt-get");
        install.env("DEBIAN_FRONTEND", "noninteractive");
        install
            .args([
                "-y",
                "-o",
                "DPkg::Lock::Timeout=300",
                "install",
                "--no-install-recommends",
            ])
            .args(packages);
        run::within(PATIENCE, &mut install)
    };
    attempt() || (run::within(PATIENCE, run::program("apt-get").arg("update")) && attempt())
}

/// Whether this process may install packages.
pub(crate) fn is_root() -> bool {
    run::quiet(run::program("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn has_linker() -> bool {
    super::rustup::linker().is_some() || run::exists("wasm-ld") || linker().is_some()
}

fn folder() -> PathBuf {
    project::scratch().join("debian")
}

/// `root` when it holds a compiler and the source of the same release.
fn complete(root: PathBuf) -> Option<PathBuf> {
    let mut rustc = run::program(root.join("bin/rustc"));
    let libraries = libraries(&root);
    if libraries.is_empty() {
        rustc.env_remove("LD_LIBRARY_PATH");
    } else {
        rustc.env("LD_LIBRARY_PATH", libraries);
    }
    let release = release(&mut rustc)?;
    let same = fs::canonicalize(root.join("lib/rustlib/src/rust"))
        .is_ok_and(|source| source.to_string_lossy().ends_with(&release));
    (same && source_in(&root)).then_some(root)
}

/// Names of the libraries that the compiler needs, found by following apt's own lists.
fn parts() -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut next: Vec<String> = PACKAGES.map(str::to_owned).to_vec();
    while let Some(package) = next.pop() {
        let listed = run::quiet(run::program("apt-cache").args(["depends", "--important", &package]));
        for name in listed.unwrap_or_default().split_whitespace() {
            if PARTS.iter().any(|part| name.starts_with(part)) && !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
                next.push(name.to_owned());
            }
        }
    }
    found
}
