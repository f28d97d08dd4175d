//! The frame's wasm module, its glue and its script.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::{Files, imports, manifest, scripts};
use crate::toolchain::{TARGET, Toolchain};
use crate::{bytes, node, project, run, say};

/// The root package, and its library, whose name the glue takes over; `main.js` imports it.
pub(super) const PACKAGE: &str = "card-widget";
pub(super) const GLUE: &str = "card_widget";

/// Compiles a package for the browser; returns the module as the compiler wrote it.
pub(crate) fn compile(toolchain: &Toolchain, package: &str, library: &str, profile: &str) -> Result<Vec<u8>> {
    let mut cargo = toolchain.cargo("build");
    run::shown(cargo.args(["--package", package, "--lib", "--profile", profile]))
        .with_context(|| format!("{package} does not compile"))?;
    let path = project::at("target/wasm")
        .join(TARGET)
        .join(profile)
        .join(format!("{library}.wasm"));
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
    scripts::copy(&folder)?;
    let mut wasm = bindgen(module, GLUE, &folder)?;
    let Some(tools) = tools else {
        return plain(&folder, &wasm, files);
    };
    let smaller = folder.join("smaller.wasm");
    optimize(tools, &wasm, &smaller)?;
    wasm = smaller;
    let script = super::bundle(&folder.join("main.js"), tools)?;
    let script = add(files, "frame", "js", script);
    let wasm = add(files, "frame", "wasm", fs::read(wasm)?);
    Ok(manifest::Frame {
        script,
        wasm,
        glue: None,
        fallback: None,
    })
}

/// Without a bundler: script and glue apart, the script naming the glue by its hashed name.
fn plain(folder: &Path, wasm: &Path, files: &mut Files) -> Result<manifest::Frame> {
    let glue = add(files, GLUE, "js", fs::read(folder.join(format!("{GLUE}.js")))?);
    let source = format!("./{GLUE}.js");
    let main = scripts::joined(&source)?.replace(&source, &format!("./{glue}"));
    let script = add(files, "frame", "js", main.into_bytes());
    let wasm = add(files, "frame", "wasm", fs::read(wasm)?);
    Ok(manifest::Frame {
        script,
        wasm,
        glue: Some(glue),
        fallback: None,
    })
}

/// Adds a file as `name-<hash>.extension`, the name being returned.
pub(super) fn add(files: &mut Files, name: &str, extension: &str, bytes: Vec<u8>) -> String {
    let name = format!("{name}-{}.{extension}", bytes::short_hash(&bytes));
    files.add(name.clone(), bytes);
    name
}

/// Makes glue, its types and the module that belongs to them; returns the module's path. The types are for checking the
/// scripts that import the glue, and go no further.
pub(crate) fn bindgen(module: &[u8], library: &str, folder: &Path) -> Result<PathBuf> {
    let input = project::scratch().join(format!("{library}.wasm"));
    fs::write(&input, module)?;
    let mut command = run::program(bindgen_binary("xtask-bindgen")?);
    command
        .arg(&input)
        .arg("--out-dir")
        .arg(folder)
        .args(["--target", "web"]);
    // Our scripts name the module themselves; without a default there is no address to guess.
    command.args([
        "--omit-default-module-path",
        "--remove-name-section",
        "--remove-producers-section",
    ]);
    run::quiet(&mut command)?;
    let wasm = folder.join(format!("{library}_bg.wasm"));
    let glue = folder.join(format!("{library}.js"));
    let glue_text = imports::trim(&fs::read_to_string(&glue)?)?;
    let (shorter, shorter_glue) = imports::shorten(&fs::read(&wasm)?, &glue_text)?;
    fs::write(&wasm, shorter)?;
    fs::write(&glue, shorter_glue)?;
    Ok(wasm)
}

/// Makes a module smaller.
pub(crate) fn optimize(tools: &node::Tools, module: &Path, smaller: &Path) -> Result<()> {
    let mut optimizer = tools.tool("wasm-opt");
    // Small, then its branches made anew out of a graph, then small again, with all that is known of the whole module: two
    // per cent less than once `-Oz`. The linker puts the stack first, and nobody comes down to its last kilobyte.
    optimizer.args(["-Oz", "--flatten", "--rereloop", "-Oz", "-Oz", "--gufa", "-Oz"]);
    optimizer.args(["--low-memory-unused", "--converge"]);
    // What today's compilers emit by default and every current browser knows.
    optimizer.args([
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
    run::quiet(optimizer.arg(module).arg("-o").arg(smaller)).map(drop)
}

/// One of the two binaries of `xtask-bindgen`, built when it is not fresh.
pub(crate) fn bindgen_binary(name: &str) -> Result<PathBuf> {
    let path = project::binary(name);
    if !path.is_file() {
        say::progress("wasm-bindgen, once (about two minutes)");
    }
    // Old parts of its dependencies are not ours to mend: no word about future compilers.
    let quiet = "future-incompat-report.frequency=\"never\"";
    run::shown(run::cargo("build").args(["--package", "xtask-bindgen", "--config", quiet]))?;
    Ok(path)
}
