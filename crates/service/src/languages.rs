//! The languages of the form: one for each file of `www/texts`.

use serde_json::{Map, Value};
use wire::text::Texts;
use wire::widget::FormType;

use crate::assets::embedded;

/// All languages.
#[derive(Debug)]
pub struct Languages {
    default: Language,
    others: Vec<Language>,
}

/// One language.
#[derive(Debug)]
pub struct Language {
    /// BCP 47 tag, spelled as its file is.
    pub tag: &'static str,
    /// All texts.
    pub texts: Texts,
    all: Map<String, Value>,
}

impl Languages {
    /// Those that were built into this binary, which has checked them; the default is always among them.
    pub fn embedded() -> Result<Self, serde_json::Error> {
        Self::read(embedded::texts())
    }

    /// From pairs of tag and JSON.
    fn read(sources: &[(&'static str, &'static str)]) -> Result<Self, serde_json::Error> {
        let language = |tag: &'static str, source: &str| {
            Ok::<_, serde_json::Error>(Language {
                tag,
                texts: serde_json::from_str(source)?,
                all: serde_json::from_str(source)?,
            })
        };
        let default = embedded::default_language();
        let (first, others): (Vec<_>, Vec<_>) = sources.iter().partition(|(tag, _)| *tag == default);
        let (tag, source) = first.first().copied().unwrap_or((default, ""));
        Ok(Self {
            default: language(tag, source)?,
            others: others
                .into_iter()
                .map(|(tag, source)| language(tag, source))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The language of that tag, or the nearest above it (`uk-UA` finds `uk`; RFC 4647 §3.4), else the default.
    pub fn find(&self, tag: &str) -> &Language {
        let mut range = tag;
        loop {
            if let Some(found) = self
                .iter()
                .find(|language| language.tag.eq_ignore_ascii_case(range))
            {
                return found;
            }
            match range.rsplit_once('-') {
                Some((shorter, _)) => range = shorter,
                None => return &self.default,
            }
        }
    }

    /// Every language.
    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        std::iter::once(&self.default).chain(&self.others)
    }
}

impl Language {
    /// What the module needs while the form is open: without what only the other type of form has, and without what
    /// stands in the HTML already.
    pub fn for_form(&self, form: FormType) -> Value {
        let mut texts = self.for_change(form);
        texts.retain(|name, _| !IN_HTML.contains(&name.as_str()));
        texts.into()
    }

    /// The same with what stands in the HTML and has to change with the language.
    pub fn for_change(&self, form: FormType) -> Map<String, Value> {
        let surplus = match form {
            FormType::FullCard => IN_PAN_ONLY,
            FormType::PanOnly => IN_FULL_CARD,
        };
        let mut texts = self.all.clone();
        texts.retain(|name, _| name != NO_SCRIPT && !surplus.contains(&name.as_str()));
        if form == FormType::PanOnly
            && let Some(Value::Object(errors)) = texts.get_mut("errors")
        {
            errors.retain(|name, _| name.starts_with("number_"));
        }
        texts
    }
}

/// Said by a browser that runs no script, and by nobody else.
const NO_SCRIPT: &str = "noScript";

/// What the HTML says as long as the language stays.
const IN_HTML: &[&str] = &["dir", "title", "titleReceive", "testMode"];

/// Texts of a form that pays.
const IN_FULL_CARD: &[&str] = &[
    "title",
    "expiryDate",
    "cvv",
    "mm",
    "yy",
    "submit",
    "submitAmount",
    "hints",
];

/// Texts of a form that receives.
const IN_PAN_ONLY: &[&str] = &["titleReceive", "submitReceive", "submitReceiveAmount"];

#[cfg(test)]
#[path = "../build/texts.rs"]
mod building;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_finds_its_language_or_the_nearest_above_it() {
        let languages = Languages::embedded().unwrap();
        for (tag, found) in [
            ("uk", "uk"),
            ("UK", "uk"),
            ("uk-UA", "uk"),
            ("pl-Latn-PL", "pl"),
            ("en-GB", "en"),
            ("ukr", "en"),
            ("u", "en"),
            ("-", "en"),
            ("", "en"),
            ("<script>", "en"),
        ] {
            assert_eq!(languages.find(tag).tag, found, "{tag}");
        }
    }

