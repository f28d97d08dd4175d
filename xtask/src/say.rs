//! Everything that is printed goes through here.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};

/// A line of the result, on standard output.
pub(crate) fn line(text: impl Display) {
    // A closed pipe (`cargo xtask … | head`) is no reason to fail.
    let _ = writeln!(stdout().lock(), "{text}");
}

/// A line about what is being done, on standard error beside cargo's own.
pub(crate) fn progress(text: impl Display) {
    let _ = writeln!(stderr().lock(), "    xtask: {text}");
}

/// Why nothing more is done: the error and what led to it, outermost first.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(stderr().lock(), "error: {error:#}");
}
