//! The texts of the language in use, with the shop's own laid over them.

use card::{ErrorId, Field, FormKind};
use js_sys::Object;
use wasm_bindgen::prelude::*;

use crate::incoming::{Failure, Init};
use crate::json::{Json, object};

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
    pub(crate) fn get(&self, name: &str) -> String {
        self.base.text(name).unwrap_or_default()
    }

    fn own_or(&self, init: &Init, name: &str) -> String {
        init.locale(name).unwrap_or_else(|| self.get(name))
    }

    /// The label of a field.
    pub(crate) fn label(&self, init: &Init, field: Field) -> String {
        let name = match field {
            Field::Number => "cardNumber",
            Field::Expiry => "expiryDate",
            Field::Code => "cvv",
        };
        self.own_or(init, name)
    }

    /// What an empty expiry field shows.
    pub(crate) fn expiry_placeholder(&self, init: &Init) -> String {
        [&self.own_or(init, "mm"), "/", &self.own_or(init, "yy")].concat()
    }

    /// Where the code is found, by the fewest digits it can have: four on American Express alone.
    pub(crate) fn code_hint(&self, init: &Init, digits: usize) -> String {
        let hints = self.base.at("hints");
        let hint = if digits == 4 {
            hints.text("cvvHint4")
        } else {
            init.locale("hints.cvvHint").or_else(|| hints.text("cvvHint"))
        };
        hint.unwrap_or_default()
    }

    /// What is wrong with a field. The shop has one text per field, we have one per error.
    pub(crate) fn error(&self, init: &Init, field: Field, error: ErrorId) -> String {
        let own = init.locale(match field {
            Field::Number => "errors.cardNumber",
            Field::Expiry => "errors.expiryDate",
            Field::Code => "errors.cvv",
        });
        let base = || self.base.at("errors").text(error.text_key());
        own.or_else(base).unwrap_or_default()
    }

    /// Why there is no token, for the person.
    pub(crate) fn failure(&self, failure: &Failure) -> String {
        let codes = self.base.at("codes");
        let rest = if failure.is_for_merchant() {
            "setup"
        } else {
            "service"
        };
        let text = codes.text(&failure.code()).or_else(|| codes.text(rest));
        text.unwrap_or_default()
    }

    /// The button, with the amount in the language's format where there is one.
    pub(crate) fn button(&self, init: &Init, kind: FormKind) -> String {
        let (plain, with_amount) = match kind {
            FormKind::FullCard => ("submit", "submitAmount"),
            FormKind::PanOnly => ("submitReceive", "submitReceiveAmount"),
        };
        let own = init.locale("submit");
        let Some(amount) = init.amount() else {
            return own.unwrap_or_else(|| self.get(plain));
        };
        let two = JsValue::from(2);
        let options = match init.currency() {
            Some(currency) => object(&[("style", &"currency".into()), ("currency", &currency.into())]),
            None => object(&[("minimumFractionDigits", &two), ("maximumFractionDigits", &two)]),
        };
        let amount = JsValue::from(amount);
        let amount = amount
            .unchecked_ref::<LocaleNumber>()
            .format(&self.lang, &options);
        place(&own.unwrap_or_else(|| self.get(with_amount)), &amount)
    }
}

/// Puts the amount where a text has `{amount}`, or behind the text. Looks for the brace byte by byte: a substring
/// search would cost a kilobyte.
fn place(text: &str, amount: &str) -> String {
    let brace = |brace| text.bytes().position(|byte| byte == brace);
    match (brace(b'{'), brace(b'}')) {
        (Some(open), Some(close)) if open < close => [&text[..open], amount, &text[close + 1..]].concat(),
        _ => [text, " ", amount].concat(),
    }
}

#[wasm_bindgen]
extern "C" {
    /// A number whose `toLocaleString` takes options; the binding in `js-sys` has none.
    type LocaleNumber;

    #[wasm_bindgen(method, js_name = toLocaleString)]
    fn format(this: &LocaleNumber, lang: &str, options: &Object) -> String;
}
