//! From Rust to the shop: the messages `change` and `validated` of `www/shared/messages.d.ts`. The other messages consist of what came
//! from JavaScript, and are put together there.

use card::{Brand, Brands, ErrorId, FormKind, State};

use crate::shown::Summary;

/// The message of that type, as JSON. It holds names from our own tables only, so nothing in it has to be escaped.
pub(crate) fn change(name: &str, kind: FormKind, summary: &Summary) -> String {
    let mut json = String::from("{\"type\":");
    push_name(&mut json, Some(name));
    json.push_str(",\"fields\":{");
    for (index, (field, view)) in kind.fields().iter().zip(&summary.fields).enumerate() {
        let state = match view.state {
            _ if view.empty => "empty",
            State::Valid => "valid",
            State::Invalid => "invalid",
            _ => "incomplete",
        };
        if index > 0 {
            json.push(',');
        }
        push_name(&mut json, Some(field.id()));
        json.push_str(":{\"state\":");
        push_name(&mut json, Some(state));
        json.push_str(",\"error\":");
        push_name(&mut json, view.error.map(ErrorId::text_key));
        json.push_str(",\"focused\":");
        push_bool(&mut json, view.focused);
    }
    json.push_str("},\"brands\":");
    push_brands(&mut json, summary.brands);
    json.push_str(",\"choices\":");
    push_brands(&mut json, summary.choices);
    json.push_str(",\"brand\":");
    push_name(&mut json, summary.brand.map(Brand::id));
    json.push_str(",\"complete\":");
    push_bool(&mut json, summary.complete);
    json
}

/// A list of ids.
fn push_brands(json: &mut String, brands: Brands) {
    json.push('[');
    for (index, brand) in brands.iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        push_name(json, Some(brand.id()));
    }
    json.push(']');
}

/// A name in quotes, or `null`.
fn push_name(json: &mut String, name: Option<&str>) {
    match name {
        Some(name) => {
            json.push('"');
            json.push_str(name);
            json.push('"');
        }
        None => json.push_str("null"),
    }
}

/// The last member of an object.
fn push_bool(json: &mut String, value: bool) {
    json.push_str(if value { "true}" } else { "false}" });
}
