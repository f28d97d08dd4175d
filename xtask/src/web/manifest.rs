//! `manifest.json`: what was built, how, and how large it is.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::toolchain::Toolchain;
use crate::{project, say};

/// Name of the manifest in `target/web`.
pub(super) const NAME: &str = "manifest.json";

/// The whole manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Version of the package.
    pub(crate) version: String,
    /// How it was built. A size says nothing without it.
    pub(crate) built: Built,
    /// Names of the files that make a frame work.
    pub(crate) frame: Frame,
    /// Every file, without the compressed siblings and this manifest.
    pub(crate) files: Vec<File>,
}

/// The way of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Built {
    /// `size`: standard library built from source for size; `prebuilt`: the ready-made one.
    pub(crate) std: String,
    /// Compiler: its origin and version.
    pub(crate) route: String,
    /// The module went through `wasm-opt`.
    pub(crate) optimized: bool,
    /// Scripts and style sheets are minified.
    pub(crate) minified: bool,
}

/// Names of the frame's files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Frame {
    /// Module script.
    pub(crate) script: String,
    /// WebAssembly module.
    pub(crate) wasm: String,
    /// Generated glue, where it is not bundled into the script.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) glue: Option<String>,
    /// What runs where WebAssembly does not; absent where it could not be made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) fallback: Option<String>,
}

/// One file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct File {
    /// Name in its folder.
    pub(crate) name: String,
    /// Size in bytes.
    pub(crate) bytes: usize,
    /// Size in bytes under brotli 11.
    pub(crate) brotli: usize,
    /// Subresource integrity value.
    pub(crate) integrity: String,
}

impl Built {
    pub(super) fn new(toolchain: &Toolchain, tools: bool) -> Self {
        let std = if toolchain.std_from_source {
            "size"
        } else {
            "prebuilt"
        };
        Self {
            std: std.to_owned(),
            route: toolchain.route.clone(),
            optimized: tools,
            minified: tools,
        }
    }
}

impl Manifest {
    /// The manifest of a complete folder: every file that it names is there in its size.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let manifest: Self = serde_json::from_slice(&fs::read(folder.join(NAME))?)?;
        for file in &manifest.files {
            let data = fs::metadata(folder.join(&file.name))?;
            anyhow::ensure!(data.len() == file.bytes as u64, "{} was changed", file.name);
            anyhow::ensure!(
                folder.join(format!("{}.br", file.name)).is_file(),
                "{} has no sibling",
                file.name
            );
        }
        Ok(manifest)
    }

    /// As it is written.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// A file by its name.
    pub(crate) fn file(&self, name: &str) -> Result<&File> {
        self.files
            .iter()
            .find(|file| file.name == name)
            .with_context(|| format!("target/web has no {name}"))
    }

    /// Prints what was built.
    pub(crate) fn report(&self) {
        let Built { std, route, .. } = &self.built;
        say::line(format!(
            "{} (std: {std}, {route})",
            project::shown(&project::web())
        ));
        for File {
            name, bytes, brotli, ..
        } in &self.files
        {
            say::line(format!("{name:<28} {bytes:>8} bytes {brotli:>7} brotli"));
        }
    }
}
