//! JSON values as the browser's own parser makes them, read member by member.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

/// A JSON value, read member by member. What is missing or of another type reads as nothing.
pub(crate) struct Json(JsValue);

impl Json {
    /// Wraps a value that came from `JSON.parse`, or as a message.
    pub(crate) fn new(value: JsValue) -> Self {
        Self(value)
    }

    /// The member `name`.
    pub(crate) fn at(&self, name: &str) -> Self {
        Self(self.object().map_or(JsValue::UNDEFINED, |object| object.at(name)))
    }

    /// The member `name` as text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.at(name).0.as_string()
    }

    /// The same, or an empty text.
    pub(crate) fn string(&self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    /// The member `name` as a number.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.at(name).0.as_f64()
    }

    /// Whether the member `name` is there and not `false`.
    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.at(name).0.is_truthy()
    }

    /// The text at that place of a list.
    pub(crate) fn item(&self, index: u32) -> Option<String> {
        self.object()?.item(index).as_string()
    }

    /// Whether there is a value at all.
    pub(crate) fn is_there(&self) -> bool {
        !self.0.is_null() && !self.0.is_undefined()
    }

    /// Whether the value is `false`, which is not the same as none.
    pub(crate) fn is_false(&self) -> bool {
        self.0.as_bool() == Some(false)
    }

    fn object(&self) -> Option<&Value> {
        self.is_there().then(|| self.0.unchecked_ref())
    }

    /// The value itself, for handing on.
    pub(crate) fn value(&self) -> &JsValue {
        &self.0
    }

    /// The same, given away.
    pub(crate) fn into_value(self) -> JsValue {
        self.0
    }
}

#[wasm_bindgen]
extern "C" {
    /// Anything but `null` and `undefined`, of which alone nobody may ask a member.
    type Value;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn at(this: &Value, name: &str) -> JsValue;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn item(this: &Value, index: u32) -> JsValue;
}
