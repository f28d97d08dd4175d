//! One address with one method: what it takes and what it answers.

use serde::Serialize;
use serde_json::Value;
use wire::Code;

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
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) about: &'static str,
}

/// A body by one example of it.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) media: &'static str,
    pub(super) example: Option<Value>,
    /// Members that may be left out.
    pub(super) optional: &'static [&'static str],
}

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) about: &'static str,
    pub(super) content: Content,
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
        }
    }

    /// Where the router puts it.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn query(mut self, name: &'static str, required: bool, about: &'static str) -> Self {
        self.parameters.push(Parameter {
            place: "query",
            name,
            required,
            about,
        });
        self
    }

    pub(super) fn header(mut self, name: &'static str, required: bool, about: &'static str) -> Self {
        self.parameters.push(Parameter {
            place: "header",
            name,
            required,
            about,
        });
        self
    }

    pub(super) fn takes(mut self, example: impl Serialize, optional: &'static [&'static str]) -> Self {
        self.request = Some(Content::json(example, optional));
        self
    }

    pub(super) fn answers(mut self, status: u16, about: &'static str, example: impl Serialize) -> Self {
        let content = Content::json(example, &[]);
        self.answers.push(Answer {
            status,
            about,
            content,
        });
        self
    }

    pub(super) fn answers_with(mut self, status: u16, about: &'static str, media: &'static str) -> Self {
        let content = Content {
            media,
            example: None,
            optional: &[],
        };
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
            // Types of ours always serialize.
            example: serde_json::to_value(example).ok(),
            optional,
        }
    }
}
