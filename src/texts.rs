//! Which text is shown: those of the language in use, with the shop's own laid over them.
//!
//! Texts stay in JavaScript, where they came from and where they are shown.

use card::{ErrorId, Field, FormKind};
use wasm_bindgen::JsValue;

use crate::browser::Browser;
use crate::incoming::{Failure, Init};
use crate::json::Json;

/// Texts, looked up by the names of `www/texts/*.json`; the shop's by the names of its `locale` parameter.
pub(crate) struct Texts {
    base: Json,
    lang: String,
}

impl Texts {
    /// The texts that came with the page, in the language of that tag.
    pub(crate) fn new(base: Json, lang: String) -> Self {
        Self { base, lang }
    }

    /// A text of the form itself.
    pub(crate) fn get(&self, name: &str) -> JsValue {
        self.base.at(name).into_value()
    }

    fn own_or(&self, init: &Init, name: &str) -> JsValue {
        init.locale(name).unwrap_or_else(|| self.get(name))
    }

    /// The label of a field.
    pub(crate) fn label(&self, init: &Init, field: Field) -> JsValue {
        self.own_or(init, own_name(field))
    }

    /// Letters for month and year in the empty expiry field.
    pub(crate) fn month_and_year(&self, init: &Init) -> (JsValue, JsValue) {
        (self.own_or(init, "mm"), self.own_or(init, "yy"))
    }

    /// Where the code is found, by the fewest digits it can have: four on American Express alone.
    pub(crate) fn code_hint(&self, init: &Init, digits: usize) -> JsValue {
        let hints = self.base.at("hints");
        if digits == 4 {
            return hints.at("cvvHint4").into_value();
        }
        init.locale("hints.cvvHint")
            .unwrap_or_else(|| hints.at("cvvHint").into_value())
    }

    /// What is wrong with a field. The shop has one text per field, we have one per error. `digits` is how many the
    /// code has at least.
    pub(crate) fn error(
        &self,
        browser: &Browser,
        init: &Init,
        field: Field,
        error: ErrorId,
        digits: usize,
    ) -> JsValue {
        let own = match field {
            Field::Number => "errors.cardNumber",
            Field::Expiry => "errors.expiryDate",
            Field::Code => "errors.cvv",
        };
        init.locale(own).unwrap_or_else(|| {
            let base = self.base.at("errors").at(error.text_key());
            browser.counted(base.value(), &self.lang, digits)
        })
    }

    /// Why there is no token, for the person.
    pub(crate) fn failure(&self, browser: &Browser, failure: &Failure) -> JsValue {
        let codes = self.base.at("codes");
        let rest = if failure.is_for_merchant() {
            "setup"
        } else {
            "service"
        };
        let mut text = codes.at(&failure.code());
        if !text.is_there() {
            text = codes.at(rest);
        }
        browser.counted(text.value(), &self.lang, failure.minutes())
    }

    /// The button, with the amount in the language's format where there is one.
    pub(crate) fn button(&self, browser: &Browser, init: &Init, kind: FormKind) -> JsValue {
        let amount = init.member("amount");
        let base = match (kind, amount.is_there()) {
            (FormKind::FullCard, false) => "submit",
            (FormKind::FullCard, true) => "submitAmount",
            (FormKind::PanOnly, false) => "submitReceive",
            (FormKind::PanOnly, true) => "submitReceiveAmount",
        };
        let text = init.locale("submit").unwrap_or_else(|| self.get(base));
        browser.with_amount(&text, &self.lang, amount.value(), init.member("currency").value())
    }
}

/// The name of a field's label, in our texts and in the shop's.
fn own_name(field: Field) -> &'static str {
    match field {
        Field::Number => "cardNumber",
        Field::Expiry => "expiryDate",
        Field::Code => "cvv",
    }
}
