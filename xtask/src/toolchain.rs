//! Finds a way to compile for wasm32-unknown-unknown.
//!
//! The order: what the active toolchain has, what `rustup` can add, Debian's rustc with its library source, the same
//! installed with apt (root) or unpacked under `target/xtask` (everybody else), and at last an error that names both
//! remedies. Everything found once works offline.

mod debian;
mod rustup;

pub(crate) use debian::{apt_install, is_root};

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Result, bail};

use crate::{project, run, say};

/// The only target of the frame.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// What a build is for; it decides how the standard library is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The frame that is served: std from source, made small, a panic being a trap.
    Size,
    /// The same, to be translated into JavaScript: with the first instructions of WebAssembly only, as the translator
    /// knows no others.
    Translation,
    /// Tests and lints: a ready std where there is one, and panics that speak.
    Tests,
}

/// A way to compile for wasm.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    purpose: Purpose,
    /// Short name of the way, for the manifest and the budgets: `rustup` or `debian`, with the compiler's version.
    pub(crate) route: String,
    /// The standard library is built from source along with the frame.
    pub(crate) std_from_source: bool,
    rustc: Rustc,
}

/// A compiler, and what must stand in the environment for it.
#[derive(Clone, Debug)]
enum Rustc {
    /// The one that cargo takes by itself.
    Active,
    /// Debian's, installed at `/usr` or unpacked below the folder given.
    Debian(PathBuf),
}

impl Toolchain {
    /// The first way that works. May install something, and says so before it does.
    pub(crate) fn find(purpose: Purpose) -> Result<Self> {
        let forced = env::var("XTASK_ROUTE").unwrap_or_default();
        let rustup_allowed = forced.is_empty() || forced == "rustup" || forced == "prebuilt";
        if rustup_allowed {
            let source_wanted = purpose == Purpose::Size && forced != "prebuilt";
            if source_wanted && (rustup::has_source() || rustup::add_source()) {
                return Ok(Self::new(purpose, Rustc::Active, true));
            }
            if purpose == Purpose::Tests || forced == "prebuilt" {
                if rustup::has_target() || rustup::add_target() {
                    return Ok(Self::new(purpose, Rustc::Active, false));
                }
                if rustup::has_source() {
                    return Ok(Self::new(purpose, Rustc::Active, true));
                }
            }
        }
        if (forced.is_empty() || forced == "debian")
            && let Some(root) = debian::installed().or_else(debian::install)
        {
            return Ok(Self::new(purpose, Rustc::Debian(root), true));
        }
        // A smaller frame is not worth unpacking packages where a larger one can be had at once.
        if rustup_allowed && (rustup::has_target() || rustup::add_target()) {
            return Ok(Self::new(purpose, Rustc::Active, false));
        }
        if (forced.is_empty() || forced == "unpacked")
            && let Some(root) = debian::unpacked().or_else(debian::unpack)
        {
            return Ok(Self::new(purpose, Rustc::Debian(root), true));
        }
        bail!(
            "nothing here can compile for {TARGET}. Either run `rustup target add {TARGET}`, or, on Debian, \
             `apt-get install rustc-web rust-web-src` as root; then start this command again"
        );
    }

    /// The same way, for a module that can be translated into JavaScript. None with the ready-made standard library, which
    /// uses instructions that the translator does not know.
    pub(crate) fn for_translation(&self) -> Option<Self> {
        self.std_from_source.then(|| Self {
            purpose: Purpose::Translation,
            ..self.clone()
        })
    }

    fn new(purpose: Purpose, rustc: Rustc, std_from_source: bool) -> Self {
        let name = match rustc {
            Rustc::Active => "rustup",
            Rustc::Debian(_) => "debian",
        };
        let mut toolchain = Self {
            purpose,
            route: name.to_owned(),
            std_from_source,
            rustc,
        };
        let version = run::quiet(toolchain.rustc().arg("--version")).unwrap_or_default();
        if let Some(version) = version.split_whitespace().nth(1) {
            toolchain.route = format!("{name} {version}");
        }
        toolchain
    }

