//! What each entry of the npm package costs who imports it, as a shop's bundler makes it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::{bytes, node, run, say};

/// One entry.
pub(crate) struct Entry {
    /// Its name in the manifest: `./react`.
    pub(crate) name: String,
    /// Everything that it loads, minified.
    bytes: usize,
    /// The same under brotli 11.
    pub(crate) brotli: usize,
    /// What it adds under brotli to a page that has the loader, where it is for such a page.
    pub(crate) on_top: usize,
}

impl Entry {
    /// Prints its size.
    pub(crate) fn report(&self) {
        let Self {
            name, bytes, brotli, ..
        } = self;
        say::line(format!(
            "card-widget{:<17} {bytes:>8} bytes {brotli:>7} brotli",
            &name[1..]
        ));
    }

    /// What the manifest of the script files says of it.
    pub(crate) fn told(&self) -> Value {
        let Self {
            name,
            bytes,
            brotli,
            on_top,
        } = self;
        json!({ "entry": name, "bytes": bytes, "brotli": brotli, "on_top_of_loader": on_top })
    }
}

/// Measures every entry of the package that lies in a folder, unpacked.
pub(crate) fn measure(package: &Path) -> Result<Vec<Entry>> {
    let tools = node::Tools::install()?;
    let manifest: Value = serde_json::from_slice(&fs::read(package.join("package.json"))?)?;
    let exports = manifest["exports"].as_object().context("no exports")?;
    let (_, loader) = bundle(&tools, package, &["."])?;
    let mut entries = Vec::new();
    for name in exports.keys().filter(|name| *name != "./package.json") {
        let (bytes, brotli) = bundle(&tools, package, &[name])?;
        let (_, both) = bundle(&tools, package, &[".", name])?;
        entries.push(Entry {
            name: name.clone(),
            bytes,
            brotli,
            on_top: both.saturating_sub(loader),
        });
    }
    Ok(entries)
}

/// Size of a bundle with all that these entries export, plain and under brotli. React is the shop's own.
fn bundle(tools: &node::Tools, package: &Path, names: &[&str]) -> Result<(usize, usize)> {
    // Inside the package, where its own name finds it.
    let entry = package.join("measure.js");
    let lines = names
        .iter()
        .map(|name| format!("export * from 'card-widget{}';\n", &name[1..]));
    fs::write(&entry, lines.collect::<String>())?;
    let mut bundler = tools.tool("esbuild");
    bundler.arg(&entry).args([
        "--bundle",
        "--minify",
        "--format=esm",
        "--target=es2022",
        "--charset=utf8",
        "--external:react",
        "--log-level=warning",
    ]);
    let script = run::quiet(&mut bundler);
    fs::remove_file(&entry)?;
    let script = script?;
    Ok((script.len(), bytes::brotli(script.as_bytes())?.len()))
}
