//! What a call is told, and where: in its address, its query, its body, or the customer's header.

use std::sync::Arc;

use axum::extract::RawPathParams;
use axum::http::HeaderMap;
use processing::{Processing, Project, Refusal};
use schemars::{JsonSchema, generate::SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::interface::call::{Call, Known, Named, Nobody};
use wire::interface::query::OrderQuery;
use wire::interface::values::ExternalId;
use wire::interface::{StatusCode, Wrong};

use super::CUSTOMER_AUTH;
use crate::reference::Operation;
use crate::waiting::Waiting;

/// A request, read but not understood.
pub(crate) struct Raw<'a> {
    pub(crate) path: &'a RawPathParams,
    pub(crate) query: &'a str,
    pub(crate) body: &'a [u8],
    pub(crate) headers: &'a HeaderMap,
    /// Turns at the store, for what goes on after the answer has begun.
    pub(crate) waiting: &'a Arc<Waiting>,
}

/// Something that a call is told.
pub(crate) trait Input: Sized {
    /// Understands it. May wait for the store.
    fn read(raw: &Raw<'_>, processing: &Processing, project: &Project) -> Result<Self, Refusal>;

    /// Says what it is.
    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation;
}

/// What a call of the interface is told.
pub(crate) struct Told<C: Call>
where
    C::Customer: Reads,
{
    pub(crate) customer: <C::Customer as Reads>::Read,
    pub(crate) path: C::Path,
    pub(crate) query: C::Query,
    pub(crate) body: C::Body,
}

/// Something that tells a call all that it is told.
pub(crate) trait Tells: Input {
    type Call: Call;
}

impl<C: Call> Tells for Told<C>
where
    C::Customer: Reads,
{
    type Call = C;
}

impl<T: Tells, B: Input> Tells for (T, B) {
    type Call = T::Call;
}

impl<C: Call> Input for Told<C>
where
    C::Customer: Reads,
{
    fn read(raw: &Raw<'_>, processing: &Processing, project: &Project) -> Result<Self, Refusal> {
        let nothing = b"{}".as_slice();
        // A body where none belongs is not looked at: clients send one with a GET.
        let body = if C::ENTRY.has_body { raw.body } else { nothing };
        Ok(Self {
            customer: <C::Customer as Reads>::read(raw, processing, project)?,
            path: pairs(raw.path.iter())?,
            query: match C::ENTRY.has_query {
                true => pairs(form_urlencoded::parse(raw.query.as_bytes()))?,
                false => wire::interface::read(nothing)?,
            },
            body: wire::interface::read(body)?,
        })
    }

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation {
        let operation = <C::Customer as Reads>::describe(operation, schemas);
        let operation = parameters::<C::Path>("path", operation, schemas);
        let operation = parameters::<C::Query>("query", operation, schemas);
        match C::ENTRY.has_body {
            true => <Body<C::Body> as Input>::describe(operation, schemas),
            false => operation,
        }
    }
}

/// A way to name a customer, and what comes of it.
pub(crate) trait Reads {
    type Read;

    fn read(raw: &Raw<'_>, processing: &Processing, project: &Project) -> Result<Self::Read, Refusal>;

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation;
}

impl Reads for Nobody {
    type Read = ();

    fn read(_: &Raw<'_>, _: &Processing, _: &Project) -> Result<(), Refusal> {
        Ok(())
    }

    fn describe(operation: Operation, _: &mut SchemaGenerator) -> Operation {
        operation
    }
}

/// A JSON object as the body.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned + JsonSchema> Input for Body<T> {
    fn read(raw: &Raw<'_>, _: &Processing, _: &Project) -> Result<Self, Refusal> {
        Ok(Self(wire::interface::read(raw.body)?))
    }

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation {
        operation.takes_schema(schemas.subschema_for::<T>().to_value())
    }
}

/// The parts of the path that stand in braces.
pub(crate) struct FromPath<T>(pub(crate) T);

impl<T: DeserializeOwned + JsonSchema> Input for FromPath<T> {
    fn read(raw: &Raw<'_>, _: &Processing, _: &Project) -> Result<Self, Refusal> {
        Ok(Self(pairs(raw.path.iter())?))
    }

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation {
        parameters::<T>("path", operation, schemas)
    }
}

impl Reads for Named {
    type Read = ExternalId;

