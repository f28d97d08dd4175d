//! Short names for what the frame's module imports and exports, and glue without what no browser of today needs.
//!
//! wasm-bindgen names each import after its function and a hash of 16 digits, once in the module and once in the glue.
//! A hash does not compress: together they cost a kilobyte that nobody reads.

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{ExportSection, ImportSection, Module};
use wasmparser::{Export, ImportSectionReader, Parser};

/// The module and its glue, their imports and exports renamed to `a`, `b`, `c` and so on. Exports that the glue does not
/// know are left out; the memory keeps its name, as it is wiped from outside.
pub(super) fn shorten(module: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut shortener = Shortener {
        glue: glue.to_owned(),
        renamed: 0,
        exported: 0,
        strange: None,
    };
    let mut shorter = Module::new();
    utils::parse_core_module(&mut shortener, &mut shorter, Parser::new(0), module)
        .context("the frame's module cannot be read")?;
    if let Some(name) = shortener.strange {
        anyhow::bail!("the glue does not define the import {name} exactly once");
    }
    ensure!(shortener.renamed > 0, "the module imports nothing");
    Ok((shorter.finish(), shortener.glue))
}

struct Shortener {
    glue: String,
    renamed: usize,
    exported: usize,
    /// An import that the glue does not define, or more than once.
    strange: Option<String>,
}

impl Reencode for Shortener {
    type Error = std::convert::Infallible;

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), Error<Self::Error>> {
        for import in section.into_imports() {
            let import = import?;
            let definition = format!("{}: function", import.name);
            if self.glue.matches(&definition).count() == 1 {
                let name = name(self.renamed);
                self.renamed += 1;
                self.glue = self.glue.replace(&definition, &format!("{name}: function"));
                self.glue = self
                    .glue
                    .replace(&format!("{:?}", import.module), &format!("{MODULE:?}"));
                imports.import(MODULE, &name, self.entity_type(import.ty)?);
            } else {
                self.strange.get_or_insert_with(|| import.name.to_owned());
            }
        }
        Ok(())
    }

    fn parse_export(
        &mut self,
        exports: &mut ExportSection,
        export: Export<'_>,
    ) -> Result<(), Error<Self::Error>> {
        let kind = self.export_kind(export.kind)?;
        let index = self.external_index(export.kind, export.index)?;
        if export.name == MEMORY {
            exports.export(MEMORY, kind, index);
        } else if let Some(renamed) = with_member(&self.glue, export.name, &name(self.exported)) {
            exports.export(&name(self.exported), kind, index);
            self.glue = renamed;
            self.exported += 1;
        }
        Ok(())
    }
}

/// The glue with another name for a member of `wasm`; nothing where it does not use that.
fn with_member(glue: &str, from: &str, to: &str) -> Option<String> {
    let member = format!("wasm.{from}");
    let mut parts = glue.split(member.as_str());
    let mut text = parts.next()?.to_owned();
    let mut found = false;
    for part in parts {
        let is_whole = !part.starts_with(|next: char| next == '_' || next.is_ascii_alphanumeric());
        text.push_str(&if is_whole {
            format!("wasm.{to}")
        } else {
            member.clone()
        });
        text.push_str(part);
        found |= is_whole;
    }
    found.then_some(text)
}

/// The glue without its help for browsers that can do nothing else of the frame either, and for callers that we are not.
/// A module that needs less has less glue; should a later wasm-bindgen write it in other words, the budgets tell.
///
/// `initSync` takes a compiled module and makes a fresh instance each time: that is how one that trapped is replaced. Here
/// other words are an error.
pub(super) fn trim(glue: &str) -> Result<String> {
    let mut trimmed = glue.to_owned();
    for (start, end) in TRIMMED {
        if let Some(range) = passage(&trimmed, start, end) {
            trimmed.replace_range(range, "");
        }
    }
    for line in TRIMMED_LINES {
        trimmed = trimmed.replace(line, "");
    }
    // A look at the memory costs less than remembering whether an old one is still good.
    for kind in ["DataView", "Uint8Array", "Uint16Array"] {
        if let Some(range) = passage(&trimmed, &format!("let cached{kind}Memory0 = null;"), "\n}\n") {
            let fresh =
                format!("function get{kind}Memory0() {{\n    return new {kind}(wasm.memory.buffer);\n}}\n");
            trimmed.replace_range(range, &fresh);
            trimmed = trimmed.replace(&format!("    cached{kind}Memory0 = null;\n"), "");
        }
    }
    let start = passage(&trimmed, "function initSync(module) {", "\n}\n");
    let start = start.context("the glue has no `initSync` as it used to be")?;
    trimmed.replace_range(start, START);
    ensure!(
        trimmed.matches(NEW_INSTANCE).count() == 1,
        "the glue does not take a new instance as it used to"
    );
    Ok(trimmed)
}

/// From the first words of a passage to its last.
fn passage(text: &str, start: &str, end: &str) -> Option<std::ops::Range<usize>> {
    let at = text.find(start)?;
    let length = text[at..].find(end)?;
    Some(at..at + length + end.len())
}

