//! The files of `tests/vectors/typing`, as its README describes them.

use std::fs;
use std::path::{Path, PathBuf};

use card_widget_card::Field;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    #[expect(dead_code, reason = "for who reads the file")]
    pub(crate) about: String,
    pub(crate) now: u64,
    pub(crate) sessions: Vec<Session>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    pub(crate) name: String,
    pub(crate) line: String,
    pub(crate) field: String,
    pub(crate) kind: Option<String>,
    pub(crate) now: Option<u64>,
    pub(crate) brands: Option<Vec<String>>,
    #[serde(default)]
    #[expect(dead_code, reason = "for real browsers")]
    pub(crate) merges: bool,
    #[serde(default)]
    #[expect(dead_code, reason = "for real browsers")]
    pub(crate) engines: Option<bool>,
    pub(crate) steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) field: Option<String>,
    pub(crate) keys: Vec<String>,
    pub(crate) value: String,
    pub(crate) caret: Option<Caret>,
    pub(crate) state: String,
    #[serde(default)]
    pub(crate) brand: Option<String>,
    #[serde(default)]
    pub(crate) error: Option<String>,
    #[serde(default)]
    pub(crate) choices: Vec<String>,
    pub(crate) focus: Option<String>,
}

#[derive(Deserialize, Clone, Copy, Debug, PartialEq)]
#[serde(untagged)]
pub(crate) enum Caret {
    At(usize),
    Range(usize, usize),
}

pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/vectors")
        .join(name)
}

/// Names of the cases of `tests/vectors/card`.
pub(crate) fn case_names() -> Vec<String> {
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(folder("card").join(name)).unwrap()).unwrap()
    };
    let name = |case: &serde_json::Value| case["name"].as_str().unwrap().to_owned();
    ["format.json", "expiry.json", "numbers.json", "brands.json"]
        .into_iter()
        .flat_map(|file| {
            read(file)["cases"]
                .as_array()
                .unwrap()
                .iter()
                .map(name)
                .collect::<Vec<_>>()
        })
        .collect()
}

pub(crate) fn files() -> Vec<(String, File)> {
    let mut files: Vec<_> = fs::read_dir(folder("typing"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let file = serde_json::from_slice(&fs::read(&path).unwrap());
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (
                name.clone(),
                file.map_err(|error| format!("{name}: {error}")).unwrap(),
            )
        })
        .collect();
    files.sort_by(|a: &(String, File), b| a.0.cmp(&b.0));
    files
}

pub(crate) fn field_of(id: &str) -> Field {
    match id {
        "number" => Field::Number,
        "expiry" => Field::Expiry,
        "code" => Field::Code,
        _ => panic!("there is no field {id}"),
    }
}
