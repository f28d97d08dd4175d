//! The frame's wasm module, its glue and its script.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::{FRAME_SOURCES, Files, imports, manifest};
use crate::toolchain::{TARGET, Toolchain};
use crate::{bytes, node, project, run, say};

/// Name of the library, which the glue takes over; `main.js` imports it.
const GLUE: &str = "card_widget";

/// Compiles the root package; returns the module as the compiler wrote it.
pub(super) fn compile(toolchain: &Toolchain) -> Result<Vec<u8>> {
    let mut cargo = toolchain.cargo("build");
    run::shown(cargo.args(["--package", "card-widget", "--lib", "--profile", "frame"]))
        .context("the frame does not compile")?;
    let path = project::at("target/wasm")
        .join(TARGET)
        .join("frame")
        .join(format!("{GLUE}.wasm"));
    fs::read(&path).with_context(|| project::shown(&path))
}

/// Makes glue and script, shrinks the module, and adds all under names that carry their hash.
pub(super) fn assemble(
    module: &[u8],
    tools: Option<&node::Tools>,
    files: &mut Files,
) -> Result<manifest::Frame> {
    let folder = project::scratch().join("frame");
    fs::create_dir_all(&folder)?;
    let input = project::scratch().join(format!("{GLUE}.wasm"));
    fs::write(&input, module)?;
    bindgen(&input, &folder)?;
    let main = project::at(FRAME_SOURCES).join("main.js");
    fs::copy(&main, folder.join("main.js")).with_context(|| project::shown(&main))?;

    let mut wasm = folder.join(format!("{GLUE}_bg.wasm"));
    let glue = folder.join(format!("{GLUE}.js"));
    let (shorter, shorter_glue) = imports::shorten(&fs::read(&wasm)?, &fs::read_to_string(&glue)?)?;
    fs::write(&wasm, shorter)?;
    fs::write(&glue, shorter_glue)?;
    let Some(tools) = tools else {
        return plain(&folder, &wasm, files);
    };
    let smaller = folder.join("smaller.wasm");
    let mut optimizer = tools.tool("wasm-opt");
    // What today's compilers emit by default and every current browser knows.
    optimizer.args([
        "-Oz",
        "--enable-bulk-memory",
        "--enable-nontrapping-float-to-int",
        "--enable-reference-types",
    ]);
    optimizer.args([
        "--enable-sign-ext",
        "--enable-mutable-globals",
        "--enable-multivalue",
        "--strip-producers",
        "--strip-target-features",
    ]);
    run::quiet(optimizer.arg(&wasm).arg("-o").arg(&smaller))?;
    wasm = smaller;
    let mut bundler = tools.tool("esbuild");
    bundler
        .arg(folder.join("main.js"))
        .args(["--bundle", "--format=esm", "--minify", "--target=es2022"]);
    let script = run::quiet(bundler.args(["--legal-comments=none", "--log-level=warning"]))?;

    let script = add(files, "frame", "js", script.trim_end().as_bytes().to_vec());
    let wasm = add(files, "frame", "wasm", fs::read(wasm)?);
    Ok(manifest::Frame {
        script,
        wasm,
        glue: None,
    })
}

/// Without a bundler: script and glue apart, the script naming the glue by its hashed name.
fn plain(folder: &Path, wasm: &Path, files: &mut Files) -> Result<manifest::Frame> {
    let glue = add(files, GLUE, "js", fs::read(folder.join(format!("{GLUE}.js")))?);
    let main = fs::read_to_string(folder.join("main.js"))?;
    let main = main.replace(&format!("./{GLUE}.js"), &format!("./{glue}"));
    let script = add(files, "frame", "js", main.into_bytes());
    let wasm = add(files, "frame", "wasm", fs::read(wasm)?);
    Ok(manifest::Frame {
        script,
        wasm,
        glue: Some(glue),
    })
}

/// Adds a file as `name-<hash>.extension`, the name being returned.
fn add(files: &mut Files, name: &str, extension: &str, bytes: Vec<u8>) -> String {
    let name = format!("{name}-{}.{extension}", bytes::short_hash(&bytes));
    files.add(name.clone(), bytes);
    name
}

/// Glue and its types; the types are for the check of `main.js` and go no further.
fn bindgen(module: &Path, folder: &Path) -> Result<()> {
    let mut command = run::program(bindgen_binary("xtask-bindgen")?);
    command
        .arg(module)
        .arg("--out-dir")
        .arg(folder)
        .args(["--target", "web"]);
    // The frame names its module itself; without a default there is no address to guess.
    command.args([
        "--omit-default-module-path",
        "--remove-name-section",
        "--remove-producers-section",
    ]);
    run::quiet(&mut command).map(drop)
}

/// One of the two binaries of `xtask-bindgen`, built when it is not fresh.
pub(crate) fn bindgen_binary(name: &str) -> Result<std::path::PathBuf> {
    let path = project::binary(name);
    if !path.is_file() {
        say::progress("wasm-bindgen, once (about two minutes)");
    }
    // Old parts of its dependencies are not ours to mend: no word about future compilers.
    let quiet = "future-incompat-report.frequency=\"never\"";
    run::shown(run::cargo("build").args(["--package", "xtask-bindgen", "--config", quiet]))?;
    Ok(path)
}