    #[test]
    fn a_region_is_found_before_its_language() {
        let source = embedded::texts()[0].1;
        let languages = Languages::read(&[("en", source), ("pt", source), ("pt-BR", source)]).unwrap();
        for (tag, found) in [("pt-br", "pt-BR"), ("pt-PT", "pt"), ("pt", "pt"), ("en-US", "en")] {
            assert_eq!(languages.find(tag).tag, found, "{tag}");
        }
        assert_eq!(languages.iter().count(), 3);
    }

    #[test]
    fn a_form_gets_the_texts_that_it_can_need() {
        let languages = Languages::embedded().unwrap();
        let english = languages.find("en");
        let full = english.for_form(FormType::FullCard);
        let number = english.for_form(FormType::PanOnly);
        for (texts, pointer, there) in [
            (&full, "/errors/code_empty", true),
            (&full, "/submit", true),
            (&full, "/networks", true),
            (&full, "/submitReceive", false),
            (&full, "/title", false),
            (&full, "/noScript", false),
            (&number, "/submitReceive", true),
            (&number, "/networks", true),
            (&number, "/errors/number_brand", true),
            (&number, "/errors/code_empty", false),
            (&number, "/hints", false),
            (&number, "/titleReceive", false),
        ] {
            assert_eq!(texts.pointer(pointer).is_some(), there, "{pointer}");
        }
        assert_eq!(
            english.for_change(FormType::PanOnly)["titleReceive"],
            "Card to receive money"
        );
        assert_eq!(english.for_change(FormType::FullCard)["dir"], "ltr");
    }
}

/// What the build script does with the folder.
#[cfg(test)]
mod folder {
    use std::fs;
    use std::path::Path;

    use super::building::read;
    use super::embedded;

    /// The languages that there are and `name` with the text that `edit` makes of the English one.
    fn read_with(name: &str, edit: impl Fn(&str) -> String) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let mut english = "";
        for (tag, text) in embedded::texts() {
            fs::write(folder.path().join(format!("{tag}.json")), text).unwrap();
            if *tag == "en" {
                english = text;
            }
        }
        fs::write(folder.path().join("README.md"), "not a language").unwrap();
        fs::write(folder.path().join(name), edit(english)).unwrap();
        Ok(read(folder.path())?.into_keys().collect())
    }

    #[test]
    fn a_file_is_all_that_a_language_needs() {
        let found = read_with("qaa.json", |english| english.replace("Pay", "Zahlen")).unwrap();
        assert_eq!(found.len(), embedded::texts().len() + 1);
        assert!(found.contains(&"qaa".to_owned()));
        assert!(read_with("sr-Latn.json", str::to_owned).is_ok());
    }

    #[test]
    fn a_wrong_file_is_named_with_its_key() {
        type Edit = fn(&str) -> String;
        let wrong: [(&str, Edit, &[&str]); 11] = [
            (
                "de.json",
                |text| text.replace("\"busy\"", "\"idle\""),
                &["de.json", "idle"],
            ),
            (
                "de.json",
                |text| without(text, "\"number_brand\""),
                &["errors", "missing field `number_brand`"],
            ),
            (
                "de.json",
                |text| text.replace("\"cvvHint\"", "\"zip\": \"\", \"cvvHint\""),
                &["hints", "unknown field `zip`"],
            ),
            (
                "de.json",
                |text| text.replace("\"Pay\"", "\" \""),
                &["`submit` has no text"],
            ),
            (
                "de.json",
                |text| text.replace("Receive {amount}", "Receive"),
                &["submitReceiveAmount", "{amount}"],
            ),
            (
                "de.json",
                |text| text.replace("has {n} digits", "has digits"),
                &["errors.code_incomplete", "{n}"],
            ),
            (
                "de.json",
                |text| text.replace("\"one\": \"Too", "\"few\": \"Too"),
                &["errors.code_incomplete", "codes.too_many_requests"],
            ),
            ("de.json", |text| text.replace("ltr", "left"), &["dir", "left"]),
            ("de.json", |_| "{".to_owned(), &["de.json"]),
            ("german.json", str::to_owned, &["german.json", "language tag"]),
            ("DE.json", str::to_owned, &["DE.json", "language tag"]),
        ];
        for (name, edit, told) in wrong {
            let error = read_with(name, edit).unwrap_err();
            for word in told.iter().chain(&[name]) {
                assert!(error.contains(word), "{word}: {error}");
            }
        }
    }

    #[test]
    fn english_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap_err().contains("no en.json"));
        assert!(read(Path::new("no/such/folder")).is_err());
    }

    /// The text without the line of that key.
    fn without(text: &str, key: &str) -> String {
        text.lines().filter(|line| !line.contains(key)).collect()
    }
}