    fn read(raw: &Raw<'_>, processing: &Processing, project: &Project) -> Result<ExternalId, Refusal> {
        if let Some(token) = raw.headers.get(CUSTOMER_AUTH) {
            // Not text means not ours.
            let token = token.to_str().unwrap_or_default();
            return processing.read_customer_token(project, token);
        }
        let named = form_urlencoded::parse(raw.query.as_bytes()).any(|(name, _)| name == "external_id");
        if !named {
            return Err(Refusal::new(
                StatusCode::CustomerIdNotPassed,
                "The customer is missing: send `external_id` in the query, or the header X-CUSTOMER-AUTH.",
            )
            .at("external_id"));
        }
        let OrderQuery { external_id } = pairs(form_urlencoded::parse(raw.query.as_bytes()))?;
        Ok(external_id)
    }

    fn describe(operation: Operation, _: &mut SchemaGenerator) -> Operation {
        operation
            .query(
                "external_id",
                false,
                "The shop's number of the customer. Needed without the header.",
            )
            .header(
                CUSTOMER_AUTH,
                false,
                "The customer's access token; it goes before `external_id`.",
            )
    }
}

impl Reads for Known {
    type Read = ExternalId;

    fn read(raw: &Raw<'_>, processing: &Processing, project: &Project) -> Result<ExternalId, Refusal> {
        let token = raw.headers.get(CUSTOMER_AUTH).ok_or_else(|| {
            Refusal::new(
                StatusCode::CustomerAuthNotFound,
                "The customer is missing: send their access token in the header X-CUSTOMER-AUTH.",
            )
        })?;
        // Not text means not ours.
        let token = token.to_str().unwrap_or_default();
        processing.read_customer_token(project, token)
    }

    fn describe(operation: Operation, _: &mut SchemaGenerator) -> Operation {
        operation.header(CUSTOMER_AUTH, true, "The customer's access token.")
    }
}

impl Input for () {
    fn read(_: &Raw<'_>, _: &Processing, _: &Project) -> Result<Self, Refusal> {
        Ok(())
    }

    fn describe(operation: Operation, _: &mut SchemaGenerator) -> Operation {
        operation
    }
}

impl<A: Input, B: Input> Input for (A, B) {
    fn read(raw: &Raw<'_>, processing: &Processing, project: &Project) -> Result<Self, Refusal> {
        Ok((
            A::read(raw, processing, project)?,
            B::read(raw, processing, project)?,
        ))
    }

    fn describe(operation: Operation, schemas: &mut SchemaGenerator) -> Operation {
        B::describe(A::describe(operation, schemas), schemas)
    }
}

/// Names and values as an object of texts: read, and refused, as a body is.
fn pairs<T: DeserializeOwned>(
    pairs: impl Iterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
) -> Result<T, Wrong> {
    let members: Vec<String> = pairs
        .map(|(name, value)| format!("{}:{}", Value::from(name.as_ref()), Value::from(value.as_ref())))
        .collect();
    wire::interface::read(format!("{{{}}}", members.join(",")).as_bytes())
}

/// The members of `T` as parameters.
fn parameters<T: JsonSchema>(
    place: &'static str,
    mut operation: Operation,
    schemas: &mut SchemaGenerator,
) -> Operation {
    let schema = T::json_schema(schemas).to_value();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let required = required.iter().any(|required| required == name);
        operation = operation.parameter(place, name, required, schema.clone());
    }
    operation
}
