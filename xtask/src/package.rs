//! `cargo xtask package`: the npm package and the script files, ready to be published.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::cores::{self, Built};
use crate::entries::{self, Entry};
use crate::web::{self, Manifest, loader};
use crate::{bytes, node, project, provenance, run, say};

/// What was packed.
pub(crate) struct Package {
    /// The npm tarball.
    pub(crate) tarball: PathBuf,
    /// Folder with the script files and their manifest.
    dist: PathBuf,
    manifest: Manifest,
    cores: Vec<Built>,
    entries: Vec<Entry>,
}

impl Package {
    /// Prints what lies where.
    pub(crate) fn report(&self) {
        say::line(project::shown(&self.tarball));
        say::line(project::shown(&self.dist));
        self.manifest.report();
        self.cores.iter().for_each(Built::report);
        self.entries.iter().for_each(Entry::report);
    }
}

/// Packs both.
pub(crate) fn build() -> Result<Package> {
    let manifest = web::build(web::Tools::Required)?;
    let cores = cores::build()?;
    let tarball = pack(&cores)?;
    let entries = entries::measure(&staged())?;
    let dist = project::at("target/dist");
    write_dist(&dist, &manifest, &tarball, &entries)?;
    Ok(Package {
        tarball,
        dist,
        manifest,
        cores,
        entries,
    })
}

/// The package's files, as they are packed.
pub(crate) fn staged() -> PathBuf {
    project::scratch().join("package")
}

/// The npm package: `pkg-template` with version, licence, loader and the modules.
pub(crate) fn pack(cores: &[Built]) -> Result<PathBuf> {
    node::check_version()?;
    let staged = staged();
    empty(&staged)?;
    for entry in fs::read_dir(project::at("pkg-template"))?.flatten() {
        fs::copy(entry.path(), staged.join(entry.file_name()))?;
    }
    fs::copy(project::at("LICENSE"), staged.join("LICENSE"))?;
    fs::write(staged.join("loader.js"), loader::packed()?)?;
    for file in cores.iter().flat_map(|core| &core.files) {
        fs::copy(file, staged.join(file.file_name().unwrap_or_default()))?;
    }
    let path = staged.join("package.json");
    let manifest = fs::read_to_string(&path)?;
    // Stamped as text, so that the order of the members stays as it was written.
    let stamped = manifest.replacen(
        "\"version\": \"0.0.0\"",
        &format!("\"version\": \"{}\"", project::VERSION),
        1,
    );
    anyhow::ensure!(
        stamped != manifest,
        "pkg-template/package.json has no version 0.0.0 to replace"
    );
    // The name that npm itself has for it.
    let commit =
        provenance::commit().map_or_else(String::new, |hash| format!("  \"gitHead\": \"{hash}\",\n"));
    fs::write(
        &path,
        stamped.replacen("  \"license\"", &(commit + "  \"license\""), 1),
    )?;

    let folder = project::at("target/npm");
    empty(&folder)?;
    let mut npm = run::program("npm");
    npm.current_dir(&staged)
        .args(["pack", "--silent", "--pack-destination"])
        .arg(&folder);
    run::quiet(&mut npm)?;
    let tarball = folder.join(format!("card-widget-{}.tgz", project::VERSION));
    anyhow::ensure!(tarball.is_file(), "npm pack made no {}", project::shown(&tarball));
    Ok(tarball)
}

/// The files under the addresses that the service gives them, with a manifest of sizes and integrity values.
fn write_dist(dist: &Path, manifest: &Manifest, tarball: &Path, entries: &[Entry]) -> Result<()> {
    empty(dist)?;
    let folder = format!("widget/{}", manifest.version);
    fs::create_dir_all(dist.join(&folder))?;
    let frame = &manifest.frame;
    let served = [
        Some(loader::NAME),
        Some(&frame.script),
        Some(&frame.wasm),
        frame.glue.as_deref(),
    ];
    let mut files: Vec<Value> = Vec::new();
    for name in served.into_iter().flatten() {
        let file = manifest.file(name)?;
        for name in [name.to_owned(), format!("{name}.br")] {
            let from = project::web().join(&name);
            fs::copy(&from, dist.join(&folder).join(&name)).with_context(|| project::shown(&from))?;
        }
        files.push(json!({
            "path": format!("{folder}/{name}"),
            "bytes": file.bytes,
            "brotli": file.brotli,
            "integrity": file.integrity,
        }));
    }
    let manifest = json!({
        "version": manifest.version,
        "provenance": provenance::of(&manifest.built)?,
        "files": files,
        "package": {
            "path": tarball.file_name().map(|name| name.to_string_lossy()),
            "integrity": bytes::integrity(&fs::read(tarball)?),
            "entries": entries.iter().map(Entry::told).collect::<Vec<_>>(),
        },
    });
    fs::write(
        dist.join("manifest.json"),
        serde_json::to_string_pretty(&manifest)? + "\n",
    )?;
    Ok(())
}

fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| project::shown(folder))
}
