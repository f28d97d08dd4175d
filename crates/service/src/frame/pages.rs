//! The two templates and what goes into them.

use askama::Template as _;
use serde::Serialize;
use serde_json::{Map, Value, json};
use wire::Code;
use wire::boot::Boot;
use wire::text::Texts;
use wire::widget::{FormType, Lang};

use super::{FrameParams, policy};
use crate::assets::{FrameFiles, VERSION, embedded};
use crate::observe::RequestId;
use crate::origin::Origin;

/// Fields of `www/frame/frame.html`. Askama escapes all but the ones named safe there.
#[derive(askama::Template)]
#[template(path = "frame.html")]
pub struct FrameView<'a> {
    /// BCP 47 tag.
    pub lang: &'a str,
    /// `stacked` or `line`.
    pub template: &'a str,
    /// `plain` or `evo`.
    pub style: &'a str,
    /// False in the sandbox.
    pub live: bool,
    /// Texts of the language.
    pub texts: &'a Texts,
    /// Whether expiry and code are asked for.
    pub full_card: bool,
    /// Content of the one `<style>`; goes in unescaped and unaltered, or its hash does not match.
    pub css: &'a str,
    /// Content of the one inline `<script>`; likewise.
    pub inline_js: &'a str,
    /// Address of the module script.
    pub script_url: &'a str,
    /// Address of the WebAssembly module.
    pub wasm_url: &'a str,
    /// Address of the generated glue, where it is a file of its own.
    pub glue_url: Option<&'a str>,
    /// `{"boot","texts","form","lang"}`, without `<`; goes in unescaped.
    pub boot_json: &'a str,
}

/// Fields of `www/frame/refusal.html`.
#[derive(askama::Template)]
#[template(path = "refusal.html")]
pub struct RefusalView<'a> {
    /// BCP 47 tag.
    pub lang: &'a str,
    /// Stable code.
    pub code: &'a str,
    /// What is wrong, for the shop's developer, in English.
    pub message: &'a str,
    /// The same for the person in front of it, in their language.
    pub text: &'a str,
    /// Who can act.
    pub actor: &'a str,
    /// Whether trying again can help.
    pub retryable: bool,
    /// Request id, to be quoted.
    pub error_id: &'a str,
    /// Content of the one `<script>`.
    pub inline_js: &'a str,
    /// Content of the one `<style>`.
    pub css: &'a str,
}

/// Everything about the pages that is the same for all requests.
pub struct Pages {
    languages: Vec<Language>,
    frame_script: String,
    refusal_script: String,
    style: String,
}

struct Language {
    lang: Lang,
    texts: Texts,
    full_card: Value,
    pan_only: Value,
}

impl Pages {
    /// Parses the texts and hashes what stands inside the pages, once.
    pub fn new() -> Result<Self, serde_json::Error> {
        Ok(Self {
            languages: Lang::ALL
                .iter()
                .map(|lang| Language::read(*lang))
                .collect::<Result<_, _>>()?,
            frame_script: policy::hash(embedded::inline_js()),
            refusal_script: policy::hash(embedded::refusal_js()),
            style: policy::hash(embedded::frame_css()),
        })
    }

    /// The page with the form.
    pub(super) fn frame(
        &self,
        params: FrameParams,
        boot: &Boot,
        files: FrameFiles,
    ) -> Result<String, PageError> {
        let language = self.language(params.lang)?;
        let url = |name: &str| format!("/widget/{VERSION}/{name}");
        let full_card = params.form == FormType::FullCard;
        let boot_json = safe_json(&json!({
            "boot": boot,
            "texts": if full_card { &language.full_card } else { &language.pan_only },
            "form": params.form.as_str(),
            "lang": params.lang.as_str(),
        }))?;
        let glue_url = files.glue.map(url);
        let view = FrameView {
            lang: params.lang.as_str(),
            template: params.template.as_str(),
            style: params.style.as_str(),
            live: boot.live,
            texts: &language.texts,
            full_card,
            css: embedded::frame_css(),
            inline_js: embedded::inline_js(),
            script_url: &url(files.script),
            wasm_url: &url(files.wasm),
            glue_url: glue_url.as_deref(),
            boot_json: &boot_json,
        };
        Ok(view.render()?)
    }