/// `initSync` for one who has compiled the module.
const START: &str = "function initSync({ module }) {
    return __wbg_finalize_init(new WebAssembly.Instance(module, __wbg_get_imports()));
}
";

/// Where the glue takes a new instance.
pub(super) const NEW_INSTANCE: &str = "    wasm = instance.exports;\n";

/// First and last words of passages that go.
const TRIMMED: [(&str, &str); 3] = [
    // A browser without `encodeInto` has no WebAssembly either.
    ("if (!('encodeInto' in cachedTextEncoder)) {", "\n}\n"),
    // A decoder of Safari forgets itself after two gigabytes of texts; a form shows a few kilobytes.
    (
        "    numBytesDecoded += bytes.length;",
        "        numBytesDecoded = bytes.length;\n    }\n",
    ),
    // For modules that cannot make room smaller; ours can.
    ("    if (realloc === undefined) {", "\n    }\n"),
];

/// Lines that go.
const TRIMMED_LINES: [&str; 4] = [
    // Kept for nobody.
    "    wasmInstance = instance;\n",
    "    wasmModule = module;\n",
    // A memory of more than two gigabytes is not ours.
    "    ptr = ptr >>> 0;\n",
    // Warms up what is used a moment later.
    "cachedTextDecoder.decode();\n",
];

/// What the module calls its memory.
const MEMORY: &str = "memory";

/// What the module calls the glue.
const MODULE: &str = "b";

/// `a` to `z`, then `aa`, `ba` and so on.
fn name(mut number: usize) -> String {
    let mut name = String::new();
    loop {
        // Below 26.
        name.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{EntityType, ExportKind, TypeSection};

    fn module(glue: &str, imports: &[&str]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut section = ImportSection::new();
        for name in imports {
            section.import(glue, name, EntityType::Function(0));
        }
        let mut module = Module::new();
        module.section(&types).section(&section);
        module.finish()
    }

    #[test]
    fn renames_on_both_sides() {
        let glue = "{ \"./glue.js\": { __wbg_set_1: function() {}, __wbg_get_2: function() {} } }";
        let (shorter, glue) = shorten(&module("./glue.js", &["__wbg_set_1", "__wbg_get_2"]), glue).unwrap();
        assert_eq!(shorter, module("b", &["a", "b"]));
        assert_eq!(glue, "{ \"b\": { a: function() {}, b: function() {} } }");
    }

    #[test]
    fn exports_that_the_glue_uses_are_renamed_and_others_go() {
        let with_exports = |import: (&str, &str), exports: &[&str]| {
            let mut types = TypeSection::new();
            types.ty().function([], []);
            let mut imports = ImportSection::new();
            imports.import(import.0, import.1, EntityType::Function(0));
            let mut section = ExportSection::new();
            for name in exports {
                section.export(name, ExportKind::Func, 0);
            }
            let mut module = Module::new();
            module.section(&types).section(&imports).section(&section);
            module.finish()
        };
        let module = with_exports(("./glue.js", "__wbg_x"), &["memory", "go", "go_on", "unused"]);
        let glue =
            "{ \"./glue.js\": { __wbg_x: function() {} } } wasm.go_on(); wasm.go(); wasm.go, wasm.memory";
        let (shorter, glue) = shorten(&module, glue).unwrap();
        assert_eq!(shorter, with_exports(("b", "a"), &["memory", "a", "b"]));
        assert_eq!(
            glue,
            "{ \"b\": { a: function() {} } } wasm.b(); wasm.a(); wasm.a, wasm.memory"
        );
    }

    #[test]
    fn an_instance_is_made_anew_each_time() {
        let body = "    if (wasm !== undefined) return wasm;\n    return __wbg_finalize_init(instance, module);\n}\n";
        let glue = format!("function initSync(module) {{\n{body}{NEW_INSTANCE}");
        assert_eq!(trim(&glue).unwrap(), format!("{START}{NEW_INSTANCE}"));
        for other in ["function initSync(a, b) {}\n", "function initSync(module) {\n}\n"] {
            assert!(trim(other).is_err(), "{other}");
        }
    }

    #[test]
    fn memory_is_looked_at_and_not_remembered() {
        let view = "let cachedUint8ArrayMemory0 = null;\nfunction getUint8ArrayMemory0() {\n    if (x) {\n    }\n    return y;\n}\n";
        let glue = format!(
            "{view}function initSync(module) {{\n}}\n{NEW_INSTANCE}    cachedUint8ArrayMemory0 = null;\n"
        );
        let view = "function getUint8ArrayMemory0() {\n    return new Uint8Array(wasm.memory.buffer);\n}\n";
        assert_eq!(trim(&glue).unwrap(), format!("{view}{START}{NEW_INSTANCE}"));
    }

    #[test]
    fn refuses_an_import_that_the_glue_lacks() {
        let error = shorten(&module("./glue.js", &["__wbg_set_1"]), "{}").unwrap_err();
        assert!(error.to_string().contains("__wbg_set_1"));
    }

    #[test]
    fn names_never_repeat() {
        let names: std::collections::BTreeSet<_> = (0..2000).map(name).collect();
        assert_eq!(names.len(), 2000);
    }
}
