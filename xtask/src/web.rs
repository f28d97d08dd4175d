//! Builds `target/web`: everything that browsers load.

mod fallback;
pub(crate) mod frame;
mod imports;
pub(crate) mod loader;
mod manifest;
mod scripts;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, Result};
use sha2::{Digest, Sha384};

pub(crate) use manifest::{Built, Manifest};

use crate::node;
use crate::toolchain::{Purpose, Toolchain};
use crate::{bytes, project, run, say};

/// Sources that stand inside the frame's HTML or are bundled into its script.
const FRAME_SOURCES: &str = "www/frame";

/// Whether the JavaScript tools (minifier, wasm optimizer) must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tools {
    /// Without them nothing is built.
    Required,
    /// Without them everything is larger, and a line says so.
    Welcome,
}

/// Builds what is not fresh. Safe to call often: cargo decides about the module, a stamp of all inputs about the rest.
pub(crate) fn build(wanted: Tools) -> Result<Manifest> {
    let tools = match (node::Tools::install(), wanted) {
        (Ok(tools), _) => Some(tools),
        (Err(error), Tools::Required) => return Err(error),
        (Err(error), Tools::Welcome) => {
            say::progress(format!(
                "scripts stay unminified and the wasm about 10 % larger: {error:#}"
            ));
            None
        }
    };
    let toolchain = Toolchain::find(Purpose::Size)?;
    let std = if toolchain.std_from_source {
        "std from source, for size"
    } else {
        "ready-made std"
    };
    say::progress(format!("frame, wasm ({}, {std})", toolchain.route));
    let module = frame::compile(&toolchain, frame::PACKAGE, frame::GLUE, "frame")?;
    let translatable = fallback::compile(&toolchain, tools.as_ref())?;

    let built = Built::new(&toolchain, tools.is_some());
    let stamp = stamp(&[&module, translatable.as_deref().unwrap_or_default()], &built)?;
    let stamp_file = project::scratch().join("web.stamp");
    if fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp)
        && let Ok(manifest) = Manifest::read(&project::web())
    {
        return Ok(manifest);
    }

    say::progress("target/web: glue, scripts, compression");
    let mut files = Files::default();
    let mut frame = frame::assemble(&module, tools.as_ref(), &mut files)?;
    if let (Some(module), Some(tools)) = (&translatable, &tools) {
        frame.fallback = Some(fallback::assemble(module, tools, &mut files)?);
    }
    for (name, bytes) in without_module(tools.as_ref())? {
        files.add(name, bytes);
    }

    let manifest = files.write(&project::web(), built, frame)?;
    fs::write(&stamp_file, stamp)?;
    Ok(manifest)
}

/// What is made of scripts and styles alone: the same bytes wherever the tools are, whatever compiles the module.
pub(crate) fn without_module(tools: Option<&node::Tools>) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let mut made = Vec::new();
    for name in [INLINE, REFUSAL] {
        let source = scripts::write(name, &project::scratch().join("frame"))?;
        made.push((name, minified(&source, tools)?));
    }
    let style = project::at(FRAME_SOURCES).join("frame.css");
    made.push(("frame.css", minified(&style, tools)?));
    let script = project::scratch().join(loader::NAME);
    fs::write(&script, loader::joined()?)?;
    made.push((loader::NAME, [EAGER, &minified(&script, tools)?].concat()));
    Ok(made)
}

/// The script inside the frame's page, and that inside the page of a refusal.
pub(crate) const INLINE: &str = "inline.js";
pub(crate) const REFUSAL: &str = "refusal.js";

/// First line of the loader, nearly all of which runs at once: Chromium compiles it whole while it arrives, instead of each
/// function when it is called, which costs the page's thread 3 ms of 10. To others it is a comment.
const EAGER: &[u8] = b"//# allFunctionsCalledOnLoad\n";

