//! The frame for browsers that run no WebAssembly: the same crate, translated to JavaScript.
//!
//! One module that exports what the glue exports, so that the frame's script takes either (`docs/adr/0008-*`). It is
//! loaded only where it is needed.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use super::frame::{self, GLUE, PACKAGE};
use super::{Files, imports};
use crate::toolchain::Toolchain;
use crate::{node, project, run, say};

/// The crate as the translator can read it. None, with a line that says why, where that cannot be had.
pub(super) fn compile(toolchain: &Toolchain, tools: Option<&node::Tools>) -> Result<Option<Vec<u8>>> {
    match (toolchain.for_translation(), tools) {
        (Some(toolchain), Some(_)) => {
            say::progress("frame without WebAssembly");
            frame::compile(&toolchain, PACKAGE, GLUE, "fallback").map(Some)
        }
        (toolchain, _) => {
            let why = match toolchain {
                None => "the standard library is ready-made",
                Some(_) => "the tools of `tests/package.json` are not there",
            };
            say::progress(format!("no form for browsers without WebAssembly: {why}"));
            Ok(None)
        }
    }
}

/// Translates the module and adds it with its glue as one script, under a name that carries its hash.
pub(super) fn assemble(module: &[u8], tools: &node::Tools, files: &mut Files) -> Result<String> {
    let folder = project::scratch().join("fallback");
    fs::create_dir_all(&folder)?;
    let wasm = frame::bindgen(module, GLUE, &folder)?;
    let smaller = folder.join("smaller.wasm");
    // Any newer instruction, and the translator would stop.
    let mut optimizer = tools.tool("wasm-opt");
    optimizer.args(["-Oz", "--mvp-features", "--strip-producers"]);
    run::quiet(optimizer.arg(&wasm).arg("-o").arg(&smaller))?;
    let core = folder.join("core.js");
    let mut translator = tools.tool("wasm2js");
    run::quiet(translator.args(["-Oz"]).arg(&smaller).arg("-o").arg(&core))?;

    write_changed_text(&core, as_function)?;
    write_changed_text(&folder.join(format!("{GLUE}.js")), with_own_instances)?;
    fs::write(folder.join("web-assembly.js"), WEB_ASSEMBLY)?;
    let entry = folder.join("fallback.js");
    // All but the default export, which loads a module by its address.
    fs::write(&entry, format!("export * from './{GLUE}.js';\n"))?;
    let script = super::bundle(&entry, tools)?;
    Ok(frame::add(files, "fallback", "js", script))
}

/// What the glue sees as `WebAssembly`.
const WEB_ASSEMBLY: &str = include_str!("fallback/web-assembly.js");

fn write_changed_text(path: &Path, change: fn(&str) -> Result<String>) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| project::shown(path))?;
    fs::write(path, change(&text)?).with_context(|| project::shown(path))
}

/// The translated core as a function of its imports: as it comes from the translator it runs once, when it is loaded.
fn as_function(core: &str) -> Result<String> {
    let (_, body) = core
        .split_once(";\n")
        .filter(|(first, _)| first.starts_with("import * as "))
        .context("the translated core does not begin with its import")?;
    let (body, _) = body
        .split_once("\nvar retasmFunc = asmFunc(")
        .context("the translated core does not end with its call")?;
    // Memory grows by moving: what a field holds would stay behind in the old one, where nobody wipes it.
    let body = replaced(
        body,
        "newHEAP8.set(HEAP8);",
        "newHEAP8.set(HEAP8);\n  HEAP8.fill(0);",
    )?;
    Ok(format!("{body}\nexport {{ asmFunc as core }};\n"))
}

/// The glue with our `WebAssembly`.
fn with_own_instances(glue: &str) -> Result<String> {
    // Values that the module holds stand in an array of the glue; a fresh instance begins with none.
    ensure!(
        glue.contains(
            "let heap = new Array(1024).fill(undefined);\nheap.push(undefined, null, true, false);\n"
        ) && glue.contains("let heap_next = heap.length;")
            && glue.contains("let stack_pointer = 1024;"),
        "the glue keeps its values in another way"
    );
    let glue = replaced(
        glue,
        imports::NEW_INSTANCE,
        &format!(
            "{}    heap.fill(undefined, 0, 1024).length = heap_next = 1028;\n    stack_pointer = 1024;\n",
            imports::NEW_INSTANCE
        ),
    )?;
    Ok(format!(
        "import {{ WebAssembly }} from './web-assembly.js';\n{glue}"
    ))
}

/// The text with a passage that must stand there once in other words.
fn replaced(text: &str, from: &str, to: &str) -> Result<String> {
    let times = text.matches(from).count();
    ensure!(times == 1, "{from:?} stands {times} times where it should once");
    Ok(text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_becomes_a_function_that_leaves_nothing_behind() {
        let core = "import * as b from 'b';\n\nfunction asmFunc(imports) {\n  newHEAP8.set(HEAP8);\n}\n\n\
                    var retasmFunc = asmFunc({\n  \"b\": b,\n});\nexport var memory = retasmFunc.memory;\n";
        let text = as_function(core).unwrap();
        assert!(text.ends_with("}\n\nexport { asmFunc as core };\n"), "{text}");
        assert!(text.contains("HEAP8.fill(0);"));
        assert!(!text.contains("retasmFunc") && !text.contains("import "));
    }

    #[test]
    fn another_translator_or_glue_is_an_error_that_says_where() {
        for core in ["", "import * as b from 'b';\n", "function asmFunc() {}\n"] {
            assert!(as_function(core).is_err(), "{core}");
        }
        let error = with_own_instances("let heap = 1;").unwrap_err().to_string();
        assert!(error.contains("keeps its values"), "{error}");
        assert!(replaced("a a", "a", "b").is_err());
    }
}
