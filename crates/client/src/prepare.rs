//! From a call to what goes over the wire, without sending it.

use std::collections::BTreeMap;
use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::Value;
use wire::interface::call::{self, CUSTOMER_AUTH, Call, Entry, Method, Nothing};
use zeroize::Zeroizing;

use crate::credentials::{Credentials, Customer};
use crate::error::{Error, Remedy};

/// What a call is told.
pub struct Told<'a, C: Call> {
    /// Whom it is about, where it is about a customer.
    pub customer: Option<&'a Customer>,
    /// What stands in the path.
    pub path: &'a C::Path,
    /// What stands in the query.
    pub query: &'a C::Query,
    /// What stands in the body.
    pub body: &'a C::Body,
}

impl<C: Call> fmt::Debug for Told<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Told").finish_non_exhaustive()
    }
}

impl<'a, C: Call<Path = Nothing, Query = Nothing>> Told<'a, C> {
    /// A body alone.
    pub fn body(body: &'a C::Body) -> Self {
        Self {
            customer: None,
            path: &Nothing {},
            query: &Nothing {},
            body,
        }
    }
}

impl<'a, C: Call<Path = Nothing, Body = Nothing>> Told<'a, C> {
    /// A query alone.
    pub fn query(query: &'a C::Query) -> Self {
        Self {
            customer: None,
            path: &Nothing {},
            query,
            body: &Nothing {},
        }
    }
}

impl<'a, C: Call<Query = Nothing, Body = Nothing>> Told<'a, C> {
    /// A path alone.
    pub fn path(path: &'a C::Path) -> Self {
        Self {
            customer: None,
            path,
            query: &Nothing {},
            body: &Nothing {},
        }
    }
}

impl<'a, C: Call> Told<'a, C> {
    /// The same, about a customer.
    pub fn about(self, customer: &'a Customer) -> Self {
        Self {
            customer: Some(customer),
            ..self
        }
    }
}

/// A request that is ready to be sent.
pub struct Prepared {
    /// The call.
    pub entry: Entry,
    /// Path and query, to be put behind the service's address.
    pub target: String,
    /// Names in lower case, and values, some of which are secret.
    pub headers: Vec<(&'static str, Zeroizing<String>)>,
    /// JSON, where there is a body.
    pub body: Option<Zeroizing<Vec<u8>>>,
    /// Which call tells what became of it.
    pub remedy: Option<Remedy>,
}

impl Prepared {
    /// The HTTP method.
    pub fn method(&self) -> Method {
        self.entry.method
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared")
            .field("call", &self.entry.name)
            .finish_non_exhaustive()
    }
}

/// Writes a request.
pub fn prepare<C: Call>(credentials: &Credentials, told: &Told<'_, C>) -> Result<Prepared, Error> {
    let entry = C::ENTRY;
    let (path, query) = (members(told.path)?, members(told.query)?);
    let mut target = fill(entry.path, &path)?;
    let mut headers = vec![
        ("authorization", credentials.authorization()),
        ("accept", Zeroizing::new("application/json".to_owned())),
    ];
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    match (entry.customer, told.customer) {
        (call::Customer::Nobody, _) => {}
        (call::Customer::Named, Some(Customer::ExternalId(number))) => {
            pairs.append_pair("external_id", number);
        }
        (_, Some(Customer::Auth(token))) => headers.push((CUSTOMER_AUTH, token.clone())),
        (call::Customer::Known, _) => {
            let message = "`customer` must be named by their access token: `Customer::auth`.";
            return Err(Error::parameter("customer", message));
        }
        (call::Customer::Named, None) => {
            let message = "`customer` must be given, by the shop's number or by their access token.";
            return Err(Error::parameter("customer", message));
        }
    }
    for (name, value) in &query {
        pairs.append_pair(name, value);
    }
    let query = pairs.finish();
    if !query.is_empty() {
        target.extend(["?", &query]);
    }
    let mut body = None;
    if entry.has_body {
        let json = serde_json::to_vec(told.body).map_err(|_| not_written())?;
        body = Some(Zeroizing::new(json));
        headers.push(("content-type", Zeroizing::new("application/json".to_owned())));
    }
    Ok(Prepared {
        remedy: remedy(&entry, told),
        entry,
        target,
        headers,
        body,
    })
}

/// Texts by name. What is absent is left out.
fn members(part: &impl Serialize) -> Result<BTreeMap<String, String>, Error> {
    let Ok(Value::Object(members)) = serde_json::to_value(part) else {
        return Err(not_written());
    };
    let texts = members.into_iter().filter_map(|(name, value)| match value {
        Value::Null => None,
        Value::String(text) => Some((name, text)),
        other => Some((name, other.to_string())),
    });
    Ok(texts.collect())
}

/// Nothing of the interface's types is like this.
fn not_written() -> Error {
    Error::parameter("", "The parameters cannot be written as JSON.")
}

/// The path with its names filled in.
fn fill(template: &str, parts: &BTreeMap<String, String>) -> Result<String, Error> {
    let mut path = template.to_owned();
    for (name, text) in parts {
        // These two are no names but ways through the tree, whatever they are encoded as.
        if matches!(&**text, "." | "..") {
            let message = format!("`{name}` must be an id of the service, as it was given.");
            return Err(Error::parameter(name, message));
        }
        let encoded = utf8_percent_encode(text, SEGMENT).to_string();
        path = path.replace(&format!("{{{name}}}"), &encoded);
    }
    Ok(path)
}

/// All but what RFC 3986 calls unreserved.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

fn remedy<C: Call>(entry: &Entry, told: &Told<'_, C>) -> Option<Remedy> {
    let remedy = entry.remedy?;
    let parts = [
        serde_json::to_value(told.path),
        serde_json::to_value(told.query),
        serde_json::to_value(told.body),
    ];
    let find = |path: &str| {
        let pointer = format!("/{}", path.replace('.', "/"));
        let value = parts.iter().flatten().find_map(|part| part.pointer(&pointer));
        value.and_then(Value::as_str).map(str::to_owned)
    };
    let told = remedy.told.iter().filter_map(|path| {
        let name = path.rsplit_once('.').map_or(*path, |(_, name)| name);
        Some((name, find(path)?))
    });
    Some(Remedy {
        call: remedy.call,
        params: told.collect(),
    })
}
