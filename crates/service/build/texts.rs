//! The texts of all languages, read and checked while building: each `<tag>.json` of one folder is a language.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use wire::text::Texts;

/// The language of a form whose page asks for one that there is not.
pub(super) const DEFAULT: &str = "en";

/// Tag to content, by tag. What is wrong names the file, and the key where there is one.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    let unreadable = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let wrong = |what: String| format!("{}: {what}", path.display());
        let tag = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !is_tag(&tag) {
            return Err(wrong(format!(
                "`{tag}` is no language tag such as `uk` or `pt-BR`"
            )));
        }
        let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        check(&text).map_err(wrong)?;
        found.insert(tag, text);
    }
    match found.contains_key(DEFAULT) {
        true => Ok(found),
        false => Err(format!("{}: no {DEFAULT}.json", folder.display())),
    }
}

/// The shape of a tag of BCP 47: a language of two or three small letters, then parts in letters and digits.
fn is_tag(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && parts.all(|part| {
            (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

fn check(text: &str) -> Result<(), String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let texts: Texts = serde_path_to_error::deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    let all = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if let Some(path) = empty("", &all) {
        return Err(format!("`{path}` has no text"));
    }
    for (name, text) in [
        ("submitAmount", &texts.submit_amount),
        ("submitReceiveAmount", &texts.submit_receive_amount),
    ] {
        if text.matches("{amount}").count() != 1 {
            return Err(format!("`{name}` needs `{{amount}}`, once"));
        }
    }
    let [digits, minutes] = [&texts.errors.code_incomplete, &texts.codes.too_many_requests];
    if !digits.categories().eq(minutes.categories()) {
        return Err(
            "`errors.code_incomplete` and `codes.too_many_requests` differ in plural forms".to_owned(),
        );
    }
    Ok(())
}

/// Name of the first text that is empty or nothing but space.
fn empty(path: &str, value: &Value) -> Option<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .find_map(|(name, member)| empty(format!("{path}.{name}").trim_start_matches('.'), member)),
        Value::String(text) if !text.trim().is_empty() => None,
        _ => Some(path.to_owned()),
    }
}
