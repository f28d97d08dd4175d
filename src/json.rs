//! JSON values as the browser's own parser makes them, read and written member by member.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// A JSON value, read member by member. What is missing or of another type reads as nothing.
pub(crate) struct Json(JsValue);

impl Json {
    /// Wraps a value that came from `JSON.parse`, or as a message.
    pub(crate) fn new(value: JsValue) -> Self {
        Self(value)
    }

    /// The member `name`.
    pub(crate) fn at(&self, name: &str) -> Self {
        Self(Reflect::get(&self.0, &name.into()).unwrap_or(JsValue::UNDEFINED))
    }

    /// The member `name` as text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.at(name).0.as_string()
    }

    /// The member `name` as a number.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.at(name).0.as_f64()
    }

    /// Whether the member `name` is there and not `false`.
    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.at(name).0.is_truthy()
    }

    /// The value itself, for handing on.
    pub(crate) fn value(&self) -> &JsValue {
        &self.0
    }
}

/// An object literal.
pub(crate) fn object(members: &[(&str, &JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in members {
        set(&object, name, value);
    }
    object
}

/// Sets a member of an object made here.
pub(crate) fn set(object: &Object, name: &str, value: &JsValue) {
    // Cannot fail: the object is neither frozen nor a proxy.
    let _ = Reflect::set(object, &name.into(), value);
}
