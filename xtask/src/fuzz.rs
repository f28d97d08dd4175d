//! `cargo xtask fuzz`: the targets of `tests/fuzz` with libFuzzer, all at once. Compiles with the stable compiler: coverage
//! comes from a pass that it has, and no sanitizer is needed where no code is unsafe.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::run::{self, Finished};
use crate::{project, say};

/// How long.
#[derive(Clone, Debug, Args)]
pub(crate) struct Fuzz {
    /// Seconds for each target
    #[arg(long, value_name = "N", default_value_t = 3600)]
    seconds: u32,
    /// Name of one target; without it all run
    target: Option<String>,
}

/// What a target came to.
pub(crate) struct Found {
    /// Its name.
    pub(crate) target: &'static str,
    /// What it said; no success where it found something.
    pub(crate) finished: Finished,
}

impl Fuzz {
    /// What fits into every test run.
    pub(crate) const SHORT: Self = Self {
        seconds: 10,
        target: None,
    };

    /// Builds the targets and runs them side by side.
    pub(crate) fn run(&self) -> Result<Vec<Found>> {
        let binaries = build()?;
        let folder = project::scratch().join("fuzz");
        let corpus = folder.join("corpus");
        let mut seeds = run::cargo("run");
        seeds.args(["--quiet", "--manifest-path", "tests/fuzz/seeds/Cargo.toml", "--"]);
        run::quiet(
            seeds
                .arg(&corpus)
                .env("CARGO_TARGET_DIR", project::target().join("fuzz")),
        )
        .context("no seeds")?;
        let chosen = TARGETS
            .iter()
            .filter(|target| self.target.as_ref().is_none_or(|name| *name == target.name));
        let running: Vec<_> = chosen
            .map(|target| {
                let own = corpus.join(target.name);
                let mut command = run::program(binaries.join(target.name));
                command
                    .arg(&own)
                    .arg(format!("-max_total_time={}", self.seconds))
                    .arg(format!("-max_len={}", target.longest))
                    .arg("-print_final_stats=1")
                    .arg(format!("-artifact_prefix={}/{}-", folder.display(), target.name));
                (target.name, thread::spawn(move || run_one(command)))
            })
            .collect();
        running
            .into_iter()
            .map(|(target, thread)| {
                let finished = thread
                    .join()
                    .map_err(|_| anyhow::anyhow!("{target}: a thread panicked"))??;
                Ok(Found { target, finished })
            })
            .collect()
    }

    /// The same, shown; true when nothing was found.
    pub(crate) fn shown(&self) -> Result<bool> {
        let mut is_good = true;
        for found in self.run()? {
            is_good &= found.finished.success;
            if !found.finished.success {
                say::line(&found.finished.text);
            }
            say::line(found.summary());
        }
        Ok(is_good)
    }
}

impl Found {
    /// One line.
    pub(crate) fn summary(&self) -> String {
        let runs = self
            .finished
            .text
            .lines()
            .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
            .map_or("no", str::trim);
        let end = match self.finished.success {
            true => "nothing found",
            false => "FOUND SOMETHING",
        };
        format!("{}: {runs} runs, {end}", self.target)
    }
}

fn run_one(mut command: Command) -> Result<Finished> {
    let output = command.output().context("a target cannot be started")?;
    Ok(Finished {
        success: output.status.success(),
        text: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// The folder of the built targets.
fn build() -> Result<PathBuf> {
    let host = run::quiet(run::program("rustc").arg("-vV"))?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not name its host")?;
    let target = project::target().join("fuzz");
    fs::create_dir_all(&target)?;
    let mut build = run::cargo("build");
    build
        .args(["--release", "--manifest-path", "tests/fuzz/Cargo.toml"])
        // Named, so that the flags are for the targets and not for what runs while they are built.
        .args(["--target", host])
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", FLAGS.join(" "));
    run::shown(&mut build).context("the fuzz targets do not compile; they need a C++ compiler, `g++`")?;
    Ok(target.join(host).join("release"))
}

struct Target {
    name: &'static str,
    /// Longest input, in bytes.
    longest: usize,
}

const TARGETS: [Target; 5] = [
    target("app_request", 4096),
    target("envelope", 4096),
    target("reducer", 400),
    target("settings", 2048),
    target("token_request", 8192),
];

const fn target(name: &'static str, longest: usize) -> Target {
    Target { name, longest }
}

/// What `cargo fuzz` gives, without a sanitizer.
const FLAGS: [&str; 8] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions",
    "-Ccodegen-units=1",
    "--cfg=fuzzing",
];
