//! The reference for people: one page without scripts.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::document::{about, by_status};
use super::members;
use super::operation::{Content, Operation};
use crate::assets::VERSION;

/// Nothing may be loaded or run. The style stands in the page, and its hash would change with each word of it.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

pub(super) fn write(operations: &[Operation], definitions: &Map<String, Value>) -> String {
    let mut page = String::with_capacity(32 * 1024);
    let _ = write!(
        page,
        "{HEAD}<p>Version {VERSION}. The same as <a href=\"{}\">OpenAPI 3.1</a>.</p>\n<nav><ul>",
        super::PATH
    );
    for (at, operation) in operations.iter().enumerate() {
        let _ = write!(page, "<li><a href=\"#o{at}\">{}</a></li>", title(operation));
    }
    page.push_str("</ul></nav>\n");
    for (at, operation) in operations.iter().enumerate() {
        let _ = write!(
            page,
            "<section id=\"o{at}\"><h2>{}</h2><p>{}</p>",
            title(operation),
            escape(operation.summary)
        );
        parameters(&mut page, operation);
        if let Some(request) = &operation.request {
            page.push_str("<h3>Request</h3>");
            content(&mut page, request, definitions);
        }
        for answer in &operation.answers {
            let _ = write!(page, "<h3>{}</h3><p>{}</p>", answer.status, escape(answer.about));
            if let Some(body) = &answer.content {
                content(&mut page, body, definitions);
            }
        }
        refusals(&mut page, operation);
        page.push_str("</section>\n");
    }
    page.push_str("</main></body></html>\n");
    page
}

fn title(operation: &Operation) -> String {
    format!(
        "<code>{} {}</code>",
        operation.method.to_ascii_uppercase(),
        escape(&operation.path)
    )
}

fn parameters(page: &mut String, operation: &Operation) {
    if operation.parameters.is_empty() {
        return;
    }
    page.push_str("<h3>Parameters</h3><table><tr><th>Name</th><th>In</th><th>Required</th><th></th></tr>");
    for parameter in &operation.parameters {
        let required = if parameter.required { "yes" } else { "no" };
        let _ = write!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{required}</td><td>{}</td></tr>",
            escape(&parameter.name),
            parameter.place,
            escape(&parameter.about)
        );
    }
    page.push_str("</table>");
}

fn content(page: &mut String, content: &Content, definitions: &Map<String, Value>) {
    match &content.schema {
        Some(schema) => members::write(page, schema, definitions),
        None => example(page, content),
    }
}

fn example(page: &mut String, content: &Content) {
    if let Some(text) = content
        .example
        .as_ref()
        .and_then(|example| serde_json::to_string_pretty(example).ok())
    {
        let _ = write!(page, "<pre>{}</pre>", escape(&text));
    }
    if !content.optional.is_empty() {
        let _ = write!(
            page,
            "<p>May be left out: {}.</p>",
            escape(&content.optional.join(", "))
        );
    }
}

fn refusals(page: &mut String, operation: &Operation) {
    if let Some(family) = operation.family {
        page.push_str("<h3>Refusals</h3><table><tr><th>Status</th><th></th></tr>");
        for status in family.statuses() {
            let _ = write!(
                page,
                "<tr><td>{status}</td><td>{}</td></tr>",
                escape(about(*status))
            );
        }
        page.push_str("</table>");
        return;
    }
    if operation.refusals.is_empty() {
        return;
    }
    page.push_str("<h3>Refusals</h3><table><tr><th>Status</th><th>Code</th><th></th></tr>");
    for (status, codes) in by_status(&operation.refusals) {
        for code in codes {
            let _ = write!(
                page,
                "<tr><td>{status}</td><td><code>{}</code></td><td>{}</td></tr>",
                code.as_str(),
                escape(code.message())
            );
        }
    }
    page.push_str("</table>");
}

/// All texts here are ours; an example may still hold `<`.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

const HEAD: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width\"><title>Card form and tokenization: reference</title>\
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:auto;padding:1rem}\
pre,table{overflow:auto;max-width:100%}pre{padding:.75rem;background:#8882;border-radius:4px}td,th{text-align:left;vertical-align:top;\
padding:.2rem .8rem .2rem 0}section{border-top:1px solid #8886;margin-top:2rem}code{overflow-wrap:anywhere}</style></head>\
<body><main><h1>Card form and tokenization</h1>\n";
