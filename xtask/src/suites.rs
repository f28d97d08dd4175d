//! `cargo xtask test`: every suite, its count and its time.

mod budgets;
mod count;
mod demo;
mod deny;
mod docs;
mod fuzz;
mod javascript;
mod native;
mod openapi;
mod projects;
mod site;
mod stories;
mod torture;
mod wasm;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::{run, say};

/// What a suite found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Checks that held.
    pub(crate) passed: usize,
    /// Checks that did not.
    pub(crate) failed: usize,
    /// Why checks were left out, once for each of them.
    pub(crate) skipped: Vec<String>,
    /// What to read about it: measured values, or why something failed.
    pub(crate) notes: Vec<String>,
}

impl Outcome {
    /// One check: passed, or failed with a sentence.
    pub(crate) fn check(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if holds {
            self.passed += 1;
        } else {
            self.failed += 1;
            self.notes.push(otherwise());
        }
    }

    /// A check that is a program run: its success counts once.
    pub(crate) fn run(&mut self, command: &mut std::process::Command) -> Result<()> {
        let finished = run::watched(command)?;
        self.check(finished.success, || {
            format!("`{}` failed; see above", run::text(command))
        });
        Ok(())
    }

    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped);
        self.notes.extend(other.notes);
    }
}

/// A suite: its name on the command line, what it checks, and how.
type Suite = (&'static str, &'static str, fn() -> Result<Outcome>);

/// All suites, in the order of their run: quick and general first, those that need a built service last.
const SUITES: &[Suite] = &[
    ("fmt", "formatting", native::formatting),
    (
        "docs",
        "pages, links, and what must not stand in the tree",
        docs::check,
    ),
    ("clippy", "lints, native and wasm", native::lints),
    ("deny", "licences, and who may depend on whom", deny::check),
    ("native", "tests of all crates", native::tests),
    ("fuzz", "parsers, ten seconds each", fuzz::check),
    (
        "torture",
        "the service killed, its database gone, its disk full",
        torture::check,
    ),
    (
        "openapi",
        "every call of shops' servers, driven from the OpenAPI document",
        openapi::check,
    ),
    (
        "demo",
        "the demo shop's orders, from the payment page to the refund",
        demo::check,
    ),
    (
        "site",
        "the documents: their site, and the code in them; the examples",
        site::check,
    ),
    ("wasm", "tests of the frame in Chromium", wasm::tests),
    ("types", "TypeScript's view of the JavaScript", javascript::types),
    (
        "node",
        "fallback, loader, package and vectors in Node",
        javascript::tests,
    ),
    (
        "projects",
        "the packed package in bundlers, frameworks and runtimes",
        projects::check,
    ),
    ("budgets", "bytes that browsers load", budgets::check),
    ("jose", "sealing against another implementation", stories::jose),
    (
        "stories",
        "the widget in Chromium, Firefox and WebKit, shop and service apart",
        stories::tests,
    ),
];

/// Runs one suite or all; true when nothing failed. The last line printed is `N passed, N failed`.
pub(crate) fn run(name: Option<&str>) -> Result<bool> {
    let chosen: Vec<&Suite> = SUITES
        .iter()
        .filter(|suite| name.is_none_or(|name| name == suite.0))
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = SUITES.iter().map(|suite| suite.0).collect();
        bail!("there is no suite of that name; there are: {}", names.join(", "));
    }
    let mut rows = Vec::new();
    for (name, about, suite) in chosen {
        say::progress(format!("== {name}: {about}"));
        let start = Instant::now();
        let outcome = suite()
            .with_context(|| format!("{name} could not run"))
            .unwrap_or_else(|error| Outcome {
                failed: 1,
                notes: vec![format!("{error:#}")],
                ..Outcome::default()
            });
        rows.push((*name, outcome, start.elapsed()));
    }
    Ok(report(rows))
}

fn report(rows: Vec<(&str, Outcome, Duration)>) -> bool {
    say::line(format!(
        "\n{:<10} {:>7} {:>7} {:>8} {:>8}",
        "suite", "passed", "failed", "skipped", "seconds"
    ));
    let mut total = Outcome::default();
    for (name, outcome, time) in rows {
        let Outcome {
            passed,
            failed,
            skipped,
            notes,
        } = &outcome;
        say::line(format!(
            "{name:<10} {passed:>7} {failed:>7} {:>8} {:>8.1}",
            skipped.len(),
            time.as_secs_f64()
        ));
        for note in notes {
            say::line(format!("           {}", note.replace('\n', "\n           ")));
        }
        total.add(outcome);
    }
    if !total.skipped.is_empty() {
        say::line(format!("\n{} skipped", total.skipped.len()));
        for (reason, times) in counted(&total.skipped) {
            say::line(format!("{times:>6} × {reason}"));
        }
    }
    say::line(format!("\n{} passed, {} failed", total.passed, total.failed));
    total.failed == 0
}

/// Each reason once, with how often it was given.
fn counted(reasons: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason.as_str()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted() {
        let reasons = ["b", "a", "b"].map(str::to_owned);
        assert_eq!(
            counted(&reasons).into_iter().collect::<Vec<_>>(),
            [("a", 1), ("b", 2)]
        );
    }
}
