//! The two templates and what goes into them.

use askama::Template as _;
use serde::Serialize;
use serde_json::json;
use wire::Code;
use wire::boot::Boot;
use wire::text::Texts;
use wire::widget::FormType;

use super::FrameParams;
use crate::assets::{FrameFiles, VERSION, embedded};
use crate::languages::Language;
use crate::observe::RequestId;

/// Fields of `www/frame/frame.html`. Askama escapes all but the ones named safe there.
#[derive(askama::Template)]
#[template(path = "frame.html")]
pub struct FrameView<'a> {
    /// BCP 47 tag.
    pub lang: &'a str,
    /// `ltr` or `rtl`.
    pub dir: &'a str,
    /// `stacked` or `line`.
    pub template: &'a str,
    /// `plain` or `evo`.
    pub style: &'a str,
    /// `light`, `dark` or `auto`.
    pub scheme: &'a str,
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
    /// `{"boot","texts","form","lang","fallback"}`, without `<`; goes in unescaped.
    pub boot_json: &'a str,
}

/// Fields of `www/frame/refusal.html`.
#[derive(askama::Template)]
#[template(path = "refusal.html")]
pub struct RefusalView<'a> {
    /// BCP 47 tag.
    pub lang: &'a str,
    /// `ltr` or `rtl`.
    pub dir: &'a str,
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

/// The page with the form.
pub(super) fn frame(
    language: &Language,
    params: FrameParams,
    boot: &Boot,
    files: FrameFiles,
) -> Result<String, PageError> {
    let url = |name: &str| format!("/widget/{VERSION}/{name}");
    let mut data = json!({
        "boot": boot,
        "texts": language.for_form(params.form),
        "form": params.form.as_str(),
        "lang": language.tag,
    });
    if let Some(fallback) = files.fallback {
        data["fallback"] = url(fallback).into();
    }
    let boot_json = safe_json(&data)?;
    let glue_url = files.glue.map(url);
    let view = FrameView {
        lang: language.tag,
        dir: language.texts.dir.as_str(),
        template: params.template.as_str(),
        style: params.style.as_str(),
        scheme: params.scheme.as_str(),
        live: boot.live,
        texts: &language.texts,
        full_card: params.form == FormType::FullCard,
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
pub(super) fn refusal(language: &Language, code: Code, id: &RequestId) -> Result<String, PageError> {
    let texts = &language.texts;
    let view = RefusalView {
        lang: language.tag,
        dir: texts.dir.as_str(),
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

/// Why a page could not be made. Neither happens in a binary that was built.
#[derive(Debug, thiserror::Error)]
pub(super) enum PageError {
    /// The template failed.
    #[error("template: {0}")]
    Template(#[from] askama::Error),
    /// The boot data could not be written.
    #[error("json: {0}")]
    Json(#[from] serde_json::Error),
}

/// JSON that may stand inside `<script type="application/json">`: without `<`, no end tag and no comment can begin.
fn safe_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_leave_its_element() {
        let json = safe_json(&"</script><!--").unwrap();
        assert!(!json.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "</script><!--");
    }
}
