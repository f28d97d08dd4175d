//! Builds `target/web`: everything that browsers load.

pub(crate) mod frame;
mod imports;
pub(crate) mod loader;
mod manifest;

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
    let module = frame::compile(&toolchain)?;

    let built = Built::new(&toolchain, tools.is_some());
    let stamp = stamp(&module, &built)?;
    let stamp_file = project::scratch().join("web.stamp");
    if fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp)
        && let Ok(manifest) = Manifest::read(&project::web())
    {
        return Ok(manifest);
    }

    say::progress("target/web: glue, scripts, compression");
    let mut files = Files::default();
    let frame = frame::assemble(&module, tools.as_ref(), &mut files)?;
    for name in ["inline.js", "refusal.js", "frame.css"] {
        let source = project::at(FRAME_SOURCES).join(name);
        files.add(name, minified(&source, tools.as_ref())?);
    }
    let script = project::scratch().join("card-widget.js");
    fs::write(&script, loader::joined()?)?;
    files.add(loader::NAME, minified(&script, tools.as_ref())?);

    let manifest = files.write(&project::web(), built, frame)?;
    fs::write(&stamp_file, stamp)?;
    Ok(manifest)
}

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
    let mut command = tools.tool("esbuild");
    command.arg(source).args([
        "--minify",
        "--target=es2022",
        "--legal-comments=none",
        "--log-level=warning",
    ]);
    Ok(run::quiet(&mut command)?.trim_end().as_bytes().to_vec())
}

/// Leaves an unchanged file alone, so that cargo does not build the service again for it.
fn write_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).with_context(|| project::shown(path))
}

/// Hash of everything that decides what `target/web` holds.
fn stamp(module: &[u8], built: &Built) -> Result<String> {
    let mut hash = Sha384::new();
    hash.update(module);
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
    let mut found = vec![project::at("tests/package-lock.json")];
    for folder in [FRAME_SOURCES, "www/loader"] {
        for entry in fs::read_dir(project::at(folder)).with_context(|| folder.to_owned())? {
            found.push(entry?.path());
        }
    }
    found.retain(|path| path.is_file());
    found.sort();
    Ok(found)
}
