//! The OpenAPI document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use wire::app::AppError;
use wire::interface::StatusCode;
use wire::{Code, ErrorBody};

use super::operation::{Content, Errors, Operation};
use crate::api::Family;
use crate::assets::VERSION;

/// OpenAPI 3.1, whose schemas are JSON Schema 2020-12.
pub(super) fn write(operations: &[Operation], definitions: &Map<String, Value>) -> Value {
    let mut schemas = definitions.clone();
    schemas.insert("Error".into(), usual());
    schemas.insert("AppError".into(), of_apps());
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for operation in operations {
        let path = paths.entry(&operation.path).or_default();
        path.insert(operation.method.to_owned(), describe(operation));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Card form, tokenization and payments",
            "version": VERSION,
            "description": "Bodies count as JSON under any Content-Type, and unknown members are ignored. \
                Every answer has `X-Request-Id`. Refusals carry a stable code; the list of codes grows. Calls of shops' servers \
                come with the credentials of a project, and their answers tell what is left of its rate limit. A declined \
                payment is an answer, not a refusal.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "headers": left(),
            "responses": refusals_of_projects(operations),
            "securitySchemes": { "project": { "type": "http", "scheme": "basic" } },
        },
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
                "schema": parameter.schema,
            })
        })
        .collect();
    let mut responses = Map::new();
    for answer in &operation.answers {
        // The same answer may come in several forms.
        let response = responses
            .entry(answer.status.to_string())
            .or_insert_with(|| json!({ "description": answer.about }));
        if let Some(body) = &answer.content {
            response["content"][body.media] = content(body);
        }
        if operation.family.is_some() {
            response["headers"] = left_by_name();
        }
    }
    for (status, codes) in by_status(&operation.refusals) {
        responses.insert(status.to_string(), refusal(operation.errors, &codes));
    }
    for status in operation.family.map(Family::statuses).unwrap_or_default() {
        let name = json!({ "$ref": format!("#/components/responses/Refused{status}") });
        responses.insert(status.to_string(), name);
    }
    let mut described = json!({
        "operationId": operation.id(),
        "summary": operation.summary,
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(request) = &operation.request {
        described["requestBody"] =
            json!({ "required": true, "content": { request.media: content(request) } });
    }
    if operation.family.is_some() {
        described["security"] = json!([{ "project": [] }]);
    }
    described
}

/// The refusals that calls of projects share, by status.
fn refusals_of_projects(operations: &[Operation]) -> Value {
    let families = operations.iter().filter_map(|operation| operation.family);
    let statuses = families.flat_map(Family::statuses);
    let statuses: BTreeSet<u16> = statuses.copied().collect();
    let responses = statuses
        .into_iter()
        .map(|status| (format!("Refused{status}"), refusal_of_project(status)));
    Value::Object(responses.collect())
}

fn refusal_of_project(status: u16) -> Value {
    let mut response = json!({
        "description": about(status),
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
    });
    // Nobody knows whose limit it would be.
    if status != 401 {
        response["headers"] = left_by_name();
    }
    response
}

/// What a status of a project's calls means.
pub(super) fn about(status: u16) -> &'static str {
    match status {
        400 => "The request is refused: `code` says why, `param` names the member.",
        401 => "The credentials, or the customer's token, are missing or wrong.",
        403 => "The project may not do this.",
        429 => "Too many requests: `Retry-After` says for how long to wait.",
        _ => "The service failed; nothing was done, or what was begun will be finished.",
    }
}

fn left_by_name() -> Value {
    let names = left();
    let names = names.as_object().into_iter().flat_map(Map::keys);
    let headers = names.map(|name| {
        (
            name.clone(),
            json!({ "$ref": format!("#/components/headers/{name}") }),
        )
    });
    Value::Object(headers.collect())
}

/// What answers to projects tell of their limit.
fn left() -> Value {
    let header = |about: &str| json!({ "description": about, "schema": { "type": "integer" } });
    json!({
        "X-RateLimit-Limit": header("Calls per minute."),
        "X-RateLimit-Remaining": header("Calls that are left."),
        "X-RateLimit-Reset": header("Seconds until the whole limit is free again."),
    })
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
    match (&content.schema, &content.example) {
        (Some(schema), _) => json!({ "schema": schema }),
        (None, Some(example)) => json!({ "schema": schema(example, content.optional), "example": example }),
        (None, None) => json!({ "schema": { "type": "string" } }),
    }
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
    let codes = Code::ALL.iter().map(|code| code.as_str());
    let codes: BTreeSet<&str> = codes
        .chain(StatusCode::KNOWN.iter().map(StatusCode::as_str))
        .collect();
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