/// Files on their way into `target/web`.
#[derive(Default)]
struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    fn add(&mut self, name: impl Into<String>, bytes: Vec<u8>) {
        self.0.push((name.into(), bytes));
    }

    /// Writes all with their compressed siblings, the manifest last, and removes what is no longer part of it.
    fn write(self, folder: &Path, built: Built, frame: manifest::Frame) -> Result<Manifest> {
        fs::create_dir_all(folder)?;
        let mut kept = vec![manifest::NAME.to_owned()];
        let mut files = Vec::new();
        for (name, bytes) in self.0 {
            let packed = bytes::brotli(&bytes)?;
            files.push(manifest::File {
                bytes: bytes.len(),
                brotli: packed.len(),
                integrity: bytes::integrity(&bytes),
                name: name.clone(),
            });
            let packed_name = format!("{name}.br");
            write_changed(&folder.join(&name), &bytes)?;
            write_changed(&folder.join(&packed_name), &packed)?;
            kept.extend([name, packed_name]);
        }
        let manifest = Manifest {
            version: project::VERSION.to_owned(),
            built,
            frame,
            files,
        };
        write_changed(&folder.join(manifest::NAME), &manifest.to_bytes()?)?;
        for entry in fs::read_dir(folder)?.flatten() {
            if !kept.iter().any(|name| entry.file_name() == name.as_str()) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(manifest)
    }
}

/// A script or style sheet, minified where the tool is there.
fn minified(source: &Path, tools: Option<&node::Tools>) -> Result<Vec<u8>> {
    let Some(tools) = tools else {
        return fs::read(source).with_context(|| project::shown(source));
    };
    let is_script = source.extension().is_some_and(|extension| extension == "js");
    let smaller = bundled(source, &[], tools)?;
    if is_script {
        return squeezed(&smaller, false, tools);
    }
    Ok(smaller.into_bytes())
}

/// A module and all that it imports as one script.
fn bundle(entry: &Path, tools: &node::Tools) -> Result<Vec<u8>> {
    let script = bundled(entry, &["--bundle", "--format=esm"], tools)?;
    squeezed(&script, true, tools)
}

fn bundled(source: &Path, words: &[&str], tools: &node::Tools) -> Result<String> {
    let mut bundler = tools.tool("esbuild");
    bundler.arg(source).args(words).args([
        "--minify",
        "--target=es2022",
        // They are served as UTF-8, and say so.
        "--charset=utf8",
        "--legal-comments=none",
        "--log-level=warning",
    ]);
    Ok(run::quiet(&mut bundler)?.trim_end().to_owned())
}

/// The same script in fewer bytes: what the bundler leaves is 2 to 3 % under brotli, at no risk.
fn squeezed(script: &str, is_module: bool, tools: &node::Tools) -> Result<Vec<u8>> {
    let input = project::scratch().join("script.js");
    fs::write(&input, script)?;
    let mut squeezer = tools.tool("terser");
    squeezer.arg(&input).args([
        "--ecma",
        "2020",
        "--mangle",
        "--compress",
        "passes=3,pure_getters,unsafe_arrows,keep_fargs=false",
    ]);
    if is_module {
        squeezer.arg("--module");
    }
    Ok(run::quiet(&mut squeezer)?.trim_end().as_bytes().to_vec())
}

/// Leaves an unchanged file alone, so that cargo does not build the service again for it.
fn write_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).with_context(|| project::shown(path))
}

/// Hash of everything that decides what `target/web` holds.
fn stamp(modules: &[&[u8]], built: &Built) -> Result<String> {
    let mut hash = Sha384::new();
    for module in modules {
        hash.update(module.len().to_le_bytes());
        hash.update(module);
    }
    hash.update(serde_json::to_vec(built)?);
    hash.update(project::VERSION);
    // This program itself: its size and time of build stand for its code.
    let own = fs::metadata(std::env::current_exe()?)?;
    hash.update(own.len().to_le_bytes());
    hash.update(
        own.modified()?
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_nanos()
            .to_le_bytes(),
    );
    for file in sources()? {
        hash.update(project::shown(&file));
        hash.update(fs::read(&file)?);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn sources() -> Result<Vec<PathBuf>> {
    let mut found = vec![
        project::at("tests/package-lock.json"),
        project::at(crate::codes::TABLE),
    ];
    for folder in [FRAME_SOURCES, "www/loader", loader::TEXTS] {
        for entry in fs::read_dir(project::at(folder)).with_context(|| folder.to_owned())? {
            found.push(entry?.path());
        }
    }
    found.retain(|path| path.is_file());
    found.sort();
    Ok(found)
}
