//! The card rules of the npm package: a module of its own, glue and WebAssembly in one JavaScript file.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::toolchain::{Purpose, Toolchain};
use crate::web::frame;
use crate::{bytes, node, project, run, say};

/// Name of the file in the package.
pub(crate) const NAME: &str = "rules-core.js";

/// The crate, and its library.
const PACKAGE: &str = "card-widget-rules";
const LIBRARY: &str = "card_widget_rules";

/// What was built.
pub(crate) struct Rules {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its size in bytes.
    pub(crate) bytes: usize,
    /// The same under brotli 11.
    pub(crate) brotli: usize,
}

impl Rules {
    /// Prints its size.
    pub(crate) fn report(&self) {
        let Self { bytes, brotli, .. } = self;
        say::line(format!("{NAME:<28} {bytes:>8} bytes {brotli:>7} brotli"));
    }
}

/// Builds it. Why the WebAssembly stands in the file as base64 is told in `crates/rules/README.md`.
pub(crate) fn build() -> Result<Rules> {
    let tools = node::Tools::install()?;
    let toolchain = Toolchain::find(Purpose::Size)?;
    say::progress(format!("card rules, wasm ({})", toolchain.route));
    let module = frame::compile(&toolchain, PACKAGE, LIBRARY, "frame")?;
    let folder = project::scratch().join("rules");
    fs::create_dir_all(&folder)?;
    let wasm = frame::bindgen(&module, LIBRARY, &folder)?;
    frame::optimize(&tools, &wasm, &folder.join(format!("{LIBRARY}.wasm")))?;
    let entry = project::at("crates/rules/core.js");
    fs::copy(&entry, folder.join("core.js")).with_context(|| project::shown(&entry))?;
    let mut bundler = tools.tool("esbuild");
    bundler
        .arg(folder.join("core.js"))
        .args(["--bundle", "--format=esm", "--minify", "--target=es2022"])
        .args([
            "--loader:.wasm=base64",
            "--legal-comments=none",
            "--log-level=warning",
        ]);
    let script = run::quiet(&mut bundler)?;
    let path = folder.join(NAME);
    fs::write(&path, &script)?;
    Ok(Rules {
        path,
        bytes: script.len(),
        brotli: bytes::brotli(script.as_bytes())?.len(),
    })
}