    /// cargo for this way: target, environment and flags are set; the profile is the caller's.
    pub(crate) fn cargo(&self, verb: &str) -> Command {
        let mut command = run::cargo(verb);
        // A directory of its own: other flags and another compiler must not throw native work away.
        command.env("CARGO_TARGET_DIR", project::at("target/wasm"));
        command.args(["--target", TARGET]);
        if let Rustc::Debian(root) = &self.rustc {
            command
                .env("RUSTC", root.join("bin/rustc"))
                .env("RUSTDOC", root.join("bin/rustdoc"));
            command.env("LD_LIBRARY_PATH", debian::libraries(root));
        }
        if self.std_from_source {
            command
                .env("RUSTC_BOOTSTRAP", "1")
                .arg("-Zbuild-std=std,panic_abort");
        }
        let mut flags = self.remapped_paths();
        if self.purpose == Purpose::Translation {
            flags.push("-Ctarget-cpu=mvp".into());
        }
        if self.std_from_source && self.purpose != Purpose::Tests {
            command.arg("-Zbuild-std-features=optimize_for_size");
            // A trap says nothing, so the places that it would name need not be shipped.
            flags.extend(
                [
                    "-Zunstable-options",
                    "-Cpanic=immediate-abort",
                    "-Zlocation-detail=none",
                ]
                .map(OsString::from),
            );
        }
        if let Some(linker) = self.linker() {
            command
                .arg("--config")
                .arg(format!("target.{TARGET}.linker={linker:?}"));
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join(&OsString::from("\u{1f}")));
        command
    }

    /// The lint driver that belongs to the compiler, or none when cargo finds it by itself.
    pub(crate) fn clippy_driver(&self) -> Result<Option<PathBuf>> {
        match &self.rustc {
            Rustc::Active => Ok(None),
            Rustc::Debian(root) => debian::clippy(root).map(Some),
        }
    }

    fn rustc(&self) -> Command {
        match &self.rustc {
            Rustc::Active => run::program(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())),
            Rustc::Debian(root) => {
                let mut command = run::program(root.join("bin/rustc"));
                command.env("LD_LIBRARY_PATH", debian::libraries(root));
                command
            }
        }
    }

    /// Paths of this machine do not belong into a file that is served.
    fn remapped_paths(&self) -> Vec<OsString> {
        let sysroot = run::quiet(self.rustc().args(["--print", "sysroot"])).unwrap_or_default();
        let home = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(env::home_dir()?.join(".cargo")));
        let folders = [
            (home, "cargo"),
            (Some(sysroot.trim().into()), "rust"),
            (Some(project::root()), "card-widget"),
        ];
        folders
            .into_iter()
            .filter_map(|(folder, name)| Some((folder?, name)))
            .filter(|(folder, _)| folder.components().count() > 2)
            .map(|(folder, name)| {
                let mut flag = OsString::from("--remap-path-prefix=");
                flag.push(folder);
                flag.push("=");
                flag.push(name);
                flag
            })
            .collect()
    }

    /// `rust-lld` of the active toolchain, which it finds by itself, else what the system has.
    fn linker(&self) -> Option<PathBuf> {
        match (rustup::linker(), &self.rustc) {
            (Some(_), Rustc::Active) => None,
            (own, _) => own.or_else(debian::linker).or_else(|| run::find("wasm-ld")),
        }
    }
}

/// Remembers for an hour that something could not be had, so that an offline machine does not wait at each start.
struct Refusal(PathBuf);

impl Refusal {
    fn of(what: &str) -> Self {
        Self(project::scratch().join("refused").join(what))
    }

    /// Tries, unless it was refused within the hour; remembers a new refusal.
    fn attempt(&self, what: &str, action: impl FnOnce() -> bool) -> bool {
        if self.is_recent() {
            return false;
        }
        say::progress(what);
        let done = action();
        if !done {
            say::progress("that did not work; trying another way");
            let _ = self.0.parent().map(fs::create_dir_all);
            let _ = fs::write(&self.0, "");
        }
        done
    }

    fn is_recent(&self) -> bool {
        let written = fs::metadata(&self.0).and_then(|data| data.modified());
        written.is_ok_and(|at| {
            SystemTime::now()
                .duration_since(at)
                .is_ok_and(|age| age < Duration::from_secs(3600))
        })
    }
}

/// The release number that a compiler gives.
fn release(rustc: &mut Command) -> Option<String> {
    let text = run::quiet(rustc.arg("-vV")).ok()?;
    Some(
        text.lines()
            .find_map(|line| line.strip_prefix("release: "))?
            .trim()
            .to_owned(),
    )
}

/// Whether the library source lies in this sysroot.
fn source_in(sysroot: &Path) -> bool {
    sysroot
        .join("lib/rustlib/src/rust/library/std/Cargo.toml")
        .is_file()
}