    /// The page without a form.
    pub(super) fn refusal(&self, lang: Lang, code: Code, id: &RequestId) -> Result<String, PageError> {
        let texts = &self.language(lang)?.texts;
        let view = RefusalView {
            lang: lang.as_str(),
            code: code.as_str(),
            message: code.message(),
            text: match code.actor() {
                wire::code::Actor::Merchant => &texts.codes.setup,
                _ => &texts.codes.service,
            },
            actor: code.actor().as_str(),
            retryable: code.retryable(),
            error_id: id.as_str(),
            inline_js: embedded::refusal_js(),
            css: embedded::frame_css(),
        };
        Ok(view.render()?)
    }

    /// Policy of the form inside a page of `origin`, and of no other.
    pub(super) fn frame_policy(&self, origin: &Origin) -> String {
        policy::frame(&self.frame_script, &self.style, &origin.to_string())
    }

    /// Policy of a refusal.
    pub(super) fn refusal_policy(&self) -> String {
        policy::refusal(&self.refusal_script, &self.style)
    }

    fn language(&self, lang: Lang) -> Result<&Language, PageError> {
        let found = self.languages.iter().find(|language| language.lang == lang);
        found.ok_or(PageError::Language)
    }
}

impl Language {
    fn read(lang: Lang) -> Result<Self, serde_json::Error> {
        let source = embedded::texts(lang);
        let all: Map<String, Value> = serde_json::from_str(source)?;
        let without = |surplus: &[&str]| {
            let mut kept = all.clone();
            kept.retain(|name, _| !surplus.contains(&name.as_str()));
            kept
        };
        let mut pan_only = without(&[IN_HTML, IN_FULL_CARD].concat());
        if let Some(Value::Object(errors)) = pan_only.get_mut("errors") {
            errors.retain(|name, _| name.starts_with("number_"));
        }
        Ok(Self {
            lang,
            texts: serde_json::from_str(source)?,
            full_card: without(&[IN_HTML, IN_PAN_ONLY].concat()).into(),
            pan_only: pan_only.into(),
        })
    }
}

/// Why a page could not be made. Neither happens in a binary that was built.
#[derive(Debug, thiserror::Error)]
pub(super) enum PageError {
    /// The template failed.
    #[error("template: {0}")]
    Template(#[from] askama::Error),
    /// The boot data could not be written.
    #[error("json: {0}")]
    Json(#[from] serde_json::Error),
    /// A language without texts.
    #[error("no texts of that language")]
    Language,
}

/// JSON that may stand inside `<script type="application/json">`: without `<`, no end tag and no comment can begin.
fn safe_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// Texts that the HTML holds already and that never change after.
const IN_HTML: &[&str] = &["title", "titleReceive", "testMode", "noScript"];

/// Texts of a form that pays.
const IN_FULL_CARD: &[&str] = &["expiryDate", "cvv", "mm", "yy", "submit", "submitAmount", "hints"];

/// Texts of a form that receives.
const IN_PAN_ONLY: &[&str] = &["submitReceive", "submitReceiveAmount"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_leave_its_element() {
        let json = safe_json(&"</script><!--").unwrap();
        assert!(!json.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "</script><!--");
    }

    #[test]
    fn a_form_gets_the_texts_that_it_can_need() {
        let language = Language::read(Lang::En).unwrap();
        assert!(language.full_card["errors"]["code_empty"].is_string());
        assert!(language.full_card["submit"].is_string());
        assert!(language.full_card["submitReceive"].is_null());
        assert!(language.pan_only["submitReceive"].is_string());
        assert!(language.pan_only["errors"]["number_empty"].is_string());
        assert!(language.pan_only["errors"]["code_empty"].is_null());
        assert!(language.pan_only["hints"].is_null());
    }
}
