//! A call as data: where it is, what it is told, what it answers, and who does the work.

use axum::Json;
use axum::http::StatusCode as Status;
use axum::response::{IntoResponse, Response};
use axum::routing::MethodFilter;
use processing::{Processing, Project, Refusal};
use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use serde::Serialize;
use serde_json::{Map, Value};
use wire::interface::call::{self as interface, Call as _, Method, Nothing};

use super::family::Family;
use super::input::{Input, Raw, Tells};
use crate::reference::Operation;

/// One address with one method.
pub(crate) struct Call {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    family: Family,
    describe: fn(Operation, &mut Schemas) -> Operation,
    work: Box<Work>,
}

type Work = dyn Fn(&Processing, &Project, &Raw<'_>) -> Result<Response, Refusal> + Send + Sync;

impl Call {
    /// What is told is what `work` takes, what is answered what it gives.
    pub(crate) fn new<I: Input, O: Output>(
        method: &'static str,
        family: Family,
        path: &'static str,
        summary: &'static str,
        work: impl Fn(&Processing, &Project, I) -> Result<O, Refusal> + Send + Sync + 'static,
    ) -> Self {
        Self {
            method,
            path,
            summary,
            family,
            describe: |operation, schemas| {
                let operation = I::describe(operation, &mut schemas.requests);
                O::describe(operation, &mut schemas.answers)
            },
            work: Box::new(move |processing, project, raw| {
                let input = I::read(raw, processing, project)?;
                Ok(work(processing, project, input)?.write())
            }),
        }
    }

    /// A call of the interface: where it is and what is said of it stands with its types.
    pub(crate) fn of<I, O>(
        family: Family,
        work: impl Fn(&Processing, &Project, I) -> Result<O, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        I: Tells,
        O: Answers<<I::Call as interface::Call>::Answer>,
    {
        let entry = I::Call::ENTRY;
        let method = match entry.method {
            Method::Get => GET,
            Method::Post => POST,
            Method::Patch => PATCH,
            Method::Delete => DELETE,
        };
        Self::new(method, family, entry.path, entry.about, work)
    }

    /// Method and path, as HTTP writes them.
    #[cfg(test)]
    pub(crate) fn address(&self) -> (String, &'static str) {
        (self.method.to_uppercase(), self.path)
    }

    pub(crate) fn path(&self) -> &'static str {
        self.path
    }

    pub(crate) fn family(&self) -> Family {
        self.family
    }

    pub(crate) fn method_filter(&self) -> MethodFilter {
        match self.method {
            GET => MethodFilter::GET,
            DELETE => MethodFilter::DELETE,
            PATCH => MethodFilter::PATCH,
            _ => MethodFilter::POST,
        }
    }

    /// Understands the request, does the work, writes the answer. May wait for the disk.
    pub(crate) fn answer(
        &self,
        processing: &Processing,
        project: &Project,
        raw: &Raw<'_>,
    ) -> Result<Response, Refusal> {
        (self.work)(processing, project, raw)
    }

    /// What is said of it.
    pub(crate) fn operation(&self, schemas: &mut Schemas) -> Operation {
        let operation = Operation::of_project(self.method, self.path, self.summary, self.family);
        (self.describe)(operation, schemas)
    }
}

// As OpenAPI writes them.
pub(crate) const GET: &str = "get";
pub(crate) const POST: &str = "post";
pub(crate) const PATCH: &str = "patch";
pub(crate) const DELETE: &str = "delete";

/// Something that a call answers.
pub(crate) trait Output {
    fn write(self) -> Response;

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation;
}

impl<T: Serialize + JsonSchema> Output for T {
    fn write(self) -> Response {
        Json(self).into_response()
    }

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation {
        operation.answers_schema(schemas.subschema_for::<T>().to_value())
    }
}

/// What is answered where the interface says `A`.
pub(crate) trait Answers<A>: Output {}

impl<T: Output> Answers<T> for T {}

impl Answers<Nothing> for Done {}

/// Done, and nothing to say: 204.
pub(crate) struct Done;

impl Output for Done {
    fn write(self) -> Response {
        Status::NO_CONTENT.into_response()
    }

    fn describe(operation: Operation, _: &mut SchemaGenerator) -> Operation {
        operation.answers_nothing()
    }
}

/// JSON Schemas of all that travels. What is read is more than what is written: amounts may be numbers.
pub(crate) struct Schemas {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
}

impl Schemas {
    pub(crate) fn new() -> Self {
        let generator = |contract: Contract| {
            let settings = SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
                settings.contract = contract;
            });
            settings.into_generator()
        };
        Self {
            requests: generator(Contract::Deserialize),
            answers: generator(Contract::Serialize),
        }
    }

    /// The named ones.
    pub(crate) fn into_definitions(mut self) -> Map<String, Value> {
        let mut definitions = self.requests.take_definitions(true);
        definitions.extend(self.answers.take_definitions(true));
        definitions
    }
}
