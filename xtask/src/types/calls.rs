//! Which types there are: those of all calls, as `wire`'s table has them, and of callbacks.

use std::collections::BTreeMap;

use anyhow::Result;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use wire::ErrorBody;
use wire::interface::answer::Payment;
use wire::interface::call::{self, CALLS, Call, Entry, Visitor};
use wire::interface::installment::Installment;
use wire::interface::payout::PayoutCallback;
use wire::interface::saved::AddedCard;
use wire::interface::subscription::SubscriptionCallback;

use super::comment::comment;
use super::shape::Shape;
use super::{Generators, Side};

/// The types of one family of calls, in the order in which they are written.
pub(super) struct Family {
    /// `payments`.
    pub(super) name: String,
    pub(super) types: Vec<(String, Side)>,
}

/// What is said of calls.
pub(super) struct Calls {
    pub(super) families: Vec<Family>,
    /// The interface with all calls by name.
    pub(super) declared: String,
    /// What has a type: "told to", and to which calls.
    uses: BTreeMap<String, Vec<(&'static str, String)>>,
}

impl Calls {
    /// Reads the table, and has schemas made of all that it names.
    pub(super) fn read(generators: &mut Generators) -> Result<Self> {
        let mut calls = Self {
            families: Vec::new(),
            declared: String::new(),
            uses: BTreeMap::new(),
        };
        let mut members = String::new();
        for entry in CALLS {
            let Some(told) = call::visit(entry.name, Tell(entry, generators)) else {
                continue;
            };
            members.push_str(&calls.take(entry, &told)?);
        }
        let about =
            "Every call by its name: what it is told, and what it answers. A customer is named apart.";
        calls.declared = format!(
            "{}export interface Calls {{\n{members}}}\n",
            comment("", about, &[])
        );
        let answers = &mut generators.answers;
        calls.others::<ErrorBody>(answers, "errors");
        calls.others::<Payment>(answers, "callbacks");
        calls.others::<AddedCard>(answers, "callbacks");
        calls.others::<Installment>(answers, "callbacks");
        calls.others::<PayoutCallback>(answers, "callbacks");
        calls.others::<SubscriptionCallback>(answers, "callbacks");
        calls.note(
            "Payment",
            "Body of",
            "callbacks about payments and orders of baskets".to_owned(),
        );
        calls.note(
            "Installment",
            "Body of",
            "callbacks about installment orders".to_owned(),
        );
        Ok(calls)
    }

    /// What has a type, in a sentence for each kind of it.
    pub(super) fn uses(&self, name: &str) -> String {
        let uses = self.uses.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut sentences: Vec<String> = Vec::new();
        for (at, (kind, name)) in uses.iter().enumerate() {
            let follows = at > 0 && uses[at - 1].0 == *kind;
            match sentences.last_mut().filter(|_| follows) {
                Some(sentence) => sentence.push_str(&format!(", {name}")),
                None => sentences.push(format!("{kind} {name}")),
            }
        }
        sentences.iter().map(|sentence| format!("{sentence}. ")).collect()
    }

    /// Notes a type that is no call's.
    fn others<T: JsonSchema>(&mut self, answers: &mut SchemaGenerator, family: &str) {
        answers.subschema_for::<T>();
        let name = T::schema_name().into_owned();
        self.family(family).types.push((name, Side::Answer));
    }

    /// The family of that name, which may be new.
    fn family(&mut self, name: &str) -> &mut Family {
        let at = self.families.iter().position(|family| family.name == name);
        let at = at.unwrap_or_else(|| {
            self.families.push(Family {
                name: name.to_owned(),
                types: Vec::new(),
            });
            self.families.len() - 1
        });
        &mut self.families[at]
    }

    /// Notes the types of a call; answers its member of the interface.
    fn take(&mut self, entry: &Entry, told: &Told) -> Result<String> {
        let mut request = Shape::new(Side::Request);
        let params: Vec<String> = told
            .params
            .iter()
            .map(|schema| request.kind(schema.as_value()))
            .collect::<Result<_>>()?;
        let mut answer = Shape::new(Side::Answer);
        let answered = match &told.answer {
            Some(schema) => answer.kind(schema.as_value())?,
            None => "undefined".to_owned(),
        };
        let address = format!("`{} {}`", entry.method.as_str(), entry.path);
        for name in &request.named {
            self.note(name, "Told to", format!("`{}`", entry.name));
        }
        for name in &answer.named {
            self.note(name, "Answer of", format!("`{}`", entry.name));
        }
        let family = self.family(entry.name.split('.').next().unwrap_or_default());
        family
            .types
            .extend(request.named.into_iter().map(|name| (name, Side::Request)));
        family
            .types
            .extend(answer.named.into_iter().map(|name| (name, Side::Answer)));
        let params = match params.as_slice() {
            [] => "undefined".to_owned(),
            params => params.join(" & "),
        };
        let about = comment("  ", &format!("{} {address}.", entry.about), &[]);
        Ok(format!(
            "{about}  '{}': {{ params: {params}; answer: {answered} }};\n",
            entry.name
        ))
    }

    fn note(&mut self, name: &str, kind: &'static str, of: String) {
        self.uses.entry(name.to_owned()).or_default().push((kind, of));
    }
}

/// What a call is told in its places, and what it answers.
struct Told {
    params: Vec<Schema>,
    answer: Option<Schema>,
}

struct Tell<'a>(&'static Entry, &'a mut Generators);

impl Visitor for Tell<'_> {
    type Output = Told;

    fn visit<C: Call>(self) -> Told {
        let Self(entry, Generators { requests, answers }) = self;
        let mut params = Vec::new();
        if entry.path.contains('{') {
            params.push(requests.subschema_for::<C::Path>());
        }
        if entry.has_query {
            params.push(requests.subschema_for::<C::Query>());
        }
        if entry.has_body {
            params.push(requests.subschema_for::<C::Body>());
        }
        Told {
            params,
            answer: entry.has_answer.then(|| answers.subschema_for::<C::Answer>()),
        }
    }
}
