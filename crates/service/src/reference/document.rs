//! The OpenAPI document.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use wire::app::AppError;
use wire::{Code, ErrorBody};

use super::operation::{Content, Errors, Operation};
use crate::assets::VERSION;

/// OpenAPI 3.1, whose schemas are JSON Schema 2020-12.
pub(super) fn write(operations: &[Operation]) -> Value {
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for operation in operations {
        let path = paths.entry(&operation.path).or_default();
        path.insert(operation.method.to_owned(), describe(operation));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Card form and tokenization",
            "version": VERSION,
            "description": "Bodies count as JSON under any Content-Type, and unknown members are ignored. \
                Every answer has `X-Request-Id`. Refusals carry a stable code; the list of codes grows.",
        },
        "paths": paths,
        "components": { "schemas": { "Error": usual(), "AppError": of_apps() } },
    })
}

fn describe(operation: &Operation) -> Value {
    let parameters: Vec<Value> = operation
        .parameters
        .iter()
        .map(|parameter| {
            json!({
                "in": parameter.place,
                "name": parameter.name,
                "required": parameter.required,
                "description": parameter.about,
                "schema": { "type": "string" },
            })
        })
        .collect();
    let mut responses = Map::new();
    for answer in &operation.answers {
        let response = json!({ "description": answer.about, "content": content(&answer.content) });
        responses.insert(answer.status.to_string(), response);
    }
    for (status, codes) in by_status(&operation.refusals) {
        responses.insert(status.to_string(), refusal(operation.errors, &codes));
    }
    let mut described = json!({
        "operationId": operation.id(),
        "summary": operation.summary,
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(request) = &operation.request {
        described["requestBody"] = json!({ "required": true, "content": content(request) });
    }
    described
}

fn refusal(errors: Errors, codes: &[Code]) -> Value {
    let told: Vec<String> = codes
        .iter()
        .map(|code| format!("- `{}`: {}", code.as_str(), code.message()))
        .collect();
    let (media, schema) = match errors {
        Errors::Usual => (
            "application/json",
            json!({ "$ref": "#/components/schemas/Error" }),
        ),
        Errors::App => (
            "application/json",
            json!({ "$ref": "#/components/schemas/AppError" }),
        ),
        Errors::Page => ("text/html", json!({ "type": "string" })),
    };
    json!({ "description": told.join("\n"), "content": { media: { "schema": schema } } })
}

fn content(content: &Content) -> Value {
    let body = match &content.example {
        Some(example) => json!({ "schema": schema(example, content.optional), "example": example }),
        None => json!({ "schema": { "type": "string" } }),
    };
    json!({ content.media: body })
}

/// The shape of an example; null stands for a text that may be missing.
fn schema(example: &Value, optional: &[&str]) -> Value {
    match example {
        Value::Null => json!({ "type": ["string", "null"] }),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(_) => json!({ "type": "integer" }),
        Value::String(_) => json!({ "type": "string" }),
        Value::Array(items) => match items.first() {
            Some(item) => json!({ "type": "array", "items": schema(item, optional) }),
            None => json!({ "type": "array" }),
        },
        Value::Object(members) => {
            let properties: Map<String, Value> = members
                .iter()
                .map(|(name, value)| (name.clone(), schema(value, optional)))
                .collect();
            let required: Vec<&String> = members
                .keys()
                .filter(|name| !optional.contains(&name.as_str()))
                .collect();
            json!({ "type": "object", "properties": properties, "required": required })
        }
    }
}

fn usual() -> Value {
    let example = json!(ErrorBody::new(
        Code::InvalidRequestBody,
        "envelope",
        "f67e58edc0157942"
    ));
    let mut schema = schema(&example, &[]);
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    schema["properties"]["code"]["examples"] = json!(codes);
    schema["example"] = example;
    schema
}

fn of_apps() -> Value {
    let example = json!(AppError {
        id: Code::SignatureInvalid.as_str().into(),
        error_message: Code::SignatureInvalid.message().into(),
    });
    let mut schema = schema(&example, &[]);
    schema["example"] = example;
    schema
}

/// In the order of statuses, codes in the order in which they are found.
pub(super) fn by_status(codes: &[Code]) -> BTreeMap<u16, Vec<Code>> {
    let mut statuses: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        statuses.entry(code.status()).or_default().push(*code);
    }
    statuses
}

impl Operation {
    /// A name for generated clients: method and path in words.
    fn id(&self) -> String {
        let words = self
            .path
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty());
        std::iter::once(self.method)
            .chain(words)
            .collect::<Vec<_>>()
            .join("_")
    }
}
