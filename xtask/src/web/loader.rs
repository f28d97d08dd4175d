//! The script that shops load, joined from the modules in `www/loader`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::project;

/// Name of the script, also in its address.
pub(crate) const NAME: &str = "card-widget.js";

/// Folder of the texts: a file for each language.
pub(crate) const TEXTS: &str = "www/texts";

/// The modules in `www/loader` that script tag and package have in common, those that others import first.
const MODULES: [&str; 7] = [
    "life.js",
    "answers.js",
    "error.js",
    "params.js",
    "frame.js",
    "diagnosis.js",
    NAME,
];

/// Every code of loader, frame and service, with who can act on it.
const CODES: &str = "www/shared/codes.json";

/// The loader as one classic script: the modules without their import and export words, in one function.
pub(crate) fn joined() -> Result<String> {
    let body = body(&MODULES)? + &body(&["install.js"])?;
    Ok(format!("(() => {{\n'use strict';\n{body}}})();\n"))
}

/// The loader as one module, for the npm package.
pub(crate) fn packed() -> Result<String> {
    Ok(body(&MODULES)? + "\nexport { createCardWidget };\n")
}

/// Modules one after the other, with version, titles and codes filled in.
fn body(names: &[&str]) -> Result<String> {
    let mut body = String::new();
    for name in names {
        let path = project::at("www/loader").join(name);
        let text = fs::read_to_string(&path).with_context(|| project::shown(&path))?;
        body.push_str(&without_module_words(&text));
    }
    let titles = serde_json::to_string(&titles(&project::at(TEXTS))?)?;
    Ok(body
        .replace("%VERSION%", project::VERSION)
        .replace("'%TITLES%'", &titles)
        .replace("'%CODES%'", &codes()?))
}

/// What the loader needs of the table of codes: its own, each as `[actor, 0 | 1, stage]`, one for worth another attempt, but
/// for those that are as `www/loader/error.js` takes them without.
fn codes() -> Result<String> {
    let path = project::at(CODES);
    let content = fs::read(&path).with_context(|| project::shown(&path))?;
    let table: Value = serde_json::from_slice(&content).with_context(|| project::shown(&path))?;
    let own = table["loader"].as_object().context("no codes of the loader")?;
    let mut found = BTreeMap::new();
    for (code, row) in own {
        let retryable = row["retryable"].as_bool();
        let (Some(actor), Some(retryable), Some(stage)) =
            (row["actor"].as_str(), retryable, row["stage"].as_str())
        else {
            anyhow::bail!("{CODES}: {code} lacks its actor, retryable or stage");
        };
        let advice = (actor, u8::from(retryable), stage);
        if advice != USUAL {
            found.insert(code, advice);
        }
    }
    Ok(serde_json::to_string(&found)?)
}

/// The advice that `www/loader/error.js` has of its own.
const USUAL: (&str, u8, &str) = ("merchant", 0, "init");

/// The languages, by the tags that name the files of the folder, with the title of a form that pays and of one that
/// receives.
pub(crate) fn titles(texts: &Path) -> Result<BTreeMap<String, [String; 2]>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(texts).with_context(|| project::shown(texts))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let content = fs::read(&path).with_context(|| project::shown(&path))?;
        let json: Value = serde_json::from_slice(&content).with_context(|| project::shown(&path))?;
        let text = |key: &str| {
            let text = json[key].as_str().map(str::to_owned);
            text.with_context(|| format!("{} has no `{key}`", project::shown(&path)))
        };
        let tag = path.file_stem().unwrap_or_default().to_string_lossy();
        found.insert(tag.into_owned(), [text("title")?, text("titleReceive")?]);
    }
    Ok(found)
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
    fn the_packed_loader_exports_one_name() {
        let module = packed().expect("sources are there");
        let exports: Vec<_> = module
            .lines()
            .filter(|line| line.starts_with("export "))
            .collect();
        assert_eq!(exports, ["export { createCardWidget };"]);
        assert!(!module.lines().any(|line| line.starts_with("import ")));
    }

    #[test]
    fn the_joined_loader_is_filled_in_and_has_no_module_words() {
        let script = joined().expect("sources are there");
        assert!(script.contains(project::VERSION) && !script.contains("%VERSION%"));
        assert!(script.contains("\"Card details\"") && !script.contains("%TITLES%"));
        assert!(script.contains(r#""offline":["network",1,"load"]"#) && !script.contains("%CODES%"));
        assert!(script.contains("const USUAL = ['merchant', 0, 'init'];"));
        assert!(
            !script
                .lines()
                .any(|line| line.starts_with("import ") || line.starts_with("export "))
        );
    }

    #[test]
    fn every_file_of_the_folder_is_a_language() {
        let folder = project::scratch().join("titles-test");
        fs::create_dir_all(&folder).expect("a folder can be made");
        for (name, content) in [
            ("de.json", r#"{"title":"Kartendaten","titleReceive":"Karte"}"#),
            ("README.md", "not a language"),
        ] {
            fs::write(folder.join(name), content).expect("a file can be written");
        }
        let found = titles(&folder).expect("the file is fine");
        assert_eq!(found.keys().collect::<Vec<_>>(), ["de"]);
        assert_eq!(found["de"], ["Kartendaten", "Karte"]);
        fs::write(folder.join("de.json"), r#"{"title":"Kartendaten"}"#).expect("a file can be written");
        let error = titles(&folder).expect_err("a title is missing").to_string();
        assert!(
            error.contains("de.json") && error.contains("titleReceive"),
            "{error}"
        );
    }
}
