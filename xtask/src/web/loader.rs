//! The script that shops load, joined from the modules in `www/loader`.

use std::fs;

use anyhow::{Context as _, Result};

use crate::project;

/// Name of the script, also in its address.
pub(crate) const NAME: &str = "card-widget.js";

/// The loader as one classic script: both modules without their import and export words, in one function.
pub(crate) fn joined() -> Result<String> {
    let mut body = String::new();
    for name in [NAME, "install.js"] {
        body.push_str(&without_module_words(&module(name)?));
    }
    Ok(format!("(() => {{\n'use strict';\n{body}}})();\n"))
}

/// A source of the loader with the version filled in, still a module.
pub(crate) fn module(name: &str) -> Result<String> {
    let path = project::at("www/loader").join(name);
    let text = fs::read_to_string(&path).with_context(|| project::shown(&path))?;
    Ok(text.replace("%VERSION%", project::VERSION))
}

/// Import statements, which start a line and end with `;`, are left out, and `export` is taken off declarations.
fn without_module_words(source: &str) -> String {
    let mut text = String::new();
    let mut in_import = false;
    for line in source.lines() {
        in_import = in_import || line.starts_with("import ");
        if in_import {
            in_import = !line.trim_end().ends_with(';');
            continue;
        }
        text.push_str(line.strip_prefix("export ").unwrap_or(line));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_plain_declarations() {
        let source = "import { a } from './a.js';\nimport {\n  b,\n} from './b.js';\n/** @import x */\nexport const c = a;\n  export_(b);\n";
        assert_eq!(
            without_module_words(source),
            "/** @import x */\nconst c = a;\n  export_(b);\n"
        );
    }

    #[test]
    fn the_joined_loader_has_a_version_and_no_module_words() {
        let script = joined().expect("sources are there");
        assert!(script.contains(project::VERSION) && !script.contains("%VERSION%"));
        assert!(
            !script
                .lines()
                .any(|line| line.starts_with("import ") || line.starts_with("export "))
        );
    }
}
