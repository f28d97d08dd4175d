//! The table of all codes: `www/shared/codes.json` for loader and frame, `wire::Code` for the service. Out of both comes
//! `docs/errors.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use wire::Code;

use crate::project;

/// Where the page is written.
pub(crate) const PAGE: &str = "docs/errors.md";

/// The table of loader and frame, and advice for the codes of the service.
pub(crate) const TABLE: &str = "www/shared/codes.json";

/// As the file holds it, sections by name of code.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    loader: BTreeMap<String, Own>,
    frame: BTreeMap<String, Own>,
    service: BTreeMap<String, Advice>,
}

/// A code of loader or frame.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    actor: String,
    retryable: bool,
    stage: String,
    means: String,
    shop: String,
    person: String,
}

/// What to do about a code of the service. All else stands in `wire::Code`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Advice {
    /// Where a widget meets it; nowhere, if only other programs do.
    stages: Vec<String>,
    shop: String,
    person: String,
}

impl Table {
    fn read() -> Result<Self> {
        let text = fs::read(project::at(TABLE)).context(TABLE)?;
        serde_json::from_slice(&text).context(TABLE)
    }
}

/// The page, as it has to be.
pub(crate) fn page() -> Result<String> {
    let table = Table::read()?;
    let mut page = String::from(HEAD);
    for (title, about, codes) in [
        ("The loader", LOADER, &table.loader),
        ("The form in its frame", FRAME, &table.frame),
    ] {
        write!(page, "\n## {title}\n\n{about}\n\n{OWN_COLUMNS}")?;
        for (name, code) in codes {
            let Own {
                actor,
                retryable,
                stage,
                means,
                shop,
                person,
            } = code;
            writeln!(
                page,
                "| `{name}` | {actor} | {} | {stage} | {means} | {shop} | {person} |",
                yes(*retryable)
            )?;
        }
    }
    write!(page, "\n## The service\n\n{SERVICE}\n")?;
    for (family, about) in FAMILIES {
        let codes = Code::ALL.iter().filter(|code| family_of(**code) == family);
        write!(page, "\n### `{family}`\n\n{about}\n\n{SERVICE_COLUMNS}")?;
        for code in codes {
            let name = code.as_str();
            let advice = table
                .service
                .get(name)
                .with_context(|| format!("{TABLE} has no advice for `{name}`"))?;
            let stages = match advice.stages.is_empty() {
                true => "–".to_owned(),
                false => advice.stages.join(", "),
            };
            writeln!(
                page,
                "| `{name}` | {} | {} | {} | {stages} | {} | {} | {} |",
                code.status(),
                code.actor().as_str(),
                yes(code.retryable()),
                code.message(),
                advice.shop,
                advice.person
            )?;
        }
    }
    Ok(page)
}

fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// The family's name on the wire.
fn family_of(code: Code) -> String {
    let name = serde_json::to_value(code.error_type()).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

const HEAD: &str = "\
<!-- Written by `cargo xtask docs` from `www/shared/codes.json` and `crates/wire/src/code.rs`. -->
# Codes

Every failure that a shop is told is a `CardWidgetError` with one of these codes; the service answers with the same names. The
form tells the person in their own language; nothing of the message is meant for them.

**A code never changes its meaning**, nor who can act, nor whether trying again can help. Codes are added, so keep an arm for
those that you do not know: decide by `retryable` and `actor` there. What each code was first released with stands in
`tests/vectors/codes.json`; lines are added to it and never changed, and the tests compare it with what is built.

- **Who acts**: `customer` the person in front of the form, `merchant` the shop, `network` nobody, the connection, `service`
  whoever runs the service.
- **Again**: whether the same call can succeed without a change.
- **Stage**: where it stopped. `init` in the shop's call, `load` before the frame's page was there, `attach` before its module
  ran, `form` while typing, `submit` between submit and token. It is the usual one: `offline`, `service_unreachable` and
  `timeout` also come at `submit`, and `timeout` wherever something was waited for.
";

const LOADER: &str =
    "Told by the script on the shop's page, as the event `widget-init-error`, by `onError` and by promises.";

const FRAME: &str = "Told by the frame through `onError` and by promises. Nothing has been paid, and nothing typed is lost unless the line says so.";

const SERVICE: &str = "Answers of the service, as `wire::ErrorBody`, and what the widget passes on of them. A dash as the stage: no widget \
of this version meets it.";

const OWN_COLUMNS: &str = "\
| Code | Who acts | Again | Stage | What it means | What the shop does | What the person does |
|---|---|---|---|---|---|---|
";

const SERVICE_COLUMNS: &str = "\
| Code | Status | Who acts | Again | Stage | What it means | What the shop does | What the person does |
|---|---|---|---|---|---|---|---|
";

/// Families with codes, in the order of the page. (The stage comes after the meaning of the family.)
const FAMILIES: [(&str, &str); 3] = [
    (
        "invalid_request_error",
        "The request itself is wrong, or comes from where it may not.",
    ),
    ("payment_method_error", "The card is wrong."),
    ("api_error", "The service failed or is limited."),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What a code was first released with.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Released {
        code: String,
        by: String,
        actor: String,
        retryable: bool,
        status: Option<u16>,
    }

    fn own(table: &Table) -> impl Iterator<Item = (&'static str, &String, &Own)> {
        let loader = table.loader.iter().map(|(name, code)| ("loader", name, code));
        loader.chain(table.frame.iter().map(|(name, code)| ("frame", name, code)))
    }

    #[test]
    fn each_code_of_the_service_has_its_advice_and_no_other_has() {
        let table = Table::read().unwrap();
        let codes: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let advised: BTreeSet<_> = table.service.keys().map(String::as_str).collect();
        assert_eq!(advised, codes);
        for code in Code::ALL {
            assert!(
                FAMILIES.iter().any(|(family, _)| *family == family_of(*code)),
                "{code:?}"
            );
        }
    }

    #[test]
    fn what_is_said_is_said_in_sentences_and_known_words() {
        let table = Table::read().unwrap();
        let sentence = |name: &str, text: &str| {
            assert!(
                text.ends_with('.') && !text.contains('|') && !text.contains('\n'),
                "{name}: {text:?}"
            );
        };
        let stages = ["init", "load", "attach", "form", "submit"];
        for (_, name, code) in own(&table) {
            for text in [&code.means, &code.shop, &code.person] {
                sentence(name, text);
            }
            assert!(stages.contains(&code.stage.as_str()), "{name}: {}", code.stage);
            assert!(
                ["customer", "merchant", "network", "service"].contains(&code.actor.as_str()),
                "{name}"
            );
        }
        for (name, advice) in &table.service {
            sentence(name, &advice.shop);
            sentence(name, &advice.person);
            assert!(
                advice.stages.iter().all(|stage| stages.contains(&stage.as_str())),
                "{name}"
            );
        }
    }

    #[test]
    fn a_code_in_two_sections_is_one_code() {
        let table = Table::read().unwrap();
        for (_, name, code) in own(&table) {
            assert!(
                !(table.loader.contains_key(name) && table.frame.contains_key(name)),
                "{name}"
            );
            if let (Some(service), Some(advice)) = (Code::from_name(name), table.service.get(name)) {
                assert_eq!(
                    (code.actor.as_str(), code.retryable),
                    (service.actor().as_str(), service.retryable()),
                    "{name}"
                );
                assert_eq!(
                    (&code.shop, &code.person),
                    (&advice.shop, &advice.person),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn a_code_means_for_good_what_it_was_released_with() {
        let text = fs::read(project::at("tests/vectors/codes.json")).unwrap();
        let released: Vec<Released> = serde_json::from_slice(&text).unwrap();
        let table = Table::read().unwrap();
        let mut now = BTreeMap::new();
        for (by, name, code) in own(&table) {
            now.insert((by, name.as_str()), (code.actor.as_str(), code.retryable, None));
        }
        for code in Code::ALL {
            let row = (code.actor().as_str(), code.retryable(), Some(code.status()));
            now.insert(("service", code.as_str()), row);
        }
        for Released {
            code,
            by,
            actor,
            retryable,
            status,
        } in &released
        {
            assert_eq!(
                now.remove(&(by.as_str(), code.as_str())),
                Some((actor.as_str(), *retryable, *status)),
                "{by}: {code} was released with another meaning, or is gone"
            );
        }
        assert!(
            now.is_empty(),
            "add a line to tests/vectors/codes.json for each of these: {now:?}"
        );
    }

    /// All words in quotes of the sources in these folders, with the file that they stand in.
    fn quoted(folders: &[(&str, &str)]) -> BTreeMap<String, String> {
        let mut words = BTreeMap::new();
        let mut folders: Vec<_> = folders
            .iter()
            .map(|(folder, extension)| (project::at(folder), *extension))
            .collect();
        while let Some((folder, extension)) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push((path, extension));
                } else if path.extension().is_some_and(|found| found == extension) {
                    let text = fs::read_to_string(&path).unwrap();
                    for part in text.split(['\'', '"', '`']) {
                        words
                            .entry(part.to_owned())
                            .or_insert_with(|| project::shown(&path));
                    }
                }
            }
        }
        words
    }

    const SOURCES: [(&str, &str); 3] = [("www/loader", "js"), ("www/frame", "js"), ("src", "rs")];

    #[test]
    fn each_code_of_loader_and_frame_is_told_by_one_of_them() {
        let mut words = quoted(&SOURCES);
        // The inline script has the whole failure from the build.
        words.insert("script_failed".to_owned(), String::new());
        for (_, name, _) in own(&Table::read().unwrap()) {
            assert!(words.contains_key(name), "nobody tells `{name}`");
        }
    }

    #[test]
    fn loader_and_frame_tell_no_code_that_the_table_lacks() {
        let table = Table::read().unwrap();
        let known: BTreeSet<&str> = own(&table)
            .map(|(_, name, _)| name.as_str())
            .chain(Code::ALL.iter().map(|code| code.as_str()))
            .collect();
        // Errors of fields have names of the same shape.
        let texts = fs::read_to_string(project::at("www/texts/en.json")).unwrap();
        let strange: Vec<_> = quoted(&SOURCES)
            .into_iter()
            .filter(|(word, _)| word.trim_matches('_').contains('_') && !word.starts_with("on_"))
            .filter(|(word, _)| word.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase()))
            .filter(|(word, _)| !known.contains(word.as_str()) && !OTHER_WORDS.contains(&word.as_str()))
            .filter(|(word, _)| !texts.contains(&format!("\"{word}\"")))
            .collect();
        assert!(
            strange.is_empty(),
            "neither codes nor among OTHER_WORDS: {strange:?}"
        );
    }

    /// Words with the shape of a code: parameters, members of messages and boot data, form types.
    const OTHER_WORDS: [&str; 8] = [
        "auto_advance",
        "correlation_id",
        "customer_email",
        "customer_id",
        "customer_ip",
        "full_card",
        "pan_only",
        "sealing_key",
    ];
}
