//! Short names for what the frame's module imports.
//!
//! wasm-bindgen names each import after its function and a hash of 16 digits, once in the module and once in the glue.
//! A hash does not compress: together they cost a kilobyte that nobody reads.

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{ImportSection, Module};
use wasmparser::{ImportSectionReader, Parser};

/// The module and its glue, their imports renamed to `a`, `b`, `c` and so on.
pub(super) fn shorten(module: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut shortener = Shortener {
        glue: glue.to_owned(),
        renamed: 0,
        strange: None,
    };
    let mut shorter = Module::new();
    utils::parse_core_module(&mut shortener, &mut shorter, Parser::new(0), module)
        .context("the frame's module cannot be read")?;
    if let Some(name) = shortener.strange {
        anyhow::bail!("the glue does not define the import {name} exactly once");
    }
    ensure!(shortener.renamed > 0, "the frame's module imports nothing");
    Ok((shorter.finish(), shortener.glue))
}

struct Shortener {
    glue: String,
    renamed: usize,
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
                imports.import(import.module, &name, self.entity_type(import.ty)?);
            } else {
                self.strange.get_or_insert_with(|| import.name.to_owned());
            }
        }
        Ok(())
    }
}

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
    use wasm_encoder::{EntityType, TypeSection};

    fn module(imports: &[&str]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut section = ImportSection::new();
        for name in imports {
            section.import("./glue.js", name, EntityType::Function(0));
        }
        let mut module = Module::new();
        module.section(&types).section(&section);
        module.finish()
    }

    #[test]
    fn renames_on_both_sides() {
        let glue = "{ __wbg_set_1: function() {}, __wbg_get_2: function() {} }";
        let (shorter, glue) = shorten(&module(&["__wbg_set_1", "__wbg_get_2"]), glue).unwrap();
        assert_eq!(shorter, module(&["a", "b"]));
        assert_eq!(glue, "{ a: function() {}, b: function() {} }");
    }

    #[test]
    fn refuses_an_import_that_the_glue_lacks() {
        let error = shorten(&module(&["__wbg_set_1"]), "{}").unwrap_err();
        assert!(error.to_string().contains("__wbg_set_1"));
    }

    #[test]
    fn names_never_repeat() {
        let names: std::collections::BTreeSet<_> = (0..2000).map(name).collect();
        assert_eq!(names.len(), 2000);
    }
}
