//! One address with one method: what it takes and what it answers.

use serde::Serialize;
use serde_json::{Value, json};
use wire::Code;

use crate::api::Family;

/// What is said of one route.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) summary: &'static str,
    pub(super) parameters: Vec<Parameter>,
    pub(super) request: Option<Content>,
    pub(super) answers: Vec<Answer>,
    pub(super) refusals: Vec<Code>,
    pub(super) errors: Errors,
    /// Of calls behind a project's credentials.
    pub(super) family: Option<Family>,
}

/// The shape of its refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errors {
    /// [`wire::ErrorBody`].
    Usual,
    /// [`wire::app::AppError`].
    App,
    /// A page that tells the code on its port.
    Page,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) place: &'static str,
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) about: String,
    pub(super) schema: Value,
}

/// A body by its schema, or by one example of it.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) media: &'static str,
    pub(super) schema: Option<Value>,
    pub(super) example: Option<Value>,
    /// Members that may be left out.
    pub(super) optional: &'static [&'static str],
}

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) about: &'static str,
    /// `None`: an empty body.
    pub(super) content: Option<Content>,
}

impl Operation {
    pub(super) fn get(path: impl Into<String>, summary: &'static str) -> Self {
        Self::new("get", path, summary)
    }

    pub(super) fn post(path: impl Into<String>, summary: &'static str) -> Self {
        Self::new("post", path, summary)
    }

    fn new(method: &'static str, path: impl Into<String>, summary: &'static str) -> Self {
        Self {
            method,
            path: path.into(),
            summary,
            parameters: Vec::new(),
            request: None,
            answers: Vec::new(),
            refusals: Vec::new(),
            errors: Errors::Usual,
            family: None,
        }
    }

    /// A call behind a project's credentials.
    pub(crate) fn of_project(
        method: &'static str,
        path: &'static str,
        summary: &'static str,
        family: Family,
    ) -> Self {
        Self {
            family: Some(family),
            ..Self::new(method, path, summary)
        }
    }

    /// Where the router puts it.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn query(self, name: &str, required: bool, about: &str) -> Self {
        self.text("query", name, required, about)
    }

    pub(crate) fn header(self, name: &str, required: bool, about: &str) -> Self {
        self.text("header", name, required, about)
    }

    fn text(self, place: &'static str, name: &str, required: bool, about: &str) -> Self {
        let schema = json!({ "type": "string", "description": about });
        self.parameter(place, name, required, schema)
    }

    /// A parameter by its schema, which describes it.
    pub(crate) fn parameter(
        mut self,
        place: &'static str,
        name: &str,
        required: bool,
        mut schema: Value,
    ) -> Self {
        let about = schema
            .as_object_mut()
            .and_then(|schema| schema.remove("description"));
        self.parameters.push(Parameter {
            place,
            name: name.to_owned(),
            required,
            about: about
                .as_ref()
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            schema,
        });
        self
    }

    pub(crate) fn takes_schema(mut self, schema: Value) -> Self {
        self.request = Some(Content::of_schema(schema));
        self
    }

    pub(crate) fn answers_schema(mut self, schema: Value) -> Self {
        self.answers.push(Answer {
            status: 200,
            about: "It was done.",
            content: Some(Content::of_schema(schema)),
        });
        self
    }

    pub(crate) fn answers_nothing(self) -> Self {
        self.answers_empty(204, "It was done; the body is empty.")
    }

    pub(super) fn answers_empty(mut self, status: u16, about: &'static str) -> Self {
        self.answers.push(Answer {
            status,
            about,
            content: None,
        });
        self
    }

    pub(super) fn takes(mut self, example: impl Serialize, optional: &'static [&'static str]) -> Self {
        self.request = Some(Content::json(example, optional));
        self
    }

    pub(super) fn answers(mut self, status: u16, about: &'static str, example: impl Serialize) -> Self {
        let content = Some(Content::json(example, &[]));
        self.answers.push(Answer {
            status,
            about,
            content,
        });
        self
    }

    pub(crate) fn answers_with(mut self, status: u16, about: &'static str, media: &'static str) -> Self {
        let content = Some(Content {
            media,
            schema: None,
            example: None,
            optional: &[],
        });
        self.answers.push(Answer {
            status,
            about,
            content,
        });
        self
    }

    pub(super) fn refuses(mut self, errors: Errors, codes: &[Code]) -> Self {
        self.errors = errors;
        self.refusals = codes.to_vec();
        self
    }
}

impl Content {
    fn json(example: impl Serialize, optional: &'static [&'static str]) -> Self {
        Self {
            media: "application/json",
            schema: None,
            // Types of ours always serialize.
            example: serde_json::to_value(example).ok(),
            optional,
        }
    }

    fn of_schema(schema: Value) -> Self {
        Self {
            media: "application/json",
            schema: Some(schema),
            example: None,
            optional: &[],
        }
    }
}
