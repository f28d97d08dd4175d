//! The frame's own scripts, with what the build fills in: codes of `www/shared/codes.json`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};

use super::FRAME_SOURCES;
use crate::codes::TABLE;
use crate::project;

/// The modules of the frame's script, those that others import first.
const MODULES: [&str; 6] = ["page.js", "lend.js", "core.js", "input.js", "talk.js", "main.js"];

/// What the inline script can say.
const FAILED: &str = "script_failed";

/// Codes of the loader that the frame tells too.
const SHARED: [&str; 3] = ["offline", "service_unreachable", "timeout"];

/// Puts all modules into a folder, filled in.
pub(super) fn copy(folder: &Path) -> Result<()> {
    MODULES.iter().try_for_each(|name| write(name, folder).map(drop))
}

/// Puts one script into a folder, filled in; its path.
pub(super) fn write(name: &str, folder: &Path) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::create_dir_all(folder)?;
    fs::write(&path, filled(name)?).with_context(|| project::shown(&path))?;
    Ok(path)
}

/// All modules as one that imports nothing but the glue.
pub(super) fn joined(glue: &str) -> Result<String> {
    let mut script = String::new();
    for name in MODULES {
        script.push_str(&without_module_words(&filled(name)?, glue));
    }
    Ok(script)
}

fn filled(name: &str) -> Result<String> {
    let path = project::at(FRAME_SOURCES).join(name);
    let text = fs::read_to_string(&path).with_context(|| project::shown(&path))?;
    let table: Value = serde_json::from_slice(&fs::read(project::at(TABLE)).context(TABLE)?)?;
    let mut codes = codes(&table)?;
    // The inline script has this one: it says it of the others too.
    let mut failed = codes
        .remove(FAILED)
        .with_context(|| format!("codes.json has no `{FAILED}`"))?;
    failed["code"] = FAILED.into();
    Ok(text
        .replace("%VERSION%", project::VERSION)
        .replace("'%CODES%'", &serde_json::to_string(&codes)?)
        .replace("'%SCRIPT_FAILED%'", &failed.to_string()))
}

/// What the frame says of each code that is its own, the first words of what it means; a stage only where it is not that
/// of a submit. The start has one stage, which is said there.
fn codes(table: &Value) -> Result<Map<String, Value>> {
    let own = table["frame"].as_object().context("codes.json has no `frame`")?;
    let mut codes = Map::new();
    for (name, code) in own {
        codes.insert(name.clone(), entry(name, code, &code["stage"])?);
    }
    for name in SHARED {
        codes.insert(
            name.to_owned(),
            entry(name, &table["loader"][name], &Value::Null)?,
        );
    }
    Ok(codes)
}

fn entry(name: &str, code: &Value, stage: &Value) -> Result<Value> {
    let means = code["means"].as_str();
    let message = means.and_then(|means| means.split(['.', ';', ':']).next());
    let message = message.map(|words| format!("{words}."));
    let mut entry = json!({ "actor": code["actor"], "retryable": code["retryable"], "message": message });
    if stage == "form" {
        entry["stage"] = stage.clone();
    }
    let complete =
        entry["actor"].is_string() && entry["retryable"].is_boolean() && entry["message"].is_string();
    complete
        .then_some(entry)
        .with_context(|| format!("codes.json does not say everything of `{name}`"))
}

/// Import statements, which start a line and end with `;`, are left out unless they import the glue; `export` is taken off
/// declarations.
fn without_module_words(source: &str, glue: &str) -> String {
    let mut text = String::new();
    let mut import = String::new();
    for line in source.lines() {
        if !import.is_empty() || line.starts_with("import ") {
            import.push_str(line);
            import.push('\n');
            if line.trim_end().ends_with(';') {
                if import.contains(glue) {
                    text.push_str(&import);
                }
                import.clear();
            }
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
    fn joined_modules_import_the_glue_alone() {
        let source = "import {\n  a,\n} from './glue.js';\nimport { b } from './b.js';\nexport const c = a;\nreturn import(d);\n";
        assert_eq!(
            without_module_words(source, "./glue.js"),
            "import {\n  a,\n} from './glue.js';\nconst c = a;\nreturn import(d);\n"
        );
        let script = joined("./card_widget.js").unwrap();
        assert_eq!(script.matches("\nimport ").count(), 1);
        assert!(!script.contains("\nexport "));
    }

    #[test]
    fn every_placeholder_is_filled() {
        for name in MODULES.iter().chain(&["inline.js", "refusal.js"]) {
            let script = filled(name).unwrap();
            assert!(!script.contains("%VERSION%") && !script.contains("'%"), "{name}");
        }
    }

    #[test]
    fn a_code_without_an_actor_is_an_error_that_names_it() {
        let error = entry("odd", &json!({ "retryable": true, "means": "m" }), &Value::Null).unwrap_err();
        assert!(error.to_string().contains("odd"));
    }
}
