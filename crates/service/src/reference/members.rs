//! The members of a body, by its JSON Schema, as one table.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::page::escape;

/// Writes a row for each member, those of objects inside by their dotted path.
pub(super) fn write(page: &mut String, schema: &Value, definitions: &Map<String, Value>) {
    page.push_str("<table><tr><th>Member</th><th>Type</th><th>Required</th><th></th></tr>");
    rows(page, "", schema, definitions, 0);
    page.push_str("</table>");
}

fn rows(page: &mut String, path: &str, schema: &Value, definitions: &Map<String, Value>, depth: usize) {
    let schema = object(schema, definitions);
    let required = schema["required"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = match path {
            "" => name.clone(),
            _ => format!("{path}.{name}"),
        };
        let needed = if required.iter().any(|required| required == name) {
            "yes"
        } else {
            "no"
        };
        let _ = write!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{needed}</td><td>{}</td></tr>",
            escape(&path),
            escape(&kind(member, definitions)),
            escape(member["description"].as_str().unwrap_or_default())
        );
        if depth < DEEPEST {
            rows(page, &path, member, definitions, depth + 1);
        }
    }
}

/// The schema of the object that a member is, or is a list of, or may be.
fn object<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    let schema = resolve(schema, definitions);
    if schema["items"].is_object() {
        return object(&schema["items"], definitions);
    }
    let alternatives = schema["anyOf"].as_array().into_iter().flatten();
    let of_objects = alternatives
        .map(|alternative| resolve(alternative, definitions))
        .find(|alternative| alternative["properties"].is_object());
    of_objects.unwrap_or(schema)
}

fn resolve<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    let name = schema["$ref"]
        .as_str()
        .and_then(|name| name.strip_prefix("#/components/schemas/"));
    name.and_then(|name| definitions.get(name)).unwrap_or(schema)
}

/// A type in words: "string, 1 to 255", "number or string".
fn kind(schema: &Value, definitions: &Map<String, Value>) -> String {
    let schema = resolve(schema, definitions);
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let kinds: Vec<_> = alternatives
            .iter()
            .map(|alternative| kind(alternative, definitions))
            .collect();
        return kinds.join(" or ");
    }
    let mut words = match &schema["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            let kinds: Vec<_> = kinds.iter().filter_map(Value::as_str).collect();
            kinds.join(" or ")
        }
        _ => "any".to_owned(),
    };
    if let Some(allowed) = schema["enum"].as_array() {
        let allowed: Vec<_> = allowed.iter().filter_map(Value::as_str).collect();
        words = format!("one of {}", allowed.join(", "));
    }
    for (least, most) in [
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minimum", "maximum"),
    ] {
        if let (Some(least), Some(most)) = (schema[least].as_u64(), schema[most].as_u64()) {
            let _ = write!(words, ", {least} to {most}");
        }
    }
    words
}

/// Objects in objects, as far as a person follows.
const DEEPEST: usize = 3;
