//! The modules of the npm package: glue and WebAssembly in one JavaScript file each.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::toolchain::{Purpose, Toolchain};
use crate::web::frame;
use crate::{bytes, node, project, run, say};

/// A crate of which a module is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core {
    /// What it is called: the file is `NAME-core.js`, its folder `target/xtask/NAME`, its crate `card-widget-NAME`, with
    /// `core.js` in it.
    name: &'static str,
    /// Folder of the crate.
    folder: &'static str,
}

/// The card rules, and the client of shops' servers.
pub(crate) const RULES: Core = Core {
    name: "rules",
    folder: "rules",
};
pub(crate) const CLIENT: Core = Core {
    name: "client",
    folder: "client-web",
};
pub(crate) const ALL: [Core; 2] = [RULES, CLIENT];

/// Builds all.
pub(crate) fn build() -> Result<Vec<Built>> {
    ALL.iter().map(|core| core.build()).collect()
}

/// What was built.
pub(crate) struct Built {
    /// Name of the script in the package.
    name: String,
    /// The files for the package: the script and, of a core for runtimes that compile no text, the module and a script for them.
    pub(crate) files: Vec<PathBuf>,
    /// The script's size in bytes.
    pub(crate) bytes: usize,
    /// The same under brotli 11.
    pub(crate) brotli: usize,
}

impl Built {
    /// Prints its size.
    pub(crate) fn report(&self) {
        let Self {
            name, bytes, brotli, ..
        } = self;
        say::line(format!("{name:<28} {bytes:>8} bytes {brotli:>7} brotli"));
    }
}

impl Core {
    /// Builds it. Why the WebAssembly stands in the file as base64 is told in `crates/rules/README.md`.
    pub(crate) fn build(self) -> Result<Built> {
        let tools = node::Tools::install()?;
        let toolchain = Toolchain::find(Purpose::Size)?;
        let Self { name, folder } = self;
        say::progress(format!("{name}, wasm ({})", toolchain.route));
        let package = format!("card-widget-{folder}");
        let library = package.replace('-', "_");
        let module = frame::compile(&toolchain, &package, &library, "frame")?;
        let made = project::scratch().join(name);
        fs::create_dir_all(&made)?;
        let wasm = frame::bindgen(&module, &library, &made)?;
        frame::optimize(&tools, &wasm, &made.join(format!("{library}.wasm")))?;
        let script = bundle(&tools, folder, "core.js", &made)?;
        let file = format!("{name}-core.js");
        let mut files = vec![made.join(&file)];
        fs::write(&files[0], &script)?;
        if project::at(&format!("crates/{folder}/{APART}")).is_file() {
            let [wasm, glue] = ["wasm", "module.js"].map(|end| made.join(format!("{name}-core.{end}")));
            fs::copy(made.join(format!("{library}.wasm")), &wasm)?;
            fs::write(&glue, bundle(&tools, folder, APART, &made)?)?;
            files.extend([wasm, glue]);
        }
        Ok(Built {
            name: file,
            files,
            bytes: script.len(),
            brotli: bytes::brotli(script.as_bytes())?.len(),
        })
    }
}

/// Entry of a core whose module stays a file of its own.
const APART: &str = "core-module.js";

/// An entry of the crate with its glue, and with the module where the entry takes it as text.
fn bundle(tools: &node::Tools, folder: &str, entry: &str, made: &Path) -> Result<String> {
    let from = project::at(&format!("crates/{folder}/{entry}"));
    fs::copy(&from, made.join(entry)).with_context(|| project::shown(&from))?;
    let mut bundler = tools.tool("esbuild");
    bundler
        .arg(made.join(entry))
        .args(["--bundle", "--format=esm", "--minify", "--target=es2022"])
        .args(["--loader:.wasm=base64", "--external:*.wasm?module"])
        .args(["--legal-comments=none", "--log-level=warning"]);
    run::quiet(&mut bundler)
}
