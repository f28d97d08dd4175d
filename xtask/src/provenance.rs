//! Where a package comes from: the commit, and what else decided its bytes. It says nothing of when or where it was made, so
//! that who builds the same gets the same.

use std::fs;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::web::Built;
use crate::{bytes, project, run};

/// Files that decide what is built, beside the sources of the commit: versions of all that it is built with.
const INPUTS: [&str; 2] = ["Cargo.lock", "tests/package-lock.json"];

/// What is known, as it stands in manifests.
pub(crate) fn of(built: &Built) -> Result<Value> {
    let mut inputs = serde_json::Map::new();
    for path in INPUTS {
        let content = fs::read(project::at(path)).with_context(|| path.to_owned())?;
        inputs.insert(path.to_owned(), bytes::integrity(&content).into());
    }
    Ok(json!({
        "version": project::VERSION,
        "commit": commit(),
        "changed": changed(),
        "built": built,
        "inputs": inputs,
    }))
}

/// The commit's hash; nothing outside a repository.
pub(crate) fn commit() -> Option<String> {
    git(&["rev-parse", "HEAD"]).map(|hash| hash.trim().to_owned())
}

/// Whether files differ from the commit: such a package is for trying only.
fn changed() -> Option<bool> {
    git(&["status", "--porcelain", "--untracked-files=normal"]).map(|files| !files.trim().is_empty())
}

fn git(words: &[&str]) -> Option<String> {
    run::quiet(run::program("git").args(words)).ok()
}
